"""A walk over the records of files and archives, which can begin and end in the middle.

Whoever reads in a process of its own (`reading.py`) is told before each record where the walk is, so that it is known
which file ended the process. Such a file, or member of an archive, is **cut**: the next walk reads no further in it.
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from functools import partial
from io import BufferedReader, RawIOBase
from itertools import count
from typing import Any, BinaryIO, NamedTuple

from phrasemill.engine.chunks import Record, one_line, sound
from phrasemill.engine.places import File, opened, reason
from phrasemill.errors import InputError, PhrasemillError
from phrasemill.files.streams import ENDINGS, SNIFFED
from phrasemill.readers import Columns, Fields, Mapped, read_all, read_all_bytes
from phrasemill.readers.archives import Damaged, Member, is_archive, members_of
from phrasemill.readers.sniffing import BY_EXTENSION
from phrasemill.types import Document

# A file in an archive is read at once.
LARGEST_MEMBER = 256 << 20
SUFFIXES = tuple(f".{extension}{ending}" for extension in BY_EXTENSION for ending in ("", *ENDINGS))


class Place(NamedTuple):
    """Where a walk is. Files count from 0, members of an archive from 1; `member` 0 is the file itself.

    `done` is what was read of it: records, or members where the file is an archive.
    """

    file: int = 0
    member: int = 0
    done: int = 0


class Cut(NamedTuple):
    """A file, or a member of an archive, of which nothing is read beyond what was `done`, and why."""

    file: int
    member: int
    done: int
    reason: str


class Parsing(NamedTuple):
    """How the bytes of files become documents."""

    format: str | None
    columns: Columns
    largest: int


class Watch:
    """Is told where the walk is, and, through `mapped`, by which fields the records of a file are read."""

    def __init__(self, mapped: Mapped | None = None) -> None:
        self.mapped = mapped or _ignore

    def at(self, file: int, member: int, done: int) -> None:
        """Before whatever comes after this place is read."""

    def progress(self) -> None:
        """After some bytes were read."""


class Walk:
    """One pass over the records of `files`, from `start` on."""

    def __init__(
        self,
        files: Iterable[File],
        parsing: Parsing,
        *,
        start: Place,
        cuts: Iterable[Cut],
        watch: Watch,
    ) -> None:
        self._files, self._parsing, self._start, self._watch = files, parsing, start, watch
        self._cuts = {(cut.file, cut.member): cut for cut in cuts}
        self._at: tuple[int, int, int] = self._start
        self._behind = 0  # bytes of whole files
        self._inside: Callable[[], int] = int  # of the one that is being read

    @property
    def place(self) -> Place:
        """Where the walk is after the record that came last."""
        return Place(*self._at)

    @property
    def read(self) -> int:
        """How many bytes of the files are behind."""
        return self._behind + self._inside()

    def records(self) -> Iterator[Record]:
        """Every record after `start`; what is damaged is a record, too, with the reason."""
        for number, file in enumerate(self._files):
            if number >= self._start.file:
                try:
                    yield from self._file(file, number)
                except OSError as error:
                    raise InputError(f"{file.name}: {reason(error)}; nothing is lost, run again to go on") from error
            self._behind, self._inside = self._behind + file.size, int

    def _file(self, file: File, number: int) -> Iterator[Record]:
        if file.problem:
            return self._unit(file.name, (number, 0), _problem(file.name, file.problem))
        if is_archive(file.name) and self._parsing.format is None:
            return self._archive(file, number)
        return self._unit(file.name, (number, 0), self._plain(file))

    def _plain(self, file: File) -> Generator[Record]:
        with _watched(file, self._watch) as raw:
            self._inside = raw.tell
            found = _Records(file.name)
            how = self._parsing._asdict() | {"mapped": self._watch.mapped}
            yield from found.records(read_all(raw, name=file.name, report=found.report, **how))

    def _archive(self, file: File, number: int) -> Iterator[Record]:
        """The records of all members; those before the start are passed over unread."""
        cut = self._cuts.get((number, 0))
        first = self._start.member if number == self._start.file else 0
        self._watch.at(number, 0, 0)
        with _watched(file, self._watch) as raw:
            members = members_of(raw, SUFFIXES, name=file.name, size=file.size, largest=LARGEST_MEMBER)
            try:
                for member_number in count(1):
                    if cut is not None and member_number > cut.done:
                        raise Damaged(_stopped(file.name, cut, "file"))
                    member = next(members, None)
                    if member is None:
                        return
                    self._inside = partial(int, member.read)
                    if member_number >= first:
                        name = f"{file.name}:{member.name}"
                        yield from self._unit(name, (number, member_number), self._member(name, member))
                    self._watch.at(number, 0, member_number)
            except Damaged as error:
                self._at = (number + 1, 0, 0)
                yield Record(sound(file.name), 1, None, str(error))

    def _member(self, name: str, member: Member) -> Generator[Record]:
        if member.data is None:
            return _problem(name, member.problem or f"larger than {LARGEST_MEMBER >> 20} MiB; unpack it first")
        found = _Records(name)
        how = self._parsing._asdict() | {"mapped": self._watch.mapped}
        return found.records(read_all_bytes(member.data, name=name, report=found.report, **how))

    def _unit(self, name: str, unit: tuple[int, int], records: Generator[Record]) -> Iterator[Record]:
        """The records of a file or member that come after the start, up to where it was cut."""
        cut = self._cuts.get(unit)
        before = self._start.done if unit == self._start[:2] else 0
        done = 0
        with closing(records):
            while cut is None or done < cut.done:
                self._watch.at(*unit, done)
                record = next(records, None)
                if record is None:
                    return
                done += 1
                if done > before:
                    self._at = (*unit, done)
                    yield record
            self._inside = partial(int, self._inside())  # the file is closed
        if cut.done >= before:
            self._at = (*unit, done + 1)
            yield Record(sound(name), done + 1, None, _stopped(name, cut, "record"))


def _ignore(fields: Fields) -> None:
    """Nobody asked."""


def _problem(name: str, why: str) -> Generator[Record]:
    """The only record of what cannot be opened."""
    yield Record(sound(name), 1, None, f"{name}: {why}")


def _stopped(name: str, cut: Cut, kind: str) -> str:
    """Say why there is no more of a file that was cut."""
    after = f" after {cut.done:,} {kind}{'' if cut.done == 1 else 's'}" if cut.done else ""
    return f"{name}: reading it failed{after}: {cut.reason}"


class _Records:
    """The records of one file, good and bad, in order."""

    def __init__(self, name: str) -> None:
        self.name, self.number = sound(name), 0
        self._bad: list[str] = []

    def report(self, error: InputError) -> None:
        self._bad.append(str(error))

    def records(self, documents: Iterator[Document]) -> Generator[Record]:
        try:
            for document in documents:
                yield from self._reported()
                self.number += 1
                yield Record(self.name, self.number, _sound(document))
        except InputError as error:  # the rest of the file cannot be read
            self.report(error)
        except (MemoryError, OSError, PhrasemillError):
            raise
        except Exception as error:  # a reader that fails on what it did not expect
            self._bad.append(f"{self.name}: {type(error).__name__}: {one_line(str(error))}")
        yield from self._reported()

    def _reported(self) -> Iterator[Record]:
        for why in self._bad:
            self.number += 1
            yield Record(self.name, self.number, None, why)
        self._bad.clear()


def _sound(document: Document) -> Document:
    """Only what travels; an id that no file could hold is mended."""
    return Document(sound(document.id), sound(document.text), sound(document.title), document.language)


def _watched(file: File, watch: Watch) -> BufferedReader:
    """The bytes of a file, with a report of progress each time that some are read."""
    return BufferedReader(_Progress(opened(file), watch), SNIFFED)


class _Progress(RawIOBase):
    def __init__(self, file: BinaryIO, watch: Watch) -> None:
        self._file, self._watch = file, watch

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._file.seekable()

    def readinto(self, buffer: Any, /) -> int:
        read: int = self._file.readinto(buffer)  # type: ignore[attr-defined]
        self._watch.progress()
        return read

    def seek(self, offset: int, whence: int = 0, /) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def close(self) -> None:
        self._file.close()
        super().close()
