"""Jobs: many documents in one upload, worked on after the request was answered.

A job begins with one document per file. A file that holds several gives more of them, which are added at the end, so
the number of a document never changes. Files, texts and records are on disk; memory holds one short row per document.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush
from pathlib import Path
from typing import Any

from phrasemill.readers import Columns
from phrasemill.service.admission import Bounded
from phrasemill.service.bodies import encoded
from phrasemill.service.ids import UniqueIds
from phrasemill.service.job_steps import Extracted, StoredDocument, StoredFile
from phrasemill.service.problems import SOON, Refusal
from phrasemill.service.spool import Spool

QUEUED, READING, RUNNING, DONE, CANCELLED, FAILED = "queued", "reading", "running", "done", "cancelled", "failed"
WAITING = "waiting"
ENDED = frozenset((DONE, CANCELLED, FAILED))
# Problems that may be gone at the next attempt; of the first three, a job makes one itself.
LOST = frozenset(("crashed", "busy", "not-ready"))
PASSING = LOST | {"internal-error", "memory-limit", "time-limit"}


@dataclass(slots=True)
class JobDocument:
    """A document of a job, numbered from 1; `stored` once it was read, `record` where its answer is once it is done.

    `order` sorts documents by file, and then by their place in it. `changed` is the version of the job in which it
    changed last.
    """

    number: int
    id: str
    file: StoredFile
    order: tuple[int, ...]
    stored: StoredDocument | None = None
    record: str = ""
    size: int = 0  # of the record, in bytes
    status: str = WAITING
    problem: Refusal | None = None
    attempts: int = 0
    changed: int = 0
    row: bytes = b""

    @property
    def is_unread(self) -> bool:
        return self.stored is None and self.status == WAITING

    @property
    def can_retry(self) -> bool:
        return self.status == FAILED and self.problem is not None and self.problem.kind in PASSING


@dataclass(slots=True)
class Job:
    """One job. `pending` are the numbers of documents to work on, those that were read first."""

    id: str
    owner: str
    folder: Path
    method: str
    options: Mapping[str, Any] | None  # None: only read
    columns: Columns
    spool: Spool
    memory: Bounded
    most: int  # documents
    request: str  # the id of the request that made it, for the log
    created: float = field(default_factory=time.time)
    expires: float | None = None  # set when it has ended
    status: str = QUEUED
    problem: Refusal | None = None
    documents: list[JobDocument] = field(default_factory=list)
    pending: list[tuple[bool, int]] = field(default_factory=list)
    task: "asyncio.Task[None] | None" = None
    version: int = 0
    held: int = 0  # bytes on disk
    rows: int = 0  # bytes in memory
    _ids: UniqueIds = field(default_factory=UniqueIds)
    _latest: "OrderedDict[int, JobDocument]" = field(default_factory=OrderedDict)  # by their last change
    _counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys((WAITING, DONE, FAILED, CANCELLED), 0))
    _unsure: int = 0  # unread files that may hold several documents
    _change: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def ended(self) -> bool:
        return self.status in ENDED

    def describe(self) -> dict[str, object]:
        """Return the job as clients see it."""
        found: dict[str, object] = {"id": self.id, "status": self.status, "method": self.method}
        found |= {"total": None if self._unsure and not self.ended else len(self.documents)}
        found |= {"done": self._counts[DONE], "failed": self._counts[FAILED]}
        found |= {"created": _moment(self.created)}
        found |= {"expires": None if self.expires is None else _moment(self.expires)}
        return found | ({"problem": self.problem.record()} if self.problem else {})

    def check_files(self) -> None:
        """Raise a `Refusal` if the job failed as a whole: its files were deleted."""
        if self.status == FAILED:
            raise Refusal("not-found", "the whole job failed, and its files were deleted; only its rows are left")

    def add(self, file: StoredFile, order: tuple[int, ...]) -> JobDocument:
        """Add the document of a file that is still to be read."""
        if len(self.documents) >= self.most:
            raise Refusal("too-many-documents", f"at most {self.most:,} in one job")
        if self.memory.taken >= self.memory.size // 2:
            raise Refusal("busy", "the server has no memory left for rows of jobs", SOON)
        document = JobDocument(len(self.documents) + 1, self._ids.unique(file.name), file, order)
        self.documents.append(document)
        self._unsure += file.holds_many
        self._counts[WAITING] += 1
        self.update(document)
        return document

    def push(self, document: JobDocument) -> None:
        """Put a document in the queue."""
        heappush(self.pending, (document.stored is None, document.number))

    def pop(self) -> JobDocument:
        """Take the next document out of the queue: one that was read, before one that was not."""
        return self.documents[heappop(self.pending)[1] - 1]

    def refile(self, document: JobDocument, file: StoredFile) -> None:
        """Let a document stand for a file of the archive that it stood for."""
        self._unsure += file.holds_many - document.file.holds_many
        document.file, document.id = file, self._ids.unique(file.name)
        self.update(document)

    def set_read(self, document: JobDocument, stored: StoredDocument) -> None:
        self._unsure -= document.is_unread and document.file.holds_many
        document.stored = stored
        if stored.id != document.file.name:
            document.id = self._ids.unique(stored.id)
        self.hold(stored.size)
        self.update(document)

    def set_done(self, document: JobDocument, found: Extracted, record: str) -> None:
        self.hold(found.size - document.size)
        document.record, document.size, document.problem = record, found.size, None
        self.update(document, DONE, found.row)

    def set_failed(self, document: JobDocument, problem: Refusal) -> None:
        self._unsure -= document.is_unread and document.file.holds_many
        document.problem = problem
        self.update(document, FAILED)

    def set_waiting(self, document: JobDocument) -> None:
        """Let a document be worked on once more."""
        document.problem, document.attempts = None, 0
        self.update(document, WAITING)
        self._unsure += document.is_unread and document.file.holds_many
        self.push(document)

    def update(self, document: JobDocument, status: str = "", found: Mapping[str, Any] | None = None) -> None:
        """Set the status of a document, make its row anew, and notify those who wait."""
        if status:
            self._counts[document.status] -= 1
            self._counts[status] += 1
            document.status = status
        before = len(document.row)
        document.row = encoded(_row(document, found))
        self.rows += len(document.row) - before
        self.memory.change(len(document.row) - before)
        self.version += 1
        document.changed = self.version
        self._latest[document.number] = document
        self._latest.move_to_end(document.number)
        if not self.ended and self.status != QUEUED:
            self.status = READING if self._unsure else RUNNING
        self._notify()

    def set_status(self, status: str, problem: Refusal | None = None) -> None:
        self.status, self.problem = status, problem
        if status in ENDED:
            self.pending.clear()
            for document in self.documents:
                if document.status == WAITING:
                    self._unsure -= document.is_unread and document.file.holds_many
                    self.update(document, CANCELLED)
        else:
            self.expires = None
        self.version += 1
        self._notify()

    def begin(self) -> None:
        self.set_status(READING if self._unsure else RUNNING)

    def changes(self, since: int) -> list[JobDocument]:
        """Return the documents that changed after a version, in the order of their changes."""
        found = []
        for document in reversed(self._latest.values()):
            if document.changed <= since:
                break
            found.append(document)
        return found[::-1]

    async def changed(self, since: int, seconds: float) -> bool:
        """Wait up to `seconds` for a version after `since`; return whether there is one."""
        while self.version <= since:
            try:
                await asyncio.wait_for(self._change.wait(), seconds)
            except TimeoutError:
                return False
        return True

    def _notify(self) -> None:
        self._change.set()
        self._change = asyncio.Event()

    def hold(self, count: int) -> None:
        """Count bytes on disk."""
        self.spool.hold(count)
        self.held += count

    def release(self, file: StoredFile) -> None:
        """Delete a file that is not needed any more: it was read, or cannot be."""
        path = Path(file.path)
        if path.exists():  # several documents may be in one file
            path.unlink()
            self.spool.free(file.size)
            self.held -= file.size


def _row(document: JobDocument, found: Mapping[str, Any] | None) -> dict[str, Any]:
    row: dict[str, Any] = {"number": document.number, "id": document.id, "file": document.file.name}
    row |= {"title": "", "language": "", "keyphrases": []}
    if document.stored is not None:
        row |= {"title": document.stored.title, "language": document.stored.language}
        if document.stored.pages:
            row["pages"] = document.stored.pages
    row |= {**(found or {}), "status": document.status}
    if document.problem is not None:
        row |= {"problem": document.problem.record(), "can_retry": document.can_retry}
    return row


def _moment(seconds: float) -> str:
    """Return a time as ISO 8601 has it, in UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
