"""The addresses, and what each answers."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from enum import Enum
from pathlib import PurePath
from typing import Any

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.datastructures import UploadFile
from starlette.responses import Response

from phrasemill.service import schemas, work
from phrasemill.service.answers import JSON, Event, problem, request_id, stream, wants_events
from phrasemill.service.jobs import Jobs, Upload, collected, extract_options
from phrasemill.service.limits import Limits
from phrasemill.service.measures import Measures
from phrasemill.service.problems import KINDS, MEDIA_TYPE, PREFIX, Refusal

FIELDS = ("method", "top", "threshold", "explain", "redundancy", "language")
MOST_TOLD = 20  # fields that are wrong
LONGEST_FIELD = 1 << 16  # bytes of a form field that is no file


def _problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    titles = dict(KINDS.values())
    return {status: {"description": titles[status], "content": content} for status in statuses}


WORKING = _problems(400, 401, 403, 408, 413, 415, 421, 422, 429, 500, 503)
ASKING = _problems(401, 421, 503)
UPLOAD_SCHEMA = {
    "required": True,
    "content": {
        "multipart/form-data": {
            "schema": {
                "type": "object",
                "required": ["files"],
                "properties": {
                    "files": {"type": "array", "minItems": 1, "items": {"type": "string", "format": "binary"}},
                    "method": {"type": "string"},
                    "top": {"type": "string", "description": "A number, a share, auto or all."},
                    "threshold": {"type": "string", "description": "A number."},
                    "explain": {"type": "string", "enum": ["true", "false"]},
                    "redundancy": {"type": "string"},
                    "language": {"type": "string"},
                    "extract": {"type": "string", "enum": ["true", "false"]},
                },
            }
        }
    },
}


class Routes:
    """The addresses of one application."""

    def __init__(self, jobs: Jobs, limits: Limits, measures: Measures) -> None:
        self.jobs, self.limits, self.measures = jobs, limits, measures
        self.draining = False
        self.router = APIRouter()
        self._register()

    def _register(self) -> None:
        post, get = self.router.post, self.router.get
        work_tags: list[str | Enum] = ["Keyphrases"]
        list_tags: list[str | Enum] = ["What there is"]
        run_tags: list[str | Enum] = ["Running it"]
        post("/v1/extract", response_model=schemas.ExtractResponse, responses=WORKING, tags=work_tags)(self.extract)
        post(
            "/v1/files",
            response_model=schemas.FilesResponse,
            responses=WORKING,
            tags=work_tags,
            openapi_extra={"requestBody": UPLOAD_SCHEMA},
        )(self.files)
        post("/v1/sets", response_model=schemas.SetResponse, responses=WORKING, tags=work_tags)(self.sets)
        post("/v1/evaluate", response_model=schemas.EvaluateResponse, responses=WORKING, tags=["Scores"])(self.evaluate)
        get("/v1/methods", response_model=schemas.MethodsResponse, responses=ASKING, tags=list_tags)(self.methods)
        get("/v1/metrics", response_model=schemas.MetricsResponse, responses=ASKING, tags=list_tags)(self.metrics)
        get("/healthz", response_model=schemas.Health, tags=run_tags)(self.healthz)
        get("/readyz", response_model=schemas.Health, responses=_problems(503), tags=run_tags)(self.readyz)
        get("/metrics", response_class=Response, responses=_problems(401), tags=run_tags)(self.measured)

    async def extract(self, asked: schemas.ExtractRequest, request: Request) -> Response:
        """The keyphrases of documents, best first."""
        return await self._answer(request, self.jobs.extract(asked))

    async def files(self, request: Request) -> Response:
        """The keyphrases of files: PDF, Word, HTML, text and whatever else the command reads."""
        uploads, fields = await self._uploads(request)
        only_read = fields.pop("extract", "true").lower() == "false"
        try:
            asked = schemas.ExtractRequest(documents=[schemas.DocumentIn(text="")], **_typed(fields))
        except ValidationError as error:
            raise misshapen(error.errors()) from None
        events = self.jobs.files(uploads, asked.method, extract_options(asked), extract=not only_read)
        return await self._answer(request, events)

    async def sets(self, asked: schemas.SetRequest, request: Request) -> Response:
        """The keyphrases of documents as one set; against another, what marks it out."""
        events = self.jobs.sets(asked)
        if wants_events(request):
            return stream(request, self._counted(request, await _begun(events)))
        read, done = await collected(events)
        self._count(request, len(read), 0)
        return JSON(done)

    async def evaluate(self, asked: schemas.EvaluateRequest, request: Request) -> Response:
        """Scores of predictions against gold, each with the signature of what produced it."""
        names = [one.name or f"system {i}" for i, one in enumerate(asked.predictions, start=1)]
        if len(set(names)) < len(names):
            raise Refusal("invalid-parameter", "two systems have the same name")
        step = work.Evaluate(
            tuple((name, _text(one)) for name, one in zip(names, asked.predictions, strict=True)),
            _text(asked.gold),
            asked.gold.field,
            asked.gold.top,
            tuple(asked.metrics),
            asked.preset,
            asked.policy,
            asked.resamples,
            asked.seed,
            asked.curves,
        )
        return JSON(await self.jobs.crew.ask(step))

    async def methods(self) -> Response:
        """The methods, what each does, and the parameters that it takes from here."""
        return JSON(await self.jobs.listing("methods"))

    async def metrics(self) -> Response:
        """The metrics, the presets and the choices, and what each means."""
        return JSON(await self.jobs.listing("metrics"))

    async def healthz(self) -> Response:
        """Whether the server answers at all."""
        return JSON({"status": "ok"})

    async def readyz(self, request: Request) -> Response:
        """Whether it can take work: not while workers start, nor while it stops."""
        if self.draining or not self.jobs.crew.warm:
            said = "stopping" if self.draining else "workers are starting"
            return problem(request, Refusal("not-ready", said, {"retry-after": "1"}))
        return JSON({"status": "ready"})

    async def measured(self) -> Response:
        """For Prometheus."""
        return Response(self.measures.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    async def _answer(self, request: Request, events: AsyncIterator[Event]) -> Response:
        if wants_events(request):
            return stream(request, self._counted(request, await _begun(events)))
        documents, done = await collected(events)
        self._count(request, done["documents"], done["failed"])
        problems = [document["problem"] for document in documents if "problem" in document]
        if len(problems) == len(documents):
            first = problems[0]
            raise Refusal(str(first["type"]).removeprefix(PREFIX), str(first["detail"]))
        for one in problems:
            one["request"] = request_id(request)
        return JSON({"method": done["method"], "documents": documents})

    async def _counted(self, request: Request, events: AsyncIterator[Event]) -> AsyncIterator[Event]:
        """The same events; at the end documents are counted."""
        documents = 0
        async for name, data in events:
            documents += name == "document"
            if name == "done":
                assert isinstance(data, dict)
                self._count(request, documents, data.get("failed", 0))
            yield name, data

    def _count(self, request: Request, documents: int, failed: int) -> None:
        request.scope["state"]["documents"] = documents
        self.measures.documents.labels("done").inc(documents - failed)
        self.measures.documents.labels("failed").inc(failed)

    async def _uploads(self, request: Request) -> tuple[list[Upload], dict[str, str]]:
        async with request.form(max_files=self.limits.files, max_fields=20, max_part_size=LONGEST_FIELD) as form:
            uploads, fields = [], {}
            for name, value in form.multi_items():
                if isinstance(value, UploadFile):
                    shown = PurePath((value.filename or "").replace("\\", "/")).name or "file"
                    uploads.append(Upload(shown[: schemas.LONGEST_NAME], await value.read()))
                elif name in (*FIELDS, "extract"):
                    fields[name] = value
                else:
                    raise misshapen([{"loc": ("body", name[:50]), "msg": "no such field"}])
        if not uploads:
            raise misshapen([{"loc": ("body", "files"), "msg": "no file in it"}])
        return uploads, fields


async def _begun(events: AsyncIterator[Event]) -> AsyncIterator[Event]:
    """The same events, the first of them awaited: what is wrong from the start is still an answer of its own."""
    first = await anext(events)

    async def rest() -> AsyncIterator[Event]:
        yield first
        async for event in events:
            yield event

    return rest()


def _typed(fields: Mapping[str, str]) -> dict[str, Any]:
    """Form fields as JSON would have them."""
    found: dict[str, Any] = {name: value for name, value in fields.items() if value != ""}
    top = found.get("top", "auto")
    if top not in ("auto", "all"):
        try:
            found["top"] = float(top) if "." in top else int(top)
        except ValueError:
            raise misshapen([{"loc": ("body", "top"), "msg": "a number, a share, auto or all"}]) from None
    return found


def _text(answers: schemas.Answers) -> str:
    return answers.text if answers.text is not None else json.dumps(answers.answers)


def misshapen(errors: Sequence[Any]) -> Refusal:
    """What is wrong with each field, without what was in it."""
    broken = any(one.get("type") == "json_invalid" for one in errors)
    told = [{"where": ".".join(map(str, one["loc"])), "detail": str(one["msg"])} for one in errors[:MOST_TOLD]]
    detail = "; ".join(f"{one['where']}: {one['detail']}" for one in told[:3])
    return Refusal("malformed-request" if broken else "invalid-request", detail, errors=tuple(told))
