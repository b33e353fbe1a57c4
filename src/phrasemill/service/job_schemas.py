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
    id: str = Field(description="Keep it secret: anyone who has it can see, change and delete the job.")
    status: Literal["queued", "reading", "running", "done", "cancelled", "failed"]
    method: str
    total: int | None = Field(description="The number of documents; null until it is known.")
    done: int = Field(description="Documents with keyphrases.")
    failed: int = Field(description="Documents with a problem.")
    created: str = Field(description="A time in UTC, such as 2026-01-31T12:00:00Z.")
    expires: str | None = Field(description="When the job will be deleted; null until it has ended.")
    problem: Problem | None = Field(default=None, description="Why the whole job failed.")


class RowPhraseOut(BaseModel):
    text: str
    score: float


class JobRowOut(BaseModel):
    """The summary of one document of a job, with its first 30 keyphrases."""

    number: int
    id: str
    file: str = Field(description="The path of its file, including folders and archives.")
    title: str
    language: str
    kind: str = Field(default="", description="abstract, paper, news or everyday.")
    found: int = Field(default=0, description="The number of its keyphrases.")
    keyphrases: list[RowPhraseOut]
    status: DocumentStatus
    problem: Problem | None = None
    can_retry: bool = Field(default=False, description="Whether the problem may be temporary.")
    pages: int = Field(default=0, description="The number of pages, if it is a PDF.")


class JobRowsOut(BaseModel):
    total: int = Field(description="The number of documents known so far.")
    documents: list[JobRowOut]


class JobDocumentOut(FileOut):
    """A whole document of a job, as /v1/files returns it."""

    pages: int = Field(default=0, description="The number of pages, if it is a PDF.")


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
    """An event of /v1/jobs/{id}/events: its name, its id, and its data as JSON text."""


class RetryRequest(Given):
    numbers: Annotated[list[Annotated[int, Field(ge=1)]], Field(min_length=1, max_length=10_000)] | None = Field(
        default=None,
        description="Documents that failed or were cancelled; by default all whose failure may be temporary.",
    )


class MarkOut(BaseModel):
    keyphrase: int = Field(description="The number of the keyphrase, from 0.")
    box: Box = Field(description="Left, top, right and bottom, as fractions of the page.")


class PageOut(BaseModel):
    number: int = Field(description="The page number, from 1.")
    width: float = Field(description="The width in points.")
    height: float = Field(description="The height in points.")
    marks: list[MarkOut]
