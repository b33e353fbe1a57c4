"""Sending answers: security headers, and time limits for clients that do not read."""

import asyncio
import time
from collections.abc import Iterator

from starlette.types import Message, Send

from phrasemill.service.limits import Limits
from phrasemill.service.visits import Visit

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
PIECE = 1 << 16  # bytes of an answer that are sent at a time
PACE = 1 << 14  # bytes per second that a client must read on average


def sending(visit: Visit, send: Send, limits: Limits) -> Send:
    """Wrap `send` for the answer to `visit`; it raises a `TimeoutError` if the client does not read."""
    waited = 0.0

    async def sent(message: Message) -> None:
        nonlocal waited
        if message["type"] == "http.response.start":
            visit.status = message["status"]
            message["headers"] = [*message["headers"], *_missing(visit, message)]
        if visit.slot is not None and _is_whole(message):
            visit.slot.release()  # the work is done, even if the client reads slowly
        for part in _parts(message):
            began = time.monotonic()
            await asyncio.wait_for(send(part), limits.pause)
            visit.sent += len(part.get("body", b""))
            waited += time.monotonic() - began
            if waited > limits.pause + visit.sent / PACE:
                raise TimeoutError
        visit.answered = message["type"] == "http.response.body" and not message.get("more_body", False)

    return sent


def _is_whole(message: Message) -> bool:
    """Whether the whole answer is known: it has a content-length, or this is its last message."""
    if message["type"] == "http.response.start":
        return any(name.lower() == b"content-length" for name, _ in message["headers"])
    return not message.get("more_body", False)


def _missing(visit: Visit, message: Message) -> Iterator[tuple[bytes, bytes]]:
    there = {name.lower() for name, _ in message["headers"]}
    extra = SECURITY | {"x-request-id": visit.id, "cache-control": "no-store"}
    return ((name.encode(), value.encode()) for name, value in extra.items() if name.encode() not in there)


def _parts(message: Message) -> Iterator[Message]:
    """Split a long body, so that the server waits for the client between pieces and buffers only a few of them."""
    body = message.get("body", b"")
    for start in range(0, len(body) - PIECE, PIECE):
        yield {"type": message["type"], "body": body[start : start + PIECE], "more_body": True}
    rest = (len(body) - 1) // PIECE * PIECE if body else 0
    yield {**message, "body": body[rest:]} if body else message
