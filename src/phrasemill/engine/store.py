"""The folder that results go to. A file is there whole under its name, or not at all.

On a disk it is written aside, forced to the disk and renamed. A store behind a URL shows an object when it was uploaded
to its end.
"""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Protocol, cast

from phrasemill.engine.places import LOCAL, file_system, is_url
from phrasemill.errors import InputError

WORK = ".phrasemill"  # what a run keeps until it is over
LOCK, ASIDE = "lock", "new"


class Store(Protocol):
    name: str

    def names(self, folder: str = "") -> list[str]: ...
    def read(self, name: str) -> bytes: ...
    def writing(self, name: str) -> Any: ...
    def size(self, name: str) -> int: ...
    def begin(self) -> None: ...
    def clear(self) -> None: ...
    def close(self) -> None: ...


def open_store(output: str) -> Store:
    return Remote(output) if is_url(output) else Local(output.removeprefix(LOCAL))


class Local:
    """A folder on a disk."""

    def __init__(self, name: str) -> None:
        self.name, self.folder = name, Path(name)
        self.work = self.folder / WORK
        self._lock: Any = None
        if self.folder.exists() and not self.folder.is_dir():
            raise InputError(f"{name}: is a file; results go to a folder")

    def names(self, folder: str = "") -> list[str]:
        """The files in the folder, or in one below it."""
        with self._told(), suppress(FileNotFoundError):
            return sorted(entry.name for entry in os.scandir(self.folder / folder))
        return []

    def size(self, name: str) -> int:
        return (self.folder / name).stat().st_size

    def read(self, name: str) -> bytes:
        with self._told():
            return (self.folder / name).read_bytes()

    def begin(self) -> None:
        """Make the folder, and make sure that nobody else works in it."""
        with self._told():
            self.work.mkdir(parents=True, exist_ok=True)
            self._lock = (self.work / LOCK).open("wb")
        try:
            import fcntl

            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:
            pass
        except OSError:
            raise InputError(f"{self.name}: another run is at work there") from None
        with self._told():
            for left in self.work.glob(f"*.{ASIDE}"):  # of a run that was killed
                left.unlink()

    @contextmanager
    def writing(self, name: str) -> Iterator[BinaryIO]:
        path = self.folder / name
        aside = self.work / f"{path.name}.{ASIDE}"
        try:
            with self._told():
                with aside.open("wb") as file:
                    yield cast(BinaryIO, file)
                    file.flush()
                    os.fsync(file.fileno())
                aside.replace(path)
                _sync(path.parent)
        except BaseException:
            with suppress(OSError):
                aside.unlink()
            raise

    def clear(self) -> None:
        """Drop what only a restart needs."""
        shutil.rmtree(self.work, ignore_errors=True)

    def close(self) -> None:
        if self._lock is not None:
            self._lock.close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if isinstance(error, FileNotFoundError):
                raise
            raise InputError(f"{self.name}: {_trouble(error)}") from error


class Remote:
    """A folder behind a URL; what is uploaded is shown when it is complete."""

    def __init__(self, name: str) -> None:
        self.name = name.rstrip("/")
        self.system, self.path = file_system(self.name)

    def names(self, folder: str = "") -> list[str]:
        try:
            self.system.invalidate_cache()
            found = self.system.ls(self._at(folder), detail=False)
        except FileNotFoundError:
            return []
        except Exception as error:
            raise self._trouble(error) from error
        return sorted(path.rstrip("/").rpartition("/")[2] for path in found)

    def size(self, name: str) -> int:
        return int(self.system.size(self._at(name)) or 0)

    def read(self, name: str) -> bytes:
        try:
            return cast(bytes, self.system.cat_file(self._at(name)))
        except Exception as error:
            raise self._trouble(error) from error

    def begin(self) -> None:
        try:
            self.system.makedirs(self._at(WORK), exist_ok=True)
        except Exception as error:
            raise self._trouble(error) from error

    @contextmanager
    def writing(self, name: str) -> Iterator[BinaryIO]:
        from io import BytesIO

        content = BytesIO()
        yield content
        try:
            self.system.pipe_file(self._at(name), content.getvalue())
        except Exception as error:
            raise self._trouble(error) from error

    def clear(self) -> None:
        with suppress(Exception):
            self.system.rm(self._at(WORK), recursive=True)

    def close(self) -> None:
        pass

    def _at(self, name: str) -> str:
        return f"{self.path.rstrip('/')}/{name}".rstrip("/")

    def _trouble(self, error: Exception) -> InputError:
        return InputError(f"{self.name}: {' '.join(str(error).split()) or type(error).__name__}")


def _sync(folder: Path) -> None:
    """Force a renaming to the disk, where the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _trouble(error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "the disk is full; what is done is kept: make room, and run the same command again"
    if isinstance(error, PermissionError):
        return "permission denied; you may not write there"
    return error.strerror or str(error)
