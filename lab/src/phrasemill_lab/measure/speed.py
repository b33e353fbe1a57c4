"""How fast methods are: start-up, texts per second, growth with the length of a text, threads; and builds in turns.

Processor time stands beside that of the clock: other work on the machine matters less to it. Where several builds are
named (folders to import from, with their kernels compiled), a process of each stays open, and they take turns, a part
of the texts each; of each part the fastest round counts. Ratios are to the first build.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import inf
from pathlib import Path

from phrasemill.errors import ConfigError, PhrasemillError
from phrasemill.extractor import Extractor, extract_batch
from phrasemill.specs import split_specs
from phrasemill_lab.measure import Report, Row, table, targets, verdict
from phrasemill_lab.measure.corpora import long_text, texts
from phrasemill_lab.measure.fresh import (
    EXAMPLE,
    PYTHON,
    OpenProcess,
    environment,
    first_keyphrase,
    first_line,
    fresh,
    peak_megabytes,
)

# It runs in every build, so it calls nothing but what all of them have.
WORK = """
import json, sys, time
import phrasemill
extractors = {}
def work(call, method, texts):
    if call == "batch":
        list(phrasemill.extract_batch(texts, method=method))
    elif call == "extractor":
        if method not in extractors:
            extractors[method] = phrasemill.Extractor(method, language="en")
        for text in texts:
            extractors[method].extract(text)
    else:
        for text in texts:
            phrasemill.extract(text, method=method)
parts = json.loads(sys.stdin.readline())
print(len(parts), flush=True)
for line in sys.stdin:
    call, method, part = json.loads(line)
    texts = ["Graph theory of large graphs."] if part is None else parts[part]
    wall, processor = time.perf_counter(), time.process_time()
    work(call, method, texts)
    taken = [time.process_time() - processor, time.perf_counter() - wall]
    print(json.dumps(taken), flush=True)
"""
# How texts are given, and which.
RATES = (
    ("extract", "titles"),
    ("extract", "abstracts"),
    ("extractor", "abstracts"),
    ("batch", "abstracts"),
    ("batch", "papers"),
)
METHODS = "learned,yake,textrank,tfidf,multipartiterank"
PARTS = 10
PAPERS = 10  # times as many abstracts as papers are read
SIZES = 6  # each twice as large
SEVERAL = 2  # megabytes up to which the best of three rounds counts
WORST = {
    "one word again and again": "groundwater ",
    "no spaces at all": "groundwater",
    "adjectives without a noun": "large new green ",
    "open brackets": "(",
    "full stops between letters": "a.B.",
    "apostrophes": "'s’",
    "words that are all different": "w{} ",
}
THREADS = 2
THIS = "this"

Pair = tuple[float, float]  # seconds of the processor, and of the clock


@dataclass(frozen=True, slots=True)
class Speed:
    """What to measure: `documents` abstracts and titles, and a tenth as many papers."""

    data: Path | None
    methods: Sequence[str]
    build: Sequence[str]
    documents: int
    largest: float
    rounds: int

    def reports(self, what: Sequence[str]) -> list[Report]:
        parts = {"start": self.start, "rate": self.rate, "growth": self.growth, "threads": self.threads}
        if wrong := [one for one in what if one not in parts]:
            raise ConfigError(f"unknown {wrong[0]!r}; choose from {', '.join(parts)}")
        if self.build and not {*what} <= {"start", "rate"}:
            raise ConfigError("--build is for start and rate")
        return [parts[name]() for name in what or (("start", "rate") if self.build else parts)]

    def specs(self) -> list[str]:
        return [spec for one in self.methods or [METHODS] for spec in split_specs(one)]

    def builds(self) -> dict[str, str]:
        """Return the folders by name; one that is none is an error."""
        found = {one.partition("=")[0]: one.partition("=")[2] or one for one in self.build} or {THIS: ""}
        for name, folder in found.items():
            if folder and not Path(folder, "phrasemill").is_dir():
                raise ConfigError(f"--build {name}={folder}: no package phrasemill in this folder")
        return {name: folder and str(Path(folder).resolve()) for name, folder in found.items()}

    def start(self) -> Report:
        """From the start of a process to the keyphrases of a page; builds and methods take turns."""
        builds = self.builds()
        works: dict[tuple[str, str], Callable[[], Pair]] = {}
        for name, folder in builds.items():
            works["python, nothing else", name] = partial(first_line, [*PYTHON, "-c", "print()"], folder)
            for spec in self.specs():
                works[spec, name] = partial(first_keyphrase, spec, folder=folder)
            command = [*PYTHON, "-m", "phrasemill", "extract", str(EXAMPLE), "--format", "json"]
            works["phrasemill extract", name] = partial(first_line, command, folder)
        best = dict.fromkeys(works, (inf, inf))
        for _, (key, work) in product(range(self.rounds), works.items()):
            best[key] = _least(best[key], work())
        rows: list[Row] = []
        for (what, build), (processor, wall) in best.items():
            row: Row = {"what": what, "build": build, "ms": 1000 * processor, "ms_by_the_clock": 1000 * wall}
            first = best[what, next(iter(builds))]
            rows.append(row | _beside("start", "start", what, build, builds, first, (processor, wall)))
        return _report("start", f"Start-up, the fastest of {self.rounds}", rows)

    def rate(self) -> Report:
        """Texts per second of each method."""
        builds, rows = self.builds(), list[Row]()
        for call, kind in RATES:
            some = texts(self.data, kind, max(1, self.documents // PAPERS) if kind == "papers" else self.documents)
            parts = [some[i::PARTS] for i in range(min(PARTS, len(some)))]
            for spec in self.specs():
                rows += self._turns(kind, call, spec, builds, parts)
        return _report("rate", f"Texts per second, the fastest of {self.rounds} rounds", rows)

    def _turns(
        self, kind: str, call: str, spec: str, builds: dict[str, str], parts: Sequence[Sequence[str]]
    ) -> list[Row]:
        """Return one row for each build; one that fails says why, and the others go on."""
        count = sum(map(len, parts))
        best: dict[str, list[Pair]] = {}
        failed: dict[str, str] = {}
        with ExitStack() as stack:
            command = [*PYTHON, "-c", WORK]
            workers = {
                name: stack.enter_context(OpenProcess(command, environment(folder))) for name, folder in builds.items()
            }
            for turn, (name, worker) in product(range(self.rounds + 1), workers.items()):
                if name in failed:
                    continue
                try:
                    if not turn:
                        worker.ask(parts)
                        worker.ask([call, spec, None])  # loads what is loaded once
                    found = [worker.ask([call, spec, part]) for part in range(len(parts))]
                except PhrasemillError as error:
                    failed[name] = str(error)
                    continue
                before = best.get(name, [(inf, inf)] * len(parts))
                best[name] = [_least(*pair) for pair in zip(before, found, strict=True)]
        sums = {name: tuple(map(sum, zip(*pairs, strict=True))) for name, pairs in best.items()}
        rows: list[Row] = []
        for name in builds:
            row: Row = {"method": spec, "texts": kind, "call": call, "build": name}
            row |= dict.fromkeys(("per_s", "per_s_by_the_clock", *BESIDE)) | {"failed": failed.get(name, "")}
            if name not in failed:
                processor, wall = sums[name]
                row |= {"per_s": count / processor, "per_s_by_the_clock": count / wall}
                row |= _beside(call, kind, spec, name, builds, sums.get(next(iter(builds))), (processor, wall))
            rows.append(row)
        return rows

    def growth(self) -> Report:
        """Seconds per megabyte of one document by its length, and of text that is made to be hard."""
        sizes = [self.largest / 2**i for i in reversed(range(SIZES))]
        rows: list[Row] = []
        for spec in self.specs():
            for what, piece in {"papers": "", **WORST}.items():
                some = sizes if not piece else [1.0, 2.0]
                found = fresh(growth_of, spec, self.data and str(self.data), piece, some)
                for size, (seconds, peak) in zip(some, found, strict=True):
                    row: Row = {"method": spec, "text": what, "megabytes": size, "seconds": seconds}
                    slower = seconds / size / (found[0][0] / some[0])
                    rows.append(row | {"times_as_long_per_megabyte": slower, "memory_mb": peak})
        return _report("growth", "One document: processor seconds by its length", rows)

    def threads(self) -> Report:
        """Threads and processes beside one thread, by the clock."""
        rows: list[Row] = []
        for kind, spec in product(("abstracts", "papers"), self.specs()):
            count = self.documents if kind == "abstracts" else max(2 * THREADS, self.documents // PAPERS)
            asked = (spec, self.data and str(self.data), kind, count, self.rounds)
            one, threads, processes = fresh(threads_of, *asked, all_cores=True)
            row: Row = {"method": spec, "texts": kind, "ms_per_text": 1000 * one / count}
            rows.append(row | {f"with_{THREADS}_threads": one / threads, f"with_{THREADS}_processes": one / processes})
        return _report("threads", f"Threads and processes: how many times as fast, fastest of {self.rounds}", rows)


BESIDE = ("ratio", "ratio_by_the_clock", "target", "verdict")


def _beside(
    part: str, kind: str, spec: str, build: str, builds: dict[str, str], first: Sequence[float] | None, own: Pair
) -> Row:
    """Return how many times as fast a build is as the first, and whether that is the target."""
    if build == next(iter(builds)) or first is None:
        return dict.fromkeys(BESIDE)
    ratio, clock = first[0] / own[0], first[1] / own[1]
    target = targets("speed").get(part, {}).get(kind, {}).get(spec)
    met = None if target is None else verdict(ratio, target)
    return dict(zip(BESIDE, (ratio, clock, target, met), strict=True))


def _report(name: str, title: str, rows: list[Row]) -> Report:
    return Report(f"speed-{name}", rows, [table(title, rows)], failed=any(row.get("failed") for row in rows))


def _least(one: Pair, other: Pair) -> Pair:
    return min(one[0], other[0]), min(one[1], other[1])


def growth_of(spec: str, data: str | None, piece: str, sizes: Sequence[float]) -> list[tuple[float, float]]:
    """Return processor seconds and peak memory for each size of one text, in megabytes."""
    extractor = Extractor(spec)
    extractor.extract(EXAMPLE.read_text(encoding="utf-8"))
    found, most = [], int(max(sizes) * 1e6)
    hard = "".join(map(piece.format, range(most // len(piece) + 1))) if piece else ""
    whole = hard or long_text(Path(data) if data else None, most)
    for size in sizes:
        text = whole[: int(size * 1e6)]
        times = []
        for _ in range(3 if size <= SEVERAL else 1):
            begun = time.process_time()
            extractor.extract(text)
            times.append(time.process_time() - begun)
        found.append((min(times), peak_megabytes()))
    return found


def threads_of(spec: str, data: str | None, kind: str, count: int, rounds: int) -> tuple[float, float, float]:
    """Return the seconds of the clock for the texts in one thread, in some threads, and in as many processes."""
    some = texts(Path(data) if data else None, kind, count)
    parts = [some[i :: 2 * THREADS] for i in range(2 * THREADS)]
    with ThreadPoolExecutor(THREADS) as threads, ProcessPoolExecutor(THREADS) as processes:
        spreads: list[Callable[..., Iterable[int]]] = [map, threads.map, processes.map]
        best = [inf] * len(spreads)
        for _, (number, spread) in product(range(rounds + 1), enumerate(spreads)):
            begun = time.perf_counter()
            list(spread(partial(_listed, spec), parts))
            best[number] = min(best[number], time.perf_counter() - begun)
    return best[0], best[1], best[2]


def _listed(spec: str, some: Sequence[str]) -> int:
    """Extract from all texts; how many phrases there are is all that a process sends back."""
    return sum(len(found) for found in extract_batch(some, method=spec, language="en"))
