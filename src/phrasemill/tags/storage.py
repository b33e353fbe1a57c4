"""Files of tags on disk: safetensors, replaced as a whole, and changed by one process at a time."""

import json
import os
import tempfile
from array import array
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from phrasemill import models
from phrasemill.errors import InputError, ModelError
from phrasemill.files.opening import reason

KIND, VERSION = "tags", 1


def as_bytes(value: object) -> "array[Any]":
    """Return a value as bytes of JSON."""
    return array("B", json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))


def load(path: Path) -> models.Tensors:
    """Open a file of tags; raise a `ModelError` where it is none."""
    file = models.load(path, kind=KIND)
    if file.number("version") > VERSION:
        raise ModelError(f"{path}: made by a newer version of Phrasemill")
    return file


def write(path: Path, buffers: Mapping[str, "array[Any]"]) -> None:
    """Write a file of tags beside the old one, and replace it."""
    if path.is_dir() or not path.resolve().parent.is_dir():
        raise InputError(f"{path}: {'is a folder' if path.is_dir() else 'there is no such folder'}")
    try:
        with replacement(path) as new:
            models.save(new, buffers, {"kind": KIND, "version": str(VERSION)})
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({reason(error)})") from None


@contextmanager
def replacement(path: Path) -> Iterator[Path]:
    """Yield a new file beside `path`, which takes its place, with its permissions, when the block ends well.

    A link stays a link: the file that it leads to is replaced.
    """
    target = path.resolve()
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}-", dir=target.parent)
    os.close(handle)
    new = Path(name)
    try:
        yield new
        with new.open("rb+") as file:
            os.fsync(file.fileno())
        new.chmod(target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_umask())
        new.replace(target)
    finally:
        new.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


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
