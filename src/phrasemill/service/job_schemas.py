"""Jobs as JSON.

A job is made of an upload to /v1/jobs, in the form of /v1/files; folders come as file names with slashes, and a CSV,
JSON lines or an archive counts as its documents. Documents are numbered from 1; their numbers never change. `total` is
null until all files that may hold several documents were read.

GET /v1/jobs/{id}/events is a stream of events, each with an `id`, after which `Last-Event-ID` resumes:
    event: document   data: the row of a document that is new, or has changed
    event: job        data: the job
    event: end        data: the job, which has ended; nothing follows
"""

from typing import Annotated, Literal

from pydantic import BaseModel, Field, Json, RootModel

from phrasemill.service.schemas import FileOut, Given, Problem

DocumentStatus = Literal["waiting", "done", "failed", "cancelled"]
ResultName = Literal["csv", "jsonl", "parquet", "bibtex", "markdown"]
Box = Annotated[list[float], Field(min_length=4, max_length=4)]


class JobOut(BaseModel):
    id: str = Field(description="Whoever has it may see, change and delete the job.")
    status: Literal["queued", "reading", "running", "done", "cancelled", "failed"]
    method: str
    total: int | None = Field(description="Documents; null while files that may hold several are unread.")
    done: int = Field(description="Documents that have keyphrases.")
    failed: int = Field(description="Documents that have a problem instead.")
    created: str = Field(description="A time in UTC, such as 2026-01-31T12:00:00Z.")
    expires: str = Field(description="When the job will be deleted, if it has ended.")
    problem: Problem | None = Field(default=None, description="Why the whole job failed.")


class RowPhraseOut(BaseModel):
    text: str
    score: float


class JobRowOut(BaseModel):
    """A document of a job in short, with its first 30 keyphrases."""

    number: int
    id: str
    file: str = Field(description="The name of its file, with folders and archives.")
    title: str
    language: str
    kind: str = Field(default="", description="abstract, paper, news or everyday.")
    keyphrases: list[RowPhraseOut]
    status: DocumentStatus
    problem: Problem | None = None
    can_retry: bool = Field(default=False, description="Whether the problem may be gone at the next attempt.")
    pages: int = Field(default=0, description="Of a PDF.")


class JobRowsOut(BaseModel):
    total: int = Field(description="Documents that are known so far.")
    documents: list[JobRowOut]


class JobDocumentOut(FileOut):
    """A document of a job in full, as /v1/files returns it."""

    pages: int = Field(default=0, description="Of a PDF.")


class JobDocumentEvent(BaseModel):
    """A document is new, or has changed."""

    event: Literal["document"]
    id: str
    data: Json[JobRowOut]


class JobStateEvent(BaseModel):
    """The job has changed; after `end` nothing follows."""

    event: Literal["job", "end"]
    id: str
    data: Json[JobOut]


class JobEvent(RootModel[JobDocumentEvent | JobStateEvent]):
    """An event of /v1/jobs/{id}/events: its name, its id, and its data as JSON."""


class RetryRequest(Given):
    numbers: Annotated[list[Annotated[int, Field(ge=1)]], Field(min_length=1, max_length=10_000)] | None = Field(
        default=None,
        description="Of documents that failed or were cancelled; by default all that failed for a passing reason.",
    )


class MarkOut(BaseModel):
    keyphrase: int = Field(description="Which of the document's keyphrases, from 0.")
    box: Box = Field(description="Left, top, right and bottom, as fractions of the page.")


class PageOut(BaseModel):
    number: int = Field(description="From 1.")
    width: float = Field(description="In points.")
    height: float
    marks: list[MarkOut]
