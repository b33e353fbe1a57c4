"""The middleware that every request passes: access, limits, the log.

A body is received whole, in a file if it is long, before the application sees the request, within limits of size, pace
and time: a slow client holds a connection, but neither a worker nor one of the places of work. If a client leaves, its
work is cancelled.
"""

import asyncio
import gc
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from random import getrandbits
from tempfile import SpooledTemporaryFile
from typing import Any
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from phrasemill.service.limits import Limits
from phrasemill.service.log import Log
from phrasemill.service.metrics import ServiceMetrics
from phrasemill.service.problems import SOON, Refusal
from phrasemill.service.tokens import Tokens

PROTECTED = ("/v1/", "/metrics")  # what needs a token, if there are tokens
FILES, JOBS, EVALUATE = "/v1/files", "/v1/jobs", "/v1/evaluate"
EVALUATED_VALUES = 1_000_000  # JSON values in a body with predictions and gold, which a worker parses
VALUES = 10_000  # in any other body, …
DOCUMENT_VALUES = 10  # … and more for each document that is allowed
NO_STRUCTURE = bytes(set(range(256)) - set(b'"[{,'))
FREE_CHUNKS, LEAST_CHUNK = 1000, 64  # chunks of any size in a body; beyond that, bytes of a chunk on average
IN_MEMORY = 1 << 18  # bytes of a body; more are in a file
DISCARDED = 1 << 26  # bytes of a body that is refused, which are read all the same
PIECE = 1 << 16  # bytes of an answer that are sent at a time, and
PACE = 1 << 14  # that a client must read per second on average
GONE = 499  # the client left; only in logs
GOOD_ID = re.compile(rb"[\w.-]{1,64}")
HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([\w.-]+))(?::\d{0,5})?", re.ASCII)  # a name or an address, and perhaps a port
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
SECURITY = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


@dataclass(slots=True)
class Exchange:
    """A request and its answer. `owner` is the client, by its token or its address; `status` that of the answer once it
    has begun; `problem` the kind of problem that was answered."""

    scope: Scope
    headers: dict[str, bytes]
    id: str
    began: float = field(default_factory=time.perf_counter)
    owner: str = ""
    status: int = 0
    received: int = 0
    sent: int = 0
    complete: bool = False  # the body was received whole
    answered: bool = False  # the answer was sent whole
    works: bool = False  # it has one of the places of work
    problem: str = ""
    documents: int | None = None

    @classmethod
    def of(cls, scope: Scope) -> "Exchange":
        headers = {name.decode("latin-1"): value for name, value in scope["headers"]}
        given = headers.get("x-request-id", b"")
        return cls(scope, headers, given.decode() if GOOD_ID.fullmatch(given) else f"{getrandbits(64):016x}")

    def header(self, name: str) -> str:
        return self.headers.get(name, b"").decode("latin-1")


class _ClientGone(Exception):  # noqa: N818
    pass


class Guard:
    """The middleware around the application, whose routes have these `paths`. `hosts` are the names that it answers to
    (None: any), `origins` the sites whose pages may call it."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        limits: Limits,
        tokens: Tokens,
        log: Log,
        metrics: ServiceMetrics,
        paths: Iterable[str] = (),
        hosts: Iterable[str] | None = None,
        origins: Iterable[str] = (),
    ) -> None:
        self._app, self._limits, self._tokens, self._log, self._metrics = app, limits, tokens, log, metrics
        self._paths = frozenset(paths)
        self._hosts = None if hosts is None else frozenset(host.lower() for host in hosts)
        self._origins = frozenset(origins)
        self._arriving: dict[asyncio.Timeout, None] = {}  # in the order in which they began
        self._held = self._working = 0  # bytes of bodies, and places that are taken
        self._clients: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = Exchange.of(scope)
        scope.pop("extensions", None)  # files are sent like all else: compressed, and within limits
        scope.setdefault("state", {})["exchange"] = exchange
        answer = self._sending(exchange, send)
        try:
            refusal = await self._outcome(exchange, receive, answer)
            if refusal is not None and not exchange.status:
                await self._refuse(exchange, refusal, receive, answer)
        finally:
            self._leave_work(exchange)
            self._record(exchange)
            del scope["state"]["exchange"]  # breaks the reference cycle

    async def _outcome(self, exchange: Exchange, receive: Receive, send: Send) -> Refusal | None:
        """Handle a request; return the refusal that is still to be sent, if any."""
        try:
            self._check(exchange)
            if exchange.scope["method"] == "POST":
                await self._post(exchange, receive, send)
            else:
                await self._app(exchange.scope, receive, send)
        except Refusal as refusal:
            return refusal.with_traceback(None)
        except (_ClientGone, TimeoutError):
            exchange.status = exchange.status or GONE
        except MemoryError as error:
            gc.collect()
            self._log.failure(error, request=exchange.id)
            return Refusal("busy", headers=SOON)
        except Exception as error:
            self._log.failure(error, request=exchange.id)
            return Refusal("internal-error")
        return None

    def _check(self, exchange: Exchange) -> None:
        """Refuse requests that are ambiguous, for another host, from pages of other sites, or without a token."""
        hosts = [value for name, value in exchange.scope["headers"] if name == b"host"]
        if len(hosts) > 1 or {"transfer-encoding", "content-length"} <= exchange.headers.keys():
            exchange.complete = True  # where it ends is unclear, so none of it is read
            message = "send one host, and either content-length or transfer-encoding"
            raise Refusal("malformed-request", message, {"connection": "close"})
        host = exchange.header("host").lower()
        named = HOST.fullmatch(host)
        if self._hosts is not None and (named is None or (named[1] or named[2]) not in self._hosts):
            raise Refusal("unknown-host", "allow more names with --allow-host when starting the server")
        origin = exchange.header("origin")
        if origin and exchange.scope["method"] not in ("GET", "HEAD", "OPTIONS"):
            own = False
            with suppress(ValueError):
                own = urlsplit(origin.lower()).netloc == host
            if not own and not {origin, "*"} & self._origins:
                raise Refusal("foreign-origin")
        exchange.owner = str((exchange.scope.get("client") or ("",))[0])
        if self._tokens and exchange.scope["path"].startswith(PROTECTED):
            holder = self._tokens.holder(exchange.headers.get("authorization", b""))
            if holder is None:
                raise Refusal("unauthorised", headers={"www-authenticate": 'Bearer realm="phrasemill"'})
            exchange.owner = holder

    async def _post(self, exchange: Exchange, receive: Receive, send: Send) -> None:
        """Receive the body, wait for nothing else, and let the application answer."""
        self._check_places()  # before the body is received
        most, client = self._limits.per_client, exchange.owner
        if most and self._clients[client] >= most:
            raise Refusal("too-many-requests", f"at most {most} at once", SOON)
        self._clients[client] += 1
        try:
            with SpooledTemporaryFile(IN_MEMORY) as body:
                await self._arrive(exchange, receive, body)
                self._check_places()
                exchange.works = True
                self._change_places(1)
                await self._watched(exchange, body, receive, send)
        finally:
            self._held -= exchange.received
            self._clients[client] -= 1
            if not self._clients[client]:
                del self._clients[client]

    def _check_places(self) -> None:
        if self._working >= self._limits.requests:
            raise Refusal("busy", headers=SOON)

    def _change_places(self, count: int) -> None:
        self._working += count
        self._metrics.in_progress.set(self._working)

    def _leave_work(self, exchange: Exchange) -> None:
        if exchange.works:
            exchange.works = False
            self._change_places(-1)

    async def _arrive(self, exchange: Exchange, receive: Receive, body: Any) -> None:
        """Write the body to a file; refuse it if it is too large, too slow, or in tiny chunks."""
        most, seconds, values = self._bounds(exchange.scope["path"])
        too_large = Refusal("body-too-large", f"at most {most:,} bytes; send more as files to {JOBS}")
        if int(exchange.headers.get("content-length", b"0")) > most:
            raise too_large
        now = asyncio.get_running_loop().time
        deadline, chunks = now() + seconds, 0
        try:
            async with asyncio.timeout(min(self._limits.pause, seconds)) as timer:
                self._make_room(timer)
                while not exchange.complete:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise Refusal("malformed-request", "the body is cut off", {"connection": "close"})
                    piece = message.get("body", b"")
                    chunks += 1
                    exchange.received += len(piece)
                    self._held += len(piece)
                    exchange.complete = not message.get("more_body", False)
                    if exchange.received > most:
                        raise too_large
                    if self._held > self._limits.job_disk:
                        raise Refusal("busy", "the server has no room left for requests", SOON)
                    if chunks > FREE_CHUNKS + exchange.received // LEAST_CHUNK:
                        raise Refusal("malformed-request", "the chunks are too small", {"connection": "close"})
                    body.write(piece)
                    if timer not in self._arriving:  # another one took its place
                        raise TimeoutError
                    timer.reschedule(min(now() + self._limits.pause, deadline))
        except TimeoutError:
            raise Refusal("too-slow", headers={"connection": "close"}) from None
        finally:
            self._arriving.pop(timer, None)
            self._metrics.arriving.set(len(self._arriving))
        body.seek(0)
        if values and exchange.received:
            content = body.read()
            body.seek(0)
            if b"\0" in content:  # or else it would be taken for UTF-16
                raise Refusal("malformed-request", "this is not JSON in UTF-8")
            if not has_at_most(content, values):
                raise Refusal("too-many-values", f"at most {values:,} JSON values in one request")

    def _bounds(self, path: str) -> tuple[int, float, int]:
        """Return how many bytes a body may have, in how many seconds, and how many JSON values (0: it is a form)."""
        limits = self._limits
        if path == JOBS:
            return limits.job_upload, limits.job_arrival, 0
        if path == FILES:
            return limits.upload, limits.arrival, 0
        many = EVALUATED_VALUES if path == EVALUATE else VALUES + DOCUMENT_VALUES * limits.documents
        return limits.body, limits.arrival, many

    def _make_room(self, timer: asyncio.Timeout) -> None:
        """Count a body that arrives; where there are too many, the one that began first is ended."""
        if len(self._arriving) >= self._limits.arriving:
            oldest = next(iter(self._arriving))
            del self._arriving[oldest]
            with suppress(RuntimeError):  # it is ending already
                oldest.reschedule(asyncio.get_running_loop().time())
        self._arriving[timer] = None
        self._metrics.arriving.set(len(self._arriving))

    async def _watched(self, exchange: Exchange, body: Any, receive: Receive, send: Send) -> None:
        """Run the application; cancel it if the client leaves."""
        gone = asyncio.ensure_future(_disconnected(receive))
        pieces = _pieces(body)

        async def replayed() -> Message:
            if (message := next(pieces, None)) is not None:
                return message
            await asyncio.wait((gone,))
            return {"type": "http.disconnect"}

        work = asyncio.ensure_future(self._app(exchange.scope, replayed, send))
        try:
            await asyncio.wait((work, gone), return_when=asyncio.FIRST_COMPLETED)
            if not work.done() and not exchange.answered:
                work.cancel()
            await asyncio.wait((work,))
            if work.cancelled():
                raise _ClientGone
            work.result()
        finally:
            work.cancel()
            gone.cancel()
            del work  # breaks the reference cycle between its exception and this frame

    def _sending(self, exchange: Exchange, send: Send) -> Send:
        """Wrap `send`; it raises a `TimeoutError` if the client does not read, and gives the place of work back with
        the first message: the work is done, even if the client reads slowly."""
        waited = 0.0

        async def sent(message: Message) -> None:
            nonlocal waited
            if message["type"] == "http.response.start":
                self._leave_work(exchange)
                exchange.status = message["status"]
                there = {name.lower() for name, _ in message["headers"]}
                extra = SECURITY | {"x-request-id": exchange.id, "cache-control": "no-store"}
                added = [(name.encode(), value.encode()) for name, value in extra.items()]
                message["headers"] = [*message["headers"], *(one for one in added if one[0] not in there)]
            for part in _parts(message):
                began = time.monotonic()
                await asyncio.wait_for(send(part), self._limits.pause)
                exchange.sent += len(part.get("body", b""))
                waited += time.monotonic() - began
                if waited > self._limits.pause + exchange.sent / PACE:
                    raise TimeoutError
            exchange.answered = message["type"] == "http.response.body" and not message.get("more_body", False)

        return sent

    async def _refuse(self, exchange: Exchange, refusal: Refusal, receive: Receive, send: Send) -> None:
        unread = exchange.scope["method"] == "POST" and not exchange.complete and "expect" not in exchange.headers
        if unread and refusal.headers.get("connection") != "close":
            await self._discard(receive)
        with suppress(OSError, TimeoutError):
            await refusal.answer(exchange)(exchange.scope, receive, send)
        self._metrics.refused.labels(refusal.kind).inc()

    async def _discard(self, receive: Receive) -> None:
        """Read the rest of a body, within bounds: most clients read an answer only when they have sent everything."""
        left = DISCARDED
        with suppress(TimeoutError):
            async with asyncio.timeout(self._limits.pause):
                while left > 0:
                    message = await receive()
                    left -= len(message.get("body", b""))
                    if message["type"] == "http.disconnect" or not message.get("more_body", False):
                        return

    def _record(self, exchange: Exchange) -> None:
        seconds = time.perf_counter() - exchange.began
        known = ("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT")
        method = exchange.scope["method"] if exchange.scope["method"] in known else "other"
        path = exchange.scope["path"]  # of the route, never what a client made of it
        path = path if path in self._paths else getattr(exchange.scope.get("route"), "path", "other")
        self._metrics.requests.labels(path, method, str(exchange.status)).inc()
        self._metrics.seconds.labels(path).observe(seconds)
        line: dict[str, Any] = {"request": exchange.id, "method": method, "path": path}
        line |= {"status": exchange.status, "ms": round(1000 * seconds, 1)}
        line |= {"received": exchange.received, "sent": exchange.sent}
        if exchange.documents is not None:
            line["documents"] = exchange.documents
        if exchange.problem:
            line["problem"] = exchange.problem
        self._log.write("request", **line)


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        continue


def _pieces(body: Any) -> Iterator[Message]:
    """Yield a body as the application receives it."""
    piece = body.read(PIECE)
    while more := body.read(PIECE):
        yield {"type": "http.request", "body": piece, "more_body": True}
        piece = more
    yield {"type": "http.request", "body": piece, "more_body": False}


def _parts(message: Message) -> Iterator[Message]:
    """Split a long body, so that the server waits for the client between pieces and buffers only a few of them."""
    body = message.get("body", b"")
    for start in range(0, len(body) - PIECE, PIECE):
        yield {"type": message["type"], "body": body[start : start + PIECE], "more_body": True}
    rest = (len(body) - 1) // PIECE * PIECE if body else 0
    yield {**message, "body": body[rest:]} if body else message


def has_at_most(body: bytes, most: int) -> bool:
    """Whether JSON has at most `most` values besides the outermost one; a key and its value count as one.

    A few megabytes of JSON can encode millions of values, which take a hundred times as much memory as objects. Each
    value follows a comma, `[` or `{`, so these are counted, but not in strings: once escaped quotes are removed,
    strings are what stands between quotes. If the body is not JSON, the count is right up to where a parser stops.
    """
    marks = body.replace(rb"\\", b"").replace(rb"\"", b"").translate(None, NO_STRUCTURE)
    if marks.count(b'"') > 4 * (most + 1):  # a key and a value are two strings at most
        return False
    return len(b"".join(marks.split(b'"')[::2])) <= most
