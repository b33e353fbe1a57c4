"""The application: workers, jobs, the guard, routes and the page, put together."""

import asyncio
from base64 import b64encode
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.docs import get_swagger_ui_html
from pydantic.json_schema import models_json_schema
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles

from phrasemill import __version__
from phrasemill.errors import PhrasemillError
from phrasemill.isolated import checked_jobs
from phrasemill.service import job_routes, routes, tag_routes
from phrasemill.service.guard import PROTECTED, Guard
from phrasemill.service.job_runner import JobRunner
from phrasemill.service.jobs import JobStore
from phrasemill.service.limits import Limits
from phrasemill.service.log import Log
from phrasemill.service.metrics import ServiceMetrics
from phrasemill.service.models import EvaluateRequest, JobEvent
from phrasemill.service.pool import ServicePool
from phrasemill.service.problems import BY_STATUS, Refusal, misshapen, refusal_of
from phrasemill.service.requests import Service, exchange_of
from phrasemill.service.specs import Offers
from phrasemill.service.steps import ServiceTask
from phrasemill.service.tokens import Tokens

WEB = Path(__file__).parent / "web"
CDN, ICON = "https://cdn.jsdelivr.net", "https://fastapi.tiangolo.com"  # where FastAPI's /docs has its parts
BEARER = {"type": "http", "scheme": "bearer", "description": "A token of the server, if it was started with tokens."}


def create_app(
    *,
    workers: int | None = None,
    limits: Limits | None = None,
    tokens: Tokens | None = None,
    offers: Offers | None = None,
    hosts: Iterable[str] | None = None,
    origins: Iterable[str] = (),
    tags: str = "",
    jobs: Path | None = None,
    log: Log | None = None,
    give_up: Callable[[str], None] = lambda reason: None,
) -> FastAPI:
    """Return the application, for any ASGI server; `phrasemill.service.server` runs it as `phrasemill serve` does.

    `offers` are methods under names of your own; `hosts` the names that the server answers to (None: any); `origins`
    the sites whose pages may call it; `tags` is a file of tags to suggest from; `jobs` a folder in which jobs survive
    the server; `give_up` is called with the reason if no worker can start.
    """
    bounds, offered, log = limits or Limits(), offers or {}, log or Log()
    pool = ServicePool(
        ServiceTask(offered, bounds.step, bounds.answer, tags),
        workers=checked_jobs(workers),
        seconds=bounds.step,
        memory=bounds.memory,
        log=log,
        give_up=give_up,
    )
    metrics, store = ServiceMetrics(), JobStore(bounds, jobs)
    runner = JobRunner(pool, store, bounds, metrics=metrics, log=log)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await store.open()
        pool.start()
        await runner.resume()
        sweeping = asyncio.ensure_future(runner.sweep())
        try:
            yield
        finally:
            sweeping.cancel()
            await runner.stop()
            await pool.stop()
            await store.close()

    app = FastAPI(
        title="Phrasemill",
        version=__version__,
        description="Keyphrases from documents, and scores that can be checked.",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.service = Service(pool, bounds, metrics, store, runner, Path(tags).stem)
    app.include_router(routes.router)
    app.include_router(job_routes.router)
    if tags:
        app.include_router(tag_routes.router)
    _add_pages(app)
    _add_problems(app)
    _describe(app, tokens=bool(tokens))
    allowed = frozenset(origins)
    app.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=5)
    app.add_middleware(
        Guard,
        limits=bounds,
        tokens=tokens or Tokens(),
        log=log,
        metrics=metrics,
        paths=[path for path in app.openapi()["paths"] if "{" not in path],
        hosts=hosts,
        origins=allowed,
    )
    if allowed:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=sorted(allowed),
            allow_methods=["DELETE", "GET", "POST"],
            allow_headers=["authorization", "content-type", "last-event-id", "x-request-id"],
            expose_headers=["content-disposition", "location", "retry-after", "x-request-id"],
        )
    return app


class _Web(StaticFiles):
    """The files of the page; browsers keep them, and ask whether they have changed."""

    def file_response(self, *given: Any, **options: Any) -> Response:
        answer = super().file_response(*given, **options)
        answer.headers["cache-control"] = "no-cache"
        return answer


def _add_pages(app: FastAPI) -> None:
    web = _Web(directory=WEB)
    app.mount("/web", web)

    async def page(request: Request) -> Response:
        return await web.get_response("index.html", request.scope)

    async def docs(request: Request) -> HTMLResponse:
        answer = get_swagger_ui_html(openapi_url="/openapi.json", title="Phrasemill HTTP interface")
        script = bytes(answer.body).split(b"<script>")[1].split(b"</script>")[0]
        digest = b64encode(sha256(script).digest()).decode()
        answer.headers["content-security-policy"] = (
            f"default-src 'none'; script-src {CDN} 'sha256-{digest}'; style-src {CDN} 'unsafe-inline'; "
            f"img-src 'self' data: {ICON}; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"
        )
        return answer

    app.add_api_route("/", page, methods=["GET", "HEAD"], include_in_schema=False)
    app.add_api_route("/docs", docs, methods=["GET", "HEAD"], include_in_schema=False)


def _describe(app: FastAPI, *, tokens: bool) -> None:
    """Complete the OpenAPI description: what a worker parses, events, and whether it needs a token or accepts one."""
    description = app.openapi()
    parsed: Any = [(model, "validation") for model in (EvaluateRequest, JobEvent)]
    _, definitions = models_json_schema(parsed, ref_template="#/components/schemas/{model}")
    description["components"]["schemas"] = definitions["$defs"] | description["components"]["schemas"]
    description["components"]["securitySchemes"] = {"bearer": BEARER}
    for path, operations in description["paths"].items():
        for operation in operations.values():
            if path.startswith(PROTECTED):
                operation["security"] = [{"bearer": []}] if tokens else [{}, {"bearer": []}]


def _add_problems(app: FastAPI) -> None:
    async def refused(request: Request, error: Exception) -> Response:
        return refusal_of(error).answer(exchange_of(request))

    async def wrong(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        exchange = exchange_of(request)
        if not exchange.received and error.errors()[0]["loc"] == ("body",):
            return Refusal("malformed-request", "the body is empty").answer(exchange)
        return misshapen(error.errors(), error.body).answer(exchange)

    async def unanswered(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        kind = BY_STATUS.get(error.status_code, "internal-error")
        detail = error.detail if kind == "malformed-request" else ""
        return Refusal(kind, detail, dict(error.headers or {})).answer(exchange_of(request))

    app.add_exception_handler(Refusal, refused)
    app.add_exception_handler(PhrasemillError, refused)
    app.add_exception_handler(RequestValidationError, wrong)
    app.add_exception_handler(HTTPException, unanswered)
