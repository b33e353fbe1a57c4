"""Requests and responses as JSON; the models below have the fields.

/v1/extract: documents keep their order; one without an id is numbered from "1". Spans are code points into the text, or
into title + "\\n" + text if there is a title. A document that failed has "keyphrases": [] and a "problem"; if all of
/v1/extract failed, the answer is the first one's problem.

/v1/files takes multipart/form-data: files, and as fields the options of /v1/extract, of lists one phrase per line, and
extract ("false" to read only), and columns, as text=NAME,title=NAME,id=NAME, for files of records whose columns have
other names. A file of records (JSON lines, CSV, Parquet) gives several documents. "id" is unique
within the answer; "file" is the name as it was sent. {title, text, language} can be sent to /v1/extract and /v1/sets.

With `Accept: text/event-stream`, /v1/extract, /v1/files and /v1/sets answer with events, one per document and then
`done`:
    event: document   data: {"index": int, "total": int, "document": {as in the answer; for sets only "id"}}
    event: done       data: extract and files {"method": str, "documents": int, "failed": int}; sets: the answer
    event: problem    data: a problem; nothing follows

/v1/evaluate: "text" is a file as the command reads it; "answers" is {id: ["phrase", …]} or [{"id": …, "keyphrases":
[…]}, …]. Its answer, and the lists of methods, metrics and languages, are in `listing_schemas.py`; jobs in
`job_schemas.py`.

Errors are application/problem+json: {"type": "urn:phrasemill:problem:…", "title": str, "status": int, "detail": str,
"request": id, "errors"?: [{"where": "body.documents.0.text", "detail": str, "choices"?: [str]}]}; 401 requires a bearer
token.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, Json, RootModel, create_model, model_validator

from phrasemill.options import Option, RemoteOptions, SetOptions, options_of

LONGEST_NAME = 1_000  # characters of an id, a title of a set, a spec
LONGEST_LANGUAGE = 100  # characters; names of languages are shorter
MOST_PHRASES = 1_000  # in lists of phrases to prefer or exclude

Name = Annotated[str, Field(max_length=LONGEST_NAME)]
Language = Annotated[str, Field(max_length=LONGEST_LANGUAGE, examples=["en"])]
Count = Annotated[int, Field(ge=1, le=10_000)]
Share = Annotated[float, Field(gt=0, le=1)]
Phrases = Annotated[list[Name], Field(max_length=MOST_PHRASES)]


def _no_bool(value: object) -> object:
    """Refuse true and false, which would pass as 1 and 0; numbers in forms are texts."""
    if isinstance(value, bool):
        raise ValueError("must be a number")
    return value


Number = Annotated[float, BeforeValidator(_no_bool), Field(allow_inf_nan=False)]


class Given(BaseModel):
    """What clients send; an unknown field is an error."""

    model_config = ConfigDict(extra="forbid")


class DocumentIn(Given):
    text: str = Field(description="The text itself.", examples=["Salt water moves inland when pumps draw too much."])
    id: Name | None = Field(default=None, description="Returned with the keyphrases.")
    title: Annotated[str, Field(max_length=100_000)] = ""
    language: Language | None = Field(
        default=None, description="A code or a name, such as en, deu, pt-BR or French; detected by default."
    )


Documents = Annotated[list[DocumentIn], Field(min_length=1)]


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


def fields_of(declared: Any) -> dict[str, Any]:
    """Return the fields of a request with the options that a class declares."""
    return {name: _field(one) for name, one in options_of(declared).items()}


def _field(one: Option) -> tuple[Any, Any]:
    kind = TYPES[one.kind] if one.kind != "number" else Annotated[Number, Field(ge=one.least, le=one.most)]
    default = list(one.default) if isinstance(one.default, tuple) else one.default
    examples = [default] if one.kind == "spec" else None
    return kind | None if default is None else kind, Field(default=default, description=one.help, examples=examples)


class DocumentsIn(Given):
    documents: Documents
    method: Name = ""
    style: Name | None = None


class SetIn(DocumentsIn):
    against: Documents | None = Field(
        default=None, description="Another set: return the phrases that distinguish the first set from it."
    )
    id: Name = Field(default="all documents", description="A name for the set.")


OPTIONS_DOC = (
    "The options of `extract`, except those for vocabularies, because clients cannot name files on the server."
)
ExtractRequest = create_model("ExtractRequest", __base__=DocumentsIn, __doc__=OPTIONS_DOC, **fields_of(RemoteOptions))
SetRequest = create_model(
    "SetRequest",
    __base__=SetIn,
    **fields_of(SetOptions)
    | {
        "method": (
            Name,
            Field(default="consensus", description="A spec, such as merge(positionrank).", examples=["consensus"]),
        ),
        "top": (Count | Share | Literal["all"], Field(default=10, description="How many keyphrases to return.")),
    },
)


class AnswersIn(Given):
    """Keyphrases by document, as the text of a file or as JSON."""

    text: str | None = Field(default=None, description="The content of a file: JSON lines, JSON, or SemEval's format.")
    answers: dict[str, list[Any]] | list[dict[str, Any]] | None = Field(
        default=None, examples=[{"d1": ["graph theory", "acyclic graph"]}]
    )
    field: Name | None = Field(default=None, description="The field of a record that contains the keyphrases.")

    @model_validator(mode="after")
    def _one_of_them(self) -> "AnswersIn":
        if (self.text is None) == (self.answers is None):
            raise ValueError("give either text or answers")
        return self


class Predictions(AnswersIn):
    name: Name | None = Field(default=None, description="The name of the system.")


class GoldIn(AnswersIn):
    top: Count | None = Field(default=None, description="Use only the first so many gold keyphrases.")


class EvaluateRequest(Given):
    predictions: Annotated[list[Predictions], Field(min_length=1, max_length=20)]
    gold: GoldIn
    metrics: Annotated[list[Name], Field(max_length=50)] = Field(
        default=[], description="By default those of the preset."
    )
    preset: Name = "default"
    policy: dict[Name, str | bool | float] = Field(default={}, description="Choices that differ from the preset's.")
    resamples: Annotated[int, Field(ge=0, le=10_000)] = Field(
        default=1000, description="Bootstrap samples for the intervals; 0 for none."
    )
    seed: Annotated[int, Field(ge=0, le=2**31)] = 1
    curves: bool = Field(default=True, description="Whether to return precision, recall and F1 at 1 to 20.")


Span = Annotated[list[int], Field(min_length=2, max_length=2)]


class EvidenceOut(BaseModel):
    about: str = Field(description="The feature.")
    words: str = Field(description="The reason in words.")
    weight: float = Field(description="How far it moved the score.")


class KeyphraseOut(BaseModel):
    text: str = Field(description="The phrase as the text writes it.")
    score: float = Field(description="Higher is better.")
    present: bool = Field(description="Whether it occurs in the text.")
    spans: list[Span] = Field(description="Start and end of each occurrence, in code points.")
    evidence: list[EvidenceOut] = Field(default=[], description="With explain: the reasons, strongest first.")


class FieldProblem(BaseModel):
    where: str = Field(description="The part of the request: body. and the path to a field.")
    detail: str
    choices: list[str] = Field(
        default=[],
        description="Columns or fields of the file, one of which this part must name: `columns` as text=NAME, or the "
        "`field` of predictions or gold.",
    )


class Problem(BaseModel):
    type: str = Field(description="A stable name: urn:phrasemill:problem: and the type.")
    title: str
    status: int = Field(description="The HTTP status.")
    detail: str = Field(default="", description="What is wrong with this request.")
    request: str = Field(default="", description="The id of the request, as in the log.")
    errors: list[FieldProblem] = Field(default=[], description="The fields that are not valid, or that are missing.")


class FoundOut(BaseModel):
    id: str
    language: str = Field(default="", description="The code of the language, as given or detected.")
    kind: str = Field(default="", description="The kind of text: abstract, paper, news or everyday.")
    warnings: list[str] = Field(default=[], description="What was requested and has no effect on this text.")
    keyphrases: list[KeyphraseOut]
    problem: Problem | None = None


class ExtractResponse(BaseModel):
    method: str
    documents: list[FoundOut]


class FileOut(FoundOut):
    file: str
    title: str = ""
    text: str = ""


class FilesResponse(BaseModel):
    method: str
    documents: list[FileOut]


class ProblemEvent(BaseModel):
    """The whole request failed; nothing follows."""

    event: Literal["problem"]
    data: Json[Problem]


class FoundProgress(BaseModel):
    index: int = Field(description="The number of the document, from 0.")
    total: int
    document: FoundOut


class FileProgress(FoundProgress):
    document: FileOut


class SetMember(BaseModel):
    id: str


class SetProgress(BaseModel):
    index: int
    total: int
    document: SetMember


class Finished(BaseModel):
    method: str
    documents: int
    failed: int


class FoundEvent(BaseModel):
    event: Literal["document"]
    data: Json[FoundProgress]


class FileEvent(BaseModel):
    event: Literal["document"]
    data: Json[FileProgress]


class FinishedEvent(BaseModel):
    event: Literal["done"]
    data: Json[Finished]


class ExtractEvent(RootModel[FoundEvent | FinishedEvent | ProblemEvent]):
    """An event of /v1/extract: its name, and its data as JSON text."""


class FilesEvent(RootModel[FileEvent | FinishedEvent | ProblemEvent]):
    """An event of /v1/files."""


class MentionOut(BaseModel):
    document: str
    spans: list[Span]


class SetKeyphraseOut(BaseModel):
    text: str
    score: float = Field(
        description="Higher is better. With `against`: how many times as common it is at least as in the other set, "
        "the lower end of a 95 % interval."
    )
    documents: int = Field(description="Documents that mention it.")
    total: int = Field(description="Documents in the set.")
    variants: list[str] = Field(description="Its wordings, most used first.")
    mentions: list[MentionOut]
    effect: float | None = Field(
        default=None, description="With `against`: the base-2 logarithm of the ratio of document frequencies."
    )
    p: float | None = Field(default=None, description="With `against`: the probability of the difference by chance.")
    q: float | None = Field(default=None, description="With `against`: p, corrected for the number of phrases.")
    significant: bool | None = Field(default=None, description="With `against`: whether q is at most 0.05.")
    other_documents: int | None = Field(default=None, description="Documents of the other set that mention it.")
    other_total: int | None = Field(default=None, description="Documents in the other set.")


class SetResponse(BaseModel):
    id: str
    method: str
    documents: int
    languages: dict[str, int] = Field(description="The number of documents in each language.")
    notes: list[str] = Field(
        description="How many documents are duplicates, whether a difference is significant, why there is no phrase."
    )
    keyphrases: list[SetKeyphraseOut]


class SetMemberEvent(BaseModel):
    event: Literal["document"]
    data: Json[SetProgress]


class SetFinishedEvent(BaseModel):
    event: Literal["done"]
    data: Json[SetResponse]


class SetEvent(RootModel[SetMemberEvent | SetFinishedEvent | ProblemEvent]):
    """An event of /v1/sets."""


class Health(BaseModel):
    status: str
