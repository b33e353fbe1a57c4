"""Files of a dataset as streams of lines, plain or compressed by gzip, xz or zstd, within bounds.

Bytes come from `readers.streams`, which decompresses and bounds them. Here damage becomes `Malformed`: a problem of the
file, for the policy to decide about. A file that is not there is an error under any policy.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from phrasemill.errors import DataError, InputError
from phrasemill.files import streams
from phrasemill.files.opening import reason
from phrasemill.files.streams import read_at_most, size
from phrasemill.lab.datasets.problems import Malformed, Problems

LONGEST_RECORD = 64 << 20
LARGEST_WHOLE = 256 << 20  # of a file that is read at once: a text, a list of keyphrases
CHUNK = 1 << 20
ENDINGS = (".gz", ".xz", ".zst")


def lines(path: Path, problems: Problems) -> Iterator[tuple[int, str]]:
    """Yield the lines of a UTF-8 file with their numbers from 1, without their ends; blank ones are left out."""
    for number, line in every_line(path, problems):
        if line and not line.isspace():
            yield number, line


def every_line(path: Path, problems: Problems) -> Iterator[tuple[int, str]]:
    """Yield all lines; one that cannot be read, or the rest of a damaged file, goes to `problems`."""
    number = 0
    try:
        with opened(path) as file:
            for number, data in streams.lines(file, name=str(path), largest=LONGEST_RECORD):
                if isinstance(data, InputError):
                    problems.add(path, f"longer than {size(LONGEST_RECORD)}", number)
                    continue
                try:
                    line = data.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError as error:
                    problems.add(path, f"not UTF-8 at byte {error.start + 1} of the line", number)
                else:
                    yield number, line.rstrip("\r\n")
            refuse_damage(file)
    except Malformed as error:
        problems.add(path, str(error), number + 1)


def text(path: Path) -> str:
    """Return the whole of a small UTF-8 file; raise `Malformed` if it cannot be read."""
    with opened(path) as file:
        data = read_at_most(file, LARGEST_WHOLE + 1)
        if len(data) > LARGEST_WHOLE:
            raise Malformed(f"larger than {size(LARGEST_WHOLE)}")
        refuse_damage(file)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Malformed(f"not UTF-8 at byte {error.start + 1}") from None


def refuse_damage(file: BinaryIO) -> None:
    """Raise `Malformed` where a compressed file ended before its time."""
    found = streams.damage(file)
    if found is not None:
        raise Malformed(found.reason)


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file and decompress it up to where it is damaged; see `refuse_damage`."""
    if path.is_dir():
        raise DataError(f"{path}: is a directory, not a file")
    try:
        path.stat()
    except OSError as error:
        raise DataError(f"{path}: {reason(error)}") from None
    name = str(path)
    try:
        with streams.opened(path, name=name) as file:
            yield file
    except InputError as error:
        raise Malformed(str(error).removeprefix(f"{name}: ")) from None


def found(folder: Path, name: str) -> Path:
    """Return the file of this name in a folder, plain or compressed."""
    for path in (folder / f"{name}{ending}" for ending in ("", *ENDINGS)):
        if path.is_file():
            return path
    raise DataError(f"{folder}: no {name} in it (it may be compressed)")


def name_without_endings(path: Path) -> str:
    """Return the name without its endings: `inspec_test` for `inspec_test.jsonl.gz`."""
    name = path.name
    for ending in (*ENDINGS, ".jsonl", ".json", ".txt"):
        name = name.removesuffix(ending)
    return name or path.name
