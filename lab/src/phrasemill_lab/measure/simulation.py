"""Runs of a million parts, without their documents: the real plan, records, resuming and `verify` over a made-up store.

The store is an object store in memory (`simulated://`), and workers answer without extracting anything. Both take the
time that the constants below say, on a clock that only they advance. Workers are lost, writes are confirmed and lost,
and the run itself is killed; whoever started it starts it again. Then some parts of the complete run are lost or
damaged: `verify` must name just these, and the next session must make just these again.

What is measured for real is the processor time of this process, per part, which must not grow with their number.
"""

import json
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from pickle import loads
from typing import Any

from fsspec import AbstractFileSystem, register_implementation

from phrasemill import engine
from phrasemill.engine.chunks import Chunk, Plan
from phrasemill.engine.work import ChunkResult, ExtractionTask
from phrasemill.errors import InputError
from phrasemill_lab.measure import Report, Row, table

OUTPUT = "simulated://bucket/run"
# Seconds of the clock. A part of a thousand abstracts takes half a second of a core; the others are those of a store in
# the same region.
WORK, RESTART = 0.5, 10.0
PUT, GET, LIST, PAGE = 0.03, 0.02, 0.1, 1_000  # a listing has so many names per request
WORKERS = 16
STRAGGLERS, SLOWER = 0.01, 20  # this share of the parts takes so many times as long
LOST_WORKERS = 0.001  # per part
LOST_WRITES = 0.0001  # confirmed, but not there later
KILLS = 3  # of the run itself, after as many equal shares of it
SPOILT = 20  # parts of the complete run: half are lost, half damaged


class Killed(BaseException):
    """The process of the run ends here."""


class SimulatedStore(AbstractFileSystem):  # type: ignore[misc]
    """An object store in memory that loses writes, and counts what is asked of it."""

    protocol = "simulated"

    def __init__(self) -> None:
        super().__init__()
        self.folders: dict[str, dict[str, bytes]] = {}
        self.asked: Counter[str] = Counter()
        self.now = 0.0
        self.chance = random.Random(0)
        self.lose = 0.0  # the share of writes that are lost
        self.kill_after = 0  # writes until the run is killed; 0 for never
        self.lost = 0

    def ls(self, path: str, detail: bool = True, **options: Any) -> list[Any]:
        found = self._folder(path)
        self._pass("list", LIST * (1 + len(found) // PAGE))
        return [{"name": f"{path}/{name}", "size": len(data), "type": "file"} for name, data in found.items()]

    def cat_file(self, path: str, *args: Any, **options: Any) -> bytes:
        self._pass("get", GET)
        folder, _, name = path.rpartition("/")
        if (data := self._folder(folder).get(name)) is None:
            raise FileNotFoundError(path)
        return data

    def pipe_file(self, path: str, value: bytes, *args: Any, **options: Any) -> None:
        self._pass("put", PUT)
        if self.kill_after:
            self.kill_after -= 1
            if not self.kill_after:
                raise Killed
        folder, _, name = path.rpartition("/")
        if name.startswith("part-") and self.chance.random() < self.lose:
            self.lost += 1
        else:
            self.folders.setdefault(folder, {})[name] = value

    def rm(self, path: str, *args: Any, **options: Any) -> None:
        del self.folders[path]

    def makedirs(self, path: str, exist_ok: bool = False) -> None:
        pass

    def _folder(self, path: str) -> dict[str, bytes]:
        if path not in self.folders:
            raise FileNotFoundError(path)
        return self.folders[path]

    def _pass(self, what: str, seconds: float) -> None:
        self.asked[what] += 1
        self.now += seconds


class SimulatedWorkers:
    """The executor of a run: so many workers that answer after a while, in any order, or are lost."""

    def __init__(self, store: SimulatedStore) -> None:
        self._store = store
        self.lost = 0

    def __call__(self, task: ExtractionTask) -> "SimulatedWorkers":
        return self

    def results(self, chunks: Iterable[Chunk]) -> Generator[tuple[Chunk, ChunkResult]]:
        store, order, source = self._store, count(), iter(chunks)
        busy: list[tuple[float, int, Chunk, bool]] = []
        again: list[Chunk] = []
        while True:
            while len(busy) < WORKERS and (chunk := again.pop() if again else next(source, None)) is not None:
                seconds = WORK * (SLOWER if store.chance.random() < STRAGGLERS else 1)
                dies = store.chance.random() < LOST_WORKERS
                heappush(busy, (store.now + seconds + dies * RESTART, next(order), chunk, dies))
            if not busy:
                return
            moment, _, chunk, dies = heappop(busy)
            store.now = max(store.now, moment)
            if dies:
                self.lost += 1
                again.append(chunk)
            else:
                yield chunk, _answered(chunk)


def _answered(chunk: Chunk) -> ChunkResult:
    ids = tuple(one.id for one in loads(chunk.payload))
    lines = "".join(json.dumps({"id": id_, "keyphrases": []}) + "\n" for id_ in ids)
    return ChunkResult(lines.encode(), ids, ("",) * len(ids))


def measure(sizes: Sequence[int]) -> Report:
    """Run, kill, resume, verify, damage, verify and mend as many parts as each of the sizes."""
    register_implementation(SimulatedStore.protocol, SimulatedStore, clobber=True)
    rows = [_simulated(size) for size in sizes]
    notes = (
        f"{WORKERS} workers, {WORK} s per part; {PUT} s per write, {GET} s per read, {LIST} s per {PAGE:,} names; "
        f"lost: {LOST_WORKERS:.1%} of workers per part, {LOST_WRITES:.2%} of writes; {KILLS} kills",
        "hours are simulated; microseconds are real, of the processor of this process, per part",
    )
    tables = [table("A run of many parts on a simulated clock", rows, notes)]
    return Report("simulation", rows, tables, failed=any(row["missing_or_double"] or row["not_named"] for row in rows))


def _simulated(size: int) -> Row:
    SimulatedStore.clear_instance_cache()
    store = SimulatedStore()
    workers = SimulatedWorkers(store)
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder, "corpus.jsonl")
        with corpus.open("w", encoding="utf-8") as file:
            file.writelines(f'{{"id": "d{number}", "text": "wells"}}\n' for number in range(size))

        def session() -> engine.Summary:
            return engine.run(corpus, OUTPUT, format="jsonl", engine=workers, part=Plan(documents=1))

        row: Row = {"parts": size}
        store.lose = LOST_WRITES
        worked = 0
        for _ in range(KILLS):
            before, store.kill_after = store.asked["put"], 2 * size // (KILLS + 1)
            with suppress(Killed):
                session()
            worked += (store.asked["put"] - before) // 2
        store.kill_after = 0
        sessions = KILLS
        done = None
        while done is None:
            before = store.asked["put"]
            sessions += 1
            with suppress(InputError):  # a part that it wrote is gone: it is started again
                done = session()
            worked += (store.asked["put"] - before) // 2
        row |= {"sessions": sessions, "hours": store.now / 3600, "made": worked / size}
        row |= {"workers_lost": workers.lost, "writes_lost": store.lost}
        store.lose = 0.0
        intact, row["verify_us"], row["verify_reads"] = _timed(store, size, lambda: engine.verify(OUTPUT))
        while not intact.intact:  # writes that were lost at the end of the run
            session()
            intact = engine.verify(OUTPUT)
        _, row["nothing_to_do_us"], _ = _timed(store, size, session)
        spoilt = _spoil(store)
        found = engine.verify(OUTPUT)
        row["not_named"] = len({flaw.name for flaw in found.flaws} ^ spoilt)
        before = store.asked["put"]
        mended, row["mend_us"], row["mend_reads"] = _timed(store, size, session)
        row["mended"] = mended.worked
        assert engine.verify(OUTPUT).intact
        ids = Counter(id_ for id_ in _ids(store))
        row["missing_or_double"] = sum(ids[f"d{number}"] != 1 for number in range(size)) + len(ids) - size
    return row


def _timed(store: SimulatedStore, size: int, work: Callable[[], Any]) -> tuple[Any, float, float]:
    """Return what some work returns, its microseconds per part, and its reads per part."""
    begun, reads = time.process_time(), store.asked["get"]
    found = work()
    return found, (time.process_time() - begun) * 1e6 / size, (store.asked["get"] - reads) / size


def _spoil(store: SimulatedStore) -> set[str]:
    """Lose and damage some parts of a complete run; return their names."""
    folder = store.folders[OUTPUT.partition("://")[2]]
    names = store.chance.sample(sorted(name for name in folder if name.startswith("part-")), SPOILT)
    for number, name in enumerate(names):
        if number % 2:
            del folder[name]
        else:
            folder[name] = folder[name][:-2] + b" \n"
    return set(names)


def _ids(store: SimulatedStore) -> Iterator[str]:
    for name, data in store.folders[OUTPUT.partition("://")[2]].items():
        if name.startswith("part-"):
            yield from (json.loads(line)["id"] for line in data.splitlines())
