"""A walk over the records of files and archives, which can begin and end in the middle.

A walk reports its position before each record, so that the process that started it (`reading.py`) can find out which
file ended the reader. Such a file, or member of an archive, is **cut**: the next walk reads no further in it.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from functools import partial
from io import BufferedReader, RawIOBase
from itertools import count
from typing import Any, BinaryIO, NamedTuple

from phrasemill.engine.chunks import RESUME, InputRecord, one_line
from phrasemill.engine.file_systems import opened, reason
from phrasemill.errors import InputError, PhrasemillError
from phrasemill.files.folders import Found
from phrasemill.files.streams import ENDINGS, SNIFFED
from phrasemill.readers import Mapped, read_all, read_all_bytes
from phrasemill.readers.archives import Damaged, Member, is_archive, members_of
from phrasemill.readers.sniffing import BY_EXTENSION
from phrasemill.text.tokenise import sound
from phrasemill.types import Document

# A file in an archive is read at once.
LARGEST_MEMBER = 256 << 20
SUFFIXES = tuple(f".{extension}{ending}" for extension in BY_EXTENSION for ending in ("", *ENDINGS))


class Position(NamedTuple):
    """A position in a walk. Files count from 0, members of an archive from 1; `member` 0 is the file itself.

    `done` counts what was read of it: records, or members of an archive.
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


class WalkObserver:
    """Receives the position of a walk, and, through `mapped`, the fields by which the records of a file are read."""

    def __init__(self, mapped: Mapped | None = None) -> None:
        self.mapped = mapped or (lambda fields: None)

    def at(self, file: int, member: int, done: int) -> None:
        """Called before whatever comes after this position is read."""

    def progress(self) -> None:
        """Called after some bytes were read."""


class Walk:
    """One pass over the records of `files`, from `start` on; `parsing` are the options of readers."""

    def __init__(
        self,
        files: Iterable[Found],
        parsing: Mapping[str, Any],
        *,
        start: Position,
        cuts: Iterable[Cut],
        watch: WalkObserver,
    ) -> None:
        self._files, self._parsing, self._start, self._watch = files, parsing, start, watch
        self._cuts = {(cut.file, cut.member): cut for cut in cuts}
        self._at: tuple[int, int, int] = self._start
        self._behind = 0  # bytes of whole files
        self._inside: Callable[[], int] = int  # of the one that is being read

    @property
    def position(self) -> Position:
        """The position after the last record."""
        return Position(*self._at)

    @property
    def read(self) -> int:
        """The number of bytes of the files that have been read."""
        return self._behind + self._inside()

    def records(self) -> Iterator[InputRecord]:
        """Yield every record after `start`; damage is a record with the reason."""
        for number, file in enumerate(self._files):
            if number >= self._start.file:
                try:
                    yield from self._file(file, number)
                except OSError as error:
                    raise InputError(f"{file.path}: {reason(error)}; {RESUME}") from error
            self._behind, self._inside = self._behind + file.size, int

    def _file(self, file: Found, number: int) -> Iterator[InputRecord]:
        if file.problem:
            return self._unit(file.path, (number, 0), _problem(file.path, file.problem))
        if is_archive(file.path) and self._parsing["format"] is None:
            return self._archive(file, number)
        return self._unit(file.path, (number, 0), self._plain(file))

    def _plain(self, file: Found) -> Generator[InputRecord]:
        with _watched(file, self._watch) as raw:
            self._inside = raw.tell
            yield from self._records(partial(read_all, raw), file.path)

    def _archive(self, file: Found, number: int) -> Iterator[InputRecord]:
        """Yield the records of all members; those before the start are skipped unread."""
        cut = self._cuts.get((number, 0))
        first = self._start.member if number == self._start.file else 0
        self._watch.at(number, 0, 0)
        with _watched(file, self._watch) as raw:
            members = members_of(raw, SUFFIXES, name=file.path, size=file.size, largest=LARGEST_MEMBER)
            try:
                for member_number in count(1):
                    if cut is not None and member_number > cut.done:
                        raise Damaged(_stopped(file.path, cut, "file"))
                    member = next(members, None)
                    if member is None:
                        return
                    self._inside = partial(int, member.read)
                    if member_number >= first:
                        name = f"{file.path}:{member.name}"
                        yield from self._unit(name, (number, member_number), self._member(name, member))
                    self._watch.at(number, 0, member_number)
            except Damaged as error:
                self._at = (number + 1, 0, 0)
                yield InputRecord(sound(file.path), 1, None, str(error))

    def _member(self, name: str, member: Member) -> Generator[InputRecord]:
        if member.data is None:
            return _problem(name, member.problem or f"larger than {LARGEST_MEMBER >> 20} MiB; unpack it first")
        return self._records(partial(read_all_bytes, member.data), name)

    def _unit(self, name: str, unit: tuple[int, int], records: Generator[InputRecord]) -> Iterator[InputRecord]:
        """Yield the records of a file or member after the start, up to where it was cut."""
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
            yield InputRecord(sound(name), done + 1, None, _stopped(name, cut, "record"))

    def _records(self, read: Callable[..., Iterator[Document]], name: str) -> Generator[InputRecord]:
        """Yield the records of one file, good and bad, in order."""
        bad: list[str] = []
        input_, numbers = sound(name), count(1)

        def reported() -> Iterator[InputRecord]:
            while bad:
                yield InputRecord(input_, next(numbers), None, bad.pop(0))

        def report(error: InputError) -> None:
            bad.append(str(error))

        try:
            for document in read(name=name, report=report, mapped=self._watch.mapped, **self._parsing):
                yield from reported()
                yield InputRecord(input_, next(numbers), _sound(document))
        except InputError as error:  # the rest of the file cannot be read
            report(error)
        except (MemoryError, OSError, PhrasemillError):
            raise
        except Exception as error:  # a reader that fails on what it did not expect
            bad.append(f"{input_}: {type(error).__name__}: {one_line(str(error))}")
        yield from reported()


def _problem(name: str, why: str) -> Generator[InputRecord]:
    """Yield the only record of a file that cannot be opened."""
    yield InputRecord(sound(name), 1, None, f"{name}: {why}")


def _stopped(name: str, cut: Cut, kind: str) -> str:
    """Return why there is no more of a file that was cut."""
    after = f" after {cut.done:,} {kind}{'' if cut.done == 1 else 's'}" if cut.done else ""
    return f"{name}: reading it failed{after}: {cut.reason}"


def _sound(document: Document) -> Document:
    """Return a document with only the fields that workers need, as text that can be encoded."""
    return Document(sound(document.id), sound(document.text), sound(document.title), document.language)


def _watched(file: Found, watch: WalkObserver) -> BufferedReader:
    """Open a file so that each read is reported as progress."""
    return BufferedReader(_Progress(opened(file), watch), SNIFFED)


class _Progress(RawIOBase):
    def __init__(self, file: BinaryIO, watch: WalkObserver) -> None:
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
