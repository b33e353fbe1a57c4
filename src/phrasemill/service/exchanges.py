"""One request and its answer: its state, the checks that need no body, and the bytes that are held for it."""

import re
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from secrets import token_hex
from urllib.parse import SplitResult, urlsplit

from starlette.types import Scope

from phrasemill.service.admission import Bounded
from phrasemill.service.bodies import Body
from phrasemill.service.problems import SOON, Refusal
from phrasemill.service.spool import SpooledBody
from phrasemill.service.tokens import Tokens

PROTECTED = ("/v1/", "/metrics")  # what needs a token, if there are tokens
JOBS = "/v1/jobs"  # whose uploads go to disk
UPLOADS = frozenset(("/v1/files", JOBS))
POSTS = frozenset(("/v1/extract", "/v1/sets", "/v1/evaluate")) | UPLOADS
RETRY = re.compile(r"/v1/jobs/[^/]+/retry")
# Tags, where the server has some: our own addresses, and those of Annif with the name of a project in them.
TAG_POSTS = frozenset(("/v1/tags/suggest", "/v1/tags/feedback"))
PROJECT_POST = re.compile(r"/v1/projects/[^/]+/(suggest|suggest-batch|learn)")
FORM = "application/x-www-form-urlencoded"
GOOD_ID = re.compile(rb"[\w.-]{1,64}")
HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([\w.-]+))(?::\d{0,5})?", re.ASCII)  # a name or an address, and perhaps a port


@dataclass(slots=True)
class Exchange:
    """A request and its answer. `status` is that of the answer once it has begun, `slot` its place among those in
    progress, `body` what was received until that is parsed, and `held` the bytes that are counted for it."""

    scope: Scope
    headers: Mapping[str, bytes]
    id: str
    memory: Bounded
    began: float = field(default_factory=time.perf_counter)
    status: int = 0
    sent: int = 0
    received: int = 0
    complete: bool = False  # the body was read whole
    answered: bool = False  # the answer was sent whole
    problem: str = ""  # the kind of problem that was answered
    documents: int | None = None
    slot: ExitStack | None = None
    body: Body = ()
    spooled: SpooledBody | None = None  # a body on disk
    held: int = 0
    owner: str = ""  # the client, by its token or its address

    @classmethod
    def of(cls, scope: Scope, memory: Bounded) -> "Exchange":
        headers = {name.decode("latin-1"): value for name, value in scope["headers"]}
        given = headers.get("x-request-id", b"")
        return cls(scope, headers, given.decode() if GOOD_ID.fullmatch(given) else token_hex(8), memory)

    def header(self, name: str) -> str:
        return self.headers.get(name, b"").decode("latin-1")

    @property
    def works(self) -> bool:
        """Whether it has a body and needs workers."""
        path = self.scope["path"]
        known = path in POSTS or path in TAG_POSTS or PROJECT_POST.fullmatch(path) is not None
        return self.scope["method"] == "POST" and (known or RETRY.fullmatch(path) is not None)

    @property
    def path(self) -> str:
        """The path of the route, never what a client made of it."""
        if self.scope["path"].startswith("/web/"):
            return "/web"
        if self.scope["path"] in POSTS or self.scope["path"] in TAG_POSTS:
            return str(self.scope["path"])
        if RETRY.fullmatch(self.scope["path"]):
            return "/v1/jobs/{id}/retry"
        project = PROJECT_POST.fullmatch(self.scope["path"])
        if project is not None:
            return f"/v1/projects/{{project}}/{project[1]}"
        return getattr(self.scope.get("route"), "path", None) or "other"

    def check_framing(self) -> None:
        """Refuse a body with two lengths: a proxy may believe the other one (request smuggling)."""
        if "transfer-encoding" in self.headers and "content-length" in self.headers:
            self.complete = True  # where it ends is unclear, so none of it is read
            message = "send either content-length or transfer-encoding, not both"
            raise Refusal("malformed-request", message, {"connection": "close"})

    def check_origin(self, hosts: frozenset[str] | None, origins: frozenset[str]) -> None:
        """Refuse names under which this server is not known, and pages of other sites."""
        host = self.header("host").lower()
        named = HOST.fullmatch(host)
        if hosts is not None and (named is None or (named[1] or named[2]) not in hosts):
            raise Refusal("unknown-host", "allow more names with --allow-host when starting the server")
        origin = self.header("origin")
        known = _address(origin).netloc == host or origin in origins or "*" in origins
        if origin and not known and self.scope["method"] not in ("GET", "HEAD", "OPTIONS"):
            raise Refusal("foreign-origin")

    def client(self, tokens: Tokens) -> str:
        """Return the holder of the token, or the address; raise a `Refusal` if a token is required."""
        address = (self.scope.get("client") or ("",))[0]
        if not tokens or not self.scope["path"].startswith(PROTECTED):
            return str(address)
        holder = tokens.holder(self.headers.get("authorization", b""))
        if holder is None:
            raise Refusal("unauthorised", headers={"www-authenticate": 'Bearer realm="phrasemill"'})
        return holder

    def check_type(self) -> None:
        kind = self.header("content-type").partition(";")[0].strip().lower()
        wanted = "multipart/form-data" if self.scope["path"] in UPLOADS else "application/json"
        project = PROJECT_POST.fullmatch(self.scope["path"])
        if project is not None and project[1] == "suggest":
            wanted = FORM
        if kind != wanted and not (self._may_be_empty and not kind):
            raise Refusal("unsupported-media-type", f"send {wanted}, not {kind[:100] or 'an empty content-type'}")
        if self.headers.get("content-encoding", b"identity").lower() != b"identity":
            raise Refusal("unsupported-media-type", "send it without content-encoding")

    @property
    def _may_be_empty(self) -> bool:
        length = self.headers.get("content-length", b"0")
        return self.scope["path"] not in POSTS and length == b"0" and "transfer-encoding" not in self.headers

    def hold(self, count: int, too_large: str = "answer-too-large") -> None:
        """Count more bytes, or fewer; raise a `Refusal` if the memory is exhausted, now or by this request alone."""
        if count > self.memory.size - self.memory.taken:
            if self.held + count > self.memory.size:
                raise Refusal(too_large, f"more than {self.memory.size:,} bytes; ask for less at once")
            raise Refusal("busy", headers=SOON)
        self.held += count
        self.memory.change(count)

    def replace_body(self, count: int) -> None:
        """Drop the body and hold `count` bytes instead."""
        size, self.body = sum(map(len, self.body)), ()
        self.hold(count - size, "body-too-large")

    def release(self) -> None:
        """Give all bytes back."""
        self.body = ()
        if self.spooled is not None:
            self.spooled.discard()
        self.memory.change(-self.held)
        self.held = 0


def _address(text: str) -> SplitResult:
    """Return the parts of an address; empty ones if it is not valid."""
    try:
        return urlsplit(text.lower())
    except ValueError:
        return urlsplit("")
