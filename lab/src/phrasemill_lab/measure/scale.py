"""How large corpora are worked through: `phrasemill run`, statistics of a corpus, one text of many distinct words.

Corpora are made up of halves of sentences of keywords/train-*.jsonl.xz, so that one of any size has the lengths and
words of real abstracts. Everything runs in processes of its own, whose time and memory are printed.
"""

import json
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from phrasemill import engine, extract
from phrasemill.errors import ConfigError
from phrasemill.readers import read_all
from phrasemill.statistics.corpus import fit_frequencies
from phrasemill_lab.measure import Report, Row, table
from phrasemill_lab.measure.corpora import write_corpus
from phrasemill_lab.measure.fresh import fresh, most_resident, numbers, peak_megabytes, processor_seconds

LOOP = "a loop of extract"


def measure(what: str, data: Path, sizes: str | None, jobs: str, rounds: int) -> Report:
    """Measure `engine`, `statistics` or `words`, or simulate many parts; `sizes` and `jobs` are numbers with commas
    between them."""
    usual = {"engine": "20000", "statistics": "100000", "words": "10000,100000,1000000"}
    usual["simulation"] = "10000,100000,1000000"
    if what not in usual:
        raise ConfigError(f"unknown {what!r}; choose from {', '.join(usual)}, service")
    counts = numbers(sizes or usual[what], "--sizes")
    if what == "simulation":
        from phrasemill_lab.measure import simulation  # needs fsspec

        return simulation.measure(counts)
    if what == "words":
        return _words(counts)
    several = numbers(jobs, "--jobs")
    with tempfile.TemporaryDirectory() as folder:
        if what == "statistics":
            return _statistics(data, Path(folder), counts, several)
        return _engine(data, Path(folder), counts, several, rounds)


def _engine(data: Path, folder: Path, sizes: Sequence[int], jobs: Sequence[int], rounds: int) -> Report:
    """Runs, whose parts are Parquet, beside a loop over documents in memory, in turns; every id is counted."""
    rows: list[Row] = []
    for size in sizes:
        corpus = folder / f"{size}.jsonl"
        fresh(write_corpus, data, corpus, size)
        works: dict[str, Callable[[], list[float]]] = {LOOP: partial(fresh, loop_of, corpus)}
        for processes in jobs:
            works[f"run, {processes} processes"] = partial(fresh, run_of, corpus, processes, all_cores=True)
        best: dict[str, list[float]] = {}
        for _ in range(rounds):
            for name, work in works.items():
                found = work()
                best[name] = min(best.get(name, found), found)  # by the clock
        for name, (seconds, processor, own, worker, wrong) in best.items():
            row: Row = {"documents": size, "what": name, "seconds": seconds, "per_s": size / seconds}
            row |= {"of_the_loop": best[LOOP][0] / seconds, "processor_of_the_loop": processor / best[LOOP][1]}
            memory = {"memory_mb": own, "memory_of_a_worker_mb": worker}
            rows.append(row | memory | {"ids_missing_or_double": int(wrong)})
    failed = any(row["ids_missing_or_double"] for row in rows)
    return Report("engine", rows, [table(f"A corpus, the fastest of {rounds} rounds", rows)], failed=failed)


def loop_of(corpus: str) -> list[float]:
    """Extract from documents that are in memory."""
    documents = list(read_all(corpus))
    for document in documents[:200]:
        extract(document)
    start, used = time.perf_counter(), time.process_time()
    for document in documents:
        extract(document)
    return [time.perf_counter() - start, time.process_time() - used, peak_megabytes(), 0, 0]


def run_of(corpus: str, jobs: int) -> list[float]:
    """Run a corpus; times are without the start of Python, but with that of the workers."""
    from pyarrow import parquet

    with tempfile.TemporaryDirectory(dir=Path(corpus).parent) as folder:
        output = Path(folder, "out")
        start = time.perf_counter()
        engine.run(corpus, output, jobs=jobs)
        seconds = time.perf_counter() - start
        used = [processor_seconds(), peak_megabytes(), most_resident(children=True)]
        seen = bytearray(json.loads((output / "manifest.json").read_text(encoding="utf-8"))["counts"]["documents"])
        for path in output.glob("part-*.parquet"):
            for name in parquet.read_table(path, columns=["id"])["id"].to_pylist():
                seen[int(name[1:])] += 1
    return [seconds, *used, sum(1 for times in seen if times != 1)]


def _statistics(data: Path, folder: Path, sizes: Sequence[int], jobs: Sequence[int]) -> Report:
    """Document frequencies of texts whose distinct phrases keep growing in number, as those of a real corpus do."""
    rows: list[Row] = []
    for size in sizes:
        corpus = folder / f"{size}.jsonl"
        fresh(write_corpus, data, corpus, size)
        for processes in jobs:
            made = fresh(frequencies_of, corpus, folder / f"{size}-{processes}.table", processes, all_cores=True)
            phrases, seconds, processor, own, worker, result = made
            row: Row = {"documents": size, "processes": processes, "phrases": phrases, "seconds": seconds}
            row |= {"per_s": size / seconds, "per_s_of_processor": size / processor, "memory_mb": own}
            rows.append(row | {"memory_of_a_worker_mb": worker, "table_mb": result})
    return Report("statistics", rows, [table("Document frequencies of a corpus", rows)])


def frequencies_of(corpus: str, table: str, jobs: int) -> list[float]:
    """Count; return the phrases, seconds, and megabytes of memory and of the table."""
    path = Path(table)
    start = time.perf_counter()
    found = fit_frequencies(read_all(corpus), path, jobs=jobs, least=1)
    seconds = time.perf_counter() - start
    used = [processor_seconds(), peak_megabytes(), most_resident(children=True)]
    return [len(found.counts), seconds, *used, path.stat().st_size / 1e6]


def _words(sizes: Sequence[int]) -> Report:
    """One text in which no word occurs twice, and nearly every run of up to five of them is a candidate: the most that
    a text of this length can take."""
    rows: list[Row] = []
    for size in sizes:
        megabytes, seconds, peak = fresh(distinct_of, size)
        rows.append({"words": size, "text_mb": megabytes, "processor_s": seconds, "memory_mb": peak})
    return Report("distinct-words", rows, [table("The default on one text of distinct words", rows)])


def distinct_of(size: int) -> list[float]:
    text = " ".join(map("w{}".format, range(size)))
    begun = time.process_time()
    extract(text)
    return [len(text) / 1e6, time.process_time() - begun, peak_megabytes()]
