"""Files of a dataset as streams of lines, plain or compressed by gzip, xz or zstd, within bounds.

Damage becomes `Malformed`: a problem of the file, for the policy to decide about. A file that is not there is an error
under any policy.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from phrasemill.errors import DataError, InputError
from phrasemill.files import streams
from phrasemill.files.opening import reason
from phrasemill.files.streams import ENDINGS, size
from phrasemill_lab.datasets.problems import Malformed, Problems

LONGEST_RECORD = 64 << 20
LARGEST_WHOLE = 256 << 20  # of a file that is read at once: a text, a list of keyphrases


def lines(path: Path, problems: Problems) -> Iterator[str | None]:
    """Yield the lines of a UTF-8 file; one that cannot be read goes to `problems`, and None comes in its place."""
    number = 0
    try:
        with opened(path) as file:
            for number, found in streams.lines(file, name=str(path), largest=LONGEST_RECORD):
                line = None
                try:
                    if isinstance(found, InputError):
                        problems.add(path, f"longer than {size(LONGEST_RECORD)}", number)
                    else:
                        line = found.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
                except UnicodeDecodeError as error:
                    problems.add(path, f"not UTF-8 at byte {error.start + 1} of the line", number)
                yield line
    except Malformed as error:
        problems.add(path, str(error), number + 1)


def data(path: Path) -> bytes:
    """Return the whole of a small file; raise `Malformed` if it cannot be read."""
    with _malformed(path):
        return streams.read_file(path, largest=LARGEST_WHOLE)


def text(path: Path) -> str:
    """Return the whole of a small UTF-8 file; raise `Malformed` if it cannot be read."""
    try:
        return data(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Malformed(f"not UTF-8 at byte {error.start + 1}") from None


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file and decompress it; where it is damaged, reading raises `Malformed`."""
    with _malformed(path), streams.opened(path, name=str(path)) as file:
        yield file


@contextmanager
def _malformed(path: Path) -> Iterator[None]:
    if path.is_dir():
        raise DataError(f"{path}: is a directory, not a file")
    try:
        path.stat()
    except OSError as error:
        raise DataError(f"{path}: {reason(error)}") from None
    try:
        yield
    except InputError as error:
        raise Malformed(str(error).removeprefix(f"{path}: ")) from None


def found(folder: Path, name: str) -> Path:
    """Return the file of this name in a folder, plain or compressed."""
    for path in (folder / f"{name}{ending}" for ending in ("", *ENDINGS)):
        if path.is_file():
            return path
    raise DataError(f"{folder}: no {name} in it (it may be compressed)")
