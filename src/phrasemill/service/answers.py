"""Answers: JSON, problems, and streams of events."""

from collections.abc import AsyncIterator, Sequence

from fastapi import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from phrasemill.service.encoding import encoded
from phrasemill.service.jobs import Done, Event
from phrasemill.service.problems import MEDIA_TYPE, Refusal
from phrasemill.service.room import Caller

EVENTS, JSON = "text/event-stream", "application/json"
SHORT = 1 << 20  # bytes of an answer that is sent in one piece


class _Pieces(Response):
    """A body in pieces, sent one after the other: joining long pieces takes time and memory."""

    def __init__(self, pieces: Sequence[bytes]) -> None:
        super().__init__(headers={"content-length": str(sum(map(len, pieces)))}, media_type=JSON)
        self._pieces = pieces

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        for piece in self._pieces:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body"})


def json_answer(*pieces: bytes) -> Response:
    if sum(map(len, pieces)) > SHORT:
        return _Pieces(pieces)
    return Response(b"".join(pieces), media_type=JSON)


def request_id(request: Request) -> str:
    return str(request.scope.get("state", {}).get("request_id", ""))


def caller_of(request: Request) -> Caller:
    """Return the state that the gate keeps for a request that asks for work."""
    caller: Caller = request.scope["state"]["caller"]
    return caller


def problem(request: Request, refusal: Refusal) -> Response:
    """The answer that says no."""
    request.scope.setdefault("state", {})["problem"] = refusal.kind
    body = encoded(refusal.record(request_id(request)))
    return Response(body, refusal.status, dict(refusal.headers), MEDIA_TYPE)


def wants_events(request: Request) -> bool:
    return EVENTS in request.headers.get("accept", "")


def stream(request: Request, events: AsyncIterator[Event]) -> Response:
    """Server-sent events; what goes wrong on the way is the last of them."""

    async def lines() -> AsyncIterator[bytes]:
        try:
            async for event in events:
                yield _line(event)
                if isinstance(event, Done):
                    caller_of(request).hold(-len(event.record))  # it is sent
        except Refusal as refusal:
            request.scope["state"]["problem"] = refusal.kind
            yield _told("problem", encoded(refusal.record(request_id(request))))

    return StreamingResponse(lines(), headers={"x-accel-buffering": "no"}, media_type=EVENTS)


def _line(event: Event) -> bytes:
    if isinstance(event, Done):
        head = b'{"index":%d,"total":%d,"document":' % (event.number, event.total)
        return _told("document", head + event.record + b"}")
    return _told("done", event.record)


def _told(name: str, data: bytes) -> bytes:
    return b"event: " + name.encode() + b"\ndata: " + data + b"\n\n"
