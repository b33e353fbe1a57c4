"""A client of the service (extra `client`, which is httpx).

    with Client("http://127.0.0.1:8000") as client:
        for document in client.extract(["Salt water moves inland."], top=3):
            print(document.id, [keyphrase.text for keyphrase in document.keyphrases])
        job = client.create_job(["papers/"])
        client.wait(job.id)
        client.result(job.id, format="csv")

Every call waits for its answer, and raises a `ServiceError` if the service answers with a problem. In an event loop,
`await asyncio.to_thread(client.extract, documents)`.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Unpack
from urllib.parse import quote

from phrasemill import options as declared
from phrasemill.errors import InputError, MissingExtra, PhrasemillError
from phrasemill.files.folders import files_below
from phrasemill.types import Document, Evidence, Keyphrase, Span

SECONDS = 300.0  # for an answer
ENDED = ("done", "cancelled", "failed")
Record = Mapping[str, Any]
Source = str | Document
Upload = str | Path | tuple[str, bytes]  # a file or folder, or a name and its content


class Options(declared.RemoteOptions, total=False):
    """The options of an extraction, which mean what they mean in `phrasemill.extract`."""

    method: str


class SetOptions(declared.SetOptions, total=False):
    """The options of a set, and the id that its answer gets."""

    method: str
    id: str


class ServiceError(PhrasemillError):
    """A problem that the service reports; `kind` is its stable name, such as `unknown-method`."""

    def __init__(self, problem: Record) -> None:
        detail, title = str(problem.get("detail", "")), str(problem.get("title", ""))
        super().__init__(": ".join(filter(None, [title, detail])) or "the service failed")
        self.kind = str(problem.get("type", "")).rsplit(":", 1)[-1]
        self.status, self.request = int(problem.get("status", 0)), str(problem.get("request", ""))


@dataclass(frozen=True, slots=True)
class Answer:
    """A document with its keyphrases, and a `problem` if it failed.

    It has a title and a text if it came from a file, and a number and a status (`waiting`, `done`, `failed` or
    `cancelled`) in a job, where keyphrases are listed without their spans and a text is left out.
    """

    id: str
    keyphrases: tuple[Keyphrase, ...] = ()
    language: str = ""
    kind: str = ""
    file: str = ""
    title: str = ""
    text: str = ""
    pages: int = 0
    warnings: tuple[str, ...] = ()
    number: int = 0
    status: str = ""
    can_retry: bool = False
    problem: ServiceError | None = None

    @classmethod
    def of(cls, record: Record) -> "Answer":
        """Read a document from the JSON of the service."""
        known = {name: record[name] for name in cls.__dataclass_fields__ if name in record}
        known["keyphrases"] = tuple(map(_keyphrase, record["keyphrases"]))
        return cls(**known | {"warnings": tuple(record.get("warnings", ())), "problem": _problem(record)})


@dataclass(frozen=True, slots=True)
class Job:
    """The state of a job; `total` is None until it is known, and `expires` until the job has ended."""

    id: str
    status: str
    method: str
    total: int | None
    done: int
    failed: int
    created: datetime
    expires: datetime | None
    problem: ServiceError | None = None

    @property
    def ended(self) -> bool:
        """Whether the job is done, cancelled or failed."""
        return self.status in ENDED

    @classmethod
    def of(cls, record: Record) -> "Job":
        """Read a job from the JSON of the service."""
        known = {name: record[name] for name in cls.__dataclass_fields__ if name in record}
        moments = {name: record[name] and datetime.fromisoformat(record[name]) for name in ("created", "expires")}
        return cls(**known | moments | {"problem": _problem(record)})


class Event(NamedTuple):
    """An event of a job: `document` with a row, or `job` or `end` with the job. Pass `id` to `events` to resume."""

    id: str
    name: str
    value: Job | Answer


class Client:
    """A client of the service at `address`. `token` is one of its tokens, if it has any; `timeout` is in seconds."""

    def __init__(self, address: str, *, token: str = "", timeout: float = SECONDS) -> None:
        try:
            import httpx
        except ModuleNotFoundError:
            raise MissingExtra("httpx", "client", purpose="phrasemill.client") from None
        headers = {"authorization": f"Bearer {token}"} if token else {}
        self._http = httpx.Client(base_url=address.rstrip("/"), headers=headers, timeout=timeout)
        self._unreachable = httpx.TransportError

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def extract(self, documents: Iterable[Source], **options: Unpack[Options]) -> list[Answer]:
        """Return the keyphrases of each text or document, in order."""
        found = self._json("POST", "/v1/extract", json={"documents": _documents(documents), **_plain(options)})
        return list(map(Answer.of, found["documents"]))

    def extract_files(self, files: Iterable[Upload], **options: Unpack[Options]) -> list[Answer]:
        """Return the documents in the files, with their texts and keyphrases."""
        return list(map(Answer.of, self._upload("/v1/files", files, options)["documents"]))

    def extract_set(
        self, documents: Iterable[Source], *, against: Iterable[Source] | None = None, **options: Unpack[SetOptions]
    ) -> dict[str, Any]:
        """Return the keyphrases of a set, or the phrases that distinguish it from `against`, as a dictionary."""
        body = {"documents": _documents(documents), **_plain(options)}
        if against is not None:
            body["against"] = _documents(against)
        return self._json("POST", "/v1/sets", json=body)

    def evaluate(self, request: Record) -> dict[str, Any]:
        """Score predictions; request and answer are the JSON of `POST /v1/evaluate` as dictionaries."""
        return self._json("POST", "/v1/evaluate", json=request)

    def listing(self, what: str) -> dict[str, Any]:
        """Return the `methods` of the service with their parameters, its `metrics`, its `languages` or its `tags`."""
        return self._json("GET", f"/v1/{quote(what, safe='')}")

    def suggest_tags(self, documents: Iterable[Source], **options: int | float) -> list[dict[str, Any]]:
        """Return the tags that each document should have; `options` are those of `POST /v1/tags/suggest`."""
        body = {"documents": _documents(documents), **options}
        found: list[dict[str, Any]] = self._json("POST", "/v1/tags/suggest", json=body)["documents"]
        return found

    def tag_feedback(self, document: Source, **said: Iterable[str]) -> dict[str, Any]:
        """Say which tags of a document to `accept`, `refuse` or `add`. Later suggestions follow it."""
        (one,) = _documents([document])
        return self._json("POST", "/v1/tags/feedback", json={"document": one, **_plain(said)})

    def create_job(self, files: Iterable[Upload], **options: Unpack[Options]) -> Job:
        """Start a job over files, folders and archives, or over pairs of a name and its content."""
        return Job.of(self._upload("/v1/jobs", files, options))

    def jobs(self) -> list[Job]:
        """Return your jobs, the latest first."""
        return list(map(Job.of, self._json("GET", "/v1/jobs")["jobs"]))

    def job(self, id: str) -> Job:
        """Return the state of a job."""
        return Job.of(self._json("GET", _job(id)))

    def cancel_job(self, id: str) -> Job:
        """Cancel a job. Finished documents are kept."""
        return Job.of(self._json("POST", f"{_job(id)}/cancel"))

    def retry_job(self, id: str, numbers: Sequence[int] | None = None) -> Job:
        """Try failed documents again: those with these `numbers`, or all whose failure may be temporary."""
        return Job.of(self._json("POST", f"{_job(id)}/retry", json={} if numbers is None else {"numbers": [*numbers]}))

    def delete_job(self, id: str) -> None:
        """Delete a job and its files, even while it runs."""
        self._send("DELETE", _job(id))

    def job_documents(self, id: str, *, offset: int = 0, limit: int = 100) -> list[Answer]:
        """Return up to `limit` documents of a job, without the first `offset`."""
        found = self._json("GET", f"{_job(id)}/documents", params={"offset": offset, "limit": limit})
        return list(map(Answer.of, found["documents"]))

    def job_document(self, id: str, number: int) -> Answer:
        """Return one document of a job, with its text and keyphrases."""
        return Answer.of(self._json("GET", f"{_job(id)}/documents/{number}"))

    def job_pages(self, id: str, number: int) -> list[dict[str, Any]]:
        """Return the pages of a PDF, with the positions of its keyphrases, as dictionaries."""
        found: Any = self._json("GET", f"{_job(id)}/documents/{number}/pages")
        return list(found)

    def page_image(self, id: str, number: int, page: int, *, width: int = 900) -> bytes:
        """Return a page of a PDF as a PNG image, `width` pixels wide."""
        return self._send("GET", f"{_job(id)}/documents/{number}/pages/{page}.png", params={"width": width})

    def result(self, id: str, *, format: str = "csv") -> bytes:
        """Return the keyphrases of a job as one file: csv, jsonl, parquet, bibtex or markdown."""
        return self._send("GET", f"{_job(id)}/result", params={"format": format})

    def events(self, id: str, *, after: str = "") -> Iterator[Event]:
        """Yield the events of a job until it ends: all of them, or those `after` an event id."""
        headers = {"last-event-id": after} if after else {}
        with self._http.stream("GET", f"{_job(id)}/events", headers=headers) as answer:
            if answer.is_error:
                answer.read()
            _check(answer)
            fields: dict[str, str] = {}
            for line in answer.iter_lines():
                name, _, value = line.partition(": ")
                fields[name] = value  # a comment has no name
                if not line:  # the end of an event
                    if "data" in fields:
                        kind, record = fields["event"], json.loads(fields["data"])
                        read = Answer.of if kind == "document" else Job.of
                        yield Event(fields.get("id", ""), kind, read(record))
                    fields = {}

    def wait(self, id: str) -> Job:
        """Wait until the job has ended, and return it."""
        for _ in self.events(id):
            continue
        return self.job(id)

    def _upload(self, path: str, uploads: Iterable[Upload], options: Record) -> dict[str, Any]:
        files = [("files", one) for one in _files(uploads)]
        return self._json("POST", path, data=_form(options), files=files)

    def _json(self, method: str, path: str, **sent: Any) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._send(method, path, **sent))
        return found

    def _send(self, method: str, path: str, **sent: Any) -> bytes:
        try:
            answer = self._http.request(method, path, **sent)
        except self._unreachable as error:
            reason = f"{type(error).__name__}: {error}"
            raise InputError(f"{self._http.base_url}: the service cannot be reached ({reason})") from error
        _check(answer)
        content: bytes = answer.content
        return content


def _check(answer: Any) -> None:
    """Raise the problem that an answer reports."""
    if not answer.is_error:
        return
    try:
        problem = answer.json()
    except ValueError:
        problem = None
    if not isinstance(problem, dict):  # not from the service itself
        problem = {"status": answer.status_code, "title": f"the server answered {answer.status_code}"}
    raise ServiceError(problem)


def _keyphrase(record: Record) -> Keyphrase:
    evidence = tuple(Evidence(**reason) for reason in record.get("evidence", ()))
    return Keyphrase(
        record["text"], record["score"], tuple(Span(*span) for span in record.get("spans", ())), evidence=evidence
    )


def _problem(record: Record) -> ServiceError | None:
    problem = record.get("problem")
    return None if problem is None else ServiceError(problem)


def _job(id: str) -> str:
    return f"/v1/jobs/{quote(id, safe='')}"


def _documents(sources: Iterable[Source]) -> list[dict[str, str]]:
    if isinstance(sources, str):
        raise InputError("expected a list of texts or documents, got one text")
    return [{"text": one} if isinstance(one, str) else _document(one) for one in sources]


def _document(one: Document) -> dict[str, str]:
    given = {"id": one.id, "text": one.text, "title": one.title, "language": one.language}
    return {name: value for name, value in given.items() if value or name == "text"}


def _plain(options: Record) -> dict[str, Any]:
    """Return options as JSON has them: None for `top` means all, as in the library."""
    given = {name: "all" if name == "top" and value is None else value for name, value in options.items()}
    plain = (str, int, float, Mapping)
    return {name: one if isinstance(one, plain) else list(one) for name, one in given.items() if one is not None}


def _form(options: Record) -> dict[str, str]:
    """Return options as fields of a form: lists have one phrase per line."""
    found = {}
    for name, value in _plain(options).items():
        if isinstance(value, Mapping):
            raise InputError(f"{name}: factors cannot be sent with files; give a list of phrases")
        listed = isinstance(value, list)
        found[name] = "\n".join(value) if listed else str(value).lower() if isinstance(value, bool) else str(value)
    return found


class _LateFile:
    """What httpx takes for an open file. It is opened when it is sent: a folder may have more files than a process may
    have open.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO | None = None

    def tell(self) -> int:
        return 0

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Begin anew, and return the size for the end; httpx seeks nothing else."""
        self._file = None
        return self._path.stat().st_size if whence == os.SEEK_END else 0

    def read(self, size: int = -1) -> bytes:
        self._file = self._file or self._path.open("rb")
        data = self._file.read(size)
        if not data:
            self._file.close()
        return data


def _files(uploads: Iterable[Upload]) -> list[tuple[str, bytes | _LateFile]]:
    """Return names and contents; a folder gives the files below it, under its own name."""
    if isinstance(uploads, str | Path):
        raise InputError("expected a list of files, got one")
    found: list[tuple[str, bytes | _LateFile]] = []
    for one in uploads:
        if isinstance(one, tuple):
            found.append(one)
        elif Path(one).is_dir():
            folder = Path(one).resolve()
            below = (Path(file.path) for file in files_below(str(folder)) if not file.problem)
            found += [(path.relative_to(folder.parent).as_posix(), _LateFile(path)) for path in below]
        elif Path(one).is_file():
            found.append((Path(one).name, _LateFile(Path(one))))
        else:
            raise InputError(f"{one}: there is no such file")
    if not found:
        raise InputError("there are no files to send")
    return found
