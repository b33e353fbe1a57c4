"""Answers: JSON as people read it, problems, and streams of events."""

import json
import math
from collections.abc import AsyncIterator
from typing import Any

from fastapi import Request
from starlette.responses import Response, StreamingResponse

from phrasemill.service.problems import MEDIA_TYPE, Refusal

EVENTS = "text/event-stream"


def encoded(value: object) -> bytes:
    """JSON as UTF-8; half characters, which UTF-8 does not have, as escapes, and what is no number as null."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except ValueError:
        text = json.dumps(_finite(value), ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace")


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    return [_finite(inner) for inner in value] if isinstance(value, list | tuple) else value


class JSON(Response):
    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return encoded(content)


def request_id(request: Request) -> str:
    return str(request.scope.get("state", {}).get("request_id", ""))


def problem(request: Request, refusal: Refusal) -> Response:
    """The answer that says no."""
    request.scope.setdefault("state", {})["problem"] = refusal.kind
    body = encoded(refusal.record(request_id(request)))
    return Response(body, refusal.status, dict(refusal.headers), MEDIA_TYPE)


def wants_events(request: Request) -> bool:
    return EVENTS in request.headers.get("accept", "")


Event = tuple[str, object]


def stream(request: Request, events: AsyncIterator[Event]) -> Response:
    """Server-sent events; what goes wrong on the way is the last of them."""

    async def lines() -> AsyncIterator[bytes]:
        try:
            async for name, data in events:
                yield _event(name, data)
        except Refusal as refusal:
            request.scope["state"]["problem"] = refusal.kind
            yield _event("problem", refusal.record(request_id(request)))

    return StreamingResponse(lines(), headers={"x-accel-buffering": "no"}, media_type=EVENTS)


def _event(name: str, data: object) -> bytes:
    return b"event: " + name.encode() + b"\ndata: " + encoded(data) + b"\n\n"
