"""The HTTP routes for tags, which are there where the server was started with a file of tags."""

from functools import partial
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel
from starlette.responses import Response

from phrasemill.service import tag_schemas, tag_steps
from phrasemill.service.bodies import encoded
from phrasemill.service.descriptions import (
    LIST_PROBLEMS,
    WORK_PROBLEMS,
    json_body,
    problem_responses,
    request_body,
)
from phrasemill.service.limits import Limits
from phrasemill.service.pool import ServicePool
from phrasemill.service.problems import Refusal
from phrasemill.service.responses import exchange_of, json_answer
from phrasemill.service.steps import Step

TAG_REQUESTS: tuple[type[BaseModel], ...] = (
    tag_schemas.TagSuggestRequest,
    tag_schemas.TagFeedbackRequest,
    tag_schemas.AnnifBatchRequest,
    tag_schemas.AnnifLearnRequest,
)
FORM = {
    "type": "object",
    "required": ["text"],
    "properties": {
        "text": {"type": "string"},
        "limit": {"type": "integer", "minimum": 1, "default": 10},
        "threshold": {"type": "number", "minimum": 0, "maximum": 1, "default": 0},
    },
}
MISSING = problem_responses(404)
NAMED = WORK_PROBLEMS | MISSING


class TagRoutes:
    """The routes of one file of tags; to Annif's clients it is a project with the name of the file."""

    def __init__(self, pool: ServicePool, limits: Limits, path: str) -> None:
        self._pool, self._limits = pool, limits
        self._name = Path(path).stem
        self.router = APIRouter()
        self._register()

    def _register(self) -> None:
        project = "/v1/projects/{project}"
        models = tag_schemas
        form = request_body("application/x-www-form-urlencoded", FORM)
        for path, id_, model, extra, answer in (
            (
                "/v1/tags/suggest",
                "suggestTags",
                models.TagSuggestResponse,
                json_body(models.TagSuggestRequest),
                self.suggest,
            ),
            (
                "/v1/tags/feedback",
                "learnFromFeedback",
                models.TagFeedbackResponse,
                json_body(models.TagFeedbackRequest),
                self.feedback,
            ),
            (f"{project}/suggest", "annifSuggest", models.AnnifSuggestResponse, form, self.annif_suggest),
            (
                f"{project}/suggest-batch",
                "annifSuggestBatch",
                models.AnnifBatchResponse,
                json_body(models.AnnifBatchRequest),
                self.annif_suggest_batch,
            ),
        ):
            described: Any = {"operation_id": id_, "tags": [_group(path)], "openapi_extra": extra, "responses": NAMED}
            self.router.post(path, response_model=model, **described)(answer)
        self.router.post(
            f"{project}/learn",
            operation_id="annifLearn",
            status_code=204,
            response_class=Response,
            responses=NAMED,
            tags=[_group(project)],
            openapi_extra=json_body(models.AnnifLearnRequest),
        )(self.annif_learn)
        tags: Any = {"operation_id": "listTags", "response_model": models.TagsResponse, "tags": ["Tags"]}
        self.router.get("/v1/tags", responses=LIST_PROBLEMS, **tags)(self.listed)
        for path, id_, listing in (
            ("/v1/", "annifInfo", self.info),
            ("/v1/projects", "annifProjects", self.projects),
            ("/v1/vocabs", "annifVocabularies", self.vocabularies),
        ):
            self.router.get(path, operation_id=id_, responses=LIST_PROBLEMS, tags=["Annif"])(listing)
        self.router.get(project, operation_id="annifProject", responses=LIST_PROBLEMS | MISSING, tags=["Annif"])(
            self.project
        )

    async def suggest(self, request: Request) -> Response:
        """Suggest tags for documents: existing tags first, then a few new ones that enough documents share."""
        return await self._done(request, partial(tag_steps.suggest, documents=self._limits.documents))

    async def feedback(self, request: Request) -> Response:
        """Record which tags of a document are right. Later suggestions follow it."""
        return await self._done(request, partial(tag_steps.feedback))

    async def listed(self) -> Response:
        """List the tags, the most used first."""
        return json_answer(await self._pool.ask(partial(tag_steps.listed)))

    async def info(self) -> Response:
        """Describe the interface, as Annif does."""
        return json_answer(encoded(tag_steps.annif_info()))

    async def projects(self) -> Response:
        """List the projects as Annif does: there is one, the file of tags."""
        return json_answer(encoded({"projects": [tag_steps.annif_project(self._name)]}))

    async def vocabularies(self) -> Response:
        """List the vocabularies as Annif does: there is one, the file of tags."""
        return json_answer(encoded({"vocabs": [{"vocab_id": self._name, "languages": ["en"], "loaded": True}]}))

    async def project(self, project: str) -> Response:
        """Describe a project."""
        self._check(project)
        return json_answer(encoded(tag_steps.annif_project(self._name)))

    async def annif_suggest(self, request: Request, project: str) -> Response:
        """Suggest tags for a text, as Annif suggests subjects."""
        self._check(project)
        return await self._done(request, partial(tag_steps.annif_suggest))

    async def annif_suggest_batch(self, request: Request, project: str) -> Response:
        """Suggest tags for several texts."""
        self._check(project)
        limit, threshold = tag_steps.annif_limits(request.query_params)
        step = partial(tag_steps.annif_suggest_batch, documents=self._limits.documents)
        return await self._done(request, partial(step, limit=limit, threshold=threshold))

    async def annif_learn(self, request: Request, project: str) -> Response:
        """Learn from more documents with their tags."""
        self._check(project)
        await self._done(request, partial(tag_steps.annif_learn, documents=self._limits.documents))
        return Response(status_code=204)

    def _check(self, project: str) -> None:
        if project != self._name:
            raise Refusal("not-found", f"no project {project[:100]!r}; there is {self._name!r}")

    async def _done(self, request: Request, step: Step) -> Response:
        """Give the body of a request to a worker, and return its answer."""
        exchange = exchange_of(request)
        found: bytes = await self._pool.ask(partial(step, body=exchange.body), request=exchange.id)
        exchange.replace_body(len(found))
        return json_answer(found)


def _group(path: str) -> str:
    return "Tags" if path.startswith("/v1/tags") else "Annif"
