"""A memory budget for requests: the bytes of bodies, documents and answers are counted, so that they are bounded."""

from dataclasses import dataclass

from prometheus_client import Gauge

from phrasemill.service.bodies import Body
from phrasemill.service.problems import SOON, Refusal


@dataclass(slots=True)
class Room:
    """A number of bytes shared by all requests."""

    size: int
    gauge: Gauge
    taken: int = 0

    def change(self, count: int) -> None:
        self.taken += count
        self.gauge.set(self.taken)


@dataclass(slots=True)
class Caller:
    """A request that asks for work: its id, its body until that is parsed, and how many bytes are held for it."""

    request: str
    room: Room
    content_type: str = ""
    body: Body = ()
    held: int = 0

    def hold(self, count: int, too_large: str = "answer-too-large") -> None:
        """Count more bytes, or fewer; raise a `Refusal` if the budget is exhausted, now or by this request alone."""
        if count > self.room.size - self.room.taken:
            if self.held + count > self.room.size:
                raise Refusal(too_large, f"more than {self.room.size:,} bytes; ask for less at once")
            raise Refusal("busy", headers=SOON)
        self.held += count
        self.room.change(count)

    def replace_body(self, count: int) -> None:
        """Drop the body and hold `count` bytes instead."""
        size, self.body = sum(map(len, self.body)), ()
        self.hold(count - size, "body-too-large")

    def release(self) -> None:
        """Give all bytes back."""
        self.body = ()
        self.room.change(-self.held)
        self.held = 0
