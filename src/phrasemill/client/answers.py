"""What the service answers, as values."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from phrasemill.errors import PhrasemillError
from phrasemill.types import Evidence, Keyphrase, Span

Record = Mapping[str, Any]
ENDED = ("done", "cancelled", "failed")


class ServiceError(PhrasemillError):
    """A problem reported by the service; `kind` is its stable name, such as `unknown-method`."""

    def __init__(self, message: str, *, status: int = 0, kind: str = "", request: str = "") -> None:
        super().__init__(message)
        self.status, self.kind, self.request = status, kind, request

    @classmethod
    def of(cls, problem: Record) -> "ServiceError":
        """Read a problem from the JSON of the service."""
        kind = str(problem.get("type", "")).rsplit(":", 1)[-1]
        detail, title = str(problem.get("detail", "")), str(problem.get("title", ""))
        message = f"{title}: {detail}" if title and detail else title or detail or "the service failed"
        return cls(message, status=int(problem.get("status", 0)), kind=kind, request=str(problem.get("request", "")))


@dataclass(frozen=True, slots=True)
class Answer:
    """A document with its keyphrases. It has title and text if it came from a file, and a `problem` if it failed."""

    id: str
    keyphrases: tuple[Keyphrase, ...]
    language: str = ""
    kind: str = ""
    file: str = ""
    title: str = ""
    text: str = ""
    pages: int = 0
    warnings: tuple[str, ...] = ()
    problem: ServiceError | None = None

    @classmethod
    def of(cls, record: Record) -> "Answer":
        """Read a document from the JSON of the service."""
        names = ("language", "kind", "file", "title", "text", "pages")
        known = {name: record[name] for name in names if name in record}
        told = tuple(record.get("warnings", ()))
        return cls(record["id"], keyphrases_of(record), **known, warnings=told, problem=problem_of(record))


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
        known: dict[str, Any] = {name: record[name] for name in ("id", "status", "method", "total", "done", "failed")}
        moments = {name: record[name] for name in ("created", "expires")}
        known |= {name: one and datetime.fromisoformat(one) for name, one in moments.items()}
        return cls(**known, problem=problem_of(record))


@dataclass(frozen=True, slots=True)
class JobRow:
    """The summary of one document of a job; `status` is `waiting`, `done`, `failed` or `cancelled`."""

    number: int
    id: str
    file: str
    title: str
    language: str
    status: str
    keyphrases: tuple[Keyphrase, ...] = ()
    kind: str = ""
    pages: int = 0
    can_retry: bool = False
    problem: ServiceError | None = None

    @classmethod
    def of(cls, record: Record) -> "JobRow":
        """Read a document from the JSON of the service."""
        names = ("number", "id", "file", "title", "language", "status", "kind", "pages", "can_retry")
        known = {name: record[name] for name in names if name in record}
        return cls(**known, keyphrases=keyphrases_of(record), problem=problem_of(record))


class JobRows(NamedTuple):
    """Some documents of a job, and the total number."""

    total: int
    documents: tuple[JobRow, ...]

    @classmethod
    def of(cls, record: Record) -> "JobRows":
        """Read a list of documents from the JSON of the service."""
        return cls(record["total"], tuple(map(JobRow.of, record["documents"])))


class JobEvent(NamedTuple):
    """An event of a job: `document` with its row, or `job` or `end` with the job. Pass `id` to `events` to resume."""

    id: str
    name: str
    value: Job | JobRow

    @classmethod
    def of(cls, id: str, name: str, record: Record) -> "JobEvent":
        """Read an event from the JSON of the service."""
        return cls(id, name, JobRow.of(record) if name == "document" else Job.of(record))


class Mark(NamedTuple):
    """The position of a keyphrase on a page: left, top, right and bottom as fractions of the page."""

    keyphrase: int
    box: tuple[float, ...]


class Page(NamedTuple):
    """A page of a PDF, with its size in points and its marks."""

    number: int
    width: float
    height: float
    marks: tuple[Mark, ...]

    @classmethod
    def of(cls, record: Record) -> "Page":
        """Read a page from the JSON of the service."""
        marks = tuple(Mark(one["keyphrase"], tuple(one["box"])) for one in record["marks"])
        return cls(record["number"], record["width"], record["height"], marks)


def keyphrases_of(record: Record) -> tuple[Keyphrase, ...]:
    return tuple(
        Keyphrase(
            one["text"],
            one["score"],
            tuple(Span(*span) for span in one.get("spans", ())),
            evidence=tuple(Evidence(**reason) for reason in one.get("evidence", ())),
        )
        for one in record["keyphrases"]
    )


def problem_of(record: Record) -> ServiceError | None:
    problem = record.get("problem")
    return None if problem is None else ServiceError.of(problem)
