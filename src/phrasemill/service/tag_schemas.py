"""Requests and responses about tags as JSON: our own shapes, and those of Annif's REST interface.

POST /v1/tags/suggest   existing tags first, then new ones; the same records as `phrasemill tags suggest --format json`
POST /v1/tags/feedback  takes effect before the answer is sent
GET  /v1/tags           all tags, the most used first
/v1/projects …          what clients of Annif call (https://api.annif.org/v1/ui/); the file of tags is the one project
"""

from typing import Annotated

from pydantic import BaseModel, Field, RootModel

from phrasemill.service.schemas import DocumentIn, Documents, Given, Name

MOST = 1_000  # tags in a list

TagNames = Annotated[list[Annotated[str, Field(min_length=1, max_length=100)]], Field(max_length=MOST)]


class TagSuggestRequest(Given):
    documents: Documents
    limit: Annotated[int, Field(ge=1, le=MOST, description="The most existing tags per document.")] = 8
    threshold: Annotated[float, Field(ge=0, le=1, description="The lowest probability of an existing tag.")] = 0.1
    new: Annotated[int, Field(ge=0, le=100, description="The most new tags per document.")] = 3
    support: Annotated[
        int, Field(ge=1, le=1_000_000, description="The fewest documents that have a new tag as a keyphrase.")
    ] = 3


class TagFeedbackRequest(Given):
    document: DocumentIn
    accept: TagNames = Field(default=[], description="Suggested tags that fit.")
    refuse: TagNames = Field(default=[], description="Suggested tags that do not fit.")
    add: TagNames = Field(default=[], description="Tags that fit but were not suggested.")


class TagOut(BaseModel):
    tag: str
    probability: float
    reason: str = Field(description="named, synonym, similar (similar documents have the tag), or new.")
    support: int = Field(description="The documents that have the tag; of a new one, as a keyphrase.")
    spans: list[tuple[int, int]]
    evidence: list[str]
    documents: list[str]
    present: bool


class TaggedOut(BaseModel):
    id: str
    tags: list[TagOut]
    new: list[TagOut]


class TagSuggestResponse(BaseModel):
    documents: list[TaggedOut]


class TagFeedbackResponse(BaseModel):
    documents: int
    tags: int


class TagCount(BaseModel):
    tag: str
    documents: int


class TagsResponse(BaseModel):
    documents: int
    tags: list[TagCount]


class AnnifDocument(BaseModel):
    text: str
    document_id: Name | None = None


class AnnifBatchRequest(BaseModel):
    documents: Annotated[list[AnnifDocument], Field(min_length=1)]


class AnnifSubject(BaseModel):
    uri: Annotated[str, Field(max_length=1_000)] = ""
    label: Annotated[str, Field(max_length=100)] = ""


class AnnifLearned(BaseModel):
    text: str
    subjects: Annotated[list[AnnifSubject], Field(max_length=MOST)]


class AnnifLearnRequest(RootModel[list[AnnifLearned]]):
    pass


class AnnifResult(BaseModel):
    label: str
    notation: str | None
    score: float
    uri: str


class AnnifSuggestResponse(BaseModel):
    results: list[AnnifResult]


class AnnifBatchItem(AnnifSuggestResponse):
    document_id: str | None


class AnnifBatchResponse(RootModel[list[AnnifBatchItem]]):
    pass
