"""What a run reads: files, folders, archives and URLs as one sequence of records, always in the same order."""

from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from typing import Any, BinaryIO, NamedTuple

from phrasemill.datasets.building.archives import Damaged, is_archive, members_of
from phrasemill.engine.chunks import Position, Record, sound
from phrasemill.engine.places import File, files, opened, reason
from phrasemill.errors import ConfigError, InputError
from phrasemill.readers import LARGEST, Columns, Mapped, read_all_bytes, read_all_file
from phrasemill.readers.sniffing import BY_EXTENSION, extension_of
from phrasemill.readers.streams import ENDINGS
from phrasemill.types import Document

# A file in an archive is read at once.
LARGEST_MEMBER = 256 << 20
SUFFIXES = tuple(f".{extension}{ending}" for extension in BY_EXTENSION for ending in ("", *ENDINGS))
# What is looked at of a long file, to tell later whether it is the same; changes elsewhere are seen when it is read.
SAMPLE, SAMPLES = 64 << 10, 4


class Input(NamedTuple):
    """One of the names that a run was given, and how to tell that it changed."""

    name: str
    files: int
    bytes: int
    fingerprint: str


class Corpus(Position):
    """The records of some inputs; `read` says how many bytes of them are behind."""

    def __init__(
        self,
        names: Iterable[str],
        *,
        format: str | None = None,
        columns: Columns | None = None,
        mapped: Mapped | None = None,
        largest: int = LARGEST,
    ) -> None:
        self.names, self.format, self.columns = [*names], format, columns or Columns()
        self.mapped, self.largest = mapped, largest
        if not self.names:
            raise ConfigError("nothing to read: name files, folders or archives")
        if "-" in self.names:
            raise ConfigError("a run can only be resumed from files: save standard input to one first")
        self.read = 0

    def inputs(self) -> list[Input]:
        """What there is to read; an `InputError` where something of it is not there."""
        found = [fingerprint(name, self._files(name)) for name in self.names]
        if not sum(one.files for one in found):
            raise InputError(f"{', '.join(self.names)}: no file in it that can be read")
        return found

    def _files(self, name: str) -> Iterator[File]:
        """A file whatever its name; of a folder those of kinds that are known."""
        return files(name, wanted=lambda inner: is_archive(inner) or extension_of(inner) in BY_EXTENSION)

    def records(self) -> Iterator[Record]:
        """Every record of every file; what is damaged is a record, too, with the reason."""
        self.read = 0
        for name in self.names:
            for file in self._files(name):
                before = self.read
                if file.problem:
                    yield Record(sound(file.name), 1, None, f"{file.name}: {file.problem}")
                    continue
                try:
                    yield from self._records(file, before)
                except OSError as error:
                    raise InputError(f"{file.name}: {reason(error)}; nothing is lost, run again to go on") from error
                self.read = before + file.size

    def _records(self, file: File, before: int) -> Iterator[Record]:
        with opened(file) as raw:
            if is_archive(file.name) and self.format is None:
                yield from self._archived(raw, file, before)
                return
            documents = _Reading(sound(file.name))
            stream = read_all_file(raw, name=file.name, format=self.format, report=documents.report, **self._how)
            for record in documents.records(stream):
                self.read = before + raw.tell()
                yield record

    @property
    def _how(self) -> dict[str, Any]:
        return {"columns": self.columns, "mapped": self.mapped, "largest": self.largest}

    def _archived(self, raw: BinaryIO, file: File, before: int) -> Iterator[Record]:
        try:
            for member in members_of(raw, SUFFIXES, name=file.name, size=file.size, largest=LARGEST_MEMBER):
                self.read = before + member.read
                name = f"{file.name}:{member.name}"
                if member.data is None:
                    why = member.problem or f"larger than {LARGEST_MEMBER >> 20} MiB; unpack it first"
                    yield Record(sound(name), 1, None, f"{name}: {why}")
                    continue
                documents = _Reading(sound(name))
                stream = read_all_bytes(member.data, name=name, report=documents.report, **self._how)
                yield from documents.records(stream)
        except Damaged as error:
            yield Record(sound(file.name), 1, None, str(error))


def fingerprint(name: str, found: Iterable[File]) -> Input:
    """What `name` stands for: its files, by name, size and content."""
    digest = blake2b(digest_size=16)
    count = size = 0
    for file in found:
        digest.update(f"{file.name}\0{file.size}\0{file.problem}".encode("utf-8", "replace"))
        if not file.problem:
            with opened(file) as raw:
                _sample(raw, file, digest.update)
        count, size = count + 1, size + file.size
    return Input(sound(name), count, size, digest.hexdigest())


class _Reading:
    """The records of one file, good and bad, in order."""

    def __init__(self, name: str) -> None:
        self.name, self.number = name, 0
        self._bad: list[str] = []

    def report(self, error: InputError) -> None:
        self._bad.append(str(error))

    def records(self, documents: Iterator[Document]) -> Iterator[Record]:
        try:
            for document in documents:
                yield from self._told()
                self.number += 1
                yield Record(self.name, self.number, _sound(document))
        except InputError as error:  # the rest of the file cannot be read
            self.report(error)
        yield from self._told()

    def _told(self) -> Iterator[Record]:
        for why in self._bad:
            self.number += 1
            yield Record(self.name, self.number, None, why)
        self._bad.clear()


def _sound(document: Document) -> Document:
    """Only what travels; an id that no file could hold is mended."""
    return Document(sound(document.id), sound(document.text), sound(document.title), document.language)


def _sample(raw: BinaryIO, file: File, update: Callable[[bytes], object]) -> None:
    if file.size <= SAMPLE * SAMPLES:
        update(raw.read())
        return
    for i in range(SAMPLES):
        raw.seek((file.size - SAMPLE) * i // (SAMPLES - 1))
        update(raw.read(SAMPLE))
