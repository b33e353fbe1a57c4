"""The documents that one call of `extract` reads, and their keyphrases.

With several files, or several records in a file, a bad one is reported and the others are read. It is an error if
nothing at all can be read.
"""

import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from phrasemill.cli.formats import Result
from phrasemill.cli.reading import EXAMPLE, STDIN, Failures, Inputs, each_readable
from phrasemill.errors import ConfigError, InputError
from phrasemill.pipeline import Prepared
from phrasemill.types import Document

if TYPE_CHECKING:
    from phrasemill.text.repair import Repaired


class ExtractBatch:
    """The documents of some inputs, and their keyphrases."""

    def __init__(self, names: list[str], find: Prepared, *, inputs: Inputs, repair: bool = False) -> None:
        self.names, self.find, self.repair = names, find, repair
        self.failures, self._inputs = Failures(), inputs
        self._under_way: deque[tuple[Document, Repaired | None]] = deque()

    @cached_property
    def many(self) -> bool:
        return len(self.names) > 1 or self._inputs.holds_records(self.names[0])

    def results(self) -> Iterator[Result]:
        """Yield the keyphrases of each document; with `repair`, spans point into the text as it was."""
        method = repr(self.find.extractor)
        for keyphrases in self.find.many(self._sources()):
            document, repaired = self._under_way.popleft()
            if repaired is not None:
                keyphrases = [replace(k, spans=tuple(map(repaired.original, k.spans))) for k in keyphrases]
            yield Result(document, method, keyphrases)

    def _sources(self) -> Iterator[Document]:
        for document in self._documents():
            if not self.repair:
                self._under_way.append((document, None))
                yield document
                continue
            from phrasemill.text.repair import repair

            repaired = repair(document.content)
            self._under_way.append((document, repaired))
            yield Document(document.id, repaired.text, language=document.language)

    def _documents(self) -> Iterator[Document]:
        found = False
        read = partial(self._inputs.documents, report=self.failures)
        for document in each_readable(self.names, read, self.failures):
            found = True
            yield document
        self.failures.close()
        if self.failures.count and not found:
            raise InputError("nothing could be read")


def names_of(files: list[str], example: bool) -> list[str]:
    """Return what to read: the files, the built-in example, or else standard input."""
    if example:
        if files:
            raise ConfigError("--example replaces FILE; leave out one of them")
        return [str(EXAMPLE)]
    if files:
        return files
    if sys.stdin is None or sys.stdin.isatty():
        raise ConfigError("nothing to read: name a FILE, pipe a text in, or try phrasemill extract --example")
    return [STDIN]
