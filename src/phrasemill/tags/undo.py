"""The journal of what was written, and how to restore it exactly.

A journal is a file of JSON lines in the hidden folder `.phrasemill` beside the notes, one for each time tags were
written. A line has what a file lost: where the old and the new content differ, the old bytes, and checksums of both. It
is on disk before the file is replaced, so that a run that was interrupted can be undone as well.
"""

import json
import os
from base64 import b64decode, b64encode
from collections.abc import Callable
from hashlib import sha256
from io import BufferedWriter
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Any, NamedTuple

from phrasemill.errors import InputError
from phrasemill.files.opening import reason
from phrasemill.tags.storage import replacement

FOLDER, PREFIX = ".phrasemill", "undo-"


class Journal:
    """A journal that is being written; nothing is created before the first entry."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._file: BufferedWriter | None = None

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def note(self, path: Path, before: bytes | None, after: bytes) -> None:
        """Write an entry for a file that is about to be replaced."""
        if self._file is None:
            place = self.folder / FOLDER
            place.mkdir(exist_ok=True)
            number = max((_number(one) for one in place.glob(f"{PREFIX}*.jsonl")), default=0) + 1
            self._file = (place / f"{PREFIX}{number:06d}.jsonl").open("xb")
        name = Path(os.path.relpath(path, self.folder)).as_posix()
        self._file.write(json.dumps(_entry(name, before, after)).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())


class Undone(NamedTuple):
    """How many files were restored, and how many were left because they had changed since."""

    restored: int
    left: int


def undo(folder: Path, *, report: Callable[[Exception], None]) -> Undone:
    """Restore what the latest journal of a folder has; a file that has changed since is left, and reported.

    The journal is removed when all of it is undone; otherwise it keeps what is left.
    """
    journals = sorted((folder / FOLDER).glob(f"{PREFIX}*.jsonl"), key=_number)
    if not journals:
        raise InputError(f"{folder}: nothing to undo; tags apply FOLDER --write leaves a journal there")
    journal = journals[-1]
    restored, left = 0, []
    whole = journal.read_bytes().rpartition(b"\n")[0]  # of a line that breaks off, the file was not written
    for line in reversed(whole.splitlines()):
        entry = _parsed(line, journal)
        try:
            restored += _restore(folder, entry)
        except InputError as error:
            report(error)
            left.append(line)
    if left:
        with replacement(journal) as new:
            new.write_bytes(b"\n".join(reversed(left)) + b"\n")
    else:
        journal.unlink()
        if not any((folder / FOLDER).iterdir()):
            (folder / FOLDER).rmdir()
    return Undone(restored, len(left))


def _restore(folder: Path, entry: dict[str, Any]) -> bool:
    """Restore one file; return whether there was anything to do."""
    path = folder / entry["file"]
    try:
        now = path.read_bytes() if path.exists() else None
        if _sum(now) == entry["before"]:  # it was not written after all
            return False
        if now is None or _sum(now) != entry["after"]:
            raise InputError(f"{path}: changed since its tags were written, so it is left alone")
        if entry["before"] is None:
            path.unlink()
            return True
        start, end = entry["same_start"], len(now) - entry["same_end"]
        old = now[:start] + b64decode(entry["old"]) + now[end:]
        if _sum(old) != entry["before"]:
            raise InputError(f"{path}: the journal does not fit it, so it is left alone")
        with replacement(path) as new:
            new.write_bytes(old)
    except OSError as error:
        raise InputError(f"{path}: cannot be restored ({reason(error)})") from None
    return True


def _entry(name: str, before: bytes | None, after: bytes) -> dict[str, object]:
    old = before or b""
    start = _shared(old, after)
    most = min(len(old), len(after)) - start
    end = min(_shared(old[::-1], after[::-1]), most)
    return {
        "file": name,
        "before": _sum(before),
        "after": _sum(after),
        "same_start": start,
        "same_end": end,
        "old": b64encode(old[start : len(old) - end]).decode(),
    }


def _shared(a: bytes, b: bytes) -> int:
    """Return how many bytes two contents begin with alike."""
    short, most = 0, min(len(a), len(b))
    while short < most:  # halve what is left to compare
        middle = (short + most + 1) // 2
        if a[short:middle] == b[short:middle]:
            short = middle
        else:
            most = middle - 1
    return short


def _parsed(line: bytes, journal: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(line)
        name = PurePosixPath(found["file"])
        # A journal that came with somebody else's notes must not reach other files.
        if {"before", "after", "same_start", "same_end", "old"} <= found.keys() and not _leads_out(name):
            return found
    except (ValueError, AttributeError, KeyError, TypeError):
        pass
    raise InputError(f"{journal}: damaged; nothing more is undone")


def _leads_out(name: PurePosixPath) -> bool:
    return name.is_absolute() or ".." in name.parts


def _sum(data: bytes | None) -> str | None:
    return None if data is None else sha256(data).hexdigest()


def _number(path: Path) -> int:
    digits = path.stem.removeprefix(PREFIX)
    return int(digits) if digits.isdecimal() else 0
