"""A disk that fails, or on which the process dies, at the n-th thing that is done to it."""

import errno
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

KILLED = 9  # the exit code of a process that the disk ended

Fault = Callable[[], None]


def full() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def failing() -> None:
    raise OSError(errno.EIO, os.strerror(errno.EIO))


def kill() -> None:
    os._exit(KILLED)


class Disk:
    """Everything that changes files below `folder` is counted; operation number `moment` goes wrong, half-way."""

    def __init__(self, folder: Path, moment: int, fault: Fault) -> None:
        self.folder, self.moment, self.fault = str(folder), moment, fault
        self.count = 0

    @property
    def reached(self) -> bool:
        return self.count > self.moment

    def install(self, patch: pytest.MonkeyPatch) -> None:
        for name in ("mkdir", "rmdir", "unlink", "replace"):
            patch.setattr(os, name, self._counted(getattr(os, name)))
        patch.setattr(os, "fsync", self._synced)
        patch.setattr(io, "open", self._opened(io.open))

    def step(self) -> None:
        now, self.count = self.count, self.count + 1
        if now == self.moment:
            self.fault()

    def _counted(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def called(path: Any, *arguments: Any, **options: Any) -> Any:
            if str(path).startswith(self.folder):
                self.step()
            return function(path, *arguments, **options)

        return called

    def _synced(self, _: int) -> None:
        """Nothing is forced to a disk: the machine does not lose its power here."""
        self.step()

    def _opened(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def called(path: Any, mode: str = "r", *arguments: Any, **options: Any) -> Any:
            if mode not in ("wb", "ab") or not str(path).startswith(self.folder):
                return function(path, mode, *arguments, **options)
            self.step()
            return _File(function(path, mode, *arguments, **options), self)

        return called


class _File:
    """A file that is being written; what fails in the middle leaves half of it behind."""

    def __init__(self, file: Any, disk: Disk) -> None:
        self._file, self._disk = file, disk

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> "_File":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def write(self, data: Any) -> int:
        data = bytes(data)
        half = len(data) // 2
        self._file.write(data[:half])
        self._file.flush()
        self._disk.step()
        self._file.write(data[half:])
        return len(data)

    def close(self) -> None:
        try:
            if not self._file.closed:
                self._disk.step()
        finally:
            self._file.close()


def in_a_child(function: Callable[[], None]) -> int:
    """Call `function` in a copy of this process, and return its exit code: 0, or 1 where it raised an error."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status)
    code = 1
    try:
        function()
        code = 0
    finally:
        os._exit(code)
