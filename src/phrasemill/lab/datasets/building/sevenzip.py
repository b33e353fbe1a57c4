"""One file out of a 7z archive, as a stream.

StackExchange ships its dumps so. The container is read here, the decoders are Python's own (LZMA, LZMA2, bzip2,
deflate, stored), and nothing more than a window of the data is in memory. Archives packed otherwise (PPMd, filters,
encryption) go through `7zz`, `7z`, `7za` or `bsdtar`, where one of them is installed.
"""

import bz2
import lzma
import shutil
import subprocess
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from phrasemill.files.opening import open_file
from phrasemill.lab.datasets.building.sevenzip_header import Entry, Folder, Header
from phrasemill.readers.archives import CHUNK, Damaged, check_swelling

SIGNATURE = b"7z\xbc\xaf\x27\x1c"
LARGEST_HEADER = 32 << 20
LARGEST_WINDOW = 256 << 20  # 7-Zip's strongest preset asks for 64 MiB
STORED, LZMA2, LZMA, BZIP2, DEFLATE = b"\0", b"\x21", b"\x03\x01\x01", b"\x04\x02\x02", b"\x04\x01\x08"
ENCODED = 23  # the header is packed itself
MOST_ENCODINGS = 4
PROGRAMS = {
    "7zz": ("e", "-so", "--"),
    "7z": ("e", "-so", "--"),
    "7za": ("e", "-so", "--"),
    "bsdtar": ("-xOf",),
}


class Unsupported(Exception):  # noqa: N818 - a detour, never seen outside
    """Packed in a way that Python has no decoder for."""


def stream(path: Path, wanted: str) -> Iterator[bytes]:
    """The bytes of the file `wanted`, wherever in the archive it is."""
    try:
        with open_file(path) as file:
            entries = [entry for entry in entries_of(file) if entry.name.replace("\\", "/").endswith(wanted)]
            if not entries:
                raise Damaged(f"{path}: there is no {wanted} in it")
            yield from _unpacked(file, entries[0])
    except Unsupported as error:
        yield from _by_program(path, wanted, str(error))
    except (lzma.LZMAError, zlib.error, EOFError, OSError, ValueError, IndexError, OverflowError) as error:
        raise Damaged(f"{path}: damaged archive ({error or type(error).__name__})") from error


def entries_of(file: BinaryIO) -> list[Entry]:
    start = file.read(32)
    if not start.startswith(SIGNATURE) or len(start) < 32:
        raise ValueError("not a 7z archive")
    offset, size = int.from_bytes(start[12:20], "little"), int.from_bytes(start[20:28], "little")
    if size > LARGEST_HEADER:
        raise ValueError("its header is too large")
    file.seek(32 + offset)
    header = file.read(size)
    if zlib.crc32(header) != int.from_bytes(start[28:32], "little"):
        raise ValueError("its header is damaged or cut off")
    for _ in range(MOST_ENCODINGS):
        if header[:1] != bytes([ENCODED]):
            break
        folders, _ = Header(header[1:]).streams()
        if not folders or folders[0].size > LARGEST_HEADER:
            raise ValueError("its header makes no sense")
        header = b"".join(_decoded(file, folders[0]))
    return Header(header).entries() if header else []


def _unpacked(file: BinaryIO, entry: Entry) -> Iterator[bytes]:
    """The bytes of an entry; those before it in the same folder are decoded and dropped."""
    folder, skip, left, expected = entry.content
    checksum = 0
    for data in _decoded(file, folder):
        piece = data[skip : skip + left]
        skip = max(0, skip - len(data))
        if piece:
            left -= len(piece)
            checksum = zlib.crc32(piece, checksum)
            yield piece
        if not left:
            break
    if left:
        raise EOFError("cut off")
    if expected not in (None, checksum):
        raise ValueError("wrong checksum")


def _decoded(file: BinaryIO, folder: Folder) -> Iterator[bytes]:
    check_swelling(folder.size, folder.packed)
    decode = _decoder(folder)
    file.seek(folder.offset)
    packed, left = folder.packed, folder.size
    while left:
        data = decode(file.read(min(CHUNK, packed)))
        packed = max(0, packed - CHUNK)
        while data and left:
            yield data[:left]
            left -= min(left, len(data))
            data = decode(b"")
        if left and not packed and not data:
            raise EOFError("cut off")


def _decoder(folder: Folder) -> Callable[[bytes], bytes]:
    """Takes packed bytes and gives at most a chunk; with nothing to take it gives what it still holds."""
    properties = folder.properties
    if folder.method == LZMA:
        rest, window = divmod(properties[0], 9)[::-1], int.from_bytes(properties[1:5], "little")
        filters = {"id": lzma.FILTER_LZMA1, "lc": rest[0], "lp": rest[1] % 5, "pb": rest[1] // 5}
    elif folder.method == LZMA2:
        window = (2 | properties[0] & 1) << (properties[0] // 2 + 11)
        filters = {"id": lzma.FILTER_LZMA2}
    else:
        return _other_decoder(folder.method)
    if window > LARGEST_WINDOW:
        raise ValueError(f"it wants a window of {window >> 20} MiB")
    decoder = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[filters | {"dict_size": max(window, 4096)}])
    return lambda data: b"" if decoder.eof else decoder.decompress(data, CHUNK)


def _other_decoder(method: bytes) -> Callable[[bytes], bytes]:
    if method == STORED:
        return lambda data: data
    if method == DEFLATE:
        inflate = zlib.decompressobj(-15)
        return lambda data: inflate.decompress(inflate.unconsumed_tail + data, CHUNK)
    if method == BZIP2:
        return _Bzip2().decompress
    raise Unsupported(method.hex() or "several methods")


class _Bzip2:
    """7-Zip may write several bzip2 streams one after the other."""

    def __init__(self) -> None:
        self.decoder = bz2.BZ2Decompressor()

    def decompress(self, data: bytes) -> bytes:
        while True:
            if self.decoder.eof:
                data = self.decoder.unused_data + data
                if not data:
                    return b""
                self.decoder = bz2.BZ2Decompressor()
            found = self.decoder.decompress(data, CHUNK)
            if found or not self.decoder.eof:
                return found
            data = b""


def _by_program(path: Path, wanted: str, method: str) -> Iterator[bytes]:
    name = next((name for name in PROGRAMS if shutil.which(name)), None)
    if name is None:
        raise Damaged(f"{path}: packed by {method}; install 7-Zip or bsdtar, or unpack it and name {wanted}")
    command = [name, *PROGRAMS[name], str(path.resolve()), wanted]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        try:
            while data := process.stdout.read(CHUNK):
                yield data
        except GeneratorExit:  # nobody wants the rest
            process.kill()
            raise
    if process.returncode:
        raise Damaged(f"{path}: {name} gave up with exit code {process.returncode}")
