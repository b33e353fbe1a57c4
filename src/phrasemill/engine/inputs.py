"""What a run reads: files, folders, archives and URLs as one sequence of records, always in the same order."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import BinaryIO, NamedTuple

from phrasemill.engine.chunks import Record, sound
from phrasemill.engine.places import File, file_system, files, is_url, opened
from phrasemill.engine.walk import Cut, Parsing, Place, Walk, Watch
from phrasemill.errors import ConfigError, InputError
from phrasemill.readers import LARGEST, Columns, Mapped
from phrasemill.readers.archives import is_archive
from phrasemill.readers.sniffing import BY_EXTENSION, extension_of

# What is looked at of a long file, to tell later whether it is the same; changes elsewhere are seen when it is read.
SAMPLE, SAMPLES = 64 << 10, 4


class Input(NamedTuple):
    """One of the names that a run was given, and how to tell that it changed."""

    name: str
    files: int
    bytes: int
    fingerprint: str


class Snapshot(NamedTuple):
    """Files at one moment: what they were, and when and where they were written."""

    inputs: tuple[Input, ...]
    models: tuple[Input, ...]
    stamps: tuple[str, ...]

    def change(self, later: "Snapshot") -> str:
        """Return the name of one that is not the same any more; an empty string where all are."""
        ours, theirs = (self.inputs + self.models, self.stamps), (later.inputs + later.models, later.stamps)
        every = zip(*ours, *theirs, strict=True)
        return next((one.name for one, mark, other, after in every if (one, mark) != (other, after)), "")


class Corpus:
    """The records of some inputs."""

    def __init__(
        self,
        names: Iterable[str],
        *,
        format: str | None = None,
        columns: Columns | None = None,
        largest: int = LARGEST,
    ) -> None:
        self.names, self.format, self.columns = [*names], format, columns or Columns()
        self.largest = largest
        if not self.names:
            raise ConfigError("nothing to read: name files, folders or archives")
        if "-" in self.names:
            raise ConfigError("a run can only be resumed from files: save standard input to one first")

    def inputs(self) -> list[Input]:
        """Return what there is to read; an `InputError` where something of it is not there."""
        found = [_fingerprint(name, self._files(name)) for name in self.names]
        if not sum(one.files for one in found):
            raise InputError(f"{', '.join(self.names)}: no file in it that can be read")
        return found

    def snapshot(self, models: Sequence[str]) -> Snapshot:
        """Return the state of all inputs, and of the files of a model."""
        stamps = [_stamp(name, self._files(name)) for name in self.names] + [
            _stamp(name, files(name)) for name in models
        ]
        other = [_fingerprint(name, files(name)) for name in models]
        return Snapshot(tuple(self.inputs()), tuple(other), tuple(stamps))

    def _files(self, name: str) -> Iterator[File]:
        """A file whatever its name; of a folder those of kinds that are known."""
        return files(name, wanted=lambda inner: is_archive(inner) or extension_of(inner) in BY_EXTENSION)

    def walk(self, start: Place, cuts: Iterable[Cut], watch: Watch) -> Walk:
        """Return a walk over the records that come after `start`."""
        found = (file for name in self.names for file in self._files(name))
        how = Parsing(self.format, self.columns, self.largest)
        return Walk(found, how, start=start, cuts=cuts, watch=watch)

    def records(self, mapped: Mapped | None = None) -> Iterator[Record]:
        """Every record of every file; what is damaged is a record, too, with the reason."""
        return self.walk(Place(), (), Watch(mapped)).records()


def _fingerprint(name: str, found: Iterable[File]) -> Input:
    """Return what `name` stands for: its files, by name, size and content."""
    digest = blake2b(digest_size=16)
    count = size = 0
    for file in found:
        digest.update(f"{file.name}\0{file.size}\0{file.problem}".encode("utf-8", "replace"))
        if not file.problem:
            with opened(file) as raw:
                _sample(raw, file, digest.update)
        count, size = count + 1, size + file.size
    return Input(sound(name), count, size, digest.hexdigest())


def _sample(raw: BinaryIO, file: File, update: Callable[[bytes], object]) -> None:
    if file.size <= SAMPLE * SAMPLES:
        update(raw.read())
        return
    for i in range(SAMPLES):
        raw.seek((file.size - SAMPLE) * i // (SAMPLES - 1))
        update(raw.read(SAMPLE))


def _stamp(name: str, found: Iterable[File]) -> str:
    """Return a digest of when and where the files of `name` were written.

    A copy elsewhere has another one, so it does not matter to whether a run may be resumed. But as long as a run is at
    work, none of these files is written to, or replaced, without a change of it.
    """
    if is_url(name):
        file_system(name)[0].invalidate_cache()
    digest = blake2b(digest_size=16)
    for file in found:
        digest.update(f"{file.name}\0{file.size}\0{file.problem}\0{_version(file)}\0".encode("utf-8", "replace"))
    return digest.hexdigest()


def _version(file: File) -> str:
    if is_url(file.name):
        system, path = file_system(file.name)
        try:
            return str(system.ukey(path))
        except Exception:  # a store that does not tell; its fingerprint has to do
            return ""
    try:
        found = os.stat(file.name)  # noqa: PTH116 - names stay as they were typed
    except OSError:
        return "gone"
    return f"{found.st_mtime_ns} {found.st_ino}"
