"""The inputs of a run: files, folders, archives and URLs as one sequence of records, always in the same order."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Any, BinaryIO, NamedTuple

from phrasemill.engine.chunks import InputRecord
from phrasemill.engine.file_systems import file_system, files, is_url, opened
from phrasemill.engine.walk import Cut, Position, Walk, WalkObserver
from phrasemill.errors import ConfigError, InputError
from phrasemill.files.folders import Found
from phrasemill.readers import LARGEST, Columns, Mapped
from phrasemill.readers.archives import is_archive
from phrasemill.readers.sniffing import BY_EXTENSION, extension_of
from phrasemill.text.tokenise import sound

# The parts of a long file that its fingerprint covers; changes elsewhere are found when it is read.
SAMPLE, SAMPLES = 64 << 10, 4


class InputState(NamedTuple):
    """An input by its name, with a fingerprint that changes with its content, and a stamp of when and where its files
    were written.

    A copy elsewhere differs in its stamp only, so the stamp does not matter to whether a run may be resumed. But no
    file can be written to or replaced during a run without a change of the stamp.
    """

    name: str
    files: int
    bytes: int
    fingerprint: str
    stamp: str

    def record(self) -> dict[str, Any]:
        """Return what the manifest has of it."""
        return {name: value for name, value in self._asdict().items() if name != "stamp"}


class Snapshot(NamedTuple):
    """The inputs and the files of models at one moment."""

    inputs: tuple[InputState, ...]
    models: tuple[InputState, ...]


class CorpusInputs:
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
            raise ConfigError("no inputs: name files, folders or archives")
        if "-" in self.names:
            raise ConfigError("standard input cannot be resumed; save it to a file first")

    def snapshot(self, models: Sequence[str] = ()) -> Snapshot:
        """Return the state of all inputs, and of the files of a model."""
        inputs = tuple(_examined(name, self._files(name)) for name in self.names)
        if not sum(one.files for one in inputs):
            raise InputError(f"{', '.join(self.names)}: there is no readable file in it")
        return Snapshot(inputs, tuple(_examined(name, files(name)) for name in models))

    def _files(self, name: str) -> Iterator[Found]:
        """Yield a file whatever its name; of a folder, the files of known kinds."""
        return files(name, wanted=lambda inner: is_archive(inner) or extension_of(inner) in BY_EXTENSION)

    def walk(self, start: Position, cuts: Iterable[Cut], watch: WalkObserver) -> Walk:
        """Return a walk over the records that come after `start`."""
        found = (file for name in self.names for file in self._files(name))
        how = {"format": self.format, "columns": self.columns, "largest": self.largest}
        return Walk(found, how, start=start, cuts=cuts, watch=watch)

    def records(self, mapped: Mapped | None = None) -> Iterator[InputRecord]:
        """Yield every record of every file; damage is a record with the reason."""
        return self.walk(Position(), (), WalkObserver(mapped)).records()


def _examined(name: str, found: Iterable[Found]) -> InputState:
    if is_url(name):
        file_system(name)[0].invalidate_cache()
    digest, stamp = blake2b(digest_size=16), blake2b(digest_size=16)
    count = size = 0
    for file in found:
        head = f"{file.path}\0{file.size}\0{file.problem}".encode("utf-8", "replace")
        digest.update(head)
        stamp.update(head + f"\0{_version(file)}\0".encode())
        if not file.problem:
            with opened(file) as raw:
                _sample(raw, file, digest.update)
        count, size = count + 1, size + file.size
    return InputState(sound(name), count, size, digest.hexdigest(), stamp.hexdigest())


def _sample(raw: BinaryIO, file: Found, update: Callable[[bytes], object]) -> None:
    if file.size <= SAMPLE * SAMPLES:
        update(raw.read())
        return
    for i in range(SAMPLES):
        raw.seek((file.size - SAMPLE) * i // (SAMPLES - 1))
        update(raw.read(SAMPLE))


def _version(file: Found) -> str:
    if is_url(file.path):
        system, path = file_system(file.path)
        try:
            return str(system.ukey(path))
        except Exception:  # not supported by this store; only the fingerprint shows changes
            return ""
    try:
        found = os.stat(file.path)  # noqa: PTH116 - names stay as they were typed
    except OSError:
        return "gone"
    return f"{found.st_mtime_ns} {found.st_ino}"
