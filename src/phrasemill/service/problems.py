"""Problems as application/problem+json (RFC 9457), with stable types."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from phrasemill.errors import DataError, InputError, MissingExtra, ModelError, PhrasemillError, UnknownName

if TYPE_CHECKING:
    from starlette.responses import Response

    from phrasemill.service.guard import Exchange

MEDIA_TYPE = "application/problem+json"
PREFIX = "urn:phrasemill:problem:"

# Every type with its status and its title.
KINDS = {
    "malformed-request": (400, "The request cannot be read"),
    "unauthorised": (401, "A bearer token is required"),
    "foreign-origin": (403, "Pages of other sites may not use this service"),
    "not-found": (404, "There is nothing at this address"),
    "method-not-allowed": (405, "This address does not support this HTTP method"),
    "too-slow": (408, "The request did not arrive in time"),
    "conflict": (409, "This is not possible in the current state"),
    "body-too-large": (413, "The request is too large"),
    "too-many-documents": (413, "There are too many documents in one request"),
    "too-many-values": (413, "There are too many values in one request"),
    "too-much-text": (413, "There is too much text in one file"),
    "unsupported-media-type": (415, "The format of the request is not supported"),
    "unknown-host": (421, "This service does not answer to that host name"),
    "invalid-request": (422, "The request is not valid"),
    "invalid-parameter": (422, "A parameter is not valid"),
    "unknown-name": (422, "There is no such name"),
    "unknown-method": (422, "There is no such method"),
    "parameter-not-allowed": (422, "A parameter cannot be set over the network"),
    "unreadable-input": (422, "A document cannot be read"),
    "unusable-data": (422, "The data cannot be used for this"),
    "not-installed": (422, "An optional package is not installed on this server"),
    "time-limit": (422, "A document took longer than the time limit"),
    "memory-limit": (422, "A document needed more memory than the limit"),
    "answer-too-large": (422, "The answer would be too large"),
    "too-many-requests": (429, "This client has too many requests in progress"),
    "internal-error": (500, "The server failed"),
    "crashed": (500, "A document crashed its worker process"),
    "busy": (503, "The service is busy"),
    "not-ready": (503, "The service is starting or stopping"),
}
MOST_NAMED = 2000  # characters of the names among which a client can choose
MOST_ERRORS = 20  # validation errors in an answer
FATAL = frozenset(("too-many-documents",))  # problems of one file that are those of the whole request or job
SOON = {"retry-after": "1"}  # seconds
BY_ERROR = {InputError: "unreadable-input", DataError: "unusable-data", MissingExtra: "not-installed"}
BY_STATUS = {400: "malformed-request", 404: "not-found", 405: "method-not-allowed", 413: "body-too-large"}


@dataclass(eq=False)
class Refusal(Exception):  # noqa: N818 - an answer, not an error of the service
    """An answer that is a problem."""

    kind: str
    detail: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    errors: tuple[Mapping[str, Any], ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to pickle it, for worker processes."""
        return Refusal, (self.kind, self.detail, dict(self.headers), self.errors)

    @property
    def status(self) -> int:
        return KINDS[self.kind][0]

    def record(self, request: str = "") -> dict[str, object]:
        status, title = KINDS[self.kind]
        found: dict[str, object] = {"type": PREFIX + self.kind, "title": title, "status": status}
        found |= {"detail": self.detail, "request": request}
        if self.errors:
            found["errors"] = list(self.errors)
        return found

    def answer(self, exchange: "Exchange") -> "Response":
        """Return the answer to a request that is refused."""
        from starlette.responses import Response

        from phrasemill.service.answers import encoded

        exchange.problem = self.kind
        return Response(encoded(self.record(exchange.id)), self.status, dict(self.headers), MEDIA_TYPE)


class Broken(Exception):  # noqa: N818
    """A server error as a worker reports it to the log: its type, the lines of code, and the message if it is one of
    ours. Other messages may quote a document."""

    def __init__(self, kind: str, at: tuple[str, ...], message: str = "") -> None:
        super().__init__(kind, at, message)
        self.kind, self.at, self.message = kind, at, message


def refusal_of(error: BaseException, *, where: str = "body.columns") -> Refusal:
    """Return the answer for an error: our own messages, unless they may name files of this server. `where` is the part
    of the request that chooses what a file does not say."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, MemoryError):
        return Refusal("memory-limit")
    if not isinstance(error, PhrasemillError) or isinstance(error, ModelError):
        return Refusal("internal-error")
    detail = " ".join(str(error).split())
    if isinstance(error, UnknownName):
        return Refusal("unknown-method" if error.kind.startswith("method") else "unknown-name", detail)
    kind = next((kind for type_, kind in BY_ERROR.items() if isinstance(error, type_)), "invalid-parameter")
    choices = [*_bounded(getattr(error, "choices", ()))]
    what = {"where": where, "detail": detail.partition("; ")[0], "choices": choices}
    return Refusal(kind, detail, errors=(what,) if choices else ())


def misshapen(errors: Sequence[Any], body: object = None) -> Refusal:
    """Return the answer for validation errors of pydantic, which names the fields, without their contents."""
    listed = [{"where": _where(one["loc"], body), "detail": _said(one)} for one in errors[:MOST_ERRORS]]
    detail = "; ".join(f"{one['where']}: {one['detail']}" for one in listed[:3])
    kind = "malformed-request" if errors[0].get("type") == "json_invalid" else "invalid-request"
    return Refusal(kind, detail, errors=tuple(listed))


def _said(error: Any) -> str:
    """Return what is wrong in words of JSON: pydantic names the class that an object would become."""
    if error.get("type") == "json_invalid":
        return f"this is not JSON: {error['ctx']['error']}"
    is_object = error.get("type") in ("model_type", "model_attributes_type", "dataclass_type")
    return "Input should be an object" if is_object else str(error["msg"])


def _where(location: Sequence[Any], body: Any) -> str:
    """Return a path into the request; keys that the client chose are truncated.

    Where several types are allowed, pydantic adds the name of each: these are no part of the body and are left out.
    """
    start, *rest = location
    if start != "body":
        return ".".join(str(part)[:50] for part in location)
    parts = ["body"]
    for number, part in enumerate(rest, start=1):
        inside = (isinstance(body, dict) and part in body) or (isinstance(body, list) and isinstance(part, int))
        if inside or (number == len(rest) and (isinstance(body, dict) or isinstance(part, int))):
            parts.append(str(part)[:50])
            body = body[part] if inside else None
    return ".".join(parts)


def _bounded(names: Iterable[str]) -> Iterator[str]:
    """Yield names of columns as long as they are few and short: there may be a problem for each of many records."""
    room = MOST_NAMED
    for name in names:
        room -= len(name)
        if room < 0:
            return
        yield name
