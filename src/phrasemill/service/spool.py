"""The disk space of jobs: a folder of this server, and the bytes in it, which are counted."""

import asyncio
import shutil
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from tempfile import mkdtemp

from phrasemill.service.admission import Bounded
from phrasemill.service.problems import SOON, Refusal

PREFIX = "phrasemill-"
FLUSHED = 1 << 20  # bytes of a body that are written at a time


@dataclass(slots=True)
class Spool:
    """A folder that exists while the server runs. `space` counts the bytes in it."""

    space: Bounded
    _folder: Path | None = None

    @property
    def folder(self) -> Path:
        """Return the folder, which only this user can read; it is made when it is first needed."""
        if self._folder is None:
            self._folder = Path(mkdtemp(prefix=PREFIX))
        return self._folder

    def hold(self, count: int) -> None:
        """Count more bytes; raise a `Refusal` if there is no room for them."""
        if count > self.left:
            raise Refusal("busy", "the server has no room left for files of jobs; delete a job, or wait", SOON)
        self.space.change(count)

    def free(self, count: int) -> None:
        self.space.change(-count)

    @property
    def left(self) -> int:
        return self.space.size - self.space.taken

    def close(self) -> None:
        """Delete the folder and all that is in it."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None


@dataclass(slots=True)
class SpooledBody:
    """The body of a request in a file, written as it arrives."""

    spool: Spool
    path: Path
    size: int = 0
    _waiting: list[bytes] = field(default_factory=list)

    @classmethod
    def new(cls, spool: Spool) -> "SpooledBody":
        return cls(spool, spool.folder / f"body-{token_hex(8)}")

    async def write(self, piece: bytes) -> None:
        self.spool.hold(len(piece))
        self.size += len(piece)
        self._waiting.append(piece)
        if sum(map(len, self._waiting)) >= FLUSHED:
            await self.flush()

    async def flush(self) -> None:
        pieces, self._waiting = self._waiting, []
        await asyncio.to_thread(self._append, pieces)

    def _append(self, pieces: list[bytes]) -> None:
        with self.path.open("ab") as file:
            file.writelines(pieces)

    def discard(self) -> None:
        """Delete the file."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)
        self._waiting.clear()
        self.spool.free(self.size)
        self.size = 0
