"""The application: workers, gate, routes and the page, put together."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response

from phrasemill import __version__
from phrasemill.errors import PhrasemillError
from phrasemill.service.admission import Bounded
from phrasemill.service.assets import Asset, page
from phrasemill.service.compression import Compression
from phrasemill.service.gate import Gate
from phrasemill.service.job_routes import JobRoutes
from phrasemill.service.job_runner import JobRunner
from phrasemill.service.job_store import JobStore
from phrasemill.service.limits import Limits
from phrasemill.service.log import Log
from phrasemill.service.metrics import ServiceMetrics
from phrasemill.service.openapi import describe
from phrasemill.service.pool import ServicePool
from phrasemill.service.problems import BY_STATUS, Refusal, refusal_of
from phrasemill.service.reference import SCRIPT, STYLE, page_of
from phrasemill.service.responses import exchange_of, problem
from phrasemill.service.routes import Routes
from phrasemill.service.specs import Offers
from phrasemill.service.spool import Spool
from phrasemill.service.steps import ServiceTask
from phrasemill.service.tag_routes import TAG_REQUESTS, TagRoutes
from phrasemill.service.tokens import Tokens
from phrasemill.service.work import Work
from phrasemill.workers import checked_jobs

DESCRIPTION = "Keyphrases from documents, and scores that can be checked."


def create_app(
    *,
    workers: int | None = None,
    limits: Limits | None = None,
    tokens: Tokens | None = None,
    offers: Offers | None = None,
    hosts: Iterable[str] | None = None,
    origins: Iterable[str] = (),
    tags: str = "",
    log: Log | None = None,
    give_up: Callable[[str], None] = lambda reason: None,
) -> FastAPI:
    """Return the application, for any ASGI server; `phrasemill.service.server` runs it as `phrasemill serve` does.

    `offers` are methods under names of your own; `hosts` the names that the server answers to (None: any); `origins`
    the sites whose pages may call it; `tags` is a file of tags to suggest from; `give_up` is called with the reason if
    no worker can start.
    """
    bounds, offered, log = limits or Limits(), offers or {}, log or Log()
    pool = ServicePool(
        ServiceTask(offered, bounds.step, bounds.memory, bounds.answer, tags),
        workers=checked_jobs(workers),
        seconds=bounds.step,
        memory=bounds.memory,
        log=log,
        give_up=give_up,
    )
    metrics = ServiceMetrics(pool)
    memory = Bounded(bounds.held, metrics.held)
    spool = Spool(Bounded(bounds.job_disk, metrics.spooled))
    work, store = Work(pool, bounds), JobStore(bounds, spool, memory)
    runner = JobRunner(pool, store, bounds, metrics=metrics, log=log)
    routes = Routes(work, metrics)
    jobs = JobRoutes(work, store, runner, Bounded(bounds.listeners, metrics.listening))

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        pool.start()
        sweeping = asyncio.ensure_future(runner.sweep())
        try:
            yield
        finally:
            sweeping.cancel()
            store.close()
            await pool.close()
            spool.close()

    app = FastAPI(
        title="Phrasemill",
        version=__version__,
        description=DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.include_router(routes.router)
    app.include_router(jobs.router)
    if tags:
        app.include_router(TagRoutes(pool, bounds, tags).router)
    app.state.pool, app.state.routes, app.state.jobs = pool, routes, store
    _add_pages(app)
    _add_problems(app)
    describe(app, tokens=bool(tokens), more=TAG_REQUESTS if tags else ())
    allowed = frozenset(origins)
    app.add_middleware(Compression)
    app.add_middleware(
        Gate,
        limits=bounds,
        tokens=tokens or Tokens(),
        log=log,
        metrics=metrics,
        memory=memory,
        spool=spool,
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


def _add_pages(app: FastAPI) -> None:
    style, script = (Asset.of(file.read_bytes(), file.name) for file in (STYLE, SCRIPT))
    made: list[Asset] = []

    async def reference(request: Request) -> Response:
        if not made:
            made.append(Asset.of(page_of(app.openapi()).encode(), "docs.html"))
        return made[0].answer(request)

    async def styled(request: Request) -> Response:
        return style.answer(request)

    async def scripted(request: Request) -> Response:
        return script.answer(request)

    app.add_api_route("/docs", reference, methods=["GET", "HEAD"], include_in_schema=False)
    app.add_api_route("/docs.css", styled, methods=["GET", "HEAD"], include_in_schema=False)
    app.add_api_route("/docs.js", scripted, methods=["GET", "HEAD"], include_in_schema=False)
    app.include_router(page())


def _add_problems(app: FastAPI) -> None:
    async def refused(request: Request, error: Exception) -> Response:
        return problem(exchange_of(request), refusal_of(error))

    async def misshapen(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        listed = [{"where": ".".join(map(str, one["loc"])), "detail": str(one["msg"])} for one in error.errors()]
        detail = "; ".join(f"{one['where']}: {one['detail']}" for one in listed)
        return problem(exchange_of(request), Refusal("invalid-request", detail, errors=tuple(listed)))

    async def unanswered(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        kind = BY_STATUS.get(error.status_code, "internal-error")
        return problem(exchange_of(request), Refusal(kind, headers=dict(error.headers or {})))

    app.add_exception_handler(Refusal, refused)
    app.add_exception_handler(PhrasemillError, refused)
    app.add_exception_handler(RequestValidationError, misshapen)
    app.add_exception_handler(HTTPException, unanswered)
