"""A method that waits, and tasks of a pool; in a module of their own, so that worker processes find them."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from phrasemill.errors import ConfigError
from phrasemill.types import Document, Keyphrase, Span


@dataclass(frozen=True, slots=True)
class Patient:
    """The first word is the keyphrase, once somebody has opened `pipe` for writing."""

    pipe: str

    def extract(self, source: Document, /, **_: object) -> list[Keyphrase]:
        if source.id:  # the text that a worker tries it on has none
            os.close(os.open(self.pipe, os.O_RDONLY))
        word = source.text.split()[0]
        return [Keyphrase(word, 1.0, (Span(0, len(word)),))]


@dataclass(frozen=True, slots=True)
class Steps:
    """A task whose pieces are steps, as those of the service are."""

    task: Any

    def prepare(self) -> Callable[[Any], Any]:
        work = self.task.prepare()
        return lambda step: work(step())


def given(piece: Any) -> Any:
    return piece


@dataclass(frozen=True, slots=True)
class Broken:
    """A task for which no worker can start."""

    reason: str

    def prepare(self) -> Callable[[Any], Any]:
        raise ConfigError(self.reason)
