"""Files that are read at once, within a bound."""

from io import BufferedReader
from pathlib import Path
from typing import BinaryIO

from phrasemill.errors import InputError
from phrasemill.files.opening import open_file, reason
from phrasemill.files.unpacking import unpacked

FIRST, PIECE = 64 << 10, 4 << 20


def read_file(path: Path | str, *, largest: int) -> bytes:
    """All bytes of the file at `path`, decompressed; an `InputError` where it cannot be read, or not all of it."""
    try:
        with open_file(path) as raw:
            stream = unpacked(raw)
            source = raw if stream is None else BufferedReader(stream)
            data = read_at_most(source, largest + 1)
    except OSError as error:
        raise InputError(f"{path}: {reason(error)}") from error
    if len(data) > largest:
        raise InputError(f"{path}: larger than {size(largest)}")
    if stream is not None and stream.damage is not None:
        raise InputError(f"{path}: {stream.damage.reason}")
    return data


def read_at_most(file: BinaryIO, count: int) -> bytes:
    """The next bytes of a file, up to `count` of them; only what is there takes memory."""
    pieces: list[bytes] = []
    wanted = min(count, FIRST)
    while wanted and (piece := file.read(wanted)):
        pieces.append(piece)
        count -= len(piece)
        wanted = min(count, PIECE)
    return b"".join(pieces) if len(pieces) != 1 else pieces[0]


def size(count: int) -> str:
    """A number of bytes as people write it."""
    return f"{count >> 20:,} MiB" if count >= 1 << 20 else f"{count:,} bytes"
