"""A folder of results behind a URL, through fsspec. An object appears when its upload is complete.

Object stores have no locks. Instead each run writes a token of its own; the run that was started last owns the folder,
and an older one finds out before its next write, a few seconds later at most, and stops. Two runs that start at the
same moment may both write for that long. The manifest decides between runs with different requests: the second one
finds it and is refused before it becomes the owner.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from typing import BinaryIO
from uuid import uuid4

from phrasemill.engine.file_systems import file_system
from phrasemill.engine.store import WORK
from phrasemill.errors import InputError

OWNER = f"{WORK}/owner"
CONFIRM = 5.0  # seconds between two checks of who owns the folder


class RemoteStore:
    """A store behind a URL."""

    def __init__(self, name: str) -> None:
        self.name = name.rstrip("/")
        self.system, self.path = file_system(self.name)
        self._token = uuid4().hex.encode()
        self._confirmed = float("-inf")
        self._begun = self._written = False

    def names(self, folder: str = "") -> list[str]:
        return sorted(self._listed(folder))

    def sizes(self) -> dict[str, int]:
        return self._listed("")

    def _listed(self, folder: str) -> dict[str, int]:
        with suppress(FileNotFoundError), self._reported(FileNotFoundError):
            self.system.invalidate_cache()
            found = self.system.ls(self._at(folder), detail=True)
            return {entry["name"].rstrip("/").rpartition("/")[2]: int(entry.get("size") or 0) for entry in found}
        return {}

    def open(self, name: str) -> BinaryIO:
        """Read all of it at once, so that errors are raised here."""
        with self._reported(FileNotFoundError):
            return BytesIO(self.system.cat_file(self._at(name)))

    def begin(self) -> None:
        """Become the owner of the folder."""
        with self._reported():
            self.system.makedirs(self._at(WORK), exist_ok=True)
            self._begun = True
            self.system.pipe_file(self._at(OWNER), self._token)

    def confirm(self) -> None:
        if self._owner() != self._token:
            raise InputError(f"{self.name}: another run was started there; this one stops")
        self._confirmed = time.monotonic()

    def _owner(self) -> bytes:
        try:
            return self.open(OWNER).read()
        except FileNotFoundError:  # another run completed, or the folder was removed
            return b""

    @contextmanager
    def writing(self, name: str) -> Iterator[BinaryIO]:
        """Open a file for writing, which is uploaded only if all went well."""
        content = BytesIO()
        yield content
        if time.monotonic() - self._confirmed >= CONFIRM:
            self.confirm()
        with self._reported():
            self.system.pipe_file(self._at(name), content.getvalue())
        self._written = True

    def clear(self) -> None:
        with suppress(Exception):
            self.system.rm(self._at(WORK), recursive=True)

    def close(self) -> None:
        if self._begun and not self._written:
            with suppress(Exception):
                if self._owner() == self._token:
                    self.system.rm_file(self._at(OWNER))
                    self.system.rmdir(self._at(WORK))  # on stores that have folders
        self._begun = False

    def in_use(self) -> bool:
        """Return False: it is unknown."""
        return False

    def _at(self, name: str) -> str:
        return f"{self.path.rstrip('/')}/{name}".rstrip("/")

    @contextmanager
    def _reported(self, *others: type[Exception]) -> Iterator[None]:
        """Turn errors, except those of `others`, into an `InputError` of one line."""
        try:
            yield
        except others:
            raise
        except Exception as error:
            raise InputError(f"{self.name}: {' '.join(str(error).split()) or type(error).__name__}") from error
