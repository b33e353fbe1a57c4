"""The HTTP routes of jobs."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial
from pathlib import Path as File
from secrets import token_hex
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Query, Request
from fastapi.responses import StreamingResponse
from starlette.responses import Response

from phrasemill.service import job_steps, models, results
from phrasemill.service.answers import encoded, extended, json_answer, listed
from phrasemill.service.guard import JOBS
from phrasemill.service.jobs import DATABASE, ENDED, JobDocument, JobStore
from phrasemill.service.problems import SOON, Refusal
from phrasemill.service.requests import BINARY, FORM, WORK_PROBLEMS, The, This, form_of, problems, sends

HEARTBEAT = 15.0  # seconds without an event after which a comment is sent, so that proxies keep the connection
GATHER = 0.1  # seconds in which changes are gathered into one delivery
READ = 1 << 18  # bytes of a file that are read at a time
EVENTS, PNG = "text/event-stream", "image/png"
Number = Annotated[int, Path(ge=1, le=1_000_000)]
Offset = Annotated[int, Query(ge=0, le=1_000_000, description="Documents to skip.")]
Limit = Annotated[int, Query(ge=1, le=1000)]
Width = Annotated[int, Query(ge=50, le=3000, description="In pixels.")]
Since = Annotated[str, Header(description="The id of the last event that arrived; the following ones are sent.")]
CREATED: dict[int | str, dict[str, Any]] = {
    202: {
        "description": "The job has begun.",
        "headers": {"Location": {"description": "The address of the job.", "schema": {"type": "string"}}},
    }
}
FOLLOWED: dict[int | str, dict[str, Any]] = {
    200: {"content": {EVENTS: {"schema": {"$ref": "#/components/schemas/JobEvent"}}}}
}
TYPES = [*(one.media_type.partition(";")[0] for one in results.RESULTS.values()), "application/zip"]
DOWNLOADED: dict[int | str, dict[str, Any]] = {
    200: {"description": "The file.", "content": {kind: {"schema": BINARY} for kind in TYPES}}
}
DRAWN: dict[int | str, dict[str, Any]] = {200: {"description": "The image.", "content": {PNG: {"schema": BINARY}}}}
SHARED = problems(401, 404, 421, 422, 503)
CHANGING = SHARED | problems(403)
router = APIRouter(tags=["Jobs"])
get = partial(router.get, responses=SHARED)


@router.post(
    JOBS,
    operation_id="createJob",
    status_code=202,
    response_model=models.JobOut,
    responses=WORK_PROBLEMS | CREATED,
    dependencies=[sends("multipart/form-data")],
    openapi_extra=FORM,
)
async def create(request: Request, service: The, exchange: This) -> Response:
    """Start a job, which extracts the keyphrases of any number of uploaded files."""
    store = service.store
    form = await form_of(request, most=service.limits.job_documents)
    method = await service.method(form.method, exchange)
    uploads = [(one.filename or "", one.file) for one in form.files]
    options = form.options if form.extract else None
    id = await store.run(store.create, uploads, method, options, form.columns, exchange.id, exchange.owner)
    exchange.documents = len(uploads)
    job = await store.run(store.describe, id)
    service.runner.start(id)
    return json_answer(encoded(job), status=202, headers={"location": f"{JOBS}/{id}"})


@get(JOBS, operation_id="listJobs", response_model=models.JobsOut)
async def jobs(service: The, exchange: This) -> Response:
    """List your jobs: those of your token, or of your address where there are no tokens."""
    return json_answer(encoded({"jobs": await service.store.run(service.store.listed, exchange.owner)}))


@get(f"{JOBS}/{{id}}", operation_id="getJob", response_model=models.JobOut)
async def job(id: str, service: The) -> Response:
    """Return the state of a job."""
    return json_answer(encoded(await service.store.run(service.store.describe, id)))


@router.delete(f"{JOBS}/{{id}}", operation_id="deleteJob", status_code=204, responses=CHANGING)
async def delete(id: str, service: The) -> Response:
    """Delete a job and its files, even while it runs."""
    await service.store.run(service.store.describe, id)
    await service.runner.delete(id)
    return Response(status_code=204)


@router.post(
    f"{JOBS}/{{id}}/cancel", operation_id="cancelJob", response_model=models.JobOut, responses=WORK_PROBLEMS | CHANGING
)
async def cancel(id: str, service: The) -> Response:
    """Cancel a job. Finished documents are kept."""
    await service.runner.cancel(id)
    return await job(id, service)


@router.post(
    f"{JOBS}/{{id}}/retry",
    operation_id="retryJob",
    response_model=models.JobOut,
    responses=WORK_PROBLEMS | problems(404, 409),
    dependencies=[sends("application/json", may_be_empty=True)],
)
async def retry(id: str, service: The, asked: models.RetryRequest | None = None) -> Response:
    """Try failed documents again: those with the given numbers, or all whose failure may be temporary."""
    await service.runner.retry(id, asked.numbers if asked else None)
    return await job(id, service)


@get(f"{JOBS}/{{id}}/documents", operation_id="listJobDocuments", response_model=models.JobRowsOut)
async def rows(id: str, service: The, offset: Offset = 0, limit: Limit = 100) -> Response:
    """List the documents of a job, in the order of their numbers."""
    total, found = await service.store.run(service.store.rows, id, offset, limit)
    return json_answer(*listed(b'{"total":%d,"documents":[' % total, found))


@get(f"{JOBS}/{{id}}/documents/{{number}}", operation_id="getJobDocument", response_model=models.FileOut)
async def document(id: str, number: Number, service: The) -> Response:
    """Return a whole document: its text, and its keyphrases with their spans."""
    found = await service.store.run(service.store.document, id, number)
    record = await service.store.run(service.store.whole, id, number)
    return json_answer(record if found.problem is None else extended(record, "problem", found.problem.record()))


@get(f"{JOBS}/{{id}}/events", operation_id="followJob", response_class=StreamingResponse, responses=SHARED | FOLLOWED)
async def events(id: str, service: The, last_event_id: Since = "") -> Response:
    """Follow a job by server-sent events."""
    known = last_event_id.isascii() and last_event_id.isdigit() and len(last_event_id) < 16
    await service.store.run(service.store.describe, id)
    if service.listeners >= service.limits.listeners:
        raise Refusal("busy", headers=SOON)

    async def sent() -> AsyncIterator[bytes]:
        service.listen(1)
        try:
            async for piece in _followed(service.store, id, int(last_event_id) if known else 0):
                yield piece
        finally:
            service.listen(-1)

    return StreamingResponse(sent(), headers={"x-accel-buffering": "no"}, media_type=EVENTS)


async def _followed(store: JobStore, id: str, version: int) -> AsyncIterator[bytes]:
    """Yield the events of a job after a version, until it has ended or the server stops."""
    while True:
        change = store.follow(id)
        try:
            latest, found, described = await store.run(store.changes, id, version)
        except Refusal:  # it was deleted
            return
        for changed, row in found:
            yield _event("document", row, changed)
        if described["status"] in ENDED:
            yield _event("end", encoded(described), latest)
            return
        if latest > version:
            yield _event("job", encoded(described), latest)
        if store.closed:
            return
        version = latest
        with suppress(TimeoutError):
            await asyncio.wait_for(change.wait(), HEARTBEAT)
        if not change.is_set():
            yield b": nothing new\n\n"
        await asyncio.sleep(GATHER)


def _event(name: str, data: bytes, id: int) -> bytes:
    """Return a server-sent event; `data` is JSON, which has no line breaks."""
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (id, name.encode(), data)


@get(f"{JOBS}/{{id}}/result", operation_id="getJobResult", response_class=Response, responses=SHARED | DOWNLOADED)
async def result(id: str, service: The, format: models.ResultName = "csv") -> Response:
    """Return all keyphrases of a job as one file: CSV with one row per document, JSON lines, Parquet, BibTeX with
    keywords, or Markdown with front matter (an archive if there are several documents)."""
    store = service.store
    await store.run(store.check_files, id)
    target = store.folder / id / f"result-{token_hex(8)}"
    target.parent.mkdir(mode=0o700, exist_ok=True)
    step = partial(results.write_result, database=str(store.folder / DATABASE), job=id, format=format)
    documents = await service.pool.ask(partial(step, target=str(target)))
    media_type, extension = results.result_format(format, documents)
    file = target.open("rb")  # closed when it was sent
    with suppress(OSError):  # Windows deletes no open file; it goes with the job
        target.unlink()

    async def sent() -> AsyncIterator[bytes]:
        with file:
            while piece := await asyncio.to_thread(file.read, READ):
                yield piece

    headers = {"content-length": str(os.fstat(file.fileno()).st_size)}
    headers["content-disposition"] = f'attachment; filename="keyphrases.{extension}"'
    return StreamingResponse(sent(), headers=headers, media_type=media_type)


@get(f"{JOBS}/{{id}}/documents/{{number}}/pages", operation_id="listJobPages", response_model=list[models.PageOut])
async def pages(id: str, number: Number, service: The) -> Response:
    """Return the pages of a PDF, with the positions of its keyphrases."""
    found = await service.store.run(service.store.document, id, number)
    file = _pdf(service.store, id, found)
    record = await service.store.run(service.store.whole, id, number)
    step = partial(job_steps.page_marks, file=str(file), id=found.id, record=record)
    return json_answer(await service.pool.ask(step))


@get(
    f"{JOBS}/{{id}}/documents/{{number}}/pages/{{page}}.png",
    operation_id="getJobPage",
    response_class=Response,
    responses=SHARED | DRAWN,
)
async def page(id: str, number: Number, page: Number, service: The, width: Width = 900) -> Response:
    """Return a page of a PDF as an image."""
    found = await service.store.run(service.store.document, id, number)
    file = _pdf(service.store, id, found, page)
    image: bytes = await service.pool.ask(partial(job_steps.page_image, file=str(file), number=page, width=width))
    return Response(image, headers={"cache-control": "private, max-age=3600"}, media_type=PNG)


def _pdf(store: JobStore, id: str, document: JobDocument, number: int = 1) -> File:
    """Return the file of a document; raise a `Refusal` if it is no PDF, or has no such page."""
    if not document.pages:
        raise Refusal("not-found", "this document has no pages")
    if number > document.pages:
        raise Refusal("not-found", f"there are {document.pages} pages in it")
    return store.folder / id / document.file.path
