"""Connections: uvicorn's, with bounds on what a client can do to the server before there is a request.

A request's head must arrive within some seconds. Where there are too many connections, the one that has been idle for
longest makes room. Heads with thousands of fields, and bodies in chunks of a few bytes, cost far more time than others
of their size, and are refused.
"""

import asyncio
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from phrasemill.service.encoding import encoded
from phrasemill.service.problems import MEDIA_TYPE, Refusal

SLICE = 1 << 14  # bytes that are looked at in one go, and the largest head
FREE_CHUNKS = 1000  # chunks of any size in one body …
LEAST_CHUNK = 64  # … others must have so many bytes on average


class Connection(H11Protocol):
    """A connection; subclasses set the limits, and have a list of idle connections of their own."""

    patience: ClassVar[float] = 10.0  # seconds for a head to arrive
    most: ClassVar[int] = 2048
    idle: ClassVar["dict[Connection, None]"] = {}  # in the order in which they became idle
    _timer: asyncio.TimerHandle | None = None
    _watch: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.conn = _Exchange(h11.SERVER, SLICE)
        self.idle[self] = None
        self._wait()
        self._look()
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
        """Answer what is no HTTP; where an answer has begun, nothing can be said any more."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            refusal = Refusal("malformed-request", "this is not HTTP/1.1 as it is understood here")
            body = encoded(refusal.record())
            fields = [("content-type", MEDIA_TYPE), ("content-length", str(len(body))), ("connection", "close")]
            start = h11.Response(status_code=400, headers=fields, reason="Bad Request")
            for event in (start, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _look(self) -> None:
        """A connection that was closed does not linger: a client that stopped reading would hold it for ever."""
        if self.transport.is_closing():
            self.transport.abort()
        self._watch = asyncio.get_running_loop().call_later(self.patience, self._look)

    def _wait(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self.patience, self._give_up)

    def _give_up(self) -> None:
        self._timer = None
        if (self.cycle is None or self.cycle.response_complete) and not self.transport.is_closing():
            self.transport.close()


class _Exchange(h11.Connection):
    """HTTP, with a bound on the number of chunks in a body."""

    _chunks = _bytes = 0

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        event = super().next_event()
        if isinstance(event, h11.Data):
            self._chunks += event.chunk_start
            self._bytes += len(event.data)
            if self._chunks > FREE_CHUNKS + self._bytes // LEAST_CHUNK:
                raise h11.RemoteProtocolError("the chunks of the body are too small")
        elif isinstance(event, h11.Request):
            self._chunks = self._bytes = 0
        return event
