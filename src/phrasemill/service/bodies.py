"""The bodies of requests, parsed after counting the values in them, and the encoding of answers.

A few megabytes of JSON can encode millions of values. As Python objects they take many times as much memory, and a
validation error for each takes a kilobyte more. So the values are counted in the bytes of the body, and a body with too
many is refused before any object exists.
"""

import json
import math
import pickle
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from phrasemill.options import OPTIONS, styled
from phrasemill.service.problems import Refusal
from phrasemill.types import Document

if TYPE_CHECKING:
    from pydantic import BaseModel

    from phrasemill.service.schemas import DocumentIn

EVALUATED_VALUES = 1_000_000  # in a body with predictions and gold
VALUES = 10_000  # in any other body, …
DOCUMENT_VALUES = 10  # … and more for each document that is allowed
MOST_ERRORS = 20  # validation errors in an answer
NO_STRUCTURE = bytes(set(range(256)) - set(b'"[{,'))


# A body in the pieces in which it arrived. Workers join them: for megabytes, that takes a while.
Body = tuple[bytes, ...]


class Packed(NamedTuple):
    """A pickled document that the server stores and forwards; only workers unpack it."""

    id: str
    data: bytes

    @classmethod
    def of(cls, document: Document) -> "Packed":
        return cls(document.id, pickle.dumps(document))

    def unpacked(self) -> Document:
        """Return the document, with the id that the server gave it."""
        found: Document = pickle.loads(self.data)
        return Document(self.id, found.text, found.title, found.language)


class ParsedRequest(NamedTuple):
    """A parsed request: documents, method and options; for a set also its name, and the set to compare with."""

    documents: Sequence[Packed]
    method: str
    options: Mapping[str, Any]
    against: Sequence[Packed] = ()
    name: str = ""


def has_at_most(body: bytes, most: int) -> bool:
    """Whether JSON has at most `most` values besides the outermost one; a key and its value count as one.

    Each value follows a comma, `[` or `{`, so these are counted, but not in strings: once escaped quotes are removed,
    strings are what stands between quotes. If the body is not JSON, the count is right up to where a parser stops.
    """
    marks = body.replace(rb"\\", b"").replace(rb"\"", b"").translate(None, NO_STRUCTURE)
    if marks.count(b'"') > 4 * (most + 1):  # a key and a value are two strings at most
        return False
    return len(b"".join(marks.split(b'"')[::2])) <= most


def parsed(body: Body, most: int) -> Any:
    """Parse a body; raise a `Refusal` if it is not JSON, or has more than `most` values."""
    data = b"".join(body)
    if not has_at_most(data, most):
        raise Refusal("too-many-values", f"at most {most:,} JSON values in one request")
    try:
        return json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise malformed(error.pos, error.msg) from None
    except UnicodeDecodeError as error:
        raise malformed(error.start, "not UTF-8") from None
    except RecursionError:
        raise malformed(0, "nested too deeply") from None
    except ValueError:  # a number of thousands of digits
        raise malformed(0, "a number is too long") from None


def malformed(position: int, what: str) -> Refusal:
    where, detail = f"body.{position}", f"this is not JSON: {what}"
    return Refusal("malformed-request", f"{where}: {detail}", errors=({"where": where, "detail": detail},))


def parsed_request(_: object, *, body: Body, documents: int, sets: bool = False) -> ParsedRequest:
    """Parse a request to /v1/extract or /v1/sets with at most `documents` documents; a step of a worker."""
    from phrasemill.service.schemas import ExtractRequest, SetRequest

    value = parsed(body, VALUES + DOCUMENT_VALUES * documents)
    check_count(_count(value, "documents") + _count(value, "against"), documents)
    if not sets:
        asked = checked(ExtractRequest, value)
        return ParsedRequest(_packed(asked.documents), styled(asked.method, asked.style), options_of(asked))
    group = checked(SetRequest, value)
    against = _packed(group.against or [])
    method = styled(group.method, group.style)
    return ParsedRequest(_packed(group.documents), method, options_of(group), against, group.id)


def options_of(request: Any) -> dict[str, Any]:
    """Return the options of a request as the library's `extract` takes them, without the method and its style."""
    names = [name for name in OPTIONS if name in type(request).model_fields and name not in ("method", "style")]
    return {name: getattr(request, name) for name in names}


def check_count(documents: int, most: int) -> None:
    if documents > most:
        raise Refusal("too-many-documents", f"at most {most:,} in one request")


Model = TypeVar("Model", bound="BaseModel")


def checked(model: type[Model], value: Any) -> Model:
    """Validate `value`; raise a `Refusal` that names the wrong fields, without their contents."""
    from pydantic import ValidationError

    try:
        return model.model_validate(value)
    except ValidationError as error:
        errors = error.errors(include_url=False, include_context=False, include_input=False)
        raise misshapen(errors, value if isinstance(value, dict) else None) from None


def misshapen(errors: Sequence[Any], body: Mapping[str, Any] | None = None) -> Refusal:
    listed = [{"where": _where(one["loc"], body or {}), "detail": _said(one)} for one in errors[:MOST_ERRORS]]
    detail = "; ".join(f"{one['where']}: {one['detail']}" for one in listed[:3])
    return Refusal("invalid-request", detail, errors=tuple(listed))


def _said(error: Any) -> str:
    """Return what is wrong in words of JSON: pydantic names the class that an object would become."""
    return "Input should be an object" if error.get("type") == "model_type" else str(error["msg"])


def _where(location: Sequence[Any], body: Any) -> str:
    """Return a path into the body; keys that the client chose are truncated.

    Where several types are allowed, pydantic adds the name of each: these are no part of the body and are left out.
    """
    parts = ["body"]
    for number, part in enumerate(location, start=1):
        inside = (isinstance(body, dict) and part in body) or (isinstance(body, list) and isinstance(part, int))
        if inside or (isinstance(body, dict) and number == len(location)):
            parts.append(str(part)[:50])
            body = body[part] if inside else None
    return ".".join(parts)


def _count(value: Any, name: str) -> int:
    listed = value.get(name) if isinstance(value, dict) else None
    return len(listed) if isinstance(listed, list) else 0


def _packed(given: "Sequence[DocumentIn]") -> list[Packed]:
    return [
        Packed.of(Document(str(number) if one.id is None else one.id, one.text, one.title, one.language or ""))
        for number, one in enumerate(given, start=1)
    ]


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
