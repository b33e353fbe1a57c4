"""The jobs of a server, in one SQLite database: many documents in one upload, worked on after the request was answered.

A job begins with one document per file. A file that holds several gives more of them, which are added at the end, so
the number of a document never changes. Uploaded files are in the folder of the job until they were read; texts and
results are in the database. Every change of a document takes the next version of its job as its `changed`, which is
what events resume from. All statements run in one thread, one transaction at a time; workers read results only.
"""

import asyncio
import gc
import json
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from errno import ENOSPC
from pathlib import Path
from secrets import token_urlsafe
from tempfile import mkdtemp
from typing import Any, BinaryIO, NamedTuple, TypeVar

from phrasemill.errors import ConfigError
from phrasemill.readers import Columns
from phrasemill.service.answers import encoded
from phrasemill.service.job_steps import Extracted, ReadDocument, StoredFile, is_junk, label, with_id
from phrasemill.service.limits import Limits
from phrasemill.service.problems import KINDS, SOON, Refusal

QUEUED, RUNNING, DONE, CANCELLED, FAILED = "queued", "running", "done", "cancelled", "failed"
ENDED = frozenset((DONE, CANCELLED, FAILED))
# A document that waits: for its keyphrases, or to be read, or its file, which may hold several, is to be read.
WAITING = ("waiting", "unread", "packed")
# Problems that may be gone at the next attempt; of the first three, a job makes one itself.
LOST = frozenset(("crashed", "busy", "not-ready"))
PASSING = LOST | {"internal-error", "memory-limit", "time-limit"}
ID_BYTES = 24  # of randomness
DATABASE, PREFIX = "jobs.sqlite", "phrasemill-"
SCHEMA = """
PRAGMA auto_vacuum = FULL;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA foreign_keys = ON;
CREATE TABLE IF NOT EXISTS jobs (
    id TEXT PRIMARY KEY, owner TEXT, method TEXT, options TEXT, columns TEXT, request TEXT, status TEXT, problem TEXT,
    created REAL, ended REAL, most INTEGER, held INTEGER DEFAULT 0, version INTEGER DEFAULT 0
);
CREATE TABLE IF NOT EXISTS documents (
    job TEXT REFERENCES jobs ON DELETE CASCADE, number INTEGER, id TEXT, name TEXT, file TEXT, path TEXT, size INTEGER,
    place TEXT, status TEXT, attempts INTEGER DEFAULT 0, changed INTEGER, pages INTEGER DEFAULT 0, row TEXT,
    problem TEXT, text BLOB, record BLOB, PRIMARY KEY (job, number)
);
CREATE INDEX IF NOT EXISTS documents_by_status ON documents (job, status, number);
CREATE INDEX IF NOT EXISTS documents_by_change ON documents (job, changed);
CREATE INDEX IF NOT EXISTS documents_by_place ON documents (job, place);
CREATE INDEX IF NOT EXISTS documents_by_name ON documents (job, name);
CREATE INDEX IF NOT EXISTS documents_by_id ON documents (job, id);
"""
Value = TypeVar("Value")


class JobPlan(NamedTuple):
    """How the documents of a job are worked on; `options` are None where they are only read."""

    id: str
    method: str
    options: dict[str, Any] | None
    columns: Columns
    request: str
    most: int


class JobDocument(NamedTuple):
    """A document of a job, numbered from 1; `text` is there once it was read, `record` once it is done."""

    number: int
    id: str
    file: StoredFile
    place: str  # sorts documents by file, and then by their place in it
    status: str
    attempts: int
    pages: int
    problem: Refusal | None
    text: bytes | None = None
    size: int = 0  # of what an answer says of it


class JobStore:
    """All jobs of a server, within its limits, in a folder that survives it, or else in a temporary one."""

    def __init__(self, limits: Limits, folder: Path | None = None, *, now: Callable[[], float] = time.time) -> None:
        self._limits, self._now = limits, now
        self.is_kept = folder is not None
        self.folder = folder or Path()
        self._thread = ThreadPoolExecutor(1, "jobs")
        self._changes: dict[str, asyncio.Event] = {}
        self.taken = 0  # bytes on disk
        self.closed = False

    async def open(self) -> None:
        await self._in_thread(self._open)

    def _open(self) -> None:
        try:
            if not self.is_kept:
                self.folder = Path(mkdtemp(prefix=PREFIX))
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = sqlite3.connect(self.folder / "lock", timeout=0, check_same_thread=False)
            self._lock.execute("BEGIN EXCLUSIVE")  # until this server ends
            self._database = sqlite3.connect(self.folder / DATABASE, check_same_thread=False)
            self._database.executescript(SCHEMA)
        except (OSError, sqlite3.Error) as error:
            reason = f"{self.folder}: jobs cannot be kept there ({error}); does another server use this folder?"
            raise ConfigError(reason) from None
        with self._database:
            self._sql("UPDATE jobs SET status = ? WHERE status = ?", QUEUED, RUNNING)
            for (id,) in self._sql("SELECT id FROM jobs WHERE owner IS NULL").fetchall():
                self.delete(id)

    async def close(self) -> None:
        """Close the database; a temporary folder is deleted."""
        await self._in_thread(self._database.close)
        self._thread.shutdown()
        self._lock.close()
        if not self.is_kept:
            shutil.rmtree(self.folder, ignore_errors=True)

    async def _in_thread(self, work: Callable[..., Value], *given: Any) -> Value:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *given)

    async def run(self, work: Callable[..., Value], *given: Any) -> Value:
        """Return what `work`, one of the methods below, returns in the thread of the database, as one transaction."""
        return await self._in_thread(self._transact, work, given)

    def _transact(self, work: Callable[..., Value], given: tuple[Any, ...]) -> Value:
        try:
            with self._database:
                return work(*given)
        except MemoryError:
            gc.collect()
            raise Refusal("busy", "the server is short of memory", SOON) from None
        except (OSError, sqlite3.OperationalError) as error:
            if getattr(error, "errno", 0) == ENOSPC or "full" in str(error):
                raise Refusal("busy", "the disk of the server is full", SOON) from None
            raise
        finally:
            self.taken = int(self._sql("SELECT total(held) FROM jobs").fetchone()[0])

    async def change(self, work: Callable[..., Value], id: str, *given: Any) -> Value:
        """The same for something that changes the job `id`: who follows it is told."""
        try:
            return await self.run(work, id, *given)
        finally:
            self._changes.pop(id, asyncio.Event()).set()

    def follow(self, id: str) -> asyncio.Event:
        """Return what is set with the next change of a job."""
        return self._changes.setdefault(id, asyncio.Event())

    def end_following(self) -> None:
        """Let everyone who follows a job look at it again."""
        self.closed = True
        for event in self._changes.values():
            event.set()

    # What follows runs in the thread of the database.

    def _sql(self, statement: str, *values: Any) -> sqlite3.Cursor:
        return self._database.execute(statement, values)

    def _job(self, id: str, columns: str) -> tuple[Any, ...]:
        self.expire()
        found: tuple[Any, ...] | None = self._sql(f"SELECT {columns} FROM jobs WHERE id = ?", id).fetchone()
        if found is None:
            raise Refusal("not-found", "there is no such job; it may have expired")
        return found

    def _bump(self, job: str, /, **values: Any) -> int:
        """Set values of a job, and return its new version."""
        columns = "".join(f"{name} = ?, " for name in values)
        statement = f"UPDATE jobs SET {columns}version = version + 1 WHERE id = ? RETURNING version"
        found = self._sql(statement, *values.values(), job).fetchall()
        if not found:
            raise Refusal("not-found", "the job was deleted")
        return int(found[0][0])

    def _set(self, job: str, at: int, /, **values: Any) -> None:
        """Set values of a document."""
        columns = "".join(f"{name} = ?, " for name in values)
        statement = f"UPDATE documents SET {columns}changed = ? WHERE job = ? AND number = ?"
        self._sql(statement, *values.values(), self._bump(job), job, at)

    def _hold(self, id: str, count: int) -> None:
        """Count more bytes on disk, or fewer; raise a `Refusal` if there is no room for them."""
        taken = self._sql("SELECT total(held) FROM jobs").fetchone()[0]
        if count > self._limits.job_disk - taken:
            raise Refusal("busy", "the server has no room left for files of jobs; delete a job, or wait", SOON)
        self._sql("UPDATE jobs SET held = held + ? WHERE id = ?", count, id)

    def _release(self, id: str, file: StoredFile) -> None:
        """Delete a file that is not needed any more; several documents may be in one."""
        path = self.folder / id / file.path
        if path.exists():
            path.unlink()
            self._hold(id, -file.size)

    def _unique(self, id: str, name: str) -> str:
        """Return an id that no other document of the job has: the second `a` becomes `a (2)`."""
        number = self._sql("SELECT count(*) FROM documents WHERE job = ? AND name = ?", id, name).fetchone()[0]
        found = name if not number else f"{name} ({number + 1})"
        while self._sql("SELECT 1 FROM documents WHERE job = ? AND id = ?", id, found).fetchone():
            number += 1
            found = f"{name} ({number + 1})"
        return found

    def create(
        self,
        uploads: Sequence[tuple[str, BinaryIO]],
        method: str,
        options: dict[str, Any] | None,
        columns: Columns,
        request: str,
        owner: str | None,
    ) -> str:
        """Add a job for files, hidden ones left out, and return its id; without an owner it is never listed."""
        limits = self._limits
        if owner is not None:
            self._make_room(owner)
        id = token_urlsafe(ID_BYTES)
        folder = self.folder / id
        folder.mkdir(mode=0o700)
        try:
            most = limits.documents if owner is None else limits.job_documents
            given = (id, owner, method, encoded(options).decode(), encoded(asdict(columns)).decode(), request, QUEUED)
            self._sql(
                "INSERT INTO jobs (id, owner, method, options, columns, request, status, created, most)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                *(*given, self._now(), most),
            )
            wanted = [one for one in uploads if not is_junk(label(one[0])) or len(uploads) == 1]
            if not wanted:
                raise Refusal("unreadable-input", "there are only hidden files in it")
            for number, (name, source) in enumerate(wanted):
                file = StoredFile(label(name), f"upload-{number}", source.seek(0, 2))
                self._hold(id, file.size)
                source.seek(0)
                with (folder / file.path).open("wb") as target:
                    shutil.copyfileobj(source, target)
                self._add(id, file, f"{number:07}")
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return id

    def _make_room(self, owner: str) -> None:
        """Refuse one more job of `owner` if there are too many; jobs of the same owner that ended make room."""
        self.expire()
        if self.closed:
            raise Refusal("not-ready", "the server is stopping", SOON)
        own = self._sql("SELECT id, ended FROM jobs WHERE owner = ? ORDER BY created", owner).fetchall()
        most = self._limits.jobs_per_client
        if most and len(own) >= most:
            ended = [id for id, end in own if end is not None]
            if not ended:
                raise Refusal("too-many-requests", f"at most {most} jobs at once", SOON)
            self.delete(ended[0])
        if self._sql("SELECT count(*) FROM jobs WHERE owner IS NOT NULL").fetchone()[0] >= self._limits.jobs:
            raise Refusal("busy", f"there are {self._limits.jobs} jobs already; delete one, or wait", SOON)

    def _add(self, id: str, file: StoredFile, place: str) -> int:
        """Add the document of a file that is still to be read, and return its number."""
        (most,) = self._sql("SELECT most FROM jobs WHERE id = ?", id).fetchone()
        number = self._sql("SELECT count(*) + 1 FROM documents WHERE job = ?", id).fetchone()[0]
        if number > most:
            raise Refusal("too-many-documents", f"at most {most:,} in one job")
        named = (id, number, self._unique(id, file.name), file.name, file.name, file.path, file.size, place)
        self._sql(
            "INSERT INTO documents (job, number, id, name, file, path, size, place, status, changed)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            *(*named, _unread(file), self._bump(id)),
        )
        return int(number)

    def plan(self, id: str) -> JobPlan:
        method, options, columns, request, most = self._job(id, "method, options, columns, request, most")
        named = json.loads(columns)
        read = Columns(**named | {"keep": tuple(named["keep"])})
        return JobPlan(id, method, json.loads(options), read, request, most)

    def unfinished(self) -> list[str]:
        """Return the jobs that have not ended, the oldest first."""
        found = self._sql("SELECT id FROM jobs WHERE ended IS NULL ORDER BY created")
        return [id for (id,) in found.fetchall()]

    def describe(self, id: str) -> dict[str, Any]:
        """Return the job as clients see it."""
        method, status, problem, created, ended = self._job(id, "method, status, problem, created, ended")
        by_status = self._sql("SELECT status, count(*) FROM documents WHERE job = ? GROUP BY status", id)
        counts: dict[str, int] = dict(by_status.fetchall())
        unsure = counts.get("packed", 0) and status not in ENDED
        found: dict[str, Any] = {"id": id, "status": "reading" if unsure and status == RUNNING else status}
        found |= {"method": method, "total": None if unsure else sum(counts.values())}
        found |= {"done": counts.get(DONE, 0), "failed": counts.get(FAILED, 0), "created": _moment(created)}
        found |= {"expires": None if ended is None else _moment(ended + self._limits.job_seconds)}
        return found | ({"problem": _refusal(problem).record()} if problem else {})

    def listed(self, owner: str) -> list[dict[str, Any]]:
        """Return the jobs of an owner, the latest first."""
        self.expire()
        found = self._sql("SELECT id FROM jobs WHERE owner = ? ORDER BY created DESC", owner)
        return [self.describe(id) for (id,) in found.fetchall()]

    def rows(self, id: str, offset: int, limit: int) -> tuple[int, list[bytes]]:
        """Return how many documents there are, and the rows of some of them."""
        self._job(id, "id")
        (total,) = self._sql("SELECT count(*) FROM documents WHERE job = ?", id).fetchone()
        chosen = "WHERE job = ? ORDER BY number LIMIT ? OFFSET ?"
        found = self._sql(f"SELECT number, id, file, status, row, problem FROM documents {chosen}", id, limit, offset)
        return total, [_row(*one) for one in found.fetchall()]

    def changes(self, id: str, since: int) -> tuple[int, list[tuple[int, bytes]], dict[str, Any]]:
        """Return the version of a job, the rows that changed after `since` with the version of each, and the job."""
        (version,) = self._job(id, "version")
        found = self._sql(
            "SELECT changed, number, id, file, status, row, problem FROM documents"
            " WHERE job = ? AND changed > ? ORDER BY changed",
            *(id, since if since <= version else 0),
        )
        return version, [(changed, _row(*row)) for changed, *row in found.fetchall()], self.describe(id)

    def document(self, id: str, number: int) -> JobDocument:
        """Return a document; raise a `Refusal` if there is none of that number, or its files were deleted."""
        self.check_files(id)
        (found,) = self._documents(id, (number,)) or (None,)
        if found is None:
            (total,) = self._sql("SELECT count(*) FROM documents WHERE job = ?", id).fetchone()
            raise Refusal("not-found", f"there are {total} documents in this job")
        return found

    def whole(self, id: str, number: int) -> bytes:
        """Return a document with its text and its keyphrases as JSON."""
        statement = "SELECT id, file, coalesce(record, text) FROM documents WHERE job = ? AND number = ?"
        name, file, record = self._sql(statement, id, number).fetchone()
        return with_id(name, record or encoded({"file": file, "keyphrases": []}))

    def outcomes(self, id: str) -> tuple[Refusal | None, list[JobDocument]]:
        """Return the problem of a job as a whole, and its documents in the order of the files."""
        (problem,) = self._job(id, "problem")
        statement = "SELECT number FROM documents WHERE job = ? ORDER BY place"
        return _refusal(problem) if problem else None, self._documents(id, self._sql(statement, id).fetchall(), "NULL")

    def waiting(self, id: str, busy: Iterable[int], most: int) -> list[JobDocument]:
        """Return documents to work on, those that were read first, except the `busy` ones."""
        numbers: list[int] = []
        without = ", ".join(map(str, busy))
        for status in WAITING:
            chosen = f"WHERE job = ? AND status = ? AND number NOT IN ({without}) ORDER BY number LIMIT ?"
            found = self._sql(f"SELECT number FROM documents {chosen}", id, status, most - len(numbers))
            numbers += [number for (number,) in found.fetchall()]
        return self._documents(id, numbers)

    def _documents(self, id: str, numbers: Sequence[Any], text: str = "text") -> list[JobDocument]:
        found = []
        for number in numbers:
            one = self._sql(
                f"SELECT number, id, file, path, size, place, status, attempts, pages, problem, {text},"
                " ifnull(length(record), 0) + ifnull(length(text), 0) FROM documents WHERE job = ? AND number = ?",
                *(id, number if isinstance(number, int) else number[0]),
            ).fetchone()
            if one is not None:
                number, name, file, path, size, place, status, attempts, pages, problem, content, whole = one
                stored = StoredFile(file, path, size)
                wrong = _refusal(problem) if problem else None
                found.append(JobDocument(number, name, stored, place, status, attempts, pages, wrong, content, whole))
        return found

    def set_read(self, id: str, document: JobDocument, found: Sequence[StoredFile | ReadDocument | Refusal]) -> None:
        """Let what a file holds take the place of its document, and add the rest at the end."""
        keeps_file = False
        for place, one in enumerate(found):
            file = document.file
            number = document.number if place == 0 else self._add(id, file, f"{document.place}.{place:07}")
            if isinstance(one, Refusal):
                self.set_failed(id, number, one)
            elif isinstance(one, StoredFile):
                self._hold(id, one.size)
                named = {"id": self._unique(id, one.name), "name": one.name, "file": one.name}
                self._set(id, number, **named, path=one.path, size=one.size, status=_unread(one))
            else:
                self._hold(id, len(one.text))
                named = {} if one.id == file.name else {"id": self._unique(id, one.id), "name": one.id}
                row = encoded(one.row).decode()
                self._set(id, number, **named, text=one.text, row=row, pages=one.pages, status="waiting")
                keeps_file = keeps_file or one.pages > 0  # pages are drawn from it
        if not keeps_file:
            self._release(id, document.file)

    def set_done(self, id: str, number: int, found: Extracted) -> None:
        self._hold(id, len(found.record))
        row = encoded(found.row).decode()
        self._set(id, number, status=DONE, row=row, record=found.record, problem=None)

    def set_failed(self, id: str, number: int, problem: Refusal) -> None:
        self._set(id, number, status=FAILED, problem=encoded([problem.kind, problem.detail, problem.errors]).decode())

    def give_up(self, id: str, document: JobDocument, problem: Refusal) -> None:
        """Record that a document failed; a file that cannot be read is deleted."""
        self.set_failed(id, document.number, problem)
        if document.text is None and problem.kind not in PASSING:
            self._release(id, document.file)

    def count_attempt(self, id: str, number: int) -> None:
        self._set(id, number, attempts=1)

    def retry(self, id: str, numbers: Sequence[int] | None) -> None:
        """Let documents that failed or were cancelled wait again: those of these `numbers`, or all that failed for a
        reason that may be gone."""
        self.check_files(id)
        found = self._sql(
            "SELECT number, file, path, size, status, problem, text IS NULL FROM documents"
            " WHERE job = ? AND status IN (?, ?) ORDER BY number",
            *(id, FAILED, CANCELLED),
        ).fetchall()
        chosen = 0
        for number, file, path, size, status, problem, unread in found:
            passing = status == FAILED and json.loads(problem)[0] in PASSING
            if passing if numbers is None else number in numbers and (passing or status == CANCELLED):
                wanted = _unread(StoredFile(file, path, size)) if unread else WAITING[0]
                self._set(id, number, status=wanted, problem=None, attempts=0)
                chosen += 1
        if not chosen:
            raise Refusal("conflict", "no document of these failed for a reason that may be gone")
        (status,) = self._job(id, "status")
        if status in ENDED:
            self._bump(id, status=QUEUED, ended=None, problem=None)

    def begin(self, id: str) -> None:
        self._bump(id, status=RUNNING)

    def end(self, id: str, status: str, problem: Refusal | None = None) -> None:
        """End a job; documents that wait are cancelled, and the files of one that failed are deleted."""
        for waiting in WAITING:
            for (number,) in self._sql(
                "SELECT number FROM documents WHERE job = ? AND status = ?", id, waiting
            ).fetchall():
                self._set(id, number, status=CANCELLED)
        said = problem and encoded([problem.kind, problem.detail, problem.errors]).decode()
        self._bump(id, status=status, problem=said, ended=self._now())
        if status == FAILED:
            self._sql("UPDATE documents SET text = NULL, record = NULL WHERE job = ?", id)
            self._sql("UPDATE jobs SET held = 0 WHERE id = ?", id)
            shutil.rmtree(self.folder / id, ignore_errors=True)

    def expire(self) -> None:
        """Delete the jobs whose time is over."""
        before = self._now() - self._limits.job_seconds
        for (id,) in self._sql("SELECT id FROM jobs WHERE ended <= ?", before).fetchall():
            self.delete(id)

    def delete(self, id: str) -> None:
        """Delete a job with its files, and their folder, so that no worker can write another one."""
        self._sql("DELETE FROM jobs WHERE id = ?", id)
        shutil.rmtree(self.folder / id, ignore_errors=True)

    def check_files(self, id: str) -> None:
        """Raise a `Refusal` if the job failed as a whole: its files were deleted."""
        (status,) = self._job(id, "status")
        if status == FAILED:
            raise Refusal("not-found", "the whole job failed, and its files were deleted; only its rows are left")


def _unread(file: StoredFile) -> str:
    return "packed" if file.holds_many else "unread"


def _refusal(problem: str) -> Refusal:
    kind, detail, errors = json.loads(problem)
    return Refusal(kind, detail, SOON if KINDS[kind][0] == 503 else {}, tuple(errors))


def _row(number: int, id: str, file: str, status: str, row: str | None, problem: str | None) -> bytes:
    """Return the row of a document as clients see it."""
    found: dict[str, Any] = {"number": number, "id": id, "file": file, "title": "", "language": "", "keyphrases": []}
    found |= json.loads(row) if row else {}
    found["status"] = WAITING[0] if status in WAITING else status
    if problem:
        refusal = _refusal(problem)
        found |= {"problem": refusal.record(), "can_retry": status == FAILED and refusal.kind in PASSING}
    return encoded(found)


def _moment(seconds: float) -> str:
    """Return a time as ISO 8601 has it, in UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
