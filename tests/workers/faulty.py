"""A method that does harm when a text says so; in a module of its own, so that worker processes find it."""

import os
import resource
import signal
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from phrasemill.isolated import alarm
from phrasemill.ranker import build
from phrasemill.types import Document, Evidence, Keyphrase, Span


@dataclass(frozen=True, slots=True)
class Faulty:
    """The first word is the keyphrase; CRASH, EXIT, HANG, MEMORY, ERROR and QUIT are taken literally."""

    # Where to leave a mark when a text says STUMBLE: the first time only its process dies. A folder in the name of a
    # method is taken for its model, which must not change.
    marks: str = field(default="", repr=False)

    def extract(self, source: Document, /, **_: object) -> list[Keyphrase]:
        word = source.text.split()[0]
        match word:
            case "CRASH":
                os.kill(os.getpid(), signal.SIGSEGV)
            case "EXIT":
                os._exit(3)
            case "HANG":
                while True:
                    pass
            case "MEMORY":
                raise MemoryError
            case "ERROR":
                raise ValueError("the text says\nso")
            case "QUIT":
                raise SystemExit(4)
            case "STUMBLE":
                mark = Path(self.marks) / source.id
                if not mark.exists():
                    mark.touch()
                    os.kill(os.getpid(), signal.SIGKILL)
        return [Keyphrase(word, 1.0, (Span(0, len(word)),))]


@dataclass(frozen=True, slots=True)
class Stumbler:
    """Another method, whose process `harm`s itself once at each document that says STUMBLE, and leaves a mark."""

    marks: str = field(repr=False)
    method: str = "firstphrases"
    harm: int = field(default=signal.SIGKILL, repr=False)

    def extract(self, source: Document, /, **options: Any) -> list[Keyphrase]:
        self._stumble(source)
        return build(self.method).extract(source, **options)

    def _stumble(self, source: Document) -> None:
        mark = Path(self.marks) / source.id
        if "STUMBLE" in source.text and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), self.harm)


@dataclass(frozen=True, slots=True)
class Broken:
    """Nothing works with it."""

    def extract(self, source: Document, /, **_: object) -> list[Keyphrase]:
        if source.id:
            os._exit(9)
        return []


@dataclass(frozen=True, slots=True)
class Doubling:
    """A task for pools: twice the number. Texts do harm as above; STOP stops the process, PID returns its number,
    FUNCTION and LARGE answer with what cannot be pickled, or not within `room` bytes of memory, DEAF hangs without an
    alarm, and SLOW takes long, but says so."""

    room: int = 0

    def prepare(self) -> object:
        if self.room:
            used = int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_DATA, (used + self.room, resource.RLIM_INFINITY))
        return self.work

    def work(self, piece: int | str | bytes) -> object:
        match piece:
            case "STOP":
                os.kill(os.getpid(), signal.SIGSTOP)
            case "PID":
                return os.getpid()
            case "DEAF":  # to its alarm
                signal.signal(signal.SIGALRM, signal.SIG_IGN)
                time.sleep(3600)
            case "SLOW":
                for _ in range(3):
                    time.sleep(1.0)
                    alarm(1.5)
            case "FUNCTION":
                return lambda: None
            case "LARGE":
                return [str(number) for number in range(10_000_000)]
            case str():
                Faulty().extract(Document("", piece))
        return piece * 2


@dataclass(frozen=True, slots=True)
class Stumbling:
    """A task whose first workers do not survive to be ready: so many, each of which leaves a mark."""

    marks: str
    times: int
    signal: int = signal.SIGKILL

    def prepare(self) -> object:
        before = len(list(Path(self.marks).iterdir()))
        if before < self.times:
            (Path(self.marks) / str(before)).touch()
            os.kill(os.getpid(), self.signal)
        return Doubling().work


@dataclass(frozen=True, slots=True)
class Holding:
    """A task that holds a pipe open for writing as long as its process exists."""

    pipe: str

    def prepare(self) -> object:
        os.open(self.pipe, os.O_WRONLY)
        return Doubling().work


@dataclass(frozen=True, slots=True)
class Unprepared:
    """A task that cannot begin."""

    error: Exception | None

    def prepare(self) -> object:
        if self.error is None:
            os._exit(5)
        raise self.error


@dataclass(frozen=True, slots=True)
class WhoWorks:
    """The keyphrase is the number of the process."""

    def extract(self, source: Document, /, **_: object) -> list[Keyphrase]:
        return [Keyphrase(str(os.getpid()), 1.0)]


@dataclass(frozen=True, slots=True)
class Detailed:
    """The words, with all that a keyphrase may say."""

    def extract(self, source: Document, /, **_: object) -> list[Keyphrase]:
        evidence = (Evidence("a", "b", 1.0),)
        return [Keyphrase(word, 1.0, (), ("s",), "c", "l", evidence) for word in source.text.split()]
