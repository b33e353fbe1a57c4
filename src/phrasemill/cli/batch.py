"""The inputs of one call of `extract`, and what comes of them.

With several files, or several records in a file, a bad one is reported and the rest goes on. It is an error where
nothing at all can be read.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

from phrasemill.cli.formats import Result
from phrasemill.cli.reading import EXAMPLE, STDIN, Inputs
from phrasemill.errors import ConfigError, InputError, MissingExtra, PhrasemillError
from phrasemill.pipeline import extract
from phrasemill.types import Document, Extractor, Keyphrase

# Bad records that are reported one by one.
MOST_COMPLAINTS = 20


class Batch:
    def __init__(
        self,
        names: list[str],
        method: Extractor,
        wanted: dict[str, Any],
        *,
        inputs: Inputs,
        complain: Callable[[str], object],
        repair: bool = False,
    ) -> None:
        self.names, self.method, self.wanted, self.repair = names, method, wanted, repair
        self.found = self.failed = 0
        self._complain, self._inputs = complain, inputs

    @cached_property
    def many(self) -> bool:
        return len(self.names) > 1 or self._inputs.holds_records(self.names[0])

    def results(self) -> Iterator[Result]:
        for document in self._documents():
            find = self._find_repaired if self.repair else self._find
            yield Result(document, repr(self.method), find(document))

    def _find(self, document: Document) -> list[Keyphrase]:
        return extract(document, method=self.method, **self.wanted)

    def _find_repaired(self, document: Document) -> list[Keyphrase]:
        """Keyphrases of the repaired text, with their places in the text as it was."""
        from phrasemill.text.repair import repair

        repaired = repair(document.content)
        found = self._find(Document(document.id, repaired.text, language=document.language))
        return [replace(k, spans=tuple(map(repaired.original, k.spans))) for k in found]

    def _documents(self) -> Iterator[Document]:
        for name in self.names:
            try:
                for document in self._inputs.documents(name, report=self._fail):
                    self.found += 1
                    yield document
            except (InputError, MissingExtra) as error:
                if len(self.names) == 1 and not self.found and not self.failed:
                    raise
                self._fail(error)
        if self.failed > MOST_COMPLAINTS:
            self._complain(f"{self.failed - MOST_COMPLAINTS:,} more could not be read")
        if self.failed and not self.found:
            raise InputError("nothing could be read")

    def _fail(self, error: PhrasemillError) -> None:
        self.failed += 1
        if self.failed <= MOST_COMPLAINTS:
            self._complain(str(error))


def names_of(files: list[str], example: bool) -> list[str]:
    """What to read: the files, the built-in example, or else whatever is piped in."""
    if example:
        if files:
            raise ConfigError("--example stands for a file; leave out the FILE, or --example")
        return [str(EXAMPLE)]
    if files:
        return files
    if sys.stdin is None or sys.stdin.isatty():
        raise ConfigError("nothing to read: name a FILE, pipe a text in, or try phrasemill extract --example")
    return [STDIN]
