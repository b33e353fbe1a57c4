"""The inputs of one call of `extract`, and what comes of them.

With several files, or several records in a file, a bad one is reported and the rest goes on.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from phrasemill.cli.formats import Result
from phrasemill.errors import ConfigError, InputError, MissingExtra, PhrasemillError
from phrasemill.pipeline import extract
from phrasemill.readers import Columns, holds_records, read_all, read_all_bytes
from phrasemill.types import Document, Extractor, Keyphrase

EXAMPLE = Path(__file__).parent.parent / "data" / "example.txt"
STDIN = "-"
# Bad records that are told of one by one.
MOST_COMPLAINTS = 20


class Batch:
    def __init__(
        self,
        names: list[str],
        method: Extractor,
        wanted: dict[str, Any],
        *,
        complain: Callable[[str], object],
        repair: bool = False,
        format: str | None = None,
        columns: Columns | None = None,
    ) -> None:
        self.names, self.method, self.wanted, self.repair = names, method, wanted, repair
        self.failed = 0
        self._complain, self._format, self._columns = complain, format, columns or Columns()

    @cached_property
    def many(self) -> bool:
        return len(self.names) > 1 or holds_records(self.names[0], format=self._format, data=self._bytes(self.names[0]))

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
                yield from self._read(name)
            except (InputError, MissingExtra) as error:
                if len(self.names) == 1:
                    raise
                self._fail(error)
        if self.failed > MOST_COMPLAINTS:
            self._complain(f"{self.failed - MOST_COMPLAINTS:,} more could not be read")

    def _fail(self, error: PhrasemillError) -> None:
        self.failed += 1
        if self.failed <= MOST_COMPLAINTS:
            self._complain(str(error))

    def _read(self, name: str) -> Iterator[Document]:
        shown = "example" if name == str(EXAMPLE) else name
        data = self._bytes(name)
        if data is None:
            return read_all(name, format=self._format, columns=self._columns, report=self._fail)
        return read_all_bytes(data, name=shown, format=self._format, columns=self._columns, report=self._fail)

    def _bytes(self, name: str) -> bytes | None:
        """What to read where it is no file that someone named."""
        if name == STDIN:
            return self._stdin
        return EXAMPLE.read_bytes() if name == str(EXAMPLE) else None

    @cached_property
    def _stdin(self) -> bytes:
        return sys.stdin.buffer.read() if sys.stdin else b""


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
