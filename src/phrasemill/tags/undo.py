"""Copies of the files that were written, and how to restore them exactly.

Each time tags are written, the hidden folder `.phrasemill` beside the notes gets a folder `undo-000001` …, in which
`before` has the files as they were and `after` as they were written, by the same names. Both are on disk before a file
changes, so that a run that was interrupted can be undone as well.

The folder may have come with somebody else's notes. So the only files that undo touches are those below the resolved
folder: no name in it can lead elsewhere, since links are refused on the whole way.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from typing import NamedTuple

from phrasemill.errors import InputError
from phrasemill.files.opening import reason
from phrasemill.tags.writing import content, put

FOLDER, PREFIX = ".phrasemill", "undo-"
BEFORE, AFTER = "before", "after"
INODE = "inode"  # of files with several names


class Copies:
    """The copies of one run; nothing is created before the first."""

    def __init__(self, folder: Path) -> None:
        self.root = folder.resolve()
        self._place: Path | None = None

    def keep(self, target: Path, before: bytes | None, after: bytes) -> None:
        """Copy what a file had and what it gets."""
        if self._place is None:
            hidden = _hidden(self.root)
            hidden.mkdir(exist_ok=True)
            number = max(map(_number, _runs(hidden)), default=0) + 1
            self._place = hidden / f"{PREFIX}{number:06d}"
            self._place.mkdir(mode=0o700)
        if before is not None and target.stat().st_nlink > 1:
            _copy(self._place / INODE / target.relative_to(self.root), _inode(target))
        for part, data in ((BEFORE, before), (AFTER, after)):
            if data is not None:
                _copy(self._place / part / target.relative_to(self.root), data)

    def drop(self, target: Path) -> None:
        """Forget the copies of a file that was not written after all."""
        if self._place is not None:
            _drop(self._place, target.relative_to(self.root))
            if next(_names(self._place / AFTER), None) is None:
                _remove(self._place)
                self._place = None


class Undone(NamedTuple):
    """How many files were restored, and how many were left because they had changed since."""

    restored: int
    left: int


def undo(folder: Path, *, report: Callable[[Exception], None]) -> Undone:
    """Restore what the latest run changed below a folder; a file that has changed since is left, and reported.

    The copies are removed when all of it is undone; otherwise those of the files that are left stay.
    """
    root = folder.resolve()
    place = max(_runs(_hidden(root)), key=_number, default=None)
    if place is None:
        raise InputError(f"{folder}: nothing to undo; tags apply FOLDER --write leaves copies there")
    _refuse_links(place)
    restored = left = 0
    for name in _names(place / AFTER):
        try:
            restored += _restore(root, place, name)
            _drop(place, name)
        except OSError as error:
            report(InputError(f"{folder / name}: cannot be restored ({reason(error)})"))
            left += 1
        except InputError as error:
            report(InputError(f"{folder / name}: {error}, so it is left alone"))
            left += 1
    if not left:
        _remove(place)
    return Undone(restored, left)


def _restore(root: Path, place: Path, name: Path) -> bool:
    """Restore one file; return whether there was anything to do."""
    path = root / name
    for one in (path, place / BEFORE / name, place / AFTER / name, place / INODE / name):
        _refuse_links(one)
    now, old = content(path), content(place / BEFORE / name)
    if now == old:  # it was not written after all
        return False
    if now is None or now != content(place / AFTER / name):
        copy = "" if old is None else f" (from before: {(place / BEFORE / name).relative_to(root)})"
        raise InputError(f"changed since its tags were written{copy}")
    # Another name of the file may be anywhere. Who made the copies elsewhere cannot know its number here.
    if path.stat().st_nlink > 1 and content(place / INODE / name) != _inode(path):
        raise InputError("has got another name, a hard link")
    put(path, now, old)
    return True


def _refuse_links(path: Path) -> None:
    if path.resolve() != path:
        raise InputError(f"{path} leads to {path.resolve()}")


def _hidden(root: Path) -> Path:
    _refuse_links(root / FOLDER)
    return root / FOLDER


def _runs(hidden: Path) -> list[Path]:
    return [one for one in hidden.glob(f"{PREFIX}*") if one.is_dir()]


def _remove(place: Path) -> None:
    rmtree(place)
    with suppress(OSError):  # other runs are in it
        place.parent.rmdir()


def _names(folder: Path) -> Iterator[Path]:
    for place, _, names in os.walk(folder):
        yield from (Path(place, name).relative_to(folder) for name in sorted(names))


def _copy(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _drop(place: Path, name: Path) -> None:
    for part in (BEFORE, AFTER, INODE):
        (place / part / name).unlink(missing_ok=True)


def _inode(path: Path) -> bytes:
    return str(path.stat().st_ino).encode()


def _number(path: Path) -> int:
    digits = path.name.removeprefix(PREFIX)
    return int(digits) if digits.isdecimal() else 0
