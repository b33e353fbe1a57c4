"""One file out of a 7z archive as a stream, through py7zr.

StackExchange ships its dumps so: one XML file of gigabytes per archive. py7zr pushes what it decompresses into a file
object; a thread of its own does that here, so that the caller can pull pieces while a bounded queue lies between them.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from queue import Full, Queue
from threading import Event, Thread
from typing import Any

from phrasemill.files.opening import brief, open_file
from phrasemill.readers.archives import CHUNK, Damaged, check_expansion
from phrasemill_lab import missing

LARGEST_WINDOW = 256 << 20  # 7-Zip's strongest preset takes 64 MiB
LZMA2, SIZED = b"\x21", (b"\x03\x01\x01", b"\x03\x04\x01")  # LZMA and PPMd state their memory in bytes 1 to 4
WAITING = 8  # pieces that are decompressed ahead
BLOCK = 32 << 10  # compressed bytes that are decompressed at once


class _Stopped(Exception):  # noqa: N818 - ends the thread, never seen outside
    """The rest is not taken."""


def member_stream(path: Path, suffix: str) -> Iterator[bytes]:
    """Yield the bytes of the first file whose name ends with `suffix`; raise `Damaged` where they cannot be read."""
    try:
        import py7zr
    except ImportError:
        raise missing("py7zr", "stackex", "reading .7z archives") from None
    try:
        with open_file(path) as file, py7zr.SevenZipFile(file, blocksize=BLOCK) as archive:
            name = _checked_name(archive, path, suffix)
            yield from _pulled(archive, name)
    except (Damaged, OSError, GeneratorExit):
        raise
    except Exception as error:  # py7zr raises whatever a nonsensical header leads to
        why = "wrong checksum" if isinstance(error, py7zr.exceptions.CrcError) else brief(error)
        raise Damaged(f"{path}: damaged archive ({why})") from error


def _checked_name(archive: Any, path: Path, suffix: str) -> str:
    """Return the name of the wanted file, once the archive's header promises nothing absurd."""
    found = [info for info in archive.list() if info.filename.endswith(suffix)]
    if not found:
        raise Damaged(f"{path}: there is no {suffix} in it")
    check_expansion(sum(info.uncompressed for info in archive.list()), path.stat().st_size)
    for folder in archive.header.main_streams.unpackinfo.folders if archive.header.main_streams else ():
        for coder in folder.coders:
            window = _window(coder["method"], coder["properties"] or b"")
            if window > LARGEST_WINDOW:
                raise ValueError(f"it takes a window of {window >> 20} MiB")
    return str(found[0].filename)


def _window(method: bytes, properties: bytes) -> int:
    """Return the memory that a decoder takes, in bytes."""
    if method == LZMA2 and properties:
        return (2 | properties[0] & 1) << (properties[0] // 2 + 11)
    return int.from_bytes(properties[1:5], "little") if method in SIZED else 0


def _pulled(archive: Any, name: str) -> Iterator[bytes]:
    """Yield what the archive writes into the file `name`, as another thread decompresses it."""
    pipe = _Pipe()

    def extract() -> None:
        try:
            archive.extract(targets=[name], factory=pipe)
            pipe.put(None)
        except _Stopped:
            return
        except BaseException as error:  # raised where the pieces are taken
            with suppress(_Stopped):
                pipe.put(error)

    thread = Thread(target=extract, name="7z", daemon=True)
    thread.start()
    try:
        while (piece := pipe.pieces.get()) is not None:
            if isinstance(piece, BaseException):
                raise piece
            yield piece
    finally:
        pipe.stopped.set()
        thread.join()


class _Pipe:
    """The file object that py7zr writes to, and its factory: what is written waits in a queue to be taken."""

    def __init__(self) -> None:
        self.pieces: Queue[bytes | BaseException | None] = Queue(WAITING)
        self.stopped = Event()

    def create(self, filename: str) -> "_Pipe":
        return self

    def write(self, data: bytes) -> int:
        for start in range(0, len(data), CHUNK):
            self.put(bytes(data[start : start + CHUNK]))
        return len(data)

    def put(self, piece: bytes | BaseException | None) -> None:
        """Wait for space in the queue; raise `_Stopped` once nothing is taken from it any more."""
        while not self.stopped.is_set():
            with suppress(Full):
                return self.pieces.put(piece, timeout=0.1)
        raise _Stopped

    def seek(self, offset: int, whence: int = 0) -> int:
        return 0

    def flush(self) -> None:
        """Do nothing: nothing is held back."""

    def close(self) -> None:
        """Do nothing: the thread puts the end of the file once the checksum is verified."""
