"""Counts on disk, in the order of their forms' bytes: sorted runs, which are merged, and tables, which are looked up.

Runs have a line per form with its count. To count more forms than memory holds, write a run whenever there are enough,
and merge them at the end: every count stays exact. A table is a safetensors file: its forms (UTF-8, one per line),
their counts, and the offset of every 64th form, by which a form is found without reading the others.
"""

import os
import tempfile
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from heapq import merge
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from phrasemill import models
from phrasemill.errors import ModelError

Counted: TypeAlias = tuple[bytes, int]
EVERY = 64
BLOCK = 1 << 16  # bytes of a table that are read at a time
LETTERS = {"forms": "B", "counts": "I", "index": "Q"}


def in_order(counts: Mapping[str, int]) -> Iterator[Counted]:
    """Yield counts in memory; the order of code points is that of their bytes in UTF-8."""
    for form in sorted(counts):
        yield form.encode(), counts[form]


def write_run(path: Path, counted: Iterable[Counted]) -> None:
    """Write forms, in order, and their counts."""
    with path.open("wb") as file:
        file.writelines(b"%b\t%d\n" % pair for pair in counted)


def read_run(path: Path) -> Iterator[Counted]:
    """Yield what was written."""
    with path.open("rb") as file:
        for line in file:
            form, _, count = line.rpartition(b"\t")
            yield form, int(count)


def merged(sources: Iterable[Iterator[Counted]]) -> Iterator[Counted]:
    """Yield the forms of all sources in order, each once, with the sum of its counts."""
    last, total = b"", 0
    for form, count in merge(*sources):
        if form != last:
            if total:
                yield last, total
            last, total = form, 0
        total += count
    if total:
        yield last, total


def at_least(counted: Iterable[Counted], least: int) -> Iterator[Counted]:
    """Yield what is counted `least` times or more."""
    return (pair for pair in counted if pair[1] >= least)


def write_table(path: Path, counted: Iterable[Counted], metadata: Mapping[str, str]) -> None:
    """Write the table under another name, and rename it when it is complete."""
    with tempfile.TemporaryDirectory(prefix=f".{path.name}-", dir=path.parent) as name:
        columns = {column: (letter, Path(name, column)) for column, letter in LETTERS.items()}
        with ExitStack() as stack:
            forms, counts, index = (stack.enter_context(file.open("wb")) for _, file in columns.values())
            place, rest = 0, iter(counted)
            while some := list(islice(rest, EVERY)):
                text = b"\n".join([form for form, _ in some])
                forms.write(b"\n" + text if place else text)
                counts.write(array("I", [count for _, count in some]).tobytes())
                index.write(array("Q", [place]).tobytes())
                place += len(text) + 1
        new = Path(name, "table")
        models.save_files(new, columns, metadata)
        with new.open("rb+") as file:
            os.fsync(file.fileno())
        new.replace(path)


def read_table(file: models.Tensors) -> Iterator[Counted]:
    """Yield what a table has, a block in memory at a time."""
    counts, last, i = file["counts"], b"", 0
    for i, form in enumerate(_lines(file["forms"]), start=1):
        if i > len(counts) or form <= last:
            raise ModelError(f"{file.path}: damaged (its forms are not in order, or more than its counts)")
        yield form, counts[i - 1]
        last = form
    if i != len(counts):
        raise ModelError(f"{file.path}: damaged ({i} forms and {len(counts)} counts)")


def _lines(text: memoryview) -> Iterator[bytes]:
    rest = b""
    for begin in range(0, len(text), BLOCK):
        *lines, rest = (rest + bytes(text[begin : begin + BLOCK])).split(b"\n")
        yield from lines
    if text:
        yield rest


@dataclass(frozen=True, slots=True, eq=False)
class MappedCounts(Mapping[str, int]):
    """Counts that stay on disk: a lookup reads a few pages of the file."""

    file: models.Tensors

    def __len__(self) -> int:
        return len(self.file["counts"])

    def __iter__(self) -> Iterator[str]:
        return (form.decode() for form, _ in read_table(self.file))

    def __getitem__(self, form: str) -> int:
        forms, index = self.file["forms"], self.file["index"]
        # The end of a line sorts below all characters of forms, so lines compare as their forms do.
        wanted = form.encode("utf-8", "replace") + b"\n"
        low, high, size = 0, len(index), len(wanted)
        while low < high:
            middle = (low + high) // 2
            if bytes(forms[index[middle] : index[middle] + size]) <= wanted:
                low = middle + 1
            else:
                high = middle
        if low:
            end = index[low] - 1 if low < len(index) else len(forms)
            block = bytes(forms[index[low - 1] : end]).split(b"\n")
            at = bisect_left(block, wanted[:-1])
            if at < len(block) and block[at] == wanted[:-1]:
                found: int = self.file["counts"][(low - 1) * EVERY + at]
                return found
        raise KeyError(form)
