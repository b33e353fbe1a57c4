"""The middleware that every request passes: access, limits, logs.

A body is read whole before the application sees the request, within limits of size, pace and time: a slow client holds
a connection and some bytes, but neither a worker nor one of the slots that limit work. All bytes held are counted, so
memory is bounded. If a client disconnects, its work is cancelled.
"""

import asyncio
import gc
import time
from collections.abc import Iterable
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from phrasemill.service.bodies import Body
from phrasemill.service.encoding import encoded
from phrasemill.service.journal import Journal
from phrasemill.service.limits import Limits
from phrasemill.service.measures import Measures
from phrasemill.service.problems import MEDIA_TYPE, SOON, Refusal
from phrasemill.service.room import Caller, Room
from phrasemill.service.sending import sending
from phrasemill.service.slots import Arrivals, Clients, Slots
from phrasemill.service.tokens import Tokens
from phrasemill.service.visits import UPLOADS, Visit

GONE = 499  # the client went away; only in logs
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
        journal: Journal,
        measures: Measures,
        hosts: Iterable[str] | None = None,
        origins: Iterable[str] = (),
    ) -> None:
        self._app, self._limits, self._tokens, self._journal, self._measures = app, limits, tokens, journal, measures
        self._hosts = None if hosts is None else frozenset(host.lower() for host in hosts)
        self._origins = frozenset(origins)
        self._arriving = Arrivals(limits.arriving, measures.arriving)
        self._working = Slots(limits.requests, measures.under_way)
        self._clients = Clients(limits.per_client)
        self._room = Room(limits.held, measures.held)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        visit = Visit.of(scope)
        scope.setdefault("state", {})["request_id"] = visit.id
        answer = sending(visit, send, self._limits)
        try:
            refusal = await self._outcome(visit, receive, answer)
            if refusal is not None and not visit.status:
                await self._refuse(visit, refusal, receive, answer)
        finally:
            self._remember(visit)

    async def _outcome(self, visit: Visit, receive: Receive, send: Send) -> Refusal | None:
        """Handle a request; return the refusal that is still to be sent, if any."""
        try:
            await self._pass(visit, receive, send)
        except Refusal as refusal:
            return refusal.with_traceback(None)
        except (_ClientGone, TimeoutError):
            visit.status = visit.status or GONE
        except MemoryError as error:
            gc.collect()
            self._journal.failure(error, request=visit.id)
            return Refusal("busy", headers=SOON)
        except Exception as error:
            self._journal.failure(error, request=visit.id)
            return Refusal("internal-error")
        return None

    async def _pass(self, visit: Visit, receive: Receive, send: Send) -> None:
        visit.check_framing()
        visit.check_origin(self._hosts, self._origins)
        client = visit.client(self._tokens)
        if not visit.works:
            await self._app(visit.scope, receive, send)
            return
        visit.check_type()
        self._working.check()  # before the body is received
        self._clients.enter(client)
        caller = Caller(visit.id, self._room, visit.header("content-type"))
        visit.scope["state"]["caller"] = caller
        try:
            caller.body = await self._body(visit, caller, receive)
            with self._working.take() as visit.slot:
                await self._watched(visit, receive, send)
        finally:
            caller.release()
            self._clients.leave(client)

    async def _watched(self, visit: Visit, receive: Receive, send: Send) -> None:
        """Run the application; cancel it if the client disconnects."""
        gone = asyncio.ensure_future(_disconnected(receive))

        async def left() -> Message:
            await asyncio.wait((gone,))
            return {"type": "http.disconnect"}

        work = asyncio.ensure_future(self._app(visit.scope, left, send))
        try:
            await asyncio.wait((work, gone), return_when=asyncio.FIRST_COMPLETED)
            if not work.done() and not visit.answered:
                work.cancel()
            await asyncio.wait((work,))
            if work.cancelled():
                raise _ClientGone
            work.result()
        finally:
            work.cancel()
            gone.cancel()
            del work  # breaks the reference cycle between its exception and this frame

    async def _body(self, visit: Visit, caller: Caller, receive: Receive) -> Body:
        most = self._limits.upload if visit.scope["path"] == UPLOADS else self._limits.body
        too_large = Refusal("body-too-large", f"at most {most:,} bytes")
        length = visit.headers.get("content-length", b"0")
        if length.isdigit() and int(length) > most:
            raise too_large
        pieces: list[bytes] = []
        now = asyncio.get_running_loop().time
        deadline = now() + self._limits.arrival
        try:
            async with asyncio.timeout(self._limits.pause) as timer:
                self._arriving.enter(timer)
                while not visit.complete:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise _ClientGone
                    pieces.append(message.get("body", b""))
                    visit.complete = not message.get("more_body", False)
                    visit.received += len(pieces[-1])
                    if visit.received > most:
                        raise too_large
                    caller.hold(len(pieces[-1]), "body-too-large")
                    if not visit.complete:
                        self._arriving.extend(timer, min(now() + self._limits.pause, deadline))
        except TimeoutError:
            raise Refusal("too-slow", headers={"connection": "close"}) from None
        finally:
            self._arriving.leave(timer)
        return tuple(pieces)

    async def _refuse(self, visit: Visit, refusal: Refusal, receive: Receive, send: Send) -> None:
        visit.refused = refusal.kind
        self._measures.refused.labels(refusal.kind).inc()
        read = visit.complete or refusal.kind == "too-slow" or "expect" in visit.headers
        if visit.scope["method"] == "POST" and not read:
            await self._discard(receive)
        body = encoded(refusal.record(visit.id))
        headers = {"content-type": MEDIA_TYPE, "content-length": str(len(body)), **refusal.headers}
        try:
            start = [(name.encode(), value.encode()) for name, value in headers.items()]
            await send({"type": "http.response.start", "status": refusal.status, "headers": start})
            await send({"type": "http.response.body", "body": body})
        except (OSError, TimeoutError):
            return

    async def _discard(self, receive: Receive) -> None:
        """Read the rest of a body, within bounds: most clients read an answer only when they have sent everything."""
        left = self._limits.upload
        try:
            async with asyncio.timeout(self._limits.pause):
                while left > 0:
                    message = await receive()
                    left -= len(message.get("body", b""))
                    if message["type"] == "http.disconnect" or not message.get("more_body", False):
                        return
        except TimeoutError:
            return

    def _remember(self, visit: Visit) -> None:
        seconds = time.perf_counter() - visit.began
        method = visit.scope["method"] if visit.scope["method"] in KNOWN else "other"
        self._measures.requests.labels(visit.path, method, str(visit.status)).inc()
        self._measures.seconds.labels(visit.path).observe(seconds)
        said: dict[str, Any] = {"request": visit.id, "method": method, "path": visit.path, "status": visit.status}
        said |= {"ms": round(1000 * seconds, 1), "received": visit.received, "sent": visit.sent}
        state = visit.scope["state"]
        if state.get("documents") is not None:
            said["documents"] = state["documents"]
        if visit.refused or state.get("problem"):
            said["problem"] = visit.refused or state["problem"]
        self._journal.write("request", **said)


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        continue
