"""Reading in a process of its own: a file that crashes or hangs its reader is one failure, and the run continues.

The reader is one chunk ahead. It writes its position to a page of memory that it shares with its parent. When it dies,
or takes longer than the time limit, another one continues after what was delivered; a file (or a member of an archive)
at which that happens again is cut there, and reading continues with the next one. If reading is slow, the records of a
chunk are delivered as they come, so that little has to be read again.
"""

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from mmap import mmap
from pathlib import Path
from struct import Struct
from tempfile import mkstemp
from typing import NamedTuple

from phrasemill.engine.chunks import Chunk, ChunkRecords, InputRecord, Plan, chunk_of
from phrasemill.engine.inputs import CorpusInputs
from phrasemill.engine.walk import Cut, Position, Walk, WalkObserver
from phrasemill.engine.work import patience
from phrasemill.errors import PhrasemillError
from phrasemill.readers import Fields, Mapped
from phrasemill.workers import Pool, alarm

PAGE = Struct("<?3q")  # whether there is a position, and the position
# The system may have killed the reader because memory was short, or it was stopped for longer than the time limit.
ATTEMPTS = 2
SPELL = 1.0  # seconds after which what has been read of a chunk is delivered


class ChunkRequest(NamedTuple):
    """A request for the chunk with this number, or the rest of it; `read` bytes of the inputs come before it.

    A reader that does not have its first records takes them from `held`, and continues at `start`.
    """

    number: int
    start: Position
    read: int
    cuts: tuple[Cut, ...]
    bare: bool
    held: tuple[InputRecord, ...] = ()


class ChunkReply(NamedTuple):
    """A chunk, or only some `records` of it, and where to continue; neither after the last chunk.

    `columns` are the mappings of fields that were found meanwhile.
    """

    end: Position
    read: int
    chunk: Chunk | None = None
    records: tuple[InputRecord, ...] = ()
    columns: tuple[Fields, ...] = ()


class ChunkReader:
    """Makes one chunk after the other; a request for any chunk but the next starts a new walk."""

    def __init__(self, corpus: CorpusInputs, plan: Plan, watch: WalkObserver | None = None) -> None:
        self._corpus, self._plan, self._watch = corpus, plan, watch or WalkObserver()
        self._number = -1
        self._walk: Walk
        self._records: Iterator[InputRecord]
        self._group: ChunkRecords

    def read(self, request: ChunkRequest) -> ChunkReply:
        if request.number != self._number:
            self._walk = self._corpus.walk(request.start, request.cuts, self._watch)
            self._records, self._group = self._walk.records(), ChunkRecords(self._plan, request.held)
            self._number = request.number
        group, before, end = self._group, len(self._group.records), time.monotonic() + SPELL
        for record in self._records:
            group.add(record)
            if group.full:
                break
            if time.monotonic() >= end:
                return ChunkReply(self._walk.position, self._walk.read, records=tuple(group.records[before:]))
        chunk = None
        if group.records:
            weight = self._walk.read - request.read
            chunk = chunk_of(request.number, group.records, weight=weight, bare=request.bare)
        self._number, self._group = request.number + 1, ChunkRecords(self._plan)
        return ChunkReply(self._walk.position, self._walk.read, chunk)


@dataclass(frozen=True, slots=True)
class ReadTask:
    """The task of the process that reads: `timeout` in seconds without progress, and the file of the shared
    `page`."""

    corpus: CorpusInputs
    plan: Plan
    timeout: float
    page: str

    def prepare(self) -> Callable[[ChunkRequest], ChunkReply]:
        watch = _Marks(self.page, self.timeout)
        reader = ChunkReader(self.corpus, self.plan, watch)

        def read(request: ChunkRequest) -> ChunkReply:
            try:
                return reader.read(request)._replace(columns=watch.new_columns())
            finally:
                watch.stop()

        return read


class _Marks(WalkObserver):
    """Writes each position to the shared page, and lets the system end this process after too long without progress."""

    def __init__(self, page: str, timeout: float) -> None:
        with Path(page).open("r+b") as file:
            self._page = mmap(file.fileno(), PAGE.size)
        self._timeout = timeout
        self._columns: list[Fields] = []
        super().__init__(self._columns.append)

    def at(self, file: int, member: int, done: int) -> None:
        PAGE.pack_into(self._page, 0, True, file, member, done)
        self.progress()

    def progress(self) -> None:
        if self._timeout:
            alarm(self._timeout)

    def new_columns(self) -> tuple[Fields, ...]:
        """Return the mappings of fields since the last call."""
        found = tuple(self._columns)
        self._columns.clear()
        return found

    def stop(self) -> None:
        if self._timeout:
            alarm(0.0)


class ReaderProcess:
    """The process that reads a corpus, and the chunks that it delivers.

    `cuts` are those of earlier sessions; `on_cut` is called with each new one, and the number of the first chunk that
    depends on it, before that is made. `mapped` is called with the fields of records that are read.
    """

    def __init__(
        self,
        corpus: CorpusInputs,
        plan: Plan,
        *,
        timeout: float,
        cuts: Iterable[Cut],
        on_cut: Callable[[int, Cut], None],
        mapped: Mapped | None = None,
    ) -> None:
        self._cuts, self._on_cut, self._mapped = [*cuts], on_cut, mapped or (lambda fields: None)
        self._deaths: Counter[tuple[int, int] | None] = Counter()  # since the last chunk, by file and member
        handle, self._name = mkstemp(prefix="phrasemill-")  # by name: not all systems let processes inherit a file
        os.ftruncate(handle, PAGE.size)
        self._page = mmap(handle, PAGE.size)
        os.close(handle)
        try:
            task = ReadTask(corpus, plan, timeout, self._name)
            self._pool = Pool(task, jobs=1, patience=patience(timeout), wait=False)
        except BaseException:
            self._forget_page()
            raise

    def chunks(self, bare: Callable[[int], bool]) -> Iterator[Chunk]:
        """Yield every chunk in turn; those whose number is `bare` come without their payload."""
        self._pool.ready()
        request = ChunkRequest(0, Position(), 0, tuple(self._cuts), bare(0))
        self._pool.give(0, request)
        while True:
            found = self._reply(request)
            if found.chunk is None:
                return
            number = found.chunk.number + 1
            request = ChunkRequest(number, found.end, found.read, self._cuts_from(found.end), bare(number))
            self._pool.give(number, request)
            yield found.chunk

    def close(self) -> None:
        self._pool.close()
        self._forget_page()

    def _forget_page(self) -> None:
        self._page.close()
        Path(self._name).unlink(missing_ok=True)

    def _cuts_from(self, position: Position) -> tuple[Cut, ...]:
        return tuple(cut for cut in self._cuts if cut.file >= position.file)

    def _reply(self, request: ChunkRequest) -> ChunkReply:
        """Return the chunk, however many replies and readers that takes."""
        held: list[InputRecord] = []
        while True:
            answer = self._pool.take()
            if answer.error is not None:
                raise answer.error
            if answer.lost:
                self._judge(request, answer.lost)
                again = request._replace(cuts=self._cuts_from(request.start), held=tuple(held))
                self._pool.give(request.number, again)
                continue
            self._deaths.clear()
            found: ChunkReply = answer.value
            for fields in found.columns:
                self._mapped(fields)
            if not found.records:
                return found
            held += found.records
            request = request._replace(start=found.end)
            self._pool.give(request.number, request)

    def _judge(self, request: ChunkRequest, why: str) -> None:
        """Decide what the reader died of: nothing yet, or a file that must be cut."""
        is_known, file, member, done = PAGE.unpack_from(self._page)
        PAGE.pack_into(self._page, 0, False, 0, 0, 0)
        unit = (file, member) if is_known else None
        self._deaths[unit] += 1
        if self._deaths[unit] < ATTEMPTS:
            return
        if unit is None or unit in [(cut.file, cut.member) for cut in self._cuts]:
            raise PhrasemillError(f"the inputs cannot be read: {why}")
        cut = Cut(file, member, max(done, _done_before(request.start, unit)), why)
        self._on_cut(request.number, cut)
        self._cuts.append(cut)


def _done_before(start: Position, unit: tuple[int, int]) -> int:
    """Return how much of a file or member was delivered before `start`."""
    if unit == start[:2]:
        return start.done
    return start.member if unit == (start.file, 0) else 0
