"""The bodies of requests as values: counted before they are parsed, checked when they are.

A few megabytes of JSON can stand for millions of objects, each of which takes a hundred times as much memory, and a
kilobyte more where it is wrong. So the values in a body are counted in its bytes, and one with too many is refused
before any of them exists.
"""

import json
import pickle
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from phrasemill.service.problems import Refusal
from phrasemill.types import Document

if TYPE_CHECKING:
    from pydantic import BaseModel

    from phrasemill.service.schemas import DocumentIn

EVALUATED_VALUES = 1_000_000  # in a body with predictions and gold
VALUES = 10_000  # in any other, besides those of its documents …
DOCUMENT_VALUES = 10  # … of which each has so many at most
MOST_TOLD = 20  # fields that are wrong
NO_STRUCTURE = bytes(set(range(256)) - set(b'"[{,'))
CHOSEN = ("threshold", "explain", "exclude", "redundancy", "candidates", "boost", "language")


class Packed(NamedTuple):
    """A document that the server holds and hands on; only workers look into it."""

    id: str
    data: bytes

    @classmethod
    def of(cls, document: Document) -> "Packed":
        return cls(document.id, pickle.dumps(document))

    def unpacked(self) -> Document:
        """The document, with the id that the server knows it by."""
        found: Document = pickle.loads(self.data)
        return Document(self.id, found.text, found.title, found.language)


class Asked(NamedTuple):
    """What a request asks for: documents and what to do with them; for a set also its name, and another set."""

    documents: Sequence[Packed]
    method: str
    options: Mapping[str, Any]
    against: Sequence[Packed] = ()
    name: str = ""


def has_at_most(body: bytes, most: int) -> bool:
    """Whether JSON has no more than `most` values, or keys with their values, besides the first.

    Each of them follows a comma or the start of a list or object. Those in strings do not count; where strings end is
    clear once escaped quotes are gone. What is no JSON is counted rightly up to where a parser stops.
    """
    marks = body.replace(rb"\\", b"").replace(rb"\"", b"").translate(None, NO_STRUCTURE)
    if marks.count(b'"') > 4 * (most + 1):  # a key and a value are two strings at most
        return False
    return len(b"".join(marks.split(b'"')[::2])) <= most


def parsed(body: bytes, most: int) -> Any:
    """Return the value of a body of JSON; a `Refusal` where it is none, or has more than `most` values."""
    if not has_at_most(body, most):
        raise Refusal("too-many-values", f"at most {most:,} JSON values in one request")
    try:
        return json.loads(body.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise malformed(error.pos, error.msg) from None
    except UnicodeDecodeError as error:
        raise malformed(error.start, "not UTF-8") from None
    except RecursionError:
        raise malformed(0, "nested too deeply") from None
    except ValueError:  # a number of thousands of digits
        raise malformed(0, "a number is too long") from None


def malformed(position: int, what: str) -> Refusal:
    told = {"where": f"body.{position}", "detail": f"this is not JSON: {what}"}
    return Refusal("malformed-request", f"{told['where']}: {told['detail']}", errors=(told,))


def extraction(body: bytes, documents: int) -> Asked:
    """Return what a request to /v1/extract asks for."""
    from phrasemill.service.schemas import ExtractRequest

    value = parsed(body, VALUES + DOCUMENT_VALUES * documents)
    check_count(_count(value, "documents"), documents)
    asked = checked(ExtractRequest, value)
    return Asked(_packed(asked.documents), asked.method, options_of(asked))


def set_extraction(body: bytes, documents: int) -> Asked:
    """Return what a request to /v1/sets asks for."""
    from phrasemill.service.schemas import SetRequest

    value = parsed(body, VALUES + DOCUMENT_VALUES * documents)
    check_count(_count(value, "documents") + _count(value, "against"), documents)
    asked = checked(SetRequest, value)
    options = {"top": _top(asked.top), "threshold": asked.threshold, "exclude": asked.exclude}
    options |= {"language": asked.language}
    return Asked(_packed(asked.documents), asked.method, options, _packed(asked.against or []), asked.id)


def options_of(asked: Any) -> dict[str, Any]:
    """Return what the library's `extract` is called with for an `ExtractRequest`."""
    return {"top": _top(asked.top)} | {name: getattr(asked, name) for name in CHOSEN}


def check_count(documents: int, most: int) -> None:
    if documents > most:
        raise Refusal("too-many-documents", f"at most {most:,} in one request")


Model = TypeVar("Model", bound="BaseModel")


def checked(model: type[Model], value: Any) -> Model:
    """Return `value` as `model`; a `Refusal` that says what is wrong with which field, without what was in it."""
    from pydantic import ValidationError

    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise misshapen(error.errors(include_url=False, include_context=False, include_input=False)) from None


def misshapen(errors: Sequence[Any]) -> Refusal:
    told = [{"where": _where(one["loc"]), "detail": str(one["msg"])} for one in errors[:MOST_TOLD]]
    detail = "; ".join(f"{one['where']}: {one['detail']}" for one in told[:3])
    return Refusal("invalid-request", detail, errors=tuple(told))


def _where(location: Sequence[object]) -> str:
    """Return a place in the body; names that a client made up are cut."""
    return ".".join(["body", *(str(part)[:50] for part in location)])


def _count(value: Any, name: str) -> int:
    listed = value.get(name) if isinstance(value, dict) else None
    return len(listed) if isinstance(listed, list) else 0


def _top(asked: object) -> Any:
    return None if asked == "all" else asked


def _packed(given: "Sequence[DocumentIn]") -> list[Packed]:
    return [
        Packed.of(Document(str(number) if one.id is None else one.id, one.text, one.title, one.language or "en"))
        for number, one in enumerate(given, start=1)
    ]
