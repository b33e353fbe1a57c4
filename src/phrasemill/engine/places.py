"""Where files are: on this machine, or behind a URL that fsspec knows (`s3://`, `gs://`, `memory://` …)."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from phrasemill.errors import InputError, MissingExtra
from phrasemill.readers.streams import SNIFFED

LOCAL = "file://"


class File(NamedTuple):
    """A file by the name that people have for it."""

    name: str
    size: int


def is_url(name: str) -> bool:
    return "://" in name and not name.startswith(LOCAL)


def file_system(url: str) -> tuple[Any, str]:
    """The file system of fsspec for `url`, and the path in it."""
    try:
        import fsspec
    except ImportError:
        raise MissingExtra("fsspec", "cloud", purpose=f"reading and writing {url.partition('://')[0]}://") from None
    try:
        system, path = fsspec.core.url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise InputError(f"{url}: {_line(error)}") from None
    return system, path


def files(name: str) -> Iterator[File]:
    """The file called `name`, or the files below a folder, in an order that depends on their names alone."""
    if is_url(name):
        yield from _remote_files(name)
        return
    path = name.removeprefix(LOCAL)
    if os.path.isdir(path):  # noqa: PTH112 - a million times, and names stay as they were typed
        yield from _below(path)
    else:
        yield File(path, _size(path))


def opened(file: File) -> BinaryIO:
    """The bytes of a file."""
    if not is_url(file.name):
        try:
            return Path(file.name).open("rb", buffering=SNIFFED)
        except (OSError, ValueError) as error:
            raise InputError(f"{file.name}: {reason(error)}") from error
    system, path = file_system(file.name)
    try:
        return cast(BinaryIO, system.open(path, "rb"))
    except Exception as error:  # whatever the library of the store raises
        raise InputError(f"{file.name}: {_line(error)}") from error


def reason(error: Exception) -> str:
    """What went wrong with a file, for the person who named it."""
    if isinstance(error, FileNotFoundError):
        return "no such file or folder"
    if isinstance(error, PermissionError):
        return "permission denied; you may not read this"
    return (error.strerror if isinstance(error, OSError) else "") or _line(error)


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size  # noqa: PTH116
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {reason(error)}") from error


def _below(folder: str) -> Iterator[File]:
    """Hidden files are nobody's documents."""
    try:
        with os.scandir(folder) as entries:
            listed = sorted((entry.name, entry.is_dir(), entry.is_file()) for entry in entries)
    except OSError as error:
        raise InputError(f"{folder}: {reason(error)}") from error
    for name, is_folder, is_file in listed:
        path = os.path.join(folder, name)  # noqa: PTH118
        if name.startswith("."):
            continue
        if is_folder:
            yield from _below(path)
        elif is_file:
            yield File(path, _size(path))


def _remote_files(url: str) -> Iterator[File]:
    system, path = file_system(url)
    try:
        found = system.find(path, detail=True)
    except Exception as error:
        raise InputError(f"{url}: {_line(error)}") from error
    if not found:
        raise InputError(f"{url}: no such file or folder")
    base = path.rstrip("/")
    for inner in sorted(found):
        rest = inner.removeprefix(base)
        if not any(part.startswith(".") for part in rest.split("/")):
            yield File(url.rstrip("/") + rest, int(found[inner].get("size") or 0))


def _line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
