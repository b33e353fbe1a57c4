"""Counters that bound what is admitted: bodies being received, requests in progress, requests per client, and bytes."""

import asyncio
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass

from prometheus_client import Gauge

from phrasemill.service.problems import SOON, Refusal


class Slots:
    """A limited number of slots; `gauge` shows how many are taken."""

    def __init__(self, size: int, gauge: Gauge) -> None:
        self._size, self._gauge = size, gauge
        self._taken = 0

    def check(self) -> None:
        if self._taken >= self._size:
            raise Refusal("busy", headers=SOON)

    def take(self) -> "Slot":
        self.check()
        return Slot(self)

    def change(self, count: int) -> None:
        self._taken += count
        self._gauge.set(self._taken)


class Slot:
    """A slot that is taken until it is released, or until its context ends."""

    def __init__(self, slots: Slots) -> None:
        self._slots: Slots | None = slots
        slots.change(1)

    def __enter__(self) -> "Slot":
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def release(self) -> None:
        if self._slots is not None:
            self._slots.change(-1)
            self._slots = None


class Arrivals:
    """Bodies being received, `most` at once. Beyond that, the one that began first is ended."""

    def __init__(self, most: int, gauge: Gauge) -> None:
        self._most, self._gauge = most, gauge
        self._timers: dict[asyncio.Timeout, None] = {}  # in the order in which they began

    def enter(self, timer: asyncio.Timeout) -> None:
        """Add a body; its `timer` can end it."""
        if len(self._timers) >= self._most:
            oldest = next(iter(self._timers))
            self.leave(oldest)
            with suppress(RuntimeError):  # it is ending already
                oldest.reschedule(asyncio.get_running_loop().time())
        self._timers[timer] = None
        self._gauge.set(len(self._timers))

    def extend(self, timer: asyncio.Timeout, until: float) -> None:
        """Give a body more time; raise a `TimeoutError` if another one took its place."""
        if timer not in self._timers:
            raise TimeoutError
        timer.reschedule(until)

    def leave(self, timer: asyncio.Timeout) -> None:
        self._timers.pop(timer, None)
        self._gauge.set(len(self._timers))


class Clients:
    """The number of requests of each client, `most` at once; 0 means no limit."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._counts: Counter[str] = Counter()

    def enter(self, client: str) -> None:
        if self._most and self._counts[client] >= self._most:
            raise Refusal("too-many-requests", f"at most {self._most} at once", SOON)
        self._counts[client] += 1

    def leave(self, client: str) -> None:
        self._counts[client] -= 1
        if not self._counts[client]:
            del self._counts[client]


@dataclass(slots=True)
class HeldBytes:
    """The bytes of bodies, documents and answers that all requests hold, at most `size`."""

    size: int
    gauge: Gauge
    taken: int = 0

    def change(self, count: int) -> None:
        self.taken += count
        self.gauge.set(self.taken)
