"""Answers: JSON, problems and streams of events; how they are sent, with security headers and time limits."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path

from fastapi import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Message, Send

from phrasemill.service.bodies import encoded
from phrasemill.service.compression import EVENTS, WHOLE
from phrasemill.service.exchanges import Exchange
from phrasemill.service.limits import Limits
from phrasemill.service.problems import MEDIA_TYPE, Refusal
from phrasemill.service.work import Done, Event

JSON = "application/json"
SHORT = 1 << 20  # bytes of an answer that is sent in one piece
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
READ = 1 << 18  # bytes of a file that are read at a time
PIECE = 1 << 16  # bytes of an answer that are sent at a time
PACE = 1 << 14  # bytes per second that a client must read on average


def json_answer(*pieces: bytes) -> Response:
    """Return an answer; a long one is sent piece by piece, because joining them takes time and memory."""
    size = sum(map(len, pieces))
    if size <= SHORT:
        return Response(b"".join(pieces), media_type=JSON)

    async def sent() -> AsyncIterator[bytes]:
        for piece in pieces:
            yield piece

    return StreamingResponse(sent(), headers={"content-length": str(size)}, media_type=JSON)


def exchange_of(request: Request) -> Exchange:
    """Return the state that the gate keeps for a request."""
    exchange: Exchange = request.scope["state"]["exchange"]
    return exchange


def problem(exchange: Exchange, refusal: Refusal) -> Response:
    """Return the answer to a request that is refused."""
    exchange.problem = refusal.kind
    body = encoded(refusal.record(exchange.id))
    return Response(body, refusal.status, dict(refusal.headers), MEDIA_TYPE)


def accepts_events(request: Request) -> bool:
    return EVENTS in request.headers.get("accept", "")


def stream(request: Request, events: AsyncIterator[Event]) -> Response:
    """Return an answer of server-sent events; a problem on the way is the last of them."""
    exchange = exchange_of(request)

    async def lines() -> AsyncIterator[bytes]:
        try:
            async for one in events:
                yield _line(one)
                if isinstance(one, Done):
                    exchange.hold(-len(one.record))  # it is sent
        except Refusal as refusal:
            exchange.problem = refusal.kind
            yield event("problem", encoded(refusal.record(exchange.id)))

    return StreamingResponse(lines(), headers={"x-accel-buffering": "no"}, media_type=EVENTS)


def _line(one: Event) -> bytes:
    if isinstance(one, Done):
        head = b'{"index":%d,"total":%d,"document":' % (one.number, one.total)
        return event("document", head + one.record + b"}")
    return event("done", one.record)


def event(name: str, data: bytes, id: int | None = None) -> bytes:
    """Return a server-sent event; `data` is JSON, which has no line breaks."""
    head = b"" if id is None else b"id: %d\n" % id
    return head + b"event: " + name.encode() + b"\ndata: " + data + b"\n\n"


def file_answer(path: str, media_type: str = JSON, *, name: str = "", delete: bool = False) -> Response:
    """Return the content of a file, as a download where it has a `name`; `delete` it once it is open."""
    try:
        file = Path(path).open("rb")  # noqa: SIM115 - closed when it was sent
    except FileNotFoundError:
        raise Refusal("not-found", "the job was deleted") from None
    if delete:
        with suppress(OSError):  # Windows deletes no open file; it goes with the job
            Path(path).unlink()

    async def sent() -> AsyncIterator[bytes]:
        with file:
            while piece := await asyncio.to_thread(file.read, READ):
                yield piece

    headers = {"content-length": str(os.fstat(file.fileno()).st_size)}
    if name:
        headers["content-disposition"] = f'attachment; filename="{name}"'
    return StreamingResponse(sent(), headers=headers, media_type=media_type)


def sending(exchange: Exchange, send: Send, limits: Limits) -> Send:
    """Wrap `send` for the answer to `exchange`; it raises a `TimeoutError` if the client does not read."""
    waited = 0.0

    async def sent(message: Message) -> None:
        nonlocal waited
        if message["type"] == "http.response.start":
            exchange.status = message["status"]
            message["headers"] = [*message["headers"], *_missing(exchange, message)]
        if exchange.slot is not None and _is_whole(message):
            exchange.slot.close()  # the work is done, even if the client reads slowly
        for part in _parts(message):
            began = time.monotonic()
            await asyncio.wait_for(send(part), limits.pause)
            exchange.sent += len(part.get("body", b""))
            waited += time.monotonic() - began
            if waited > limits.pause + exchange.sent / PACE:
                raise TimeoutError
        exchange.answered = message["type"] == "http.response.body" and not message.get("more_body", False)

    return sent


def _is_whole(message: Message) -> bool:
    """Whether the whole answer is known: it has a content-length, or this is its last message."""
    if message["type"] == "http.response.start":
        return message.get(WHOLE, False) or any(name.lower() == b"content-length" for name, _ in message["headers"])
    return not message.get("more_body", False)


def _missing(exchange: Exchange, message: Message) -> Iterator[tuple[bytes, bytes]]:
    there = {name.lower() for name, _ in message["headers"]}
    extra = SECURITY | {"x-request-id": exchange.id, "cache-control": "no-store"}
    return ((name.encode(), value.encode()) for name, value in extra.items() if name.encode() not in there)


def _parts(message: Message) -> Iterator[Message]:
    """Split a long body, so that the server waits for the client between pieces and buffers only a few of them."""
    body = message.get("body", b"")
    for start in range(0, len(body) - PIECE, PIECE):
        yield {"type": message["type"], "body": body[start : start + PIECE], "more_body": True}
    rest = (len(body) - 1) // PIECE * PIECE if body else 0
    yield {**message, "body": body[rest:]} if body else message
