"""Files of a dataset as streams of lines, plain or compressed by gzip, xz or zstd, within bounds.

Bytes come from `readers.streams`, which unfolds and bounds them. Here damage becomes `Malformed`: a problem of the
file, for the policy to decide about. A file that is not there is an error under any policy.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import BinaryIO, cast

from phrasemill.datasets.problems import Malformed, Problems
from phrasemill.errors import DataError, InputError, MissingExtra
from phrasemill.readers import streams

LONGEST_RECORD = 64 << 20
LARGEST_WHOLE = 256 << 20  # of a file that is read at once: a text, a list of keyphrases
CHUNK = 1 << 20
ZSTD = b"\x28\xb5\x2f\xfd"
ENDINGS = (".gz", ".xz", ".zst")


def lines(path: Path, problems: Problems) -> Iterator[tuple[int, str]]:
    """The lines of a UTF-8 file with their numbers from 1, without their ends; blank ones are left out."""
    for number, line in every_line(path, problems):
        if line and not line.isspace():
            yield number, line


def every_line(path: Path, problems: Problems) -> Iterator[tuple[int, str]]:
    """The same with blank lines. What cannot be read goes to `problems`: a line, or the rest of a broken archive."""
    number = 0
    try:
        with opened(path) as file:
            for number, data in streams.lines(file, name=str(path)):
                if isinstance(data, InputError):
                    problems.add(path, str(data).rpartition(": ")[2], number)
                    continue
                try:
                    line = data.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError as error:
                    problems.add(path, f"not UTF-8 at byte {error.start + 1} of the line", number)
                else:
                    yield number, line.rstrip("\r\n")
    except Malformed as error:
        problems.add(path, str(error), number + 1)


def text(path: Path) -> str:
    """The whole of a small UTF-8 file; `Malformed` says why not."""
    with opened(path) as file:
        data = file.read(LARGEST_WHOLE + 1)
    if len(data) > LARGEST_WHOLE:
        raise Malformed(f"larger than {LARGEST_WHOLE >> 20} MiB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Malformed(f"not UTF-8 at byte {error.start + 1}") from None


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The bytes of a file, unfolded. Damage found while reading becomes `Malformed`."""
    if not path.is_file():
        raise DataError(f"{path}: {'is a directory, not a file' if path.is_dir() else 'no such file'}")
    name = str(path)
    try:
        with streams.opened(path, name=name) as file:
            yield _zstd(file) if file.peek(len(ZSTD)).startswith(ZSTD) else file
    except InputError as error:
        raise Malformed(str(error).removeprefix(f"{name}: ")) from None
    except Exception as error:
        if type(error).__name__ != "ZstdError":
            raise
        raise Malformed(f"damaged archive ({error})") from None


def _zstd(file: BufferedReader) -> BinaryIO:
    try:
        import zstandard
    except ImportError:
        raise MissingExtra("zstandard", "zstd", purpose="reading .zst files") from None
    archive = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True, closefd=False)
    return BufferedReader(_Unfolded(cast(BinaryIO, archive), file), CHUNK)


class _Unfolded(RawIOBase):
    """What comes out of a zstd archive, up to what a sound one may unfold to."""

    def __init__(self, archive: BinaryIO, packed: BinaryIO) -> None:
        self._archive, self._packed, self._count = archive, packed, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._archive.read(len(buffer))
        buffer[: len(data)] = data
        self._count += len(data)
        if self._count > max(streams.UNFOLDED_FREELY, streams.LARGEST_RATIO * self._packed.tell()):
            raise Malformed(f"unfolds to more than {streams.LARGEST_RATIO} times its size; it looks like a bomb")
        return len(data)


def name_without_endings(path: Path) -> str:
    """`inspec_test` of `inspec_test.jsonl.gz`."""
    name = path.name
    for ending in (*ENDINGS, ".jsonl", ".json", ".txt"):
        name = name.removesuffix(ending)
    return name or path.name
