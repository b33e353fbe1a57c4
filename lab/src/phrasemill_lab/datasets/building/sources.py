"""What a builder reads: files, folders and archives, in an order that depends on their names alone, in batches."""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from phrasemill.errors import InputError
from phrasemill.files.folders import files_below
from phrasemill.files.opening import open_file, reason, refuse_special
from phrasemill.readers.archives import Damaged, is_archive, members

BATCH_FILES = 200
BATCH_BYTES = 4 << 20
# What is refused before anybody looks inside.
TOO_LARGE, UNREADABLE, DAMAGED = "too-large", "unreadable", "damaged-archive"


class FoundFile(NamedTuple):
    """A file on disk: its name, as the input spells it, and by what a change is seen; or why it cannot be read."""

    name: str
    size: int
    changed: int
    problem: str = ""


class BuildPiece(NamedTuple):
    """One thing to work on. Without `data` the worker reads the file `name`, from `start` to `end` where they are set.

    A `problem` is a reason and a detail: there is nothing to work on, only to report.
    """

    name: str
    data: bytes | None = None
    start: int = 0
    end: int = -1
    problem: tuple[str, str] | None = None


class BuildBatch(NamedTuple):
    """Pieces for one worker, and how many bytes of the inputs they stand for."""

    pieces: Sequence[BuildPiece]
    weight: int


def files(inputs: Iterable[str], suffixes: tuple[str, ...]) -> Iterator[FoundFile]:
    """Yield the files among `inputs`, and those below the folders among them whose names end with `suffixes`."""
    for name in sorted(set(inputs)):
        if Path(name).is_dir():
            for found in files_below(name, wanted=lambda inner: inner.lower().endswith(suffixes)):
                yield FoundFile(found.path, 0, 0, found.problem) if found.problem else _found(found.path)
        else:
            yield _found(name)


def _found(name: str) -> FoundFile:
    try:
        status = os.stat(name)  # noqa: PTH116 - a million times
    except (OSError, ValueError) as error:
        missing = isinstance(error, FileNotFoundError)
        raise InputError(f"{name}: {'no such file or folder' if missing else reason(error)}") from error
    refuse_special(name, status)
    return FoundFile(name, status.st_size, status.st_mtime_ns)


class BuildPlan(NamedTuple):
    """What is to be read, and how, in a few letters; and how many bytes and files it is."""

    fingerprint: str
    size: int
    files: int


def plan(found: Iterable[FoundFile], options: object) -> BuildPlan:
    digest = hashlib.blake2b(repr(options).encode("utf-8", "surrogatepass"), digest_size=16)
    size = count = 0
    for file in found:
        digest.update(json.dumps(file if file.problem else file[:3]).encode())
        size, count = size + file.size, count + 1
    if not count:
        raise InputError("there is no file of the right kind in these folders")
    return BuildPlan(digest.hexdigest(), size, count)


def batches(found: Iterable[FoundFile], suffixes: tuple[str, ...]) -> Iterator[BuildBatch]:
    """Yield batches of files by name and of archive members by content."""
    pieces: list[BuildPiece] = []
    size = weight = 0
    for piece, heavy, light in _pieces(found, suffixes):
        pieces.append(piece)
        size, weight = size + heavy, weight + light
        if len(pieces) >= BATCH_FILES or size >= BATCH_BYTES:
            yield BuildBatch(pieces, weight)
            pieces, size, weight = [], 0, 0
    if pieces:
        yield BuildBatch(pieces, weight)


def _pieces(found: Iterable[FoundFile], suffixes: tuple[str, ...]) -> Iterator[tuple[BuildPiece, int, int]]:
    """Yield each piece with its bytes in memory, and its bytes in the inputs."""
    for file in found:
        if file.problem:
            yield BuildPiece(file.name, problem=(UNREADABLE, file.problem)), 0, 0
        elif is_archive(file.name):
            yield from _archived(file.name, suffixes)
        else:
            yield BuildPiece(file.name), file.size, file.size


def _archived(name: str, suffixes: tuple[str, ...]) -> Iterator[tuple[BuildPiece, int, int]]:
    read = 0
    try:
        for member in members(Path(name), suffixes):
            weight, read = member.read - read, member.read
            inner = f"{name}:{member.name}"
            if member.problem:
                yield BuildPiece(inner, problem=(DAMAGED, member.problem)), 0, weight
            elif member.data is None:
                yield BuildPiece(inner, problem=(TOO_LARGE, "a file in the archive")), 0, weight
            else:
                yield BuildPiece(inner, member.data), len(member.data), weight
    except (Damaged, OSError) as error:
        yield BuildPiece(name, problem=(DAMAGED, str(error))), 0, 0


def content(piece: BuildPiece, largest: int) -> bytes | tuple[str, str]:
    """Return the bytes of a piece, or why there are none."""
    if piece.problem:
        return piece.problem
    if piece.data is not None:
        return piece.data
    try:
        with open_file(piece.name) as file:
            data = file.read(largest + 1)
    except (OSError, InputError) as error:
        return UNREADABLE, getattr(error, "strerror", None) or str(error)
    return data if len(data) <= largest else (TOO_LARGE, f"more than {largest >> 20} MiB")
