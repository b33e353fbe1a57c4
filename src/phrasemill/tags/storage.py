"""Files of tags on disk: safetensors, replaced as a whole, and changed by one process at a time."""

import os
from array import array
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from phrasemill import models
from phrasemill.errors import InputError, ModelError
from phrasemill.files.opening import reason

KIND, VERSION = "tags", 2


def load(path: Path) -> models.Tensors:
    """Open a file of tags; raise a `ModelError` where it is none."""
    file = models.load(path, kind=KIND)
    if file.number("version") != VERSION:
        raise ModelError(f"{path}: made by another version of Phrasemill; learn the tags again")
    return file


def write(path: Path, buffers: Mapping[str, "array[Any]"]) -> None:
    """Write a file of tags beside the old one, and replace it, with its permissions. A link stays a link: the file that
    it leads to is replaced."""
    target = path.resolve()
    if target.is_dir() or not target.parent.is_dir():
        raise InputError(f"{path}: {'is a folder' if target.is_dir() else 'there is no such folder'}")
    try:
        with TemporaryDirectory(prefix=f".{target.name[:100]}-", dir=target.parent) as folder:
            new = Path(folder, "tags")
            models.save(new, buffers, {"kind": KIND, "version": str(VERSION)})
            with new.open("rb+") as file:
                os.fsync(file.fileno())
            if target.exists():
                new.chmod(target.stat().st_mode & 0o7777)
            new.replace(target)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({reason(error)})") from None


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Wait until nobody else changes the file at `path`, and keep others waiting.

    The lock is on the file itself. Who waited for it may hold a file that has been replaced meanwhile, so it is taken
    again until it is the one at `path`. Systems without `fcntl` have no lock: there, the last change wins.
    """
    try:
        import fcntl
    except ImportError:
        yield
        return
    while True:
        try:
            file = path.open("rb")
        except OSError as error:
            raise ModelError(f"{path}: {reason(error)}") from None
        with file:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX)
            current = False
            with suppress(OSError):
                current = os.path.samestat(os.fstat(file.fileno()), path.stat())
            if current:
                yield
                return
