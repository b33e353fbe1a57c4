"""The state of one request, and the checks that need no body."""

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from secrets import token_hex
from urllib.parse import urlsplit

from starlette.types import Scope

from phrasemill.service.problems import Refusal
from phrasemill.service.slots import Slot
from phrasemill.service.tokens import Tokens

WORK = "/v1/"  # what asks for work, or tells about it
CLOSED = (WORK, "/metrics")  # what needs a token, where there are tokens
UPLOADS = "/v1/files"
POSTS = frozenset(("/v1/extract", "/v1/files", "/v1/sets", "/v1/evaluate"))
GOOD_ID = re.compile(rb"[\w.-]{1,64}")


@dataclass(slots=True)
class Visit:
    """A request. `status` is that of the answer once it has begun; `slot` limits how many are worked on."""

    scope: Scope
    headers: Mapping[str, bytes]
    id: str
    began: float = field(default_factory=time.perf_counter)
    status: int = 0
    sent: int = 0
    received: int = 0
    complete: bool = False  # the body was read whole
    answered: bool = False  # the answer was sent whole
    refused: str = ""
    slot: Slot | None = None

    @classmethod
    def of(cls, scope: Scope) -> "Visit":
        headers = {name.decode("latin-1"): value for name, value in scope["headers"]}
        given = headers.get("x-request-id", b"")
        return cls(scope, headers, given.decode() if GOOD_ID.fullmatch(given) else token_hex(8))

    def header(self, name: str) -> str:
        return self.headers.get(name, b"").decode("latin-1")

    @property
    def works(self) -> bool:
        """Whether it has a body and needs workers."""
        return self.scope["method"] == "POST" and self.scope["path"] in POSTS

    @property
    def path(self) -> str:
        """The address as the application knows it, never what a client made of it."""
        if self.scope["path"].startswith("/web/"):
            return "/web"
        if self.scope["path"] in POSTS:
            return str(self.scope["path"])
        return getattr(self.scope.get("route"), "path", None) or "other"

    def check_framing(self) -> None:
        """Refuse a body with two lengths: a proxy may believe the other one (request smuggling)."""
        if "transfer-encoding" in self.headers and "content-length" in self.headers:
            self.complete = True  # where it ends is unclear, so none of it is read
            said = "send either content-length or transfer-encoding, not both"
            raise Refusal("malformed-request", said, {"connection": "close"})

    def check_origin(self, hosts: frozenset[str] | None, origins: frozenset[str]) -> None:
        """Refuse names under which this server is not known, and pages of other sites."""
        host = self.header("host")
        if hosts is not None and _name(f"//{host}") not in hosts:
            raise Refusal("unknown-host", "the server's --allow-host says which names it answers to")
        origin = self.header("origin")
        if origin and self.scope["method"] not in ("GET", "HEAD", "OPTIONS"):
            same = _authority(origin) == host.lower()
            if not same and origin not in origins and "*" not in origins:
                raise Refusal("foreign-origin")

    def client(self, tokens: Tokens) -> str:
        """Return the holder of the token, or the address; raise a `Refusal` if a token is required."""
        address = (self.scope.get("client") or ("",))[0]
        if not tokens or not self.scope["path"].startswith(CLOSED):
            return str(address)
        holder = tokens.holder(self.headers.get("authorization", b""))
        if holder is None:
            raise Refusal("unauthorised", headers={"www-authenticate": 'Bearer realm="phrasemill"'})
        return holder

    def check_type(self) -> None:
        kind = self.header("content-type").partition(";")[0].strip().lower()
        wanted = "multipart/form-data" if self.scope["path"] == UPLOADS else "application/json"
        if kind != wanted:
            raise Refusal("unsupported-media-type", f"send {wanted}, not {kind[:100] or 'nothing said'}")
        if self.headers.get("content-encoding", b"identity").lower() != b"identity":
            raise Refusal("unsupported-media-type", "send it without content-encoding")


def _name(address: str) -> str:
    """Return the host name of an address in lower case, without its port."""
    try:
        return (urlsplit(address).hostname or "").lower()
    except ValueError:
        return ""


def _authority(address: str) -> str:
    """Return host and port of an address in lower case."""
    try:
        return urlsplit(address).netloc.lower()
    except ValueError:
        return ""
