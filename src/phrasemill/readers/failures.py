"""When to stop reading: a corpus of which nothing can be read fails at once, not after hours."""

import re

from phrasemill.errors import InputError

MOST = 100
NUMBER = re.compile(r"\d+")


class EarlyFailures:
    """Stops a corpus whose first `most` records all fail for one reason, whatever their places are."""

    def __init__(self, most: int = MOST) -> None:
        self._most, self._count, self._reason = most, 0, ""

    @property
    def possible(self) -> bool:
        """Whether every record until now failed, for one reason."""
        return bool(self._most)

    def read(self) -> None:
        """Note that a record could be read: failures from now on are no longer early."""
        self._most = 0

    def failed(self, message: str) -> None:
        """Note why a record could not be read; an `InputError` where all until now failed for this reason."""
        if not self._most:
            return
        reason = NUMBER.sub("#", message.partition(": ")[2])
        if self._count and reason != self._reason:
            self._most = 0
            return
        self._count, self._reason = self._count + 1, reason
        if self._count == self._most:
            raise InputError(f"the first {self._most} records all failed for the same reason; the last one: {message}")
