"""The files below a folder, in an order that depends on their names alone.

Hidden files and folders are left out. A link to a folder is followed where it leads out of the folder, and once; what
it leads to within the folder is found by its own name. A link that leads back to a folder around it, a pipe, a device
and whatever cannot be examined become problems, so that the rest goes on.
"""

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from phrasemill.errors import InputError
from phrasemill.files.opening import reason, special


class Found(NamedTuple):
    """A file and its size in bytes, or what cannot be read, and why."""

    path: str
    size: int = 0
    problem: str = ""


def files_below(folder: str, *, wanted: Callable[[str], bool] = lambda name: True) -> Iterator[Found]:
    """Yield the files below `folder` whose names are `wanted`; raise an `InputError` if it cannot be listed."""
    walk = _Walk(folder, wanted)
    try:
        waiting = walk.listed(folder)
    except OSError as error:
        raise InputError(f"{folder}: {reason(error)}") from error
    while waiting:
        path = waiting.pop()
        found = walk.seen(path)
        if isinstance(found, Found):
            yield found
        elif found:
            try:
                waiting += walk.listed(path)
            except OSError as error:
                yield Found(path, problem=reason(error))


class _Walk:
    def __init__(self, folder: str, wanted: Callable[[str], bool]) -> None:
        self._wanted = wanted
        self._root = os.path.realpath(folder)
        self._outside: list[str] = []  # folders that links led to

    def listed(self, folder: str) -> list[str]:
        """Return the entries of a folder, last first, without hidden ones."""
        # A million times, and names stay as they were typed.
        names = sorted(os.listdir(folder), reverse=True)  # noqa: PTH208
        return [os.path.join(folder, name) for name in names if not name.startswith(".")]  # noqa: PTH118

    def seen(self, path: str) -> "Found | bool":
        """Return the file at `path`; True for a folder to list, False for what is of no interest."""
        is_wanted = self._wanted(os.path.basename(path))  # noqa: PTH119
        try:
            status = os.stat(path)  # noqa: PTH116
        except OSError as error:
            dangling = isinstance(error, FileNotFoundError)
            why = "is a symbolic link to a file that is not there" if dangling else reason(error)
            return Found(path, problem=why) if is_wanted or not dangling else False
        if stat.S_ISDIR(status.st_mode):
            return self._followed(path) if os.path.islink(path) else True  # noqa: PTH114
        if not is_wanted:
            return False
        kind = special(status)
        return Found(path, problem=f"is {kind}, not a file") if kind else Found(path, status.st_size)

    def _followed(self, path: str) -> "Found | bool":
        """Return whether a link to a folder leads somewhere new."""
        target, place = os.path.realpath(path), os.path.realpath(os.path.dirname(path))  # noqa: PTH120
        if _holds(target, place):
            return Found(path, problem="is a symbolic link to a folder that it lies in, and was not followed")
        if any(_holds(known, target) for known in self._outside) or self._found_by_name(target):
            return False
        self._outside.append(target)
        return True

    def _found_by_name(self, target: str) -> bool:
        """Return whether the walk comes to `target` without a link."""
        inside = os.path.relpath(target, self._root) if _holds(self._root, target) else ""
        return bool(inside) and not any(part.startswith(".") for part in Path(inside).parts)


def _holds(folder: str, path: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
