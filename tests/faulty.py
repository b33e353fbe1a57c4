"""A method that does harm when a text says so; in a module of its own, so that worker processes find it."""

import os
import signal
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from phrasemill.types import Document, Keyphrase, Span


@dataclass(frozen=True, slots=True)
class Faulty:
    """The first word is the keyphrase; CRASH, EXIT, HANG, MEMORY, ERROR and QUIT are taken literally."""

    # Where to leave a mark when a text says STUMBLE: the first time only its process dies.
    marks: str = ""

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
class Broken:
    """Nothing works with it."""

    def extract(self, source: Document, /, **_: object) -> list[Keyphrase]:
        if source.id:
            os._exit(9)
        return []


@dataclass(frozen=True, slots=True)
class Batched:
    """A method that works on several texts at once, as generators do; ERROR fails for all that go with it."""

    def extract(self, source: Document, /, **_: object) -> list[Keyphrase]:
        return next(self.extract_batch([source]))

    def extract_batch(self, sources: Iterable[Document], /, **_: object) -> Iterator[list[Keyphrase]]:
        texts = [source.text for source in sources]
        for start in range(0, len(texts), 4):
            batch = texts[start : start + 4]
            if "ERROR" in batch:
                raise ValueError("one of them is bad")
            yield from ([Keyphrase(text, float(len(batch)))] for text in batch)


@dataclass(frozen=True, slots=True)
class Doubling:
    """A task for pools: twice the number; texts do harm as above."""

    def prepare(self) -> object:
        return self.work

    def work(self, piece: int | str) -> object:
        if isinstance(piece, str):
            Faulty().extract(Document("", piece))
        return piece * 2


@dataclass(frozen=True, slots=True)
class Unprepared:
    """A task that cannot begin."""

    error: Exception | None

    def prepare(self) -> object:
        if self.error is None:
            os._exit(5)
        raise self.error


@dataclass(frozen=True, slots=True)
class Lengths:
    """A task for lists of texts."""

    def prepare(self) -> object:
        return self.work

    def work(self, texts: list[str]) -> Iterator[int]:
        return map(len, texts)
