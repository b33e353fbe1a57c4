"""The HTTP routes."""

from collections.abc import AsyncIterator
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from phrasemill.service import listing_schemas as listings
from phrasemill.service import schemas
from phrasemill.service.bodies import encoded
from phrasemill.service.descriptions import (
    FORM,
    LIST_PROBLEMS,
    WORK_PROBLEMS,
    json_body,
    problem_responses,
    request_body,
)
from phrasemill.service.metrics import ServiceMetrics
from phrasemill.service.problems import SOON, Refusal
from phrasemill.service.responses import accepts_events, exchange_of, json_answer, problem, stream
from phrasemill.service.work import End, Event, Work, collected

PRIVATE = "private, no-cache"  # of lists: kept by browsers, and revalidated


class Routes:
    """The routes of one application."""

    def __init__(self, work: Work, metrics: ServiceMetrics) -> None:
        self.work, self._metrics = work, metrics
        self.draining = False
        self.router = APIRouter()
        self._register()

    def _register(self) -> None:
        for path, id_, tag, model, given, answer in (
            ("extract", "extract", "Keyphrases", schemas.ExtractResponse, schemas.ExtractRequest, self.extract),
            ("files", "extractFiles", "Keyphrases", schemas.FilesResponse, None, self.files),
            ("sets", "extractSet", "Keyphrases", schemas.SetResponse, schemas.SetRequest, self.sets),
            (
                "evaluate",
                "evaluate",
                "Scores",
                listings.EvaluateResponse,
                schemas.EvaluateRequest,
                self.evaluate,
            ),
        ):
            extra = json_body(given) if given else request_body("multipart/form-data", FORM)
            described: Any = {"operation_id": id_, "tags": [tag], "openapi_extra": extra, "responses": WORK_PROBLEMS}
            self.router.post(f"/v1/{path}", response_model=model, **described)(answer)
        for path, id_, listed, listing in (
            ("methods", "listMethods", listings.MethodsResponse, self.methods),
            ("metrics", "listMetrics", listings.MetricsResponse, self.metrics),
            ("languages", "listLanguages", listings.LanguagesResponse, self.languages),
        ):
            described = {"operation_id": id_, "tags": ["Lists"], "responses": LIST_PROBLEMS}
            self.router.get(f"/v1/{path}", response_model=listed, **described)(listing)
        get = partial(self.router.get, tags=["Operation"])
        get("/healthz", operation_id="getHealth", response_model=schemas.Health)(self.healthz)
        ready = problem_responses(503)
        get("/readyz", operation_id="getReadiness", response_model=schemas.Health, responses=ready)(self.readyz)
        told = problem_responses(401) | {
            200: {"description": "Metrics.", "content": {"text/plain": {"schema": {"type": "string"}}}}
        }
        get("/metrics", operation_id="getMetrics", response_class=Response, responses=told)(self.measured)

    async def extract(self, request: Request) -> Response:
        """Return the keyphrases of documents, best first."""
        return await self._answer(request, self.work.extract(exchange_of(request)))

    async def files(self, request: Request) -> Response:
        """Return the keyphrases of files: PDF, Word, HTML, text and the other formats that the command reads."""
        return await self._answer(request, self.work.files(exchange_of(request)), in_rows=True)

    async def sets(self, request: Request) -> Response:
        """Return the keyphrases of a set of documents, or the phrases that distinguish it from another set."""
        return await self._answer(request, self.work.sets(exchange_of(request)), is_set=True)

    async def evaluate(self, request: Request) -> Response:
        """Score predictions against gold. Each score has a signature that records how it was computed."""
        return json_answer(await self.work.evaluate(exchange_of(request)))

    async def methods(self, request: Request) -> Response:
        """List the methods, with the parameters that clients may set."""
        return await self._listing("methods", request)

    async def metrics(self, request: Request) -> Response:
        """List the metrics, presets and choices, and what each means."""
        return await self._listing("metrics", request)

    async def languages(self, request: Request) -> Response:
        """List the languages, and what is available for each."""
        return await self._listing("languages", request)

    async def _listing(self, what: str, request: Request) -> Response:
        return (await self.work.listing(what)).answer(request, PRIVATE)

    async def healthz(self) -> Response:
        """Report that the server is running."""
        return json_answer(encoded({"status": "ok"}))

    async def readyz(self, request: Request) -> Response:
        """Report whether the server accepts work. It does not while it starts or stops, or while no worker is alive."""
        if self.draining or not self.work.pool.ready:
            state = "stopping" if self.draining else "workers are starting"
            return problem(exchange_of(request), Refusal("not-ready", state, SOON))
        return json_answer(encoded({"status": "ready"}))

    async def measured(self) -> Response:
        """Return metrics for Prometheus."""
        return Response(self._metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    async def _answer(
        self, request: Request, events: AsyncIterator[Event], *, is_set: bool = False, in_rows: bool = False
    ) -> Response:
        """Return the documents; `in_rows`: documents that failed are rows as in a job, even if none is done."""
        if accepts_events(request):
            return stream(request, await self._begun(request, events))
        documents, end = await collected(events)
        self._count(request, end)
        if is_set:
            return json_answer(end.record)
        problems = [document.problem for document in documents if document.problem is not None]
        if problems and len(problems) == len(documents) and (not in_rows or problems[0].status == 503):
            raise problems[0]
        head = encoded({"method": end.method})[:-1] + b',"documents":['
        records = [piece for document in documents for piece in (b",", document.record)]
        return json_answer(head, *records[1:], b"]}")

    async def _begun(self, request: Request, events: AsyncIterator[Event]) -> AsyncIterator[Event]:
        """Return the same events, the first of them awaited: what is wrong from the start is still an answer of its
        own. Count the documents at the end."""
        first = await anext(events)

        async def counted() -> AsyncIterator[Event]:
            event: Event | None = first
            while event is not None:
                if isinstance(event, End):
                    self._count(request, event)
                yield event
                event = await anext(events, None)

        return counted()

    def _count(self, request: Request, end: End) -> None:
        exchange_of(request).documents = end.documents
        self._metrics.documents.labels("done").inc(end.documents - end.failed)
        self._metrics.documents.labels("failed").inc(end.failed)
