"""The HTTP routes, besides those of jobs and tags."""

from collections.abc import AsyncIterator
from functools import partial
from hashlib import sha256
from typing import Any, Literal

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse

from phrasemill.options import styled
from phrasemill.service import listing, models, steps
from phrasemill.service.answers import JSON, SHORT, encoded, extended, json_answer, listed
from phrasemill.service.problems import SOON, Refusal
from phrasemill.service.requests import (
    FORM,
    WORK_PROBLEMS,
    The,
    This,
    base_name,
    body_described,
    check_count,
    documents_of,
    form_of,
    options_of,
    problems,
    sends,
)

REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
router = APIRouter()
work = partial(router.post, responses=WORK_PROBLEMS)
sends_json = sends("application/json")


@work(
    "/v1/extract",
    operation_id="extract",
    tags=["Keyphrases"],
    response_model=models.ExtractResponse,
    dependencies=[sends_json],
)
async def extract(asked: models.ExtractRequest, service: The, exchange: This) -> Response:  # type: ignore[valid-type]
    """Return the keyphrases of documents, best first."""
    given: Any = asked
    check_count(len(given.documents), service.limits.documents)
    method = await service.method(styled(given.method, given.style), exchange)
    documents, options = documents_of(given.documents), options_of(given)
    extract = partial(steps.extract, method=method, options=options)
    records, refused, size = [b""] * len(documents), [], 0
    waiting = [partial(extract, document=document) for document in documents]
    async for i, found in service.pool.spread(waiting, request=exchange.id):
        if isinstance(found, Refusal):
            refused.append((i, found))
            found = encoded({"id": documents[i].id, "keyphrases": [], "problem": found.record(exchange.id)})
        records[i], size = found, size + len(found)
        if size > service.limits.answer:
            raise Refusal("answer-too-large", f"more than {service.limits.answer:,} bytes; ask for less at once")
    service.count(exchange, len(documents), len(refused))
    if len(refused) == len(documents):
        raise min(refused, key=lambda one: one[0])[1]
    return json_answer(*listed(encoded({"method": method})[:-1] + b',"documents":[', records))


@work(
    "/v1/files",
    operation_id="extractFiles",
    tags=["Keyphrases"],
    response_model=models.FilesResponse,
    dependencies=[sends("multipart/form-data")],
    openapi_extra=FORM,
)
async def files(request: Request, service: The, exchange: This) -> Response:
    """Return the keyphrases of files: PDF, Word, HTML, text and the other formats that the command reads.

    This is a job that is waited for.
    """
    store, runner = service.store, service.runner
    form = await form_of(request, most=service.limits.files)
    method = await service.method(form.method, exchange)
    uploads = [(base_name(one.filename or ""), one.file) for one in form.files]
    options = form.options if form.extract else None
    id = await store.run(store.create, uploads, method, options, form.columns, exchange.id, None)
    try:
        await runner.finish(id)
        problem, rows = await store.run(store.outcomes, id)
        if problem is not None:
            raise problem
        failed = [row.problem for row in rows if row.problem is not None]
        service.count(exchange, len(rows), 0)
        if failed and len(failed) == len(rows) and failed[0].status == 503:
            raise failed[0]
    except BaseException:
        await runner.delete(id)
        raise

    async def records() -> AsyncIterator[bytes]:
        for row in rows:
            record = await store.run(store.whole, id, row.number)
            yield record if row.problem is None else extended(record, "problem", row.problem.record(exchange.id))

    head = encoded({"method": method})[:-1] + b',"documents":['
    if sum(row.size for row in rows) <= SHORT:
        answer = json_answer(*listed(head, [one async for one in records()]))
        await runner.delete(id)
        return answer

    async def sent() -> AsyncIterator[bytes]:
        try:
            between = head
            async for record in records():
                yield between
                yield record
                between = b","
            yield b"]}"
        finally:
            await runner.delete(id)

    return StreamingResponse(sent(), media_type=JSON)


@work(
    "/v1/sets",
    operation_id="extractSet",
    tags=["Keyphrases"],
    response_model=models.SetResponse,
    dependencies=[sends_json],
)
async def sets(asked: models.SetRequest, service: The, exchange: This) -> Response:  # type: ignore[valid-type]
    """Return the keyphrases of a set of documents, or the phrases that distinguish it from another set."""
    given: Any = asked
    documents, against = documents_of(given.documents), documents_of(given.against or ())
    check_count(len(documents) + len(against), service.limits.documents)
    method = await service.method(styled(given.method, given.style), exchange, sets=True)
    step = partial(steps.extract_set, documents=documents, against=against, method=method, options=options_of(given))
    found = await service.pool.ask(partial(step, name=given.id), request=exchange.id)
    service.count(exchange, len(documents) + len(against), 0)
    return json_answer(found)


@work(
    "/v1/evaluate",
    operation_id="evaluate",
    tags=["Scores"],
    response_model=models.EvaluateResponse,
    dependencies=[sends_json],
    openapi_extra=body_described("application/json", {"$ref": "#/components/schemas/EvaluateRequest"}),
)
async def evaluate(
    request: Request, service: The, exchange: This, format: Literal["json", "html"] = "json"
) -> Response:
    """Score predictions against gold. Each score has a signature that records how it was computed. As HTML, it is the
    report that `phrasemill evaluate` writes."""
    step = partial(steps.evaluate, body=await request.body(), html=format == "html")
    found = await service.pool.ask(step, request=exchange.id)
    if format == "html":
        return HTMLResponse(found, headers={"content-security-policy": REPORT_POLICY})
    return json_answer(found)


async def _list(what: str, request: Request, service: The) -> Response:
    """Return a list, computed once; browsers keep it, and ask whether it has changed."""
    if what not in service.lists:
        service.lists[what] = await service.pool.ask(partial(steps.listing, what=what))
    found = service.lists[what]
    headers = {"etag": f'"{sha256(found).hexdigest()[:32]}"', "cache-control": "private, no-cache"}
    known = request.headers.get("if-none-match", "")
    return (
        Response(status_code=304, headers=headers) if headers["etag"] in known else json_answer(found, headers=headers)
    )


lists = partial(router.get, tags=["Lists"], responses=problems(401, 421, 503))


@lists("/v1/methods", operation_id="listMethods", response_model=listing.MethodsResponse)
async def methods(request: Request, service: The) -> Response:
    """List the methods, with the parameters that clients may set."""
    return await _list("methods", request, service)


@lists("/v1/metrics", operation_id="listMetrics", response_model=listing.MetricsResponse)
async def metrics(request: Request, service: The) -> Response:
    """List the metrics, presets and choices, and what each means."""
    return await _list("metrics", request, service)


@lists("/v1/languages", operation_id="listLanguages", response_model=listing.LanguagesResponse)
async def languages(request: Request, service: The) -> Response:
    """List the languages, and what is available for each."""
    return await _list("languages", request, service)


@router.get("/healthz", operation_id="getHealth", tags=["Operation"])
async def healthz() -> models.Health:
    """Report that the server is running."""
    return models.Health(status="ok")


@router.get("/readyz", operation_id="getReadiness", tags=["Operation"], responses=problems(503))
async def readyz(service: The) -> models.Health:
    """Report whether the server accepts work. It does not while it starts or stops, or while no worker is alive."""
    if service.draining or not service.pool.ready:
        state = "stopping" if service.draining else "workers are starting"
        raise Refusal("not-ready", state, SOON)
    return models.Health(status="ready")


@router.get(
    "/metrics",
    operation_id="getMetrics",
    tags=["Operation"],
    response_class=PlainTextResponse,
    responses=problems(401),
)
async def measured(service: The) -> Response:
    """Return metrics for Prometheus."""
    metrics, pool = service.metrics, service.pool
    metrics.waiting.set(pool.waiting)
    metrics.workers.set(pool.alive)
    metrics.replaced.set(pool.replaced)
    metrics.spooled.set(service.store.taken)
    return PlainTextResponse(metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
