"""Working state that is never shared: each user borrows an instance of its own.

What is remembered about words (`methods/learned/words.py`) grows as texts are read, in many arrays
that must stay in step. A lock would serialise threads, and would deadlock where an extraction interrupts another one in
the same thread (a signal handler, a finaliser). So there are as many instances as there are extractions at one moment:
one in a program without threads. An instance whose user failed half-way is never returned, and so can do no harm.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Generic, TypeVar

T = TypeVar("T")

# Idle instances that are kept; with more threads than this, some are made anew each time.
MOST_IDLE = 32


class Lender(Generic[T]):
    """Instances that `make` makes, each lent to one user at a time; those that are `worn` are not kept."""

    def __init__(self, make: Callable[[], T], worn: Callable[[T], bool]) -> None:
        self._make, self._worn = make, worn
        self._idle: list[T] = []  # `pop` and `append` are atomic, with and without a GIL

    def borrow(self) -> T:
        """Return an instance that no other user has, preferably one that was used before."""
        try:
            return self._idle.pop()
        except IndexError:
            return self._make()

    def taken(self) -> Iterator[T]:
        """Yield the idle instances, which are no longer lent."""
        while self._idle:
            with suppress(IndexError):
                yield self._idle.pop()

    def give_back(self, instance: T) -> None:
        """Take back what `borrow` gave; only after success, since what an exception interrupted may be inconsistent."""
        if len(self._idle) < MOST_IDLE and not self._worn(instance):
            self._idle.append(instance)
