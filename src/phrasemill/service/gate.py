"""The middleware that every request passes: access, limits, logs.

A body is read whole before the application sees the request, within limits of size, pace and time: a slow client holds
a connection and some bytes, but neither a worker nor one of the slots that limit work. All bytes held are counted, so
memory is bounded. If a client disconnects, its work is cancelled.
"""

import asyncio
import gc
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from phrasemill.service.admission import Arrivals, Bounded, Clients
from phrasemill.service.exchanges import JOBS, UPLOADS, Exchange
from phrasemill.service.limits import Limits
from phrasemill.service.log import Log
from phrasemill.service.metrics import ServiceMetrics
from phrasemill.service.problems import SOON, Refusal
from phrasemill.service.responses import problem, sending
from phrasemill.service.spool import Spool, SpooledBody
from phrasemill.service.tokens import Tokens

GONE = 499  # the client disconnected; only in logs
KNOWN = ("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT")


class _ClientGone(Exception):  # noqa: N818
    pass


class Gate:
    """The middleware around the application."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        limits: Limits,
        tokens: Tokens,
        log: Log,
        metrics: ServiceMetrics,
        memory: Bounded,
        spool: Spool,
        hosts: Iterable[str] | None = None,
        origins: Iterable[str] = (),
    ) -> None:
        self._app, self._limits, self._tokens, self._log, self._metrics = app, limits, tokens, log, metrics
        self._hosts = None if hosts is None else frozenset(host.lower() for host in hosts)
        self._origins = frozenset(origins)
        self._arriving = Arrivals(limits.arriving, metrics.arriving)
        self._working = Bounded(limits.requests, metrics.in_progress)
        self._clients = Clients(limits.per_client)
        self._memory, self._spool = memory, spool

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = Exchange.of(scope, self._memory)
        scope.setdefault("state", {})["exchange"] = exchange
        answer = sending(exchange, send, self._limits)
        try:
            refusal = await self._outcome(exchange, receive, answer)
            if refusal is not None and not exchange.status:
                await self._refuse(exchange, refusal, receive, answer)
        finally:
            self._record(exchange)
            del scope["state"]["exchange"]  # breaks the reference cycle

    async def _outcome(self, exchange: Exchange, receive: Receive, send: Send) -> Refusal | None:
        """Handle a request; return the refusal that is still to be sent, if any."""
        try:
            await self._pass(exchange, receive, send)
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

    async def _pass(self, exchange: Exchange, receive: Receive, send: Send) -> None:
        exchange.check_framing()
        exchange.check_origin(self._hosts, self._origins)
        client = exchange.owner = exchange.client(self._tokens)
        if not exchange.works:
            await self._app(exchange.scope, receive, send)
            return
        exchange.check_type()
        self._working.check()  # before the body is received
        self._clients.enter(client)
        try:
            await self._receive(exchange, receive)
            with self._working.slot() as exchange.slot:
                await self._watched(exchange, receive, send)
        finally:
            exchange.release()
            self._clients.leave(client)

    async def _watched(self, exchange: Exchange, receive: Receive, send: Send) -> None:
        """Run the application; cancel it if the client disconnects."""
        gone = asyncio.ensure_future(_disconnected(receive))

        async def left() -> Message:
            await asyncio.wait((gone,))
            return {"type": "http.disconnect"}

        work = asyncio.ensure_future(self._app(exchange.scope, left, send))
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

    async def _receive(self, exchange: Exchange, receive: Receive) -> None:
        """Receive the body into memory, or onto disk if it is the upload of a job."""
        limits, path = self._limits, exchange.scope["path"]
        if path == JOBS:
            exchange.spooled = SpooledBody.new(self._spool)
            await self._arrive(exchange, receive, exchange.spooled.write, limits.job_upload, limits.job_arrival)
            await exchange.spooled.flush()
            return
        pieces: list[bytes] = []

        async def keep(piece: bytes) -> None:
            pieces.append(piece)
            exchange.hold(len(piece), "body-too-large")

        most = limits.upload if path in UPLOADS else limits.body
        await self._arrive(exchange, receive, keep, most, limits.arrival)
        exchange.body = tuple(pieces)

    async def _arrive(
        self, exchange: Exchange, receive: Receive, keep: Callable[[bytes], Awaitable[None]], most: int, seconds: float
    ) -> None:
        """Call `keep` with each piece of the body, of `most` bytes at most, which may take `seconds`."""
        too_large = Refusal("body-too-large", f"at most {most:,} bytes")
        length = exchange.headers.get("content-length", b"0")
        if length.isdigit() and int(length) > most:
            raise too_large
        now = asyncio.get_running_loop().time
        deadline = now() + seconds
        try:
            async with asyncio.timeout(self._limits.pause) as timer:
                self._arriving.enter(timer)
                while not exchange.complete:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise _ClientGone
                    piece = message.get("body", b"")
                    exchange.complete = not message.get("more_body", False)
                    exchange.received += len(piece)
                    if exchange.received > most:
                        raise too_large
                    await keep(piece)
                    if not exchange.complete:
                        self._arriving.extend(timer, min(now() + self._limits.pause, deadline))
        except TimeoutError:
            raise Refusal("too-slow", headers={"connection": "close"}) from None
        finally:
            self._arriving.leave(timer)

    async def _refuse(self, exchange: Exchange, refusal: Refusal, receive: Receive, send: Send) -> None:
        self._metrics.refused.labels(refusal.kind).inc()
        read = exchange.complete or refusal.kind == "too-slow" or "expect" in exchange.headers
        if exchange.scope["method"] == "POST" and not read:
            await self._discard(receive)
        with suppress(OSError, TimeoutError):
            await problem(exchange, refusal)(exchange.scope, receive, send)

    async def _discard(self, receive: Receive) -> None:
        """Read the rest of a body, within bounds: most clients read an answer only when they have sent everything."""
        left = self._limits.upload
        with suppress(TimeoutError):
            async with asyncio.timeout(self._limits.pause):
                while left > 0:
                    message = await receive()
                    left -= len(message.get("body", b""))
                    if message["type"] == "http.disconnect" or not message.get("more_body", False):
                        return

    def _record(self, exchange: Exchange) -> None:
        seconds = time.perf_counter() - exchange.began
        method = exchange.scope["method"] if exchange.scope["method"] in KNOWN else "other"
        self._metrics.requests.labels(exchange.path, method, str(exchange.status)).inc()
        self._metrics.seconds.labels(exchange.path).observe(seconds)
        line: dict[str, Any] = {"request": exchange.id, "method": method, "path": exchange.path}
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
