"""The log, as lines of JSON: requests, times and errors, and never a word of the documents."""

import json
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO


@dataclass(frozen=True, slots=True)
class Log:
    """Writes to `stream`, by default standard error; with `quiet` only errors and warnings."""

    stream: TextIO | None = None
    quiet: bool = False
    now: Callable[[], float] = time.time

    def write(self, event: str, *, level: str = "info", **fields: object) -> None:
        if self.quiet and level == "info":
            return
        when = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment := self.now()))
        record = {"time": f"{when}.{int(moment % 1 * 1000):03}Z", "level": level, "event": event, **fields}
        stream = self.stream or sys.stderr
        stream.write(json.dumps(record) + "\n")  # in one piece: several threads write
        stream.flush()

    def failure(self, error: BaseException, **about: object) -> None:
        """Log an error by its type and where it was raised, not by its message, which may quote a document."""
        self.write("error", level="error", **about, error=type(error).__name__, at=locations(error))


def locations(error: BaseException) -> tuple[str, ...]:
    """Return the innermost lines of code that an error came from."""
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    return tuple(f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames)
