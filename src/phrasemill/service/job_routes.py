"""The HTTP routes of jobs."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from secrets import token_hex
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response, StreamingResponse

from phrasemill.service import job_pages, job_results, job_schemas, job_steps
from phrasemill.service.admission import Bounded
from phrasemill.service.bodies import checked, encoded, extended, parsed
from phrasemill.service.compression import EVENTS
from phrasemill.service.descriptions import BINARY, FORM, WORK_PROBLEMS, json_body, problem_responses, request_body
from phrasemill.service.job import Job, JobDocument
from phrasemill.service.job_runner import JobRunner
from phrasemill.service.job_store import JobStore
from phrasemill.service.problems import Refusal
from phrasemill.service.responses import event, exchange_of, file_answer, json_answer
from phrasemill.service.work import Work

RETRY_VALUES = 10_100  # JSON values in a request for a retry
HEARTBEAT = 15.0  # seconds without an event after which a comment is sent, so that proxies keep the connection
GATHER = 0.05  # seconds in which changes are gathered into one delivery
PNG = "image/png"
Number = Annotated[int, Path(ge=1, le=1_000_000)]
Offset = Annotated[int, Query(ge=0, le=1_000_000, description="Documents to skip.")]
Limit = Annotated[int, Query(ge=1, le=1000)]
Width = Annotated[int, Query(ge=50, le=3000, description="In pixels.")]


class JobRoutes:
    """The routes of the jobs of one application."""

    def __init__(self, work: Work, store: JobStore, runner: JobRunner, listening: Bounded) -> None:
        self._work, self._store, self._runner, self._listening = work, store, runner, listening
        self.router = APIRouter(tags=["Jobs"])
        self._register()

    def _register(self) -> None:
        shared = problem_responses(401, 404, 421, 422)
        changing = shared | problem_responses(403)
        for method, path, answer, id_, more in (
            ("POST", "", self.create, "createJob", _created()),
            ("GET", "/{id}", self.get, "getJob", {"response_model": job_schemas.JobOut}),
            ("DELETE", "/{id}", self.delete, "deleteJob", {"status_code": 204, "responses": changing}),
            ("POST", "/{id}/cancel", self.cancel, "cancelJob", {"response_model": job_schemas.JobOut}),
            ("POST", "/{id}/retry", self.retry, "retryJob", _retried()),
            ("GET", "/{id}/documents", self.rows, "listJobDocuments", {"response_model": job_schemas.JobRowsOut}),
            ("GET", "/{id}/events", self.events, "followJob", _streamed()),
            ("GET", "/{id}/result", self.result, "getJobResult", _downloaded()),
            ("GET", "/{id}/documents/{number}", self.document, "getJobDocument", _documented()),
            ("GET", "/{id}/documents/{number}/pages", self.pages, "listJobPages", _paged()),
            ("GET", "/{id}/documents/{number}/pages/{page}.png", self.page, "getJobPage", _drawn()),
        ):
            options: dict[str, Any] = {"responses": changing if method == "POST" else shared} | more
            self.router.add_api_route(f"/v1/jobs{path}", answer, methods=[method], operation_id=id_, **options)

    async def create(self, request: Request) -> Response:
        """Start a job, which extracts the keyphrases of any number of uploaded files."""
        exchange = exchange_of(request)
        body = exchange.spooled
        assert body is not None
        self._store.check(exchange.owner)
        folder = self._store.folder()
        given = {"body": str(body.path), "folder": str(folder), "content_type": exchange.header("content-type")}
        files = self._work.limits.job_documents
        try:
            stored, asked = await self._work.pool.ask(
                partial(job_steps.split, **given, files=files), request=exchange.id
            )
            method = await self._work.method(asked.method, exchange)
            body.discard()
            options = dict(asked.options) if asked.extract else None
            shared: Any = {"method": method, "options": options, "columns": asked.columns, "request": exchange.id}
            job = self._store.create(exchange.owner, folder, stored, **shared)
        except BaseException:
            self._store.discard(folder)
            raise
        exchange.documents = len(job.documents)
        self._runner.start(job)
        answer = json_answer(encoded(job.describe()))
        answer.status_code, answer.headers["location"] = 202, f"/v1/jobs/{job.id}"
        return answer

    async def get(self, id: str) -> Response:
        """Return the state of a job."""
        return json_answer(encoded(self._store.get(id).describe()))

    async def cancel(self, id: str) -> Response:
        """Cancel a job. Finished documents are kept."""
        job = self._store.get(id)
        self._runner.cancel(job)
        return json_answer(encoded(job.describe()))

    async def retry(self, id: str, request: Request) -> Response:
        """Try failed documents again: those with the given numbers, or all whose failure may be temporary."""
        job, body = self._store.get(id), exchange_of(request).body
        given = parsed(body, RETRY_VALUES) if any(body) else {}
        self._runner.retry(job, checked(job_schemas.RetryRequest, given).numbers)
        return json_answer(encoded(job.describe()))

    async def delete(self, id: str) -> Response:
        """Delete a job and its files, even while it runs."""
        self._store.delete(self._store.get(id))
        return Response(status_code=204)

    async def rows(self, id: str, offset: Offset = 0, limit: Limit = 100) -> Response:
        """List the documents of a job, in the order of their numbers."""
        job = self._store.get(id)
        rows = [piece for document in job.documents[offset : offset + limit] for piece in (b",", document.row)]
        return json_answer(b'{"total":%d,"documents":[' % len(job.documents), *rows[1:], b"]}")

    async def document(self, id: str, number: Number) -> Response:
        """Return a whole document: its text, and its keyphrases with their spans."""
        document = _document(self._store.get(id), number)
        if document.record:
            return file_answer(document.record)
        if document.stored is not None:
            step = partial(job_steps.show, document=document.stored, id=document.id, file=document.file.name)
            found: bytes = await self._work.pool.ask(step)
        else:
            found = encoded({"id": document.id, "file": document.file.name, "keyphrases": []})
        if document.problem is not None:
            found = extended(found, "problem", encoded(document.problem.record()))
        return json_answer(found)

    async def events(self, id: str, request: Request) -> Response:
        """Follow a job by server-sent events."""
        job = self._store.get(id)
        given = request.headers.get("last-event-id", "")
        since = int(given) if given.isascii() and given.isdigit() and len(given) < 16 else 0
        taken = self._listening.slot()

        async def sent() -> AsyncIterator[bytes]:
            with taken:
                async for piece in _followed(job, min(since, job.version)):
                    yield piece

        return StreamingResponse(sent(), headers={"x-accel-buffering": "no"}, media_type=EVENTS)

    async def result(self, id: str, format: job_schemas.ResultName = "csv") -> Response:
        """Return all keyphrases of a job as one file: CSV with one row per document, JSON lines, Parquet, BibTeX with
        keywords, or Markdown with front matter (an archive if there are several documents)."""
        job = self._store.get(id)
        job.check_files()
        documents = [_listed(one) for one in sorted(job.documents, key=lambda one: one.order)]
        target = str(job.folder / f"result-{token_hex(8)}")
        step = partial(job_results.write_result, documents=documents, format=format, target=target)
        await self._work.pool.ask(step, request=job.request)
        media_type, extension = job_results.result_format(format, len(documents))
        return file_answer(target, media_type, name=f"keyphrases.{extension}", delete=True)

    async def pages(self, id: str, number: Number) -> Response:
        """Return the pages of a PDF, with the positions of its keyphrases."""
        document = _document(self._store.get(id), number)
        stored = job_pages.check_page(document.stored)
        step = partial(job_pages.page_marks, file=document.file.path, document=stored, record=document.record)
        return json_answer(await self._work.pool.ask(step))

    async def page(self, id: str, number: Number, page: Number, width: Width = 900) -> Response:
        """Return a page of a PDF as an image."""
        document = _document(self._store.get(id), number)
        job_pages.check_page(document.stored, page)
        step = partial(job_pages.page_image, file=document.file.path, number=page, width=width)
        image: bytes = await self._work.pool.ask(step)
        return Response(image, headers={"cache-control": "private, max-age=3600"}, media_type=PNG)


def _document(job: Job, number: int) -> JobDocument:
    job.check_files()
    if number > len(job.documents):
        raise Refusal("not-found", f"there are {len(job.documents)} documents in this job")
    return job.documents[number - 1]


def _listed(document: JobDocument) -> job_results.Listed:
    reason = ""
    if document.problem is not None:
        reason = document.problem.detail or str(document.problem.record()["title"])
    elif document.status != "done":
        reason = document.status
    return job_results.Listed(document.id, document.file.name, document.record, reason)


async def _followed(job: Job, version: int) -> AsyncIterator[bytes]:
    """Yield the events of a job after a version, until it has ended."""
    while True:
        latest = job.version
        for changed, row in [(one.changed, one.row) for one in job.changes(version)]:
            yield event("document", row, changed)
        if job.version == latest and job.ended:
            yield event("end", encoded(job.describe()), latest)
            return
        if latest > version:
            yield event("job", encoded(job.describe()), latest)
        version = latest
        while not await job.changed(version, HEARTBEAT):
            yield b": nothing new\n\n"
        if not job.ended:
            await asyncio.sleep(GATHER)


def _created() -> dict[str, Any]:
    headers = {"Location": {"description": "The address of the job.", "schema": {"type": "string"}}}
    responses = WORK_PROBLEMS | {202: {"description": "The job has begun.", "headers": headers}}
    extra = request_body("multipart/form-data", FORM)
    return {"status_code": 202, "response_model": job_schemas.JobOut, "responses": responses, "openapi_extra": extra}


def _retried() -> dict[str, Any]:
    extra = json_body(job_schemas.RetryRequest)
    extra["requestBody"]["required"] = False
    responses = WORK_PROBLEMS | problem_responses(404, 409)
    return {"response_model": job_schemas.JobOut, "responses": responses, "openapi_extra": extra}


def _streamed() -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/JobEvent"}
    resume = {"name": "Last-Event-ID", "in": "header", "schema": {"type": "string"}, "required": False}
    resume["description"] = "The id of the last event that arrived; the following ones are sent."
    return {
        "response_class": StreamingResponse,
        "responses": problem_responses(401, 404, 421, 503)
        | {200: {"description": "Events.", "content": {EVENTS: {"schema": schema}}}},
        "openapi_extra": {"parameters": [resume]},
    }


def _downloaded() -> dict[str, Any]:
    binary = {"schema": BINARY}
    types = [made.media_type.partition(";")[0] for made in job_results.RESULTS.values()] + ["application/zip"]
    answer = {"description": "The file.", "content": dict.fromkeys(types, binary)}
    return {"response_class": Response, "responses": problem_responses(401, 404, 421, 422, 503) | {200: answer}}


def _documented() -> dict[str, Any]:
    return {"response_model": job_schemas.JobDocumentOut, "responses": problem_responses(401, 404, 421, 422, 503)}


def _paged() -> dict[str, Any]:
    return {"response_model": list[job_schemas.PageOut], "responses": problem_responses(401, 404, 421, 422, 503)}


def _drawn() -> dict[str, Any]:
    answer = {"description": "The image.", "content": {PNG: {"schema": BINARY}}}
    return {"response_class": Response, "responses": problem_responses(401, 404, 421, 422, 503) | {200: answer}}
