"""How answers are encoded and sent."""

import json
import math
from collections.abc import AsyncIterator, Sequence
from typing import Any

from starlette.responses import Response, StreamingResponse

JSON = "application/json"
SHORT = 1 << 20  # bytes of an answer that is sent in one piece


def encoded(value: object) -> bytes:
    """Return JSON as UTF-8; lone surrogates, which UTF-8 does not have, as escapes, and NaN and infinity as null."""
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


def extended(record: bytes, name: str, value: object) -> bytes:
    """Add a member to the JSON object `record`, which must not be empty."""
    return b"".join((record[:-1], b",", encoded(name), b":", encoded(value), b"}"))


def listed(head: bytes, pieces: Sequence[bytes]) -> list[bytes]:
    """Return the pieces of a JSON array between `head` and the closing brackets."""
    return [head, b",".join(pieces[:1]), *(part for piece in pieces[1:] for part in (b",", piece)), b"]}"]


def json_answer(*pieces: bytes, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return an answer; a long one is sent piece by piece, because joining them takes time and memory."""
    size = sum(map(len, pieces))
    if size <= SHORT:
        return Response(b"".join(pieces), status, headers, JSON)

    async def sent() -> AsyncIterator[bytes]:
        for piece in pieces:
            yield piece

    return StreamingResponse(sent(), status, {"content-length": str(size), **(headers or {})}, JSON)
