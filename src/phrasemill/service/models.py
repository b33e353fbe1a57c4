"""Requests and answers as JSON, except for tags; the models below have the fields.

/v1/extract: documents keep their order; one without an id is numbered from "1". Spans are code points into the text, or
into title + "\\n" + text if there is a title. A document that failed has "keyphrases": [] and a "problem"; if all of
/v1/extract failed, the answer is the first one's problem.

/v1/files and /v1/jobs take multipart/form-data: files, and as fields the options of /v1/extract, of lists one phrase
per line, extract ("false" to read only), and columns, as text=NAME,title=NAME,id=NAME, for files of records whose
columns have other names. A file of records (JSON lines, CSV, Parquet) gives several documents. "id" is unique within
the answer; "file" is the name as it was sent. {title, text, language} can be sent to /v1/extract and /v1/sets.

A job numbers its documents from 1; their numbers never change. Its `total` is null until all files that may hold
several documents were read. GET /v1/jobs/{id}/events is a stream of events, each with an `id`, after which
`Last-Event-ID` resumes:
    event: document   data: the row of a document that is new, or has changed
    event: job        data: the job
    event: end        data: the job, which has ended; nothing follows

/v1/evaluate: "text" is a file as the command reads it; "answers" is {id: ["phrase", …]} or [{"id": …, "keyphrases":
[…]}, …].

Errors are application/problem+json: {"type": "urn:phrasemill:problem:…", "title": str, "status": int, "detail": str,
"request": id, "errors"?: [{"where": "body.documents.0.text", "detail": str, "choices"?: [str]}]}; 401 requires a bearer
token.
"""

from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    Json,
    RootModel,
    create_model,
    model_validator,
)

from phrasemill.options import Option, RemoteOptions, SetOptions, options_of

LONGEST_NAME = 1_000  # characters of an id, a title of a set, a spec
MOST_PHRASES = 1_000  # in lists of phrases to prefer or exclude

Name = Annotated[str, Field(max_length=LONGEST_NAME)]
Language = Annotated[str, Field(max_length=100, examples=["en"])]
Count = Annotated[int, Field(ge=1, le=10_000)]
Share = Annotated[float, Field(gt=0, le=1)]
Phrases = Annotated[list[Name], Field(max_length=MOST_PHRASES)]


def _no_bool(value: object) -> object:
    """Refuse true and false, which would pass as 1 and 0; numbers in forms are texts."""
    if isinstance(value, bool):
        raise ValueError("must be a number")
    return value


Number = Annotated[float, BeforeValidator(_no_bool), Field(allow_inf_nan=False)]


def _said(description: str, **more: Any) -> Any:
    return Field(description=description, **more)


class Given(BaseModel):
    """What clients send; an unknown field is an error."""

    model_config = ConfigDict(extra="forbid")


class DocumentIn(Given):
    text: str = _said("The text itself.", examples=["Salt water moves inland when pumps draw too much."])
    id: Name | None = _said("Returned with the keyphrases.", default=None)
    title: Annotated[str, Field(max_length=100_000)] = ""
    language: Language | None = _said(
        "A code or a name, such as en, deu, pt-BR or French; detected by default.", default=None
    )


# A body may hold thousands of documents that are all wrong in the same way: the first one says it.
Documents = Annotated[list[DocumentIn], Field(min_length=1, fail_fast=True)]

# The type of each kind of option, as far as a client may go.
TYPES: dict[str, Any] = {
    "count": Count,
    "factors": Phrases | Annotated[dict[Name, Number], Field(max_length=MOST_PHRASES)],
    "flag": bool,
    "language": Language,
    "number": Number,
    "phrases": Phrases,
    "spec": Name,
    "text": Name,
    "top": Count | Share | Literal["auto", "all"],
    "words": Phrases,
}


def _fields_of(declared: Any) -> dict[str, Any]:
    """Return the fields of a request with the options that a class declares."""
    return {name: _field(one) for name, one in options_of(declared).items()}


def _field(one: Option) -> tuple[Any, Any]:
    kind = TYPES[one.kind] if one.kind != "number" else Annotated[Number, Field(ge=one.least, le=one.most)]
    default = list(one.default) if isinstance(one.default, tuple) else one.default
    examples = [default] if one.kind == "spec" else None
    return kind | None if default is None else kind, _said(one.help, default=default, examples=examples)


class DocumentsIn(Given):
    documents: Documents
    method: Name = ""
    style: Name | None = None


class SetIn(DocumentsIn):
    against: Documents | None = _said(
        "Another set: return the phrases that distinguish the first set from it.", default=None
    )
    id: Name = _said("A name for the set.", default="all documents")


ExtractRequest = create_model(
    "ExtractRequest",
    __base__=DocumentsIn,
    __doc__="The options of `extract`, except those for vocabularies, because clients cannot name files on the server.",
    **_fields_of(RemoteOptions),
)
SetRequest = create_model(
    "SetRequest",
    __base__=SetIn,
    **_fields_of(SetOptions)
    | {
        "method": (Name, _said("A spec, such as merge(positionrank).", default="consensus", examples=["consensus"])),
        "top": (Count | Share | Literal["all"], _said("How many keyphrases to return.", default=10)),
    },
)


class AnswersIn(Given):
    """Keyphrases by document, as the text of a file or as JSON."""

    text: str | None = _said("The content of a file: JSON lines, JSON, or SemEval's format.", default=None)
    answers: dict[str, list[Any]] | list[dict[str, Any]] | None = Field(
        default=None, examples=[{"d1": ["graph theory", "acyclic graph"]}]
    )
    field: Name | None = _said("The field of a record that contains the keyphrases.", default=None)

    @model_validator(mode="after")
    def _one_of_them(self) -> "AnswersIn":
        if (self.text is None) == (self.answers is None):
            raise ValueError("give either text or answers")
        return self


class Predictions(AnswersIn):
    name: Name | None = _said("The name of the system.", default=None)


class GoldIn(AnswersIn):
    top: Count | None = _said("Use only the first so many gold keyphrases.", default=None)


class EvaluateRequest(Given):
    predictions: Annotated[list[Predictions], Field(min_length=1, max_length=20)]
    gold: GoldIn
    metrics: Annotated[list[Name], Field(max_length=50)] = _said("By default those of the preset.", default=[])
    preset: Name = "default"
    policy: dict[Name, str | bool | float] = _said("Choices that differ from the preset's.", default={})
    resamples: Annotated[int, Field(ge=0, le=10_000)] = _said(
        "Bootstrap samples for the intervals; 0 for none.", default=1000
    )
    seed: Annotated[int, Field(ge=0, le=2**31)] = 1
    curves: bool = _said("Whether to return precision, recall and F1 at 1 to 20.", default=True)


class RetryRequest(Given):
    numbers: Annotated[list[Annotated[int, Field(ge=1)]], Field(min_length=1, max_length=10_000)] | None = _said(
        "Documents that failed or were cancelled; by default all whose failure may be temporary.", default=None
    )


Span = Annotated[list[int], Field(min_length=2, max_length=2)]
Interval = Annotated[list[float | None], Field(min_length=2, max_length=2)]


class EvidenceOut(BaseModel):
    about: str = _said("The feature.")
    words: str = _said("The reason in words.")
    weight: float = _said("How far it moved the score.")


class KeyphraseOut(BaseModel):
    text: str = _said("The phrase as the text writes it.")
    score: float = _said("Higher is better.")
    present: bool = _said("Whether it occurs in the text.")
    spans: list[Span] = _said("Start and end of each occurrence, in code points.")
    evidence: list[EvidenceOut] = _said("With explain: the reasons, strongest first.", default=[])


class FieldProblem(BaseModel):
    where: str = _said("The part of the request: body. and the path to a field.")
    detail: str
    choices: list[str] = _said(
        "Columns or fields of the file, one of which this part must name: `columns` as text=NAME, or the `field` of "
        "predictions or gold.",
        default=[],
    )


class Problem(BaseModel):
    type: str = _said("A stable name: urn:phrasemill:problem: and the type.")
    title: str
    status: int = _said("The HTTP status.")
    detail: str = _said("What is wrong with this request.", default="")
    request: str = _said("The id of the request, as in the log.", default="")
    errors: list[FieldProblem] = _said("The fields that are not valid, or that are missing.", default=[])


class FoundOut(BaseModel):
    id: str
    language: str = _said("The code of the language, as given or detected.", default="")
    kind: str = _said("The kind of text: abstract, paper, news or everyday.", default="")
    warnings: list[str] = _said("What was requested and has no effect on this text.", default=[])
    keyphrases: list[KeyphraseOut]
    problem: Problem | None = None


class ExtractResponse(BaseModel):
    method: str
    documents: list[FoundOut]


class FileOut(FoundOut):
    file: str
    title: str = ""
    text: str = ""
    pages: int = _said("The number of pages, if it is a PDF.", default=0)


class FilesResponse(BaseModel):
    method: str
    documents: list[FileOut]


class MentionOut(BaseModel):
    document: str
    spans: list[Span]


class SetKeyphraseOut(BaseModel):
    text: str
    score: float = _said(
        "Higher is better. With `against`: how many times as common it is at least as in the other set, the lower end "
        "of a 95 % interval."
    )
    documents: int = _said("Documents that mention it.")
    total: int = _said("Documents in the set.")
    variants: list[str] = _said("Its wordings, most used first.")
    mentions: list[MentionOut]
    effect: float | None = _said(
        "With `against`: the base-2 logarithm of the ratio of document frequencies.", default=None
    )
    p: float | None = _said("With `against`: the probability of the difference by chance.", default=None)
    q: float | None = _said("With `against`: p, corrected for the number of phrases.", default=None)
    significant: bool | None = _said("With `against`: whether q is at most 0.05.", default=None)
    other_documents: int | None = _said("Documents of the other set that mention it.", default=None)
    other_total: int | None = _said("Documents in the other set.", default=None)


class SetResponse(BaseModel):
    id: str
    method: str
    documents: int
    languages: dict[str, int] = _said("The number of documents in each language.")
    notes: list[str] = _said(
        "How many documents are duplicates, whether a difference is significant, why there is no phrase."
    )
    keyphrases: list[SetKeyphraseOut]


class Health(BaseModel):
    status: str


class SystemOut(BaseModel):
    """The scores of one system, each with a signature that records how it was computed."""

    system: str
    preset: str
    gold: str = _said("A checksum of the gold.")
    scores: dict[str, float | None]
    signatures: dict[str, str]
    documents: dict[str, int]
    missing: list[str] = _said("Gold documents without an answer.")
    surplus: list[str] = _said("Answers without a gold document.")
    intervals: dict[str, Interval] = {}
    per_document: dict[str, dict[str, float | None]]


class DifferenceOut(BaseModel):
    """The difference between two systems."""

    metric: str
    a: str
    b: str
    a_value: float | None
    b_value: float | None
    difference: float | None
    interval: Interval
    p: float | None
    p_holm: float | None = _said("p after Holm's correction.")
    documents: int


class CurveOut(BaseModel):
    system: str
    values: list[float | None] = _said("The values at 1, 2, … 20.")


class EvaluateResponse(BaseModel):
    systems: list[SystemOut]
    shares: dict[str, bool] = _said("Whether each metric ranges from 0 to 1 and is shown in per cent.")
    differences: list[DifferenceOut]
    curves: dict[str, list[CurveOut]]


ResultName = Literal["csv", "jsonl", "parquet", "bibtex", "markdown"]
Box = Annotated[list[float], Field(min_length=4, max_length=4)]


class JobOut(BaseModel):
    id: str = _said("Keep it secret: anyone who has it can see, change and delete the job.")
    status: Literal["queued", "reading", "running", "done", "cancelled", "failed"]
    method: str
    total: int | None = _said("The number of documents; null until it is known.")
    done: int = _said("Documents with keyphrases.")
    failed: int = _said("Documents with a problem.")
    created: str = _said("A time in UTC, such as 2026-01-31T12:00:00Z.")
    expires: str | None = _said("When the job will be deleted; null until it has ended.")
    problem: Problem | None = _said("Why the whole job failed.", default=None)


class JobsOut(BaseModel):
    jobs: list[JobOut] = _said("Those of this token, or of this address where there are no tokens; the latest first.")


class RowPhraseOut(BaseModel):
    text: str
    score: float


class JobRowOut(BaseModel):
    """The summary of one document of a job, with its first 30 keyphrases."""

    number: int
    id: str
    file: str = _said("The path of its file, including folders and archives.")
    title: str
    language: str
    kind: str = _said("abstract, paper, news or everyday.", default="")
    found: int = _said("The number of its keyphrases.", default=0)
    keyphrases: list[RowPhraseOut]
    status: Literal["waiting", "done", "failed", "cancelled"]
    problem: Problem | None = None
    can_retry: bool = _said("Whether the problem may be temporary.", default=False)
    pages: int = _said("The number of pages, if it is a PDF.", default=0)


class JobRowsOut(BaseModel):
    total: int = _said("The number of documents known so far.")
    documents: list[JobRowOut]


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


class MarkOut(BaseModel):
    keyphrase: int = _said("The number of the keyphrase, from 0.")
    box: Box = _said("Left, top, right and bottom, as fractions of the page.")


class PageOut(BaseModel):
    number: int = _said("The page number, from 1.")
    width: float = _said("The width in points.")
    height: float = _said("The height in points.")
    marks: list[MarkOut]
