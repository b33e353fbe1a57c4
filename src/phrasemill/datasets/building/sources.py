"""What a builder reads: files, folders and archives, in an order that depends on their names alone, in batches."""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from phrasemill.datasets.building.archives import Damaged, is_archive, members
from phrasemill.errors import InputError

BATCH_FILES = 200
BATCH_BYTES = 4 << 20
# What is refused before anybody looks inside.
TOO_LARGE, UNREADABLE = "too-large", "unreadable"


class Found(NamedTuple):
    """A file on disk: its name, as the input spells it, and what tells whether it changed."""

    name: str
    size: int
    changed: int


class Piece(NamedTuple):
    """One thing to work on. Without `data` the worker reads the file `name`, from `start` to `end` where they are set.

    A `problem` is a reason and a detail: there is nothing to work on, only to report.
    """

    name: str
    data: bytes | None = None
    start: int = 0
    end: int = -1
    problem: tuple[str, str] | None = None


class Batch(NamedTuple):
    """Pieces for one worker, and how many bytes of the inputs they stand for."""

    pieces: Sequence[Piece]
    weight: int


def files(inputs: Iterable[str], suffixes: tuple[str, ...]) -> Iterator[Found]:
    """The files among `inputs`, and those below the folders among them whose names end so."""
    for name in sorted(set(inputs)):
        path = Path(name)
        if path.is_dir():
            yield from _below(name, suffixes)
        elif path.is_file():
            yield _found(name)
        else:
            raise InputError(f"{name}: no such file or folder")


def _below(folder: str, suffixes: tuple[str, ...]) -> Iterator[Found]:
    try:
        with os.scandir(folder) as entries:
            listed = sorted((entry.name, entry.is_dir(follow_symlinks=False), entry.is_file()) for entry in entries)
    except OSError as error:
        raise InputError(f"{folder}: {error.strerror or error}") from error
    for name, is_folder, is_file in listed:
        path = os.path.join(folder, name)  # noqa: PTH118 - a million times
        if is_folder:
            if not name.startswith("."):
                yield from _below(path, suffixes)
        elif is_file and name.lower().endswith(suffixes):
            yield _found(path)


def _found(name: str) -> Found:
    status = os.stat(name)  # noqa: PTH116 - a million times
    return Found(name, status.st_size, status.st_mtime_ns)


class Plan(NamedTuple):
    """What is to be read, and how, in a few letters; and how many bytes and files it is."""

    fingerprint: str
    size: int
    files: int


def plan(found: Iterable[Found], options: object) -> Plan:
    digest = hashlib.blake2b(repr(options).encode("utf-8", "surrogatepass"), digest_size=16)
    size = count = 0
    for file in found:
        digest.update(json.dumps(file).encode())
        size, count = size + file.size, count + 1
    if not count:
        raise InputError("there is no file of the right kind in these folders")
    return Plan(digest.hexdigest(), size, count)


def batches(found: Iterable[Found], suffixes: tuple[str, ...]) -> Iterator[Batch]:
    """Files by name, members of archives by content."""
    pieces: list[Piece] = []
    size = weight = 0
    for piece, heavy, light in _pieces(found, suffixes):
        pieces.append(piece)
        size, weight = size + heavy, weight + light
        if len(pieces) >= BATCH_FILES or size >= BATCH_BYTES:
            yield Batch(pieces, weight)
            pieces, size, weight = [], 0, 0
    if pieces:
        yield Batch(pieces, weight)


def _pieces(found: Iterable[Found], suffixes: tuple[str, ...]) -> Iterator[tuple[Piece, int, int]]:
    """Each piece with its bytes in memory, and its bytes in the inputs."""
    for file in found:
        if is_archive(file.name):
            yield from _archived(file.name, suffixes)
        else:
            yield Piece(file.name), file.size, file.size


def _archived(name: str, suffixes: tuple[str, ...]) -> Iterator[tuple[Piece, int, int]]:
    read = 0
    try:
        for member in members(Path(name), suffixes):
            weight, read = member.read - read, member.read
            inner = f"{name}:{member.name}"
            if member.data is None:
                yield Piece(inner, problem=(TOO_LARGE, "a file in the archive")), 0, weight
            else:
                yield Piece(inner, member.data), len(member.data), weight
    except (Damaged, OSError) as error:
        yield Piece(name, problem=("damaged-archive", str(error))), 0, 0


def content(piece: Piece, largest: int) -> bytes | tuple[str, str]:
    """The bytes of a piece, or why there are none."""
    if piece.problem:
        return piece.problem
    if piece.data is not None:
        return piece.data
    try:
        with open(piece.name, "rb") as file:  # noqa: PTH123 - a million times
            data = file.read(largest + 1)
    except OSError as error:
        return UNREADABLE, error.strerror or str(error)
    return data if len(data) <= largest else (TOO_LARGE, f"more than {largest >> 20} MiB")
