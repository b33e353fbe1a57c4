"""JSON as bytes. Workers encode their results, so that the server only joins pieces."""

import json
import math
from typing import Any


def encoded(value: object) -> bytes:
    """Return JSON as UTF-8; lone surrogates, which UTF-8 does not have, as escapes, and NaN and infinity as null."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except ValueError:
        text = json.dumps(_finite(value), ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace")


def extended(record: bytes, name: str, value: bytes) -> bytes:
    """Add a member, whose value is JSON already, to the JSON object `record`, which must not be empty."""
    return b"".join((record[:-1], b",", encoded(name), b":", value, b"}"))


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    return [_finite(inner) for inner in value] if isinstance(value, list | tuple) else value
