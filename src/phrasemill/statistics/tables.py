"""Tables of counts on disk: written in order; read whole, or left on disk and looked up.

A table has its forms (UTF-8, one per line, in order), their counts, and the offset of every 64th form, by which a form
is found without reading the others. It is a safetensors file, or an archive of arrays for `numpy.load("df.npz")`.
"""

import json
import os
import tempfile
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import lt
from pathlib import Path
from typing import Any

from phrasemill import models
from phrasemill.errors import InputError, ModelError
from phrasemill.files.opening import open_file
from phrasemill.statistics.runs import BLOCK, Block

EVERY = 64
NPZ_MAGIC = b"PK\x03\x04"
METADATA = "metadata"
LETTERS = {"forms": "B", "counts": "I", "index": "Q"}


def write_table(path: Path, blocks: Iterable[Block], metadata: Mapping[str, str]) -> None:
    """Write the table under another name, and rename it when it is complete."""
    with tempfile.TemporaryDirectory(prefix=f".{path.name}-", dir=path.parent) as name:
        folder = Path(name)
        columns = {column: (letter, folder / column) for column, letter in LETTERS.items()}
        _write_columns({column: file for column, (_, file) in columns.items()}, blocks)
        new = folder / "table"
        models.save_files(new, columns, metadata)
        if path.suffix == ".npz":
            new = _converted(new, folder / "table.npz")
        with new.open("rb+") as file:
            os.fsync(file.fileno())
        new.replace(path)


def _converted(path: Path, output: Path) -> Path:
    """Write the columns of a safetensors file as an archive of arrays, with its metadata as an array of JSON bytes."""
    import numpy as np

    file = models.load(path)
    metadata = json.dumps(dict(file.metadata), sort_keys=True).encode()
    columns: dict[str, Any] = {name: np.frombuffer(buffer, buffer.format) for name, buffer in file.buffers.items()}
    columns[METADATA] = np.frombuffer(metadata, "B")
    with output.open("wb") as target:
        np.savez(target, **columns)
    return output


def _is_npz(path: Path) -> bool:
    try:
        with open_file(path) as file:
            return file.read(len(NPZ_MAGIC)) == NPZ_MAGIC
    except (OSError, InputError):
        return False


def load_table(path: Path, *, kind: str) -> models.Tensors:
    """Return the columns of a table: an archive is read into memory, another file is mapped."""
    if not _is_npz(path):
        return models.load(path, kind=kind)
    import zipfile
    import zlib

    import numpy as np

    try:
        with open_file(path) as file, np.load(file, allow_pickle=False) as archive:
            columns = {name: archive[name] for name in archive.files}
        metadata = json.loads(columns.pop(METADATA).tobytes())
        found = metadata.get("kind")
        buffers = {name: memoryview(column) for name, column in columns.items()}
    except (
        *(OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, NotImplementedError, RuntimeError),
        *(zipfile.BadZipFile, zlib.error),
    ) as error:
        raise ModelError(f"{path}: not a {kind} file ({error})") from None
    if found != kind:
        raise ModelError(f"{path}: not a {kind} file (its kind is {found!r})")
    return models.Tensors(path, buffers, metadata, {name: view.shape or (0,) for name, view in buffers.items()})


def _write_columns(files: Mapping[str, Path], blocks: Iterable[Block]) -> None:
    total, place = 0, 0
    with files["forms"].open("wb") as texts, files["counts"].open("wb") as counts, files["index"].open("wb") as index:
        for forms, numbers in blocks:
            places = array("Q")
            for at, form in enumerate(forms, total):
                if at % EVERY == 0:
                    places.append(place)
                place += len(form) + 1
            texts.write((b"\n" if total else b"") + b"\n".join(forms))
            counts.write(array("I", numbers).tobytes())
            index.write(places.tobytes())
            total += len(forms)


def at_least(blocks: Iterable[Block], least: int) -> Iterator[Block]:
    """Yield blocks without the forms that are counted fewer than `least` times."""
    for forms, counts in blocks:
        kept = [(form, count) for form, count in zip(forms, counts, strict=True) if count >= least]
        if kept:
            yield [form for form, _ in kept], [count for _, count in kept]


def table_blocks(file: models.Tensors) -> Iterator[Block]:
    """Yield the blocks of a table."""
    forms, counts = file["forms"], file["counts"]
    begin, done, last, step = 0, 0, b"", BLOCK * 16
    while begin < len(forms):
        end = _line_end(forms, begin + step)
        block = bytes(forms[begin:end]).split(b"\n")
        if done + len(block) > len(counts) or not all(map(lt, [last, *block], block)):
            raise ModelError(f"{file.path}: damaged (its forms are not in order, or more than its counts)")
        yield block, counts[done : done + len(block)].tolist()
        begin, done, last = end + 1, done + len(block), block[-1]
    if done != len(counts):
        raise ModelError(f"{file.path}: damaged ({done} forms and {len(counts)} counts)")


def _line_end(text: memoryview, at: int) -> int:
    """Return the offset of the first end of a line from `at` on."""
    while at < len(text):
        found = bytes(text[at : at + 1024]).find(b"\n")
        if found >= 0:
            return at + found
        at += 1024
    return len(text)


@dataclass(frozen=True, slots=True, eq=False)
class MappedCounts(Mapping[str, int]):
    """Counts that stay on disk: a lookup reads a few pages of the file."""

    file: models.Tensors

    def __len__(self) -> int:
        return len(self.file["counts"])

    def __iter__(self) -> Iterator[str]:
        for forms, _ in table_blocks(self.file):
            yield from b"\n".join(forms).decode().split("\n")

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
