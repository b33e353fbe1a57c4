"""Counters that bound what is admitted: bodies being received, requests in progress, requests per client, and bytes."""

import asyncio
from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import dataclass

from prometheus_client import Gauge

from phrasemill.service.problems import SOON, Refusal


@dataclass(slots=True)
class Bounded:
    """Something that all requests share and of which there is at most `size`: slots of work, or bytes of bodies,
    documents and answers. `gauge` shows how much is taken."""

    size: int
    gauge: Gauge
    taken: int = 0

    def change(self, count: int) -> None:
        self.taken += count
        self.gauge.set(self.taken)

    def check(self) -> None:
        """Refuse a request if nothing is left."""
        if self.taken >= self.size:
            raise Refusal("busy", headers=SOON)

    def slot(self) -> ExitStack:
        """Take one until the result is closed."""
        self.check()
        self.change(1)
        taken = ExitStack()
        taken.callback(self.change, -1)
        return taken


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
