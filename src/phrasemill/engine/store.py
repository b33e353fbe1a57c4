"""The folder of results, on a disk or behind a URL. A file is complete under its name, or not there.

On a disk a file is written under another name, synced and renamed, and a lock keeps other runs out. Object stores have
no locks: there, two runs of the same request write the same bytes, and the manifest keeps other requests out.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, TypeAlias, cast

from phrasemill.engine.file_systems import LOCAL, file_system, is_url
from phrasemill.errors import InputError
from phrasemill.files.opening import brief

WORK = ".phrasemill"  # a folder for files that only an incomplete run needs
LOCK, NEW = "lock", "new"
IN_USE = "another run is using this folder"
# Errors of systems that cannot sync a folder; some cannot even open one.
NO_FOLDER_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.EACCES, errno.EISDIR, errno.EBADF)


# A folder of results. Decisions that depend on its content are made between `begin` and `close`.
Store: TypeAlias = "LocalStore | RemoteStore"


def open_store(output: str) -> Store:
    return RemoteStore(output) if is_url(output) else LocalStore(output.removeprefix(LOCAL))


class LocalStore:
    """A folder on a disk."""

    def __init__(self, name: str) -> None:
        self.name, self.folder = name, Path(name)
        self.work = self.folder / WORK
        self._lock: BinaryIO | None = None
        self._made: list[Path] = []  # by this run, innermost first
        self._written = False
        if self.folder.exists() and not self.folder.is_dir():
            raise InputError(f"{name}: is a file, not a folder for results")

    def sizes(self, folder: str = "") -> dict[str, int]:
        """Return what is in the folder, or in one below it, with the length of each file."""
        with _reported(self.name), suppress(FileNotFoundError), os.scandir(self.folder / folder) as entries:
            return {entry.name: entry.stat().st_size if entry.is_file() else 0 for entry in entries}
        return {}

    def open(self, name: str) -> BinaryIO:
        """Open a file for reading; raise a `FileNotFoundError` if there is none."""
        return (self.folder / name).open("rb")

    def begin(self) -> None:
        """Make the folder and keep other runs out of it."""
        with _reported(self.name):
            self._made = [path for path in (self.work, self.folder, *self.folder.parents) if not path.exists()]
            self._lock = self._locked()
            for left in self.work.glob(f"*.{NEW}"):  # of a run that was killed
                left.unlink()

    def _locked(self) -> BinaryIO:
        """Return the lock file, held by this process and visible to all others."""
        while True:
            self.work.mkdir(parents=True, exist_ok=True)
            try:
                lock = (self.work / LOCK).open("ab")
            except FileNotFoundError:  # a run that ended removed the folder
                continue
            try:
                if not _locks(lock):
                    raise InputError(f"{self.name}: {IN_USE}")
                if self._is_lock(lock):
                    return lock
            except BaseException:
                lock.close()
                raise
            lock.close()  # removed by a run that ended; the next one would not find it

    def _is_lock(self, lock: BinaryIO) -> bool:
        try:
            return os.path.samestat(os.fstat(lock.fileno()), (self.work / LOCK).stat())
        except FileNotFoundError:
            return False

    def write(self, name: str, data: bytes) -> None:
        """Write a file, which appears under its name only if all went well; raise an `InputError` unless the folder is
        still this run's."""
        path = self.folder / name
        new = self.work / f"{path.name}.{NEW}"
        if self._lock is None or not self._is_lock(self._lock):
            raise InputError(f"{self.name}: {WORK} was removed during the run; run again to resume")
        try:
            with _reported(self.name):
                with new.open("wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                new.replace(path)
                self._written = True
                _sync(path.parent)
        except BaseException:
            with suppress(OSError):
                new.unlink()
            raise

    def clear(self) -> None:
        """Remove the files that only an incomplete run needs.

        The lock is removed last: from then on others may begin, and nothing of theirs must be removed.
        """
        with suppress(OSError):
            for path in [path for path in self.work.iterdir() if path.name != LOCK]:
                with suppress(OSError):
                    path.unlink()
        self._remove([self.work])

    def close(self) -> None:
        """Unlock; remove the folders that were made for this run if nothing was written to them."""
        if not self._written and self.work in self._made:
            self._remove(self._made)
        if self._lock is not None:
            with suppress(OSError):
                self._lock.close()
            self._lock = None

    def _remove(self, folders: list[Path]) -> None:
        """Remove the lock, if it is ours, and the folders as far as they are empty."""
        with suppress(OSError):
            if self._lock is not None and self._is_lock(self._lock):
                (self.work / LOCK).unlink()
            for folder in folders:
                folder.rmdir()

    def in_use(self) -> bool:
        """Return whether a run is known to use the folder."""
        with _reported(self.name):
            try:
                lock = (self.work / LOCK).open("rb")
            except FileNotFoundError:
                return False
            with lock:
                return not _locks(cast(BinaryIO, lock), shared=True)


class RemoteStore:
    """A folder behind a URL, through fsspec. An object appears when its upload is complete."""

    def __init__(self, name: str) -> None:
        self.name = name.rstrip("/")
        self.system, self.path = file_system(self.name)

    def sizes(self, folder: str = "") -> dict[str, int]:
        with suppress(FileNotFoundError), _reported(self.name, FileNotFoundError):
            self.system.invalidate_cache()
            found = self.system.ls(self._at(folder), detail=True)
            return {entry["name"].rstrip("/").rpartition("/")[2]: int(entry.get("size") or 0) for entry in found}
        return {}

    def open(self, name: str) -> BinaryIO:
        """Read all of it at once, so that errors are raised here."""
        with _reported(self.name, FileNotFoundError):
            return BytesIO(self.system.cat_file(self._at(name)))

    def write(self, name: str, data: bytes) -> None:
        with _reported(self.name):
            self.system.makedirs(self._at(name).rpartition("/")[0], exist_ok=True)
            self.system.pipe_file(self._at(name), data)

    def clear(self) -> None:
        with suppress(Exception):
            self.system.rm(self._at(WORK), recursive=True)

    def begin(self) -> None:
        """Nothing has to be done, and nothing at the end."""

    close = begin

    def in_use(self) -> bool:
        """Return False: it is unknown."""
        return False

    def _at(self, name: str) -> str:
        return f"{self.path.rstrip('/')}/{name}".rstrip("/")


@contextmanager
def _reported(name: str, *others: type[Exception]) -> Iterator[None]:
    """Turn errors of a store, except those of `others`, into an `InputError` of one line."""
    try:
        yield
    except Exception as error:  # whatever the library of a store raises
        if isinstance(error, (InputError, *others)):
            raise
        raise InputError(f"{name}: {_trouble(error)}") from error


def _locks(file: BinaryIO, *, shared: bool = False) -> bool:
    """Lock a file as long as it is open; return False if another process has locked it."""
    try:
        import fcntl
    except ImportError:  # not a POSIX system
        return True
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _sync(folder: Path) -> None:
    """Sync a folder after renaming a file in it, if the system can."""
    try:
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        if error.errno not in NO_FOLDER_SYNC:
            raise


def _trouble(error: Exception) -> str:
    number = getattr(error, "errno", None)
    if number in (errno.ENOSPC, errno.EDQUOT):
        return "the disk is full; finished parts are kept: free some space and run the same command again"
    if number == errno.ENOLCK:
        return "the file system does not support locks, which keep two runs apart; name a folder on another disk"
    return brief(error)
