"""uvicorn's HTTP connections, with limits that apply before there is a request.

The head of a request must arrive within some seconds. If there are too many connections, the one that has been idle
longest is closed. Heads with thousands of fields, and bodies in chunks of a few bytes, take far more time to parse than
others of the same size, and are refused.
"""

import asyncio
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from phrasemill.service.bodies import encoded
from phrasemill.service.problems import MEDIA_TYPE, Refusal

SLICE = 1 << 14  # bytes that are parsed at a time, and the size limit of a head
FREE_CHUNKS = 1000  # chunks of any size in one body; …
LEAST_CHUNK = 64  # … beyond that, chunks must have this many bytes on average


class Connection(H11Protocol):
    """A connection. Subclasses set the limits, and have their own list of idle connections."""

    patience: ClassVar[float] = 10.0  # seconds for a head to arrive
    most: ClassVar[int] = 2048
    idle: ClassVar["dict[Connection, None]"] = {}  # in the order in which they became idle
    _timer: asyncio.TimerHandle | None = None
    _watch: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.conn = _BoundedParser(h11.SERVER, SLICE)
        self.idle[self] = None
        self._wait()
        self._abort_closing()
        if len(self.connections) > self.most:
            oldest = next(iter(self.idle))
            del self.idle[oldest]
            oldest.transport.close()

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), SLICE):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + SLICE])
        if self.cycle is None or self.cycle.response_complete:
            self._wait()
        else:
            self.idle.pop(self, None)
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    def on_response_complete(self) -> None:
        self.idle[self] = None
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self.idle.pop(self, None)
        for timer in (self._timer, self._watch):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP, unless another answer has begun."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            refusal = Refusal("malformed-request", "this is not a valid HTTP/1.1 request")
            body = encoded(refusal.record())
            fields = [("content-type", MEDIA_TYPE), ("content-length", str(len(body))), ("connection", "close")]
            start = h11.Response(status_code=400, headers=fields, reason="Bad Request")
            for event in (start, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _abort_closing(self) -> None:
        """Abort a connection that is still closing: a client that stopped reading would keep it open forever."""
        if self.transport.is_closing():
            self.transport.abort()
        self._watch = asyncio.get_running_loop().call_later(self.patience, self._abort_closing)

    def _wait(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self.patience, self._give_up)

    def _give_up(self) -> None:
        self._timer = None
        if (self.cycle is None or self.cycle.response_complete) and not self.transport.is_closing():
            self.transport.close()


class _BoundedParser(h11.Connection):
    """HTTP parsing with limits on the size of a head, and on the number of chunks in a body."""

    _chunks = _bytes = 0

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        before = self._waiting if self.their_state is h11.IDLE else 0
        event = super().next_event()
        if isinstance(event, h11.Data):
            self._chunks += event.chunk_start
            self._bytes += len(event.data)
            if self._chunks > FREE_CHUNKS + self._bytes // LEAST_CHUNK:
                raise h11.RemoteProtocolError("the chunks of the body are too small")
        elif isinstance(event, h11.Request):
            if before - self._waiting > SLICE:  # the parser itself bounds only a head that is not complete
                raise h11.RemoteProtocolError("the head is too long")
            self._chunks = self._bytes = 0
        return event

    @property
    def _waiting(self) -> int:
        """The number of bytes that arrived and are not parsed yet."""
        return len(self.trailing_data[0])
