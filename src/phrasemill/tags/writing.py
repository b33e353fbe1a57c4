"""Files that get another content and keep everything else: name, links, owner, mode and attributes.

A file is replaced as a whole where a new one can have all of that, so that nobody ever reads half of it. Otherwise (it
has another name as a hard link, belongs to somebody else, or the system cannot list its attributes) it is overwritten
in place; by then a copy of it is on disk (`undo.py`).
"""

import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from io import FileIO
from pathlib import Path
from tempfile import mkstemp

from phrasemill.errors import InputError
from phrasemill.files.opening import open_file


class MeanwhileError(InputError):
    """A file that somebody else has changed; nothing was written."""


def target_of(path: Path, root: Path) -> Path:
    """Return the file that is written for `path`; raise an `InputError` if it is not below `root`, or read-only."""
    target = path.resolve()
    if not target.is_relative_to(root):
        raise InputError(f"{path}: leads to {target}, outside {root}, so it is left alone")
    if target.exists() and not target.stat().st_mode & stat.S_IWUSR:
        raise InputError(f"{path}: is read-only, so it is left alone")
    return target


def content(path: Path) -> bytes | None:
    """Return the bytes of a file, None where there is none."""
    try:
        with open_file(path) as file:
            return file.read()
    except FileNotFoundError:
        return None


def put(path: Path, before: bytes | None, after: bytes | None) -> None:
    """Give the file at `path`, which has the content `before`, the content `after`; None is no file.

    Raise a `MeanwhileError` if it has another content by now.
    """
    _check(path, before)
    if after is None:
        path.unlink()
        return
    handle, name = mkstemp(prefix=f".{path.name[:100]}-", dir=path.parent)
    new = Path(name)
    try:
        with FileIO(handle, "wb") as file:
            _overwrite(file, after)
        if before is None:
            new.chmod(0o666 & ~_umask())
        if before is None or _made_alike(path, new):
            _check(path, before)  # again, at the last moment: editors save while the copies go to disk
            new.replace(path)
            return
    finally:
        new.unlink(missing_ok=True)
    _put_in_place(path, before or b"", after)


def _check(path: Path, before: bytes | None) -> None:
    if content(path) != before:
        raise MeanwhileError("changed meanwhile")


def _made_alike(old: Path, new: Path) -> bool:
    """Give a new file the owner, the mode and the attributes of the old one; return whether it has all of them."""
    status = old.stat()
    if status.st_nlink > 1 or not hasattr(os, "listxattr"):
        return False
    with suppress(OSError):
        made = new.stat()
        if (made.st_uid, made.st_gid) != (status.st_uid, status.st_gid):
            os.chown(new, status.st_uid, status.st_gid)
        new.chmod(stat.S_IMODE(status.st_mode))
        with suppress(OSError):  # a file system without attributes
            for name in os.listxattr(old):
                os.setxattr(new, name, os.getxattr(old, name))
        return _kept(new) == _kept(old)
    return False


def _kept(path: Path) -> Sequence[object]:
    status = path.stat()
    try:
        attributes = {name: os.getxattr(path, name) for name in os.listxattr(path)}
    except OSError:
        attributes = {}
    return status.st_uid, status.st_gid, status.st_mode, attributes


def _put_in_place(path: Path, before: bytes, after: bytes) -> None:
    with FileIO(path, "r+b", opener=_opener) as file:
        if file.read() != before:
            raise MeanwhileError("changed meanwhile")
        try:
            _overwrite(file, after)
        except OSError:  # such as a disk that is full
            _overwrite(file, before)
            raise


def _opener(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0))


def _overwrite(file: FileIO, data: bytes) -> None:
    file.seek(0)
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]
    file.truncate()
    os.fsync(file.fileno())


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
