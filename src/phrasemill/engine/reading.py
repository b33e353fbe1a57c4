"""Reading in a process of its own: a file that crashes or hangs its reader costs one failure, not the run.

The reader makes one chunk ahead of whoever asks. It notes where it is in a page of memory that it shares with its
parent. When it dies, or takes longer than the time limit, a fresh one goes on from what was delivered; a file (or a
member of an archive) at which that happens again is cut there, and reading goes on with the next one. Where reading is
slow, the records of a chunk are delivered as they come, so that little has to be read again.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from mmap import mmap
from struct import Struct
from tempfile import TemporaryFile
from typing import NamedTuple

from phrasemill.engine.chunks import Chunk, Group, Plan, Record, chunk_of, pyarrow_module
from phrasemill.engine.inputs import Corpus
from phrasemill.engine.walk import Cut, Place, Walk, Watch
from phrasemill.engine.work import patience
from phrasemill.errors import PhrasemillError
from phrasemill.readers import Fields, Mapped
from phrasemill.workers import Pool, alarm

PAGE = Struct("<?3q")  # whether there is a place, and the place
# The system may have killed the reader because memory was short, or it was stopped for longer than the time limit.
ATTEMPTS = 2
SPELL = 1.0  # seconds after which what was read of a chunk is delivered


class Wanted(NamedTuple):
    """The chunk with this number, or the rest of it. `read` is how many bytes of the inputs come before it.

    Whoever does not have its first records yet takes them from `held`, and reads on from `start`.
    """

    number: int
    start: Place
    read: int
    cuts: tuple[Cut, ...]
    bare: bool
    held: tuple[Record, ...] = ()


class Delivery(NamedTuple):
    """A chunk, or only some `records` of it, and where to read on; neither after the last chunk.

    `columns` are mappings of fields that the reader met on its way.
    """

    end: Place
    read: int
    chunk: Chunk | None = None
    records: tuple[Record, ...] = ()
    columns: tuple[Fields, ...] = ()


class Reader:
    """Makes one chunk after the other; asked for another one than the next, it begins anew."""

    def __init__(self, corpus: Corpus, plan: Plan, watch: Watch | None = None) -> None:
        self._corpus, self._plan, self._watch = corpus, plan, watch or Watch()
        self._number = -1
        self._walk: Walk
        self._records: Iterator[Record]
        self._group: Group

    def read(self, wanted: Wanted) -> Delivery:
        if wanted.number != self._number:
            self._walk = self._corpus.walk(wanted.start, wanted.cuts, self._watch)
            self._records, self._group = self._walk.records(), Group(self._plan, wanted.held)
            self._number = wanted.number
        group, before, end = self._group, len(self._group.records), time.monotonic() + SPELL
        for record in self._records:
            group.add(record)
            if group.full:
                break
            if time.monotonic() >= end:
                return Delivery(self._walk.place, self._walk.read, records=tuple(group.records[before:]))
        chunk = None
        if group.records:
            weight = self._walk.read - wanted.read
            chunk = chunk_of(wanted.number, group.records, weight=weight, bare=wanted.bare)
        self._number, self._group = wanted.number + 1, Group(self._plan)
        return Delivery(self._walk.place, self._walk.read, chunk)


@dataclass(frozen=True, slots=True)
class Reading:
    """The task of the process that reads. `timeout` is in seconds without progress; places are noted in `page`."""

    corpus: Corpus
    plan: Plan
    timeout: float
    page: int

    def prepare(self) -> Callable[[Wanted], Delivery]:
        pyarrow_module()
        watch = _Marks(self.page, self.timeout)
        reader = Reader(self.corpus, self.plan, watch)

        def read(wanted: Wanted) -> Delivery:
            try:
                return reader.read(wanted)._replace(columns=watch.met())
            finally:
                watch.rest()

        return read


class _Marks(Watch):
    """Notes each place for the parent, and lets the system end this process when nothing happens for too long."""

    def __init__(self, page: int, timeout: float) -> None:
        self._page, self._timeout = mmap(page, PAGE.size), timeout
        self._columns: list[Fields] = []
        super().__init__(self._columns.append)

    def at(self, file: int, member: int, done: int) -> None:
        PAGE.pack_into(self._page, 0, True, file, member, done)
        self.progress()

    def progress(self) -> None:
        if self._timeout:
            alarm(self._timeout)

    def met(self) -> tuple[Fields, ...]:
        """Return the mappings of fields since the last call."""
        found = tuple(self._columns)
        self._columns.clear()
        return found

    def rest(self) -> None:
        if self._timeout:
            alarm(0.0)


class Source:
    """The chunks of a corpus, seen from the process that did not read them.

    `cuts` are those of earlier sessions; `on_cut` is called with each new one, and the number of the first chunk that
    depends on it, before that is made. `mapped` is called with the fields of records that are read.
    """

    def __init__(
        self,
        corpus: Corpus,
        plan: Plan,
        *,
        timeout: float,
        cuts: Iterable[Cut],
        on_cut: Callable[[int, Cut], None],
        mapped: Mapped | None = None,
    ) -> None:
        self._cuts, self._on_cut, self._mapped = [*cuts], on_cut, mapped or (lambda fields: None)
        self._deaths: Counter[tuple[int, int] | None] = Counter()  # since the last chunk, by file and member
        self._file = TemporaryFile()  # noqa: SIM115 - closed by `close`
        self._file.truncate(PAGE.size)
        self._page = mmap(self._file.fileno(), PAGE.size)
        task = Reading(corpus, plan, timeout, self._file.fileno())
        share = [self._file.fileno()]
        self._pool = Pool(task, jobs=1, patience=patience(timeout), share=share, wait=False)

    def chunks(self, bare: Callable[[int], bool]) -> Iterator[Chunk]:
        """Every chunk in turn; `bare` tells by its number whether one is wanted without its payload."""
        self._pool.ready()
        wanted = Wanted(0, Place(), 0, tuple(self._cuts), bare(0))
        self._pool.give(0, wanted)
        while True:
            found = self._delivered(wanted)
            if found.chunk is None:
                return
            number = found.chunk.number + 1
            wanted = Wanted(number, found.end, found.read, self._cuts_from(found.end), bare(number))
            self._pool.give(number, wanted)
            yield found.chunk

    def close(self) -> None:
        self._pool.close()
        self._page.close()
        self._file.close()

    def _cuts_from(self, place: Place) -> tuple[Cut, ...]:
        return tuple(cut for cut in self._cuts if cut.file >= place.file)

    def _delivered(self, wanted: Wanted) -> Delivery:
        """Return the chunk, however many deliveries and readers that takes."""
        held: list[Record] = []
        while True:
            answer = self._pool.take()
            if answer.error is not None:
                raise answer.error
            if answer.lost:
                self._judge(wanted, answer.lost)
                again = wanted._replace(cuts=self._cuts_from(wanted.start), held=tuple(held))
                self._pool.give(wanted.number, again)
                continue
            self._deaths.clear()
            found: Delivery = answer.value
            for fields in found.columns:
                self._mapped(fields)
            if not found.records:
                return found
            held += found.records
            wanted = wanted._replace(start=found.end)
            self._pool.give(wanted.number, wanted)

    def _judge(self, wanted: Wanted, why: str) -> None:
        """Find out what the reader died of: nothing yet, or a file that must be cut."""
        is_known, *place = PAGE.unpack_from(self._page)
        PAGE.pack_into(self._page, 0, False, 0, 0, 0)
        file, member, done = place
        unit = (file, member) if is_known else None
        self._deaths[unit] += 1
        if self._deaths[unit] < ATTEMPTS:
            return
        if unit is None or unit in [(cut.file, cut.member) for cut in self._cuts]:
            raise PhrasemillError(f"the inputs cannot be read: {why}")
        cut = Cut(file, member, max(done, _done_before(wanted.start, unit)), why)
        self._on_cut(wanted.number, cut)
        self._cuts.append(cut)


def _done_before(start: Place, unit: tuple[int, int]) -> int:
    """Return what was delivered of a file or member when reading goes on at `start`."""
    if unit == start[:2]:
        return start.done
    return start.member if unit == (start.file, 0) else 0
