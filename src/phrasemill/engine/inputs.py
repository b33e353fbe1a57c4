"""The inputs of a run: files, folders, archives and URLs as one sequence of items, always in the same order.

Records (JSON lines, CSV, Parquet) become documents here, as a stream. Other files, each of which is one document, are
`Unit`s: bytes that whoever works on them reads, so that a PDF that crashes its reader costs itself alone.
"""

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from hashlib import blake2b
from io import BufferedReader
from itertools import count
from typing import Any, BinaryIO, NamedTuple, TypeAlias, cast

from phrasemill.engine.file_systems import file_system, files, is_url, opened, reason
from phrasemill.errors import ConfigError, InputError, PhrasemillError
from phrasemill.files.folders import Found
from phrasemill.files.streams import ENDINGS, LARGEST_FILE, SNIFFED, too_large
from phrasemill.readers import LARGEST, Columns, Mapped, holds_records, read_all, read_all_bytes
from phrasemill.readers.archives import Damaged, is_archive, members_of
from phrasemill.readers.sniffing import BY_EXTENSION, extension_of
from phrasemill.text.tokenise import sound
from phrasemill.types import Document

RESUME = "nothing is lost, run again to resume"
LARGEST_MEMBER = 256 << 20  # bytes of a file in an archive, which is read at once
SUFFIXES = tuple(f".{extension}{ending}" for extension in BY_EXTENSION for ending in ("", *ENDINGS))
# The parts of a long file that its fingerprint covers; changes elsewhere are found when it is read.
SAMPLE, SAMPLES = 64 << 10, 4


class Unit(NamedTuple):
    """A file, or a file in an archive, that is one document: its name and its bytes."""

    name: str
    data: bytes


class Unread(NamedTuple):
    """A record or file that could not be read, by its id, and why."""

    id: str
    reason: str


Item: TypeAlias = Document | Unit | Unread


def name_of(item: Item) -> str:
    """Return the id of a document; of a file its name."""
    return sound(item.name) if isinstance(item, Unit) else item.id


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


class Reading(NamedTuple):
    """The options of readers."""

    format: str | None = None
    columns: Columns = Columns()
    largest: int = LARGEST

    def document(self, unit: Unit) -> Document | Unread:
        """Return the document that a unit is, or why there is none."""
        place = name_of(unit)
        bad: list[InputError] = []
        try:
            found = list(read_all_bytes(unit.data, name=unit.name, report=bad.append, **self._asdict()))
        except InputError as error:
            return Unread(place, one_line(str(error)))
        except (MemoryError, PhrasemillError):
            raise
        except Exception as error:  # a reader that fails on what it did not expect
            return Unread(place, f"{sound(unit.name)}: {type(error).__name__}: {one_line(str(error))}")
        if bad or not found:
            return Unread(place, one_line(str(bad[0])) if bad else f"{sound(unit.name)}: no document in it")
        return _sound(found[0])


class CorpusInputs:
    """The items of some inputs."""

    def __init__(self, names: Iterable[str], reading: Reading | None = None) -> None:
        self.names, self.reading = [*names], reading or Reading()
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

    def documents(self, mapped: Mapped | None = None) -> Iterator[Document | Unread]:
        """Yield every document, and what could not be read; all is read in this process."""
        for item, _ in self.items(mapped):
            yield self.reading.document(item) if isinstance(item, Unit) else item

    def items(self, mapped: Mapped | None = None) -> Iterator[tuple[Item, int]]:
        """Yield every item, with the bytes of the inputs that were read until then."""
        behind = 0
        for name in self.names:
            for file in self._files(name):
                try:
                    for item, inside in self._file(file, mapped or (lambda fields: None)):
                        yield item, behind + inside
                except OSError as error:
                    raise InputError(f"{file.path}: {reason(error)}; {RESUME}") from error
                behind += file.size

    def _file(self, file: Found, mapped: Mapped) -> Iterator[tuple[Item, int]]:
        if file.problem:
            yield Unread(sound(file.path), one_line(f"{file.path}: {file.problem}")), file.size
            return
        with BufferedReader(opened(file), SNIFFED) as raw:  # type: ignore[type-var]
            if is_archive(file.path) and self.reading.format is None:
                yield from self._archive(cast(BinaryIO, raw), file, mapped)
            elif self._holds_records(file.path, raw.peek(SNIFFED)):
                for item in self._records(read_all, raw, file.path, mapped):
                    yield item, raw.tell()
            elif file.size > max(self.reading.largest, LARGEST_FILE):
                yield Unread(sound(file.path), f"{sound(file.path)}: {too_large(LARGEST_FILE)}"), file.size
            else:
                yield Unit(file.path, raw.read()), file.size

    def _archive(self, raw: BinaryIO, file: Found, mapped: Mapped) -> Iterator[tuple[Item, int]]:
        try:
            for member in members_of(raw, SUFFIXES, name=file.path, size=file.size, largest=LARGEST_MEMBER):
                name = f"{file.path}:{member.name}"
                if member.data is None:
                    why = member.problem or f"larger than {LARGEST_MEMBER >> 20} MiB; unpack it first"
                    yield Unread(sound(name), one_line(f"{name}: {why}")), member.read
                elif self._holds_records(name, member.data):
                    for item in self._records(read_all_bytes, member.data, name, mapped):
                        yield item, member.read
                else:
                    yield Unit(name, member.data), member.read
        except Damaged as error:
            yield Unread(sound(file.path), one_line(str(error))), file.size

    def _holds_records(self, name: str, head: bytes) -> bool:
        return holds_records(name, format=self.reading.format, data=head[:SNIFFED])

    def _records(
        self, read: Callable[..., Iterator[Document]], source: object, name: str, mapped: Mapped
    ) -> Generator[Item]:
        """Yield the records of one file, good and bad, in order."""
        bad: list[str] = []
        input_, numbers = sound(name), count(1)

        def reported() -> Iterator[Unread]:
            while bad:
                yield Unread(f"{input_}:{next(numbers)}", one_line(bad.pop(0)) or "unreadable")

        def report(error: InputError) -> None:
            bad.append(str(error))

        try:
            for document in read(source, name=name, report=report, mapped=mapped, **self.reading._asdict()):
                yield from reported()
                next(numbers)
                yield _sound(document)
        except InputError as error:  # the rest of the file cannot be read
            report(error)
        except (MemoryError, OSError, PhrasemillError):
            raise
        except Exception as error:  # a reader that fails on what it did not expect
            bad.append(f"{input_}: {type(error).__name__}: {error}")
        yield from reported()


def one_line(text: str) -> str:
    return sound(" ".join(text.split()))


def _sound(document: Document) -> Document:
    """Return a document with only the fields that workers need, as text that can be encoded."""
    return Document(sound(document.id), sound(document.text), sound(document.title), document.language)


def _examined(name: str, found: Iterable[Found]) -> InputState:
    if is_url(name):
        file_system(name)[0].invalidate_cache()
    digest, stamp = blake2b(digest_size=16), blake2b(digest_size=16)
    files_ = size = 0
    for file in found:
        head = f"{file.path}\0{file.size}\0{file.problem}".encode("utf-8", "replace")
        digest.update(head)
        stamp.update(head + f"\0{_version(file)}\0".encode())
        if not file.problem:
            with opened(file) as raw:
                _sample(raw, file, digest.update)
        files_, size = files_ + 1, size + file.size
    return InputState(sound(name), files_, size, digest.hexdigest(), stamp.hexdigest())


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
