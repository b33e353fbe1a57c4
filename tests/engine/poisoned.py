"""Columns that do harm to the process that reads: a way to reach it, as it is a fresh interpreter."""

import errno
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from faulty import Faulty
from phrasemill.readers import Columns, records
from phrasemill.types import Document


@dataclass(frozen=True)
class Poisoned(Columns):
    """Where it arrives, texts of JSON lines are taken literally as by `Faulty`; EIO cannot be read from the disk.

    With `once`, a folder, each text does harm only the first time.
    """

    once: str = ""

    def __reduce__(self) -> tuple[object, ...]:
        return _arrived, (self.once,)


def _arrived(once: str) -> Columns:
    read = records.converted

    def harmful(record: Mapping[str, object], *how: Any, **options: Any) -> Document:
        text = str(record["text"])
        mark = Path(once, text.replace(" ", "-")) if once else None
        if text.isupper() and (mark is None or not mark.exists()):
            if mark is not None:
                mark.touch()
            if text.startswith("EIO"):
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            Faulty().extract(Document("", text))
        return read(record, *how, **options)

    records.converted = harmful
    return Columns()
