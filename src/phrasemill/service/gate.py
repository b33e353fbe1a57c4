"""What every request passes: who may ask, how much, how fast; and what goes into the logs.

A body is read whole before the application sees the request, within limits of size, pace and time: a slow client holds
a connection and some bytes, never a worker. All that is held is counted, so memory has a bound.
"""

import asyncio
import json
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from secrets import token_hex
from typing import Any
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from phrasemill.service.journal import Journal
from phrasemill.service.limits import Limits
from phrasemill.service.measures import Measures
from phrasemill.service.problems import MEDIA_TYPE, Refusal
from phrasemill.service.tokens import Tokens

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
WORK = "/v1/"  # what asks for work, or tells about it
CLOSED = (WORK, "/metrics")  # what needs a token, where there are tokens
UPLOADS = "/v1/files"
POSTS = frozenset(("/v1/extract", "/v1/files", "/v1/sets", "/v1/evaluate"))
GOOD_ID = re.compile(rb"[\w.-]{1,64}")
SOON = {"retry-after": "1"}
PIECE = 1 << 16  # bytes of an answer that are sent at a time
GONE = 499  # the client went away; only in logs


class _ClientGone(Exception):  # noqa: N818
    pass


@dataclass(slots=True)
class _Visit:
    """One request on its way."""

    scope: Scope
    headers: Mapping[str, bytes]
    id: str
    began: float = field(default_factory=time.perf_counter)
    status: int = 0
    sent: int = 0
    body: int = 0
    complete: bool = False
    refused: str = ""

    @property
    def path(self) -> str:
        """The address as the application knows it, never what a client made of it."""
        if self.scope["path"].startswith("/web/"):
            return "/web"
        if self.scope["path"] in POSTS:
            return str(self.scope["path"])
        return getattr(self.scope.get("route"), "path", None) or "other"


@dataclass(slots=True)
class Gate:
    """The middleware around the application."""

    app: ASGIApp
    limits: Limits
    tokens: Tokens
    journal: Journal
    measures: Measures
    hosts: frozenset[str] | None = None
    origins: frozenset[str] = frozenset()
    _under_way: int = 0
    _held: int = 0
    _clients: "Counter[str]" = field(default_factory=Counter)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value for name, value in scope["headers"]}
        given = headers.get("x-request-id", b"")
        visit = _Visit(scope, headers, given.decode() if GOOD_ID.fullmatch(given) else token_hex(8))
        scope.setdefault("state", {})["request_id"] = visit.id
        sending = self._sending(visit, send)
        try:
            await self._pass(visit, receive, sending)
        except Refusal as refusal:
            await self._refuse(visit, refusal, receive, sending)
        except (_ClientGone, TimeoutError):
            visit.status = visit.status or GONE
        except Exception as error:
            self.journal.failure(error, request=visit.id)
            if not visit.status:
                await self._refuse(visit, Refusal("internal-error"), receive, sending)
        finally:
            self._remember(visit)

    async def _pass(self, visit: _Visit, receive: Receive, send: Send) -> None:
        scope = visit.scope
        self._check_origin(visit)
        client = self._client(visit)
        if not (scope["method"] == "POST" and scope["path"] in POSTS):
            await self.app(scope, receive, send)
            return
        self._check_type(visit)
        if self._under_way >= self.limits.requests:
            raise Refusal("busy", headers=SOON)
        if self.limits.per_client and self._clients[client] >= self.limits.per_client:
            raise Refusal("too-many-requests", f"at most {self.limits.per_client} at once", SOON)
        self._under_way += 1
        self._clients[client] += 1
        self.measures.under_way.inc()
        try:
            body = await self._body(visit, receive)
            await self.app(scope, _replayed(body, receive), send)
        finally:
            self._under_way -= 1
            self._clients[client] -= 1
            if not self._clients[client]:
                del self._clients[client]
            self._held -= visit.body
            self.measures.under_way.dec()
            self.measures.held.set(self._held)

    def _check_origin(self, visit: _Visit) -> None:
        """Names under which this server is not known, and pages of other sites, get nothing."""
        host = visit.headers.get("host", b"").decode("latin-1")
        if self.hosts is not None and _name(f"//{host}") not in self.hosts:
            raise Refusal("unknown-host", "the server's --allow-host says which names it answers to")
        origin = visit.headers.get("origin", b"").decode("latin-1")
        if origin and visit.scope["method"] not in ("GET", "HEAD", "OPTIONS"):
            same = urlsplit(origin).netloc.lower() == host.lower()
            if not same and origin not in self.origins and "*" not in self.origins:
                raise Refusal("foreign-origin")

    def _client(self, visit: _Visit) -> str:
        address = (visit.scope.get("client") or ("",))[0]
        if not self.tokens or not visit.scope["path"].startswith(CLOSED):
            return str(address)
        holder = self.tokens.holder(visit.headers.get("authorization", b""))
        if holder is None:
            raise Refusal("unauthorised", headers={"www-authenticate": 'Bearer realm="phrasemill"'})
        return holder

    def _check_type(self, visit: _Visit) -> None:
        kind = visit.headers.get("content-type", b"").decode("latin-1").partition(";")[0].strip().lower()
        wanted = "multipart/form-data" if visit.scope["path"] == UPLOADS else "application/json"
        if kind != wanted:
            raise Refusal("unsupported-media-type", f"send {wanted}, not {kind or 'nothing said'}")
        if visit.headers.get("content-encoding", b"identity").lower() != b"identity":
            raise Refusal("unsupported-media-type", "send it without content-encoding")

    async def _body(self, visit: _Visit, receive: Receive) -> bytes:
        most = self.limits.upload if visit.scope["path"] == UPLOADS else self.limits.body
        length = visit.headers.get("content-length", b"0")
        if length.isdigit() and int(length) > most:
            raise Refusal("body-too-large", f"at most {most:,} bytes")
        pieces: list[bytes] = []
        deadline = time.monotonic() + self.limits.arrival
        while True:
            left = min(self.limits.pause, deadline - time.monotonic())
            try:
                message = await asyncio.wait_for(receive(), max(left, 0.0))
            except TimeoutError:
                raise Refusal("too-slow", headers={"connection": "close"}) from None
            if message["type"] == "http.disconnect":
                raise _ClientGone
            piece = message.get("body", b"")
            visit.complete = not message.get("more_body", False)
            visit.body += len(piece)
            self._held += len(piece)
            self.measures.held.set(self._held)
            if visit.body > most:
                raise Refusal("body-too-large", f"at most {most:,} bytes")
            if self._held > self.limits.held:
                raise Refusal("busy", headers=SOON)
            pieces.append(piece)
            if visit.complete:
                return b"".join(pieces)

    def _sending(self, visit: _Visit, send: Send) -> Send:
        """`send` with our headers, and with an end to the patience with clients that do not read."""

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                visit.status = message["status"]
                there = {name.lower() for name, _ in message["headers"]}
                extra = SECURITY | {"x-request-id": visit.id, "cache-control": "no-store"}
                message["headers"] = [
                    *message["headers"],
                    *((n.encode(), v.encode()) for n, v in extra.items() if n.encode() not in there),
                ]
            for part in _parts(message):
                visit.sent += len(part.get("body", b""))
                await asyncio.wait_for(send(part), self.limits.pause)

        return sending

    async def _refuse(self, visit: _Visit, refusal: Refusal, receive: Receive, send: Send) -> None:
        visit.refused = refusal.kind
        self.measures.refused.labels(refusal.kind).inc()
        read = visit.complete or refusal.kind == "too-slow" or "expect" in visit.headers
        if visit.scope["method"] == "POST" and not read:
            await self._discard(receive)
        body = json.dumps(refusal.record(visit.id)).encode()
        headers = {"content-type": MEDIA_TYPE, "content-length": str(len(body)), **refusal.headers}
        try:
            start = [(name.encode(), value.encode()) for name, value in headers.items()]
            await send({"type": "http.response.start", "status": refusal.status, "headers": start})
            await send({"type": "http.response.body", "body": body})
        except (OSError, TimeoutError):
            return

    async def _discard(self, receive: Receive) -> None:
        """The rest of a body, within bounds: most clients look at an answer only when they have sent everything."""
        left = self.limits.upload
        try:
            async with asyncio.timeout(self.limits.pause):
                while left > 0:
                    message = await receive()
                    left -= len(message.get("body", b""))
                    if message["type"] == "http.disconnect" or not message.get("more_body", False):
                        return
        except TimeoutError:
            return

    def _remember(self, visit: _Visit) -> None:
        seconds = time.perf_counter() - visit.began
        path, method = visit.path, visit.scope["method"]
        known = method if method in ("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT") else "other"
        self.measures.requests.labels(path, known, str(visit.status)).inc()
        self.measures.seconds.labels(path).observe(seconds)
        said: dict[str, Any] = {"request": visit.id, "method": known, "path": path, "status": visit.status}
        said |= {"ms": round(1000 * seconds, 1), "received": visit.body, "sent": visit.sent}
        state = visit.scope["state"]
        if state.get("documents") is not None:
            said["documents"] = state["documents"]
        if visit.refused or state.get("problem"):
            said["problem"] = visit.refused or state["problem"]
        self.journal.write("request", **said)


def _parts(message: Message) -> Iterator[Message]:
    """A long body in pieces: the server waits for the client between them, and holds no more than a few."""
    body = message.get("body", b"")
    for start in range(0, len(body) - PIECE, PIECE):
        yield {"type": message["type"], "body": body[start : start + PIECE], "more_body": True}
    rest = (len(body) - 1) // PIECE * PIECE if body else 0
    yield {**message, "body": body[rest:]} if body else message


def _name(address: str) -> str:
    """The host name of an address in lower case, without its port."""
    try:
        return (urlsplit(address).hostname or "").lower()
    except ValueError:
        return ""


def _replayed(body: bytes, receive: Receive) -> Receive:
    """The body that was read, and then whatever comes: that the client went away, as a rule."""
    held: list[bytes] = [body]

    async def receiving() -> Message:
        if held:
            return {"type": "http.request", "body": held.pop(), "more_body": False}
        return await receive()

    return receiving
