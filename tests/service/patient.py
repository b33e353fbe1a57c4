"""A method that waits; in a module of its own, so that worker processes find it."""

import os
from dataclasses import dataclass

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
