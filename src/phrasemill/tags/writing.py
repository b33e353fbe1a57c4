"""Files that get tags: shown as diffs, written, and restored.

Before a file is written, two copies of it are on disk in `.phrasemill/undo-000001` … of the folder: `before`, and
`after` as it is going to be. Files are written in place, so that their owner, mode, attributes and links stay; one
whose writing was interrupted is recognised by its copies, and restored as well.

The copies may have come with somebody else's notes. So `undo` touches files below the resolved folder alone, and no
name in it can lead elsewhere: links are refused on the whole way, and files with a second name (hard links) as well.
"""

import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from shutil import rmtree
from typing import NamedTuple

from phrasemill.errors import InputError
from phrasemill.files.opening import open_file, reason
from phrasemill.files.streams import LARGEST
from phrasemill.readers import Report
from phrasemill.readers.sniffing import FORMATS, extension_of
from phrasemill.tags.front_matter import KEYS, UnsupportedError, changed, tags_of
from phrasemill.tags.wordings import same_word

FOLDER, RUN, RUNS = ".phrasemill", "undo-{:06d}", "undo-[0-9][0-9][0-9][0-9][0-9][0-9]"
BEFORE, AFTER = "before", "after"


@dataclass(frozen=True, slots=True)
class Change:
    """A file before and after; `before` is None for one that is new."""

    path: Path
    before: bytes | None
    after: bytes

    def diff(self) -> str:
        """Return the change as a unified diff."""
        old, new = ("" if data is None else data.decode("utf-8-sig", "replace") for data in (self.before, self.after))
        name = self.path.as_posix()
        names = "/dev/null" if self.before is None else name, name
        lines = unified_diff(old.splitlines(), new.splitlines(), *names, lineterm="", n=2)
        return "".join(f"{line}\n" for line in lines)


class Tagging(NamedTuple):
    """What `tag_notes` planned, how many files it wrote, and the folder that `undo` takes."""

    changes: tuple[Change, ...]
    written: int
    folder: Path


class Undone(NamedTuple):
    """How many files were restored, and how many were left because they had changed since."""

    restored: int
    left: int


def tag_notes(tags: Mapping[str | Path, Sequence[str]], *, report: Report, write: bool = False) -> Tagging:
    """Plan how Markdown files get tags in their front matter; with `write`, write them.

    For `extract *.md --write`: print the `diff()` of each change; `phrasemill tags undo FOLDER` restores what was
    written. Tags follow those that a note has, without other wordings of them. A file that cannot get tags goes to
    `report`, and the rest goes on.
    """
    changes = []
    folder = Path(os.path.commonpath([Path(path).absolute().parent for path in tags])) if tags else Path()
    for path, wanted in tags.items():
        try:
            if not is_markdown(path):
                raise InputError(f"{path}: only Markdown has a place for tags, so it is left alone")
            data = bytes_of(path)
            with_tags = edited(path, data, add=wanted)
            if with_tags != data:
                writable(Path(path), folder.resolve())
                changes.append(Change(Path(path), data, with_tags))
        except InputError as error:
            report(error)
    return Tagging(tuple(changes), write_changes(changes, folder, report=report) if write else 0, folder)


def is_markdown(path: str | Path) -> bool:
    return extension_of(str(path)) in FORMATS["markdown"]


def bytes_of(path: str | Path, *, largest: int = LARGEST) -> bytes:
    """Return the bytes of a file as they are; one that is compressed is not rewritten."""
    try:
        with open_file(path) as file:
            data = file.read(largest + 1)
    except OSError as error:
        raise InputError(f"{path}: {reason(error)}") from None
    if len(data) > largest:
        raise InputError(f"{path}: larger than {largest >> 20:,} MiB, so it is left alone")
    return data


def edited(
    path: str | Path,
    data: bytes,
    *,
    rename: Mapping[str, Sequence[str]] | None = None,
    add: Iterable[str] = (),
    keys: Sequence[str] = KEYS,
) -> bytes:
    """Return a note with other tags; of `add`, those that it does not have in another wording."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{path}: not UTF-8, so it is left alone") from None
    try:
        has = [new for tag in tags_of(text, keys=keys) for new in (rename or {}).get(tag, (tag,))]
        for tag in add:
            if not any(same_word(tag, other) for other in has):
                has.append(tag)
        return changed(text, rename=rename or {}, add=has, keys=keys).encode()
    except UnsupportedError as error:
        raise InputError(f"{path}, {error}") from None


def write_changes(changes: Iterable[Change], folder: Path, *, report: Report) -> int:
    """Write files one by one, each after copies of it that restore it; return how many.

    A file that has changed since it was read, or that cannot be written, goes to `report` and stays as it is.
    """
    root, place, done = folder.resolve(), None, 0
    for change in changes:
        try:
            target = writable(change.path, root)
            place = place or _new_place(root)
            copies = [place / part / target.relative_to(root) for part in (BEFORE, AFTER)]
            for path, data in zip(copies, (change.before, change.after), strict=True):
                if data is not None:
                    _copy(path, data)
            if _put(target, change.before, change.after):
                done += 1
            else:
                for path in copies:
                    _remove(path, root)
                report(InputError(f"{change.path}: changed while the tags were prepared, so it is left alone"))
        except OSError as error:
            report(InputError(f"{change.path}: cannot be written ({reason(error)})"))
        except InputError as error:
            report(error)
    return done


def undo(folder: Path, *, report: Report) -> Undone:
    """Restore what the latest run changed below a folder; a file that has changed since is left, and reported.

    The copies of what was restored are removed, so that the next call undoes the run before.
    """
    root = folder.resolve()
    place = max(_runs(root), default=None)
    if place is None:
        raise InputError(f"{folder}: nothing to undo; tags apply FOLDER --write leaves copies there")
    _refuse_link(place)
    restored = left = 0
    names = [path.relative_to(place / AFTER) for path in sorted((place / AFTER).rglob("*")) if not path.is_dir()]
    for name in names:
        try:
            restored += _restore(root, place, name)
            for part in (BEFORE, AFTER):
                _remove(place / part / name, root)
        except (OSError, InputError) as error:
            why = f"cannot be restored ({reason(error)})" if isinstance(error, OSError) else f"{error}"
            report(InputError(f"{folder / name}: {why}, so it is left alone"))
            left += 1
    if not left:
        rmtree(place, ignore_errors=True)  # what is there of a file whose copies were interrupted
    return Undone(restored, left)


def writable(path: Path, root: Path) -> Path:
    """Return the file that is written for `path`; raise an `InputError` if it must not be."""
    target = path.resolve()
    if not target.is_relative_to(root):
        raise InputError(f"{path}: leads to {target}, outside {root}, so it is left alone")
    if target.exists():
        status = target.stat()
        if not status.st_mode & stat.S_IWUSR:
            raise InputError(f"{path}: is read-only, so it is left alone")
        if status.st_nlink > 1:
            raise InputError(f"{path}: has another name, a hard link, so it is left alone")
    return target


def _runs(root: Path) -> list[Path]:
    _refuse_link(root / FOLDER)
    return [one for one in (root / FOLDER).glob(RUNS) if one.is_dir()]


def _new_place(root: Path) -> Path:
    """Return a new folder for the copies of one run."""
    number = max((int(one.name[-6:]) for one in _runs(root)), default=0) + 1
    place = root / FOLDER / RUN.format(number)
    place.mkdir(mode=0o700, parents=True)
    return place


def _copy(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _put(path: Path, before: bytes | None, after: bytes | None) -> bool:
    """Give a file that has the content `before` the content `after`, None being no file; return whether it had it."""
    if _content(path) != before:
        return False
    if after is None:
        path.unlink()
        return True
    try:
        path.write_bytes(after)
    except OSError:  # such as a disk that is full
        if before is not None:
            path.write_bytes(before)
        raise
    return True


def _content(path: Path) -> bytes | None:
    return bytes_of(path) if path.exists() else None


def _restore(root: Path, place: Path, name: Path) -> bool:
    """Restore one file; return whether there was anything to do."""
    path, copies = root / name, [place / part / name for part in (BEFORE, AFTER)]
    for one in (path, *copies):
        _refuse_link(one)
    now, old, new = map(_content, (path, *copies))
    if now == old:  # it was not written after all
        return False
    if now is None or new is None or not new.startswith(now):  # of a run that was interrupted, it is the beginning
        copy = "" if old is None else f" (from before: {copies[0].relative_to(root)})"
        raise InputError(f"changed since its tags were written{copy}")
    if path.stat().st_nlink > 1:
        raise InputError("has got another name, a hard link")
    return _put(path, now, old)


def _refuse_link(path: Path) -> None:
    if path.resolve() != path:
        raise InputError(f"{path} leads to {path.resolve()}")


def _remove(path: Path, root: Path) -> None:
    """Remove a copy, and the folders around it that are empty then."""
    path.unlink(missing_ok=True)
    with suppress(OSError):  # something else is in it
        for parent in path.relative_to(root).parents:
            if parent != Path():
                (root / parent).rmdir()
