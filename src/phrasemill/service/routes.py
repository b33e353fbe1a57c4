"""The HTTP routes."""

from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from phrasemill.options import HELP
from phrasemill.service import schemas
from phrasemill.service.bodies import encoded
from phrasemill.service.forms import FIELDS, LISTS
from phrasemill.service.jobs import End, Event, Jobs, collected
from phrasemill.service.metrics import ServiceMetrics
from phrasemill.service.problems import KINDS, MEDIA_TYPE, SOON, Refusal
from phrasemill.service.responses import accepts_events, exchange_of, json_answer, problem, stream


def _problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    titles = dict(KINDS.values())
    return {status: {"description": titles[status], "content": content} for status in statuses}


def _body(media_type: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"requestBody": {"required": True, "content": {media_type: {"schema": schema}}}}


def _json(model: type[schemas.Given]) -> dict[str, Any]:
    """Describe a body that we parse ourselves, outside the event loop."""
    return _body("application/json", {"$ref": f"#/components/schemas/{model.__name__}"})


WORKING = _problems(400, 401, 403, 408, 413, 415, 421, 422, 429, 500, 503)
ASKING = _problems(401, 421, 503)
FORM = {
    "type": "object",
    "required": ["files"],
    "properties": {
        "files": {"type": "array", "minItems": 1, "items": {"type": "string", "format": "binary"}},
        **{
            name: {"type": "string", "description": HELP[name] + (" One per line." if name in LISTS else "")}
            for name in FIELDS
        },
        "extract": {"type": "string", "enum": ["true", "false"]},
    },
}


class Routes:
    """The routes of one application."""

    def __init__(self, jobs: Jobs, metrics: ServiceMetrics) -> None:
        self.jobs, self._metrics = jobs, metrics
        self.draining = False
        self.router = APIRouter()
        self._register()

    def _register(self) -> None:
        for path, tag, model, extra, answer in (
            ("/v1/extract", "Keyphrases", schemas.ExtractResponse, _json(schemas.ExtractRequest), self.extract),
            ("/v1/files", "Keyphrases", schemas.FilesResponse, _body("multipart/form-data", FORM), self.files),
            ("/v1/sets", "Keyphrases", schemas.SetResponse, _json(schemas.SetRequest), self.sets),
            ("/v1/evaluate", "Scores", schemas.EvaluateResponse, _json(schemas.EvaluateRequest), self.evaluate),
        ):
            self.router.post(path, response_model=model, responses=WORKING, tags=[tag], openapi_extra=extra)(answer)
        get = self.router.get
        get("/v1/methods", response_model=schemas.MethodsResponse, responses=ASKING, tags=["Lists"])(self.methods)
        get("/v1/metrics", response_model=schemas.MetricsResponse, responses=ASKING, tags=["Lists"])(self.metrics)
        get("/healthz", response_model=schemas.Health, tags=["Operation"])(self.healthz)
        get("/readyz", response_model=schemas.Health, responses=_problems(503), tags=["Operation"])(self.readyz)
        get("/metrics", response_class=Response, responses=_problems(401), tags=["Operation"])(self.measured)

    async def extract(self, request: Request) -> Response:
        """Return the keyphrases of documents, best first."""
        return await self._answer(request, self.jobs.extract(exchange_of(request)))

    async def files(self, request: Request) -> Response:
        """Return the keyphrases of files: PDF, Word, HTML, text and the other formats that the command reads."""
        return await self._answer(request, self.jobs.files(exchange_of(request)))

    async def sets(self, request: Request) -> Response:
        """Return the keyphrases of a set of documents, or what distinguishes it from another set."""
        return await self._answer(request, self.jobs.sets(exchange_of(request)), is_set=True)

    async def evaluate(self, request: Request) -> Response:
        """Score predictions against gold; each score has the signature of what produced it."""
        return json_answer(await self.jobs.evaluate(exchange_of(request)))

    async def methods(self) -> Response:
        """List the methods, what each does, and the parameters that clients may set."""
        return json_answer(await self.jobs.listing("methods"))

    async def metrics(self) -> Response:
        """List the metrics, presets and choices, and what each means."""
        return json_answer(await self.jobs.listing("metrics"))

    async def healthz(self) -> Response:
        """Report that the server answers."""
        return json_answer(encoded({"status": "ok"}))

    async def readyz(self, request: Request) -> Response:
        """Report whether the server accepts work: not while workers start, while none is alive, or while it stops."""
        if self.draining or not self.jobs.pool.ready:
            state = "stopping" if self.draining else "workers are starting"
            return problem(exchange_of(request), Refusal("not-ready", state, SOON))
        return json_answer(encoded({"status": "ready"}))

    async def measured(self) -> Response:
        """Return metrics for Prometheus."""
        return Response(self._metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    async def _answer(self, request: Request, events: AsyncIterator[Event], *, is_set: bool = False) -> Response:
        if accepts_events(request):
            return stream(request, await self._begun(request, events))
        documents, end = await collected(events)
        self._count(request, end)
        if is_set:
            return json_answer(end.record)
        problems = [document.problem for document in documents if document.problem is not None]
        if problems and len(problems) == len(documents):
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
