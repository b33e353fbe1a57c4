"""The HTTP routes for tags, which are there where the server was started with a file of tags.

/v1/tags … are our own; /v1/projects … are what clients of Annif call (https://api.annif.org/v1/ui/), to which the file
of tags is the one project, with the name of the file. Feedback takes effect before the answer is sent.
"""

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Query
from pydantic import BaseModel, Field
from starlette.responses import Response

from phrasemill import __version__
from phrasemill.service import tag_steps
from phrasemill.service.answers import json_answer
from phrasemill.service.models import DocumentIn, Documents, Given, Name
from phrasemill.service.problems import Refusal
from phrasemill.service.requests import WORK_PROBLEMS, The, This, check_count, problems, sends
from phrasemill.types import Document

MOST = 1_000  # tags in a list
TagNames = Annotated[list[Annotated[str, Field(min_length=1, max_length=100)]], Field(max_length=MOST)]


class TagSuggestRequest(Given):
    documents: Documents
    limit: int = Field(default=8, ge=1, le=MOST, description="The most existing tags per document.")
    threshold: float = Field(default=0.1, ge=0, le=1, description="The lowest probability of an existing tag.")
    new: int = Field(default=3, ge=0, le=100, description="The most new tags per document.")
    support: int = Field(
        default=3, ge=1, le=1_000_000, description="The fewest documents that have a new tag as a keyphrase."
    )


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


class AnnifResult(BaseModel):
    label: str
    notation: str | None
    score: float
    uri: str


class AnnifSuggestResponse(BaseModel):
    results: list[AnnifResult]


class AnnifBatchItem(AnnifSuggestResponse):
    document_id: str | None


async def _known(project: str, service: The) -> None:
    if project != service.tags:
        raise Refusal("not-found", f"no project {project[:100]!r}; there is {service.tags!r}")


PROJECT = "/v1/projects/{project}"
sends_json = sends("application/json")
router = APIRouter()
ours = partial(router.post, tags=["Tags"], responses=WORK_PROBLEMS, dependencies=[sends_json])
annif = partial(router.get, tags=["Annif"], responses=problems(401, 421, 503))
# Annif's requests to a project.
asks = partial(router.post, tags=["Annif"], responses=WORK_PROBLEMS | problems(404))
known = Depends(_known)


def _document(one: DocumentIn) -> Document:
    return Document(one.id or "", one.text, one.title, one.language or "")


@ours("/v1/tags/suggest", operation_id="suggestTags", response_model=TagSuggestResponse)
async def suggest(asked: TagSuggestRequest, service: The, exchange: This) -> Response:
    """Suggest tags for documents: existing tags first, then a few new ones that enough documents share."""
    check_count(len(asked.documents), service.limits.documents)
    documents = list(map(_document, asked.documents))
    step = partial(tag_steps.suggest, documents=documents, options=asked.model_dump(exclude={"documents"}))
    return json_answer(await service.pool.ask(step, request=exchange.id))


@ours("/v1/tags/feedback", operation_id="learnFromFeedback", response_model=TagFeedbackResponse)
async def feedback(asked: TagFeedbackRequest, service: The, exchange: This) -> Response:
    """Record which tags of a document are right. Later suggestions follow it."""
    step = partial(tag_steps.feedback, document=_document(asked.document), said=asked.model_dump(exclude={"document"}))
    return json_answer(await service.pool.ask(step, request=exchange.id))


@router.get(
    "/v1/tags",
    operation_id="listTags",
    tags=["Tags"],
    response_model=TagsResponse,
    responses=problems(401, 421, 503),
)
async def listed(service: The) -> Response:
    """List the tags, the most used first."""
    return json_answer(await service.pool.ask(partial(tag_steps.listed)))


@annif("/v1/", operation_id="annifInfo")
async def info() -> dict[str, str]:
    """Describe the interface, as Annif does."""
    return {"title": "Phrasemill, as Annif answers", "version": __version__}


@annif("/v1/projects", operation_id="annifProjects")
async def projects(service: The) -> dict[str, Any]:
    """List the projects as Annif does: there is one, the file of tags."""
    return {"projects": [await project(service)]}


@annif("/v1/vocabs", operation_id="annifVocabularies")
async def vocabularies(service: The) -> dict[str, Any]:
    """List the vocabularies as Annif does: there is one, the file of tags."""
    return {"vocabs": [{"vocab_id": service.tags, "languages": ["en"], "loaded": True}]}


@router.get(
    PROJECT,
    operation_id="annifProject",
    tags=["Annif"],
    responses=problems(401, 404, 421, 503),
    dependencies=[known],
)
async def project(service: The) -> dict[str, Any]:
    """Describe a project."""
    return {
        "project_id": service.tags,
        "name": service.tags,
        "language": "en",
        "backend": {"backend_id": "phrasemill"},
        "vocab": {"vocab_id": service.tags, "languages": ["en"]},
        "vocab_language": "en",
        "is_trained": True,
        "modification_time": None,
    }


@asks(
    f"{PROJECT}/suggest",
    operation_id="annifSuggest",
    response_model=AnnifSuggestResponse,
    dependencies=[known, sends("application/x-www-form-urlencoded")],
)
async def annif_suggest(
    text: Annotated[str, Form()],
    service: The,
    exchange: This,
    limit: Annotated[int, Form(ge=1, le=MOST)] = 10,
    threshold: Annotated[float, Form(ge=0, le=1)] = 0,
) -> dict[str, Any]:
    """Suggest tags for a text, as Annif suggests subjects."""
    step = partial(tag_steps.subjects, texts=[text], limit=limit, threshold=threshold)
    (found,) = await service.pool.ask(step, request=exchange.id)
    return {"results": found}


@asks(
    f"{PROJECT}/suggest-batch",
    operation_id="annifSuggestBatch",
    response_model=list[AnnifBatchItem],
    dependencies=[known, sends_json],
)
async def annif_suggest_batch(
    asked: AnnifBatchRequest,
    service: The,
    exchange: This,
    limit: Annotated[int, Query(ge=1, le=MOST)] = 10,
    threshold: Annotated[float, Query(ge=0, le=1)] = 0,
) -> list[dict[str, Any]]:
    """Suggest tags for several texts."""
    check_count(len(asked.documents), service.limits.documents)
    texts = [one.text for one in asked.documents]
    step = partial(tag_steps.subjects, texts=texts, limit=limit, threshold=threshold)
    found = await service.pool.ask(step, request=exchange.id)
    return [
        {"document_id": one.document_id, "results": results}
        for one, results in zip(asked.documents, found, strict=True)
    ]


@asks(f"{PROJECT}/learn", operation_id="annifLearn", status_code=204, dependencies=[known, sends_json])
async def annif_learn(asked: list[AnnifLearned], service: The, exchange: This) -> None:
    """Learn from more documents with their tags."""
    check_count(len(asked), service.limits.documents)
    pairs = [(one.text, [subject.label or subject.uri for subject in one.subjects]) for one in asked]
    await service.pool.ask(partial(tag_steps.learn, pairs=pairs), request=exchange.id)
