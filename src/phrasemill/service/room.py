"""Memory for what requests hold: bodies, documents and answers, counted so that it has a bound."""

from dataclasses import dataclass

from prometheus_client import Gauge

from phrasemill.service.problems import SOON, Refusal


@dataclass(slots=True)
class Room:
    """So many bytes for all requests together."""

    size: int
    gauge: Gauge
    taken: int = 0

    def change(self, count: int) -> None:
        self.taken += count
        self.gauge.set(self.taken)


@dataclass(slots=True)
class Caller:
    """Who asks: the id of the request, its body until that is parsed, and how many bytes are held for it."""

    request: str
    room: Room
    content_type: str = ""
    body: bytes = b""
    held: int = 0

    def hold(self, count: int, too_large: str = "answer-too-large") -> None:
        """Count so many bytes more, or fewer; a `Refusal` where there is no room for them, now or ever."""
        if count > self.room.size - self.room.taken:
            if self.held + count > self.room.size:
                raise Refusal(too_large, f"more than {self.room.size:,} bytes; ask for less at once")
            raise Refusal("busy", headers=SOON)
        self.held += count
        self.room.change(count)

    def replace_body(self, count: int) -> None:
        """Hold so many bytes in place of the body."""
        size, self.body = len(self.body), b""
        self.hold(count - size, "body-too-large")

    def release(self) -> None:
        """Give everything back, at the end."""
        self.body = b""
        self.room.change(-self.held)
        self.held = 0
