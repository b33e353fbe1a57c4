"""Files on this machine, or behind a URL that fsspec supports (`s3://`, `gs://`, `memory://` …)."""

import os
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, cast

from phrasemill.errors import InputError, MissingExtra
from phrasemill.files import opening
from phrasemill.files.folders import Found, files_below
from phrasemill.files.opening import brief, open_file, special

LOCAL = "file://"


def is_url(name: str) -> bool:
    return "://" in name and not name.startswith(LOCAL)


def file_system(url: str) -> tuple[Any, str]:
    """Return the file system of fsspec for `url`, and the path in it."""
    try:
        import fsspec
    except ImportError:
        raise MissingExtra("fsspec", "cloud", purpose=f"reading and writing {url.partition('://')[0]}://") from None
    try:
        system, path = fsspec.core.url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise InputError(f"{url}: {brief(error)}") from None
    return system, path


def files(name: str, *, wanted: Callable[[str], bool] = lambda name: True) -> Iterator[Found]:
    """Yield the file called `name`, or the `wanted` files below a folder, in an order that depends on names alone."""
    if is_url(name):
        yield from (file for file in _remote_files(name) if file.path == name.rstrip("/") or wanted(file.path))
        return
    path = name.removeprefix(LOCAL)
    if os.path.isdir(path):  # noqa: PTH112 - names stay as they were typed
        yield from files_below(path, wanted=wanted)
    else:
        yield Found(path, _size(path))


def opened(file: Found) -> BinaryIO:
    """Open a file for reading."""
    if not is_url(file.path):
        try:
            return open_file(file.path)
        except (OSError, ValueError) as error:
            raise InputError(f"{file.path}: {reason(error)}") from error
    system, path = file_system(file.path)
    try:
        return cast(BinaryIO, system.open(path, "rb"))
    except Exception as error:  # whatever the library of the store raises
        raise InputError(f"{file.path}: {brief(error)}") from error


def reason(error: Exception) -> str:
    """Return what went wrong with a file, for the person who named it."""
    return "no such file or folder" if isinstance(error, FileNotFoundError) else opening.reason(error)


def _size(path: str) -> int:
    try:
        status = os.stat(path)  # noqa: PTH116
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {reason(error)}") from error
    kind = special(status)
    if kind:  # also one that a shell opened: a run reads its inputs more than once
        raise InputError(f"{path}: is {kind}, not a file; save its output to a file first")
    return status.st_size


def _remote_files(url: str) -> Iterator[Found]:
    system, path = file_system(url)
    try:
        found = system.find(path, detail=True)
    except Exception as error:
        raise InputError(f"{url}: {brief(error)}") from error
    if not found:
        raise InputError(f"{url}: no such file or folder")
    base = path.rstrip("/")
    for inner in sorted(found):
        rest = inner.removeprefix(base)
        if not any(part.startswith(".") for part in rest.split("/")):
            yield Found(url.rstrip("/") + rest, int(found[inner].get("size") or 0))
