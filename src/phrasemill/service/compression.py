"""Compression of answers by gzip: of text and JSON above a size, for clients that accept it, piece by piece.

Events are sent as they are: each must arrive at once. Images and archives are compressed already.
"""

import zlib
from functools import lru_cache

from starlette.types import ASGIApp, Message, Receive, Scope, Send

LEAST = 1024  # bytes of an answer that is worth it
LEVEL = 5  # half the time of the default for almost its size
GZIP_WINDOW = 31  # 15 bits, and 16 for the header and trailer of gzip
TYPES = ("text/", "application/json", "application/problem+json", "application/x-ndjson", "application/x-bibtex")
EVENTS = "text/event-stream"
# Set in the first message of an answer whose length was known before compression.
WHOLE = "phrasemill.whole"
Headers = list[tuple[bytes, bytes]]


def accepts_gzip(header: str) -> bool:
    """Return whether an `Accept-Encoding` header allows gzip."""
    for one in header.lower().split(","):
        name, _, parameters = one.partition(";")
        if name.strip() in ("gzip", "*"):
            return parameters.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


@lru_cache(maxsize=256)
def gzipped(content: bytes) -> bytes:
    """Return a file that does not change, compressed; it is kept."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, GZIP_WINDOW)
    return compressor.compress(content) + compressor.flush()


class Compression:
    """The middleware that compresses answers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] != "HEAD":
            accepted = b",".join(value for name, value in scope["headers"] if name == b"accept-encoding")
            send = _Compressed(send, accepts_gzip(accepted.decode("latin-1"))).send
        await self._app(scope, receive, send)


class _Compressed:
    """One answer: its head waits for the first piece of its body, which decides."""

    def __init__(self, send: Send, accepted: bool) -> None:
        self._send, self._accepted = send, accepted
        self._start: Message | None = None
        self._stream: zlib._Compress | None = None

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._start = message
            return
        if self._start is not None:
            start, self._start = self._start, None
            await self._send(self._begun(start, message))
        if self._stream is not None:
            message = self._piece(message)
            if not message["body"] and message["more_body"]:
                return
        await self._send(message)

    def _begun(self, start: Message, first: Message) -> Message:
        """Return the head, changed if the body is to be compressed."""
        headers: Headers = list(start["headers"])
        known = {name.lower(): value for name, value in headers}
        kind = known.get(b"content-type", b"").decode("latin-1")
        if not kind.startswith(TYPES) or kind.startswith(EVENTS) or b"content-encoding" in known:
            return start
        headers.append((b"vary", b"accept-encoding"))
        size = int(known.get(b"content-length", b"0")) or len(first.get("body", b""))
        if not self._accepted or (size < LEAST and not first.get("more_body")):
            return {**start, "headers": headers}
        self._stream = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP_WINDOW)
        headers = [(name, value) for name, value in headers if name.lower() != b"content-length"]
        whole = b"content-length" in known
        return {**start, "headers": [*headers, (b"content-encoding", b"gzip")], WHOLE: whole}

    def _piece(self, message: Message) -> Message:
        assert self._stream is not None
        more = message.get("more_body", False)
        body = self._stream.compress(message.get("body", b""))
        return {**message, "body": body if more else body + self._stream.flush(), "more_body": more}
