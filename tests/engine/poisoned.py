"""Columns that do harm to the process that reads a file: a way to reach it, as it is a fresh interpreter."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from faulty import Faulty
from phrasemill.engine import inputs
from phrasemill.readers import Columns, read_all_bytes
from phrasemill.types import Document


@dataclass(frozen=True)
class Poisoned(Columns):
    """Where it arrives, files whose text is in capitals are taken literally as by `Faulty`.

    With `once`, a folder, each text does harm only the first time.
    """

    once: str = ""

    def __reduce__(self) -> tuple[object, ...]:
        return _arrived, (self.once,)


def _arrived(once: str) -> Columns:
    def harmful(data: bytes, **options: Any) -> Iterator[Document]:
        text = data.decode()
        mark = Path(once, text) if once else None
        if text.isupper() and (mark is None or not mark.exists()):
            if mark is not None:
                mark.touch()
            Faulty().extract(Document("", text))
        return read_all_bytes(data, **options)

    inputs.read_all_bytes = harmful  # type: ignore[attr-defined]
    return Columns()
