"""How large corpora are worked through: `phrasemill run`, statistics of a corpus, one text of many distinct words.

Corpora are made up of the sentences of keywords/train-*.jsonl.xz, so that one of any size has the lengths and words of
real abstracts. Everything runs in processes of its own, whose time and memory are printed.
"""

import json
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from phrasemill import engine, extract
from phrasemill.errors import ConfigError
from phrasemill.readers import read_all
from phrasemill.registry import split_specs
from phrasemill.statistics.corpus import fit_frequencies
from phrasemill_lab.measure import Report, Row, table
from phrasemill_lab.measure.corpora import write_halves, write_recombined
from phrasemill_lab.measure.fresh import fresh, most_resident, numbers, peak_megabytes, processor_seconds

LOOP = "a loop of extract"
RAY = "ray"


def measure(
    what: str, data: Path, methods: Sequence[str], sizes: str | None, jobs: str, rounds: int, kind: str
) -> Report:
    """Measure `engine`, `statistics` or `words`; `sizes` and `jobs` are numbers with commas between them."""
    usual = {"engine": "20000", "statistics": "100000", "words": "10000,100000,1000000"}
    if what not in usual:
        raise ConfigError(f"unknown {what!r}; choose from {', '.join(usual)}, service")
    counts = numbers(sizes or usual[what], "--sizes")
    if what == "words":
        return _words([spec for one in methods for spec in split_specs(one)], counts)
    with tempfile.TemporaryDirectory() as folder:
        several = numbers(jobs, "--jobs")
        if what == "statistics":
            return _statistics(data, Path(folder), counts, several)
        return _engine(data, Path(folder), counts, several, rounds, kind)


def _engine(data: Path, folder: Path, sizes: Sequence[int], jobs: Sequence[int], rounds: int, kind: str) -> Report:
    """Runs, Parquet to Parquet, beside a loop over documents in memory; they take turns, and every id is counted."""
    rows: list[Row] = []
    for size in sizes:
        corpus = folder / f"{size}.parquet"
        fresh(_write, "recombined", data, corpus, size)
        works: dict[str, Callable[[], list[float]]] = {LOOP: lambda corpus=corpus: fresh(loop_of, corpus)}  # type: ignore[misc]
        kinds = dict.fromkeys(["local", kind])
        for one, processes in [(one, processes) for one in kinds for processes in jobs]:
            works[f"run, {processes} processes{', ray' * (one == RAY)}"] = _run_work(corpus, folder, processes, one)
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


def _run_work(corpus: Path, folder: Path, processes: int, kind: str) -> Callable[[], list[float]]:
    def work() -> list[float]:
        with tempfile.TemporaryDirectory(dir=folder) as output:
            found: list[float] = fresh(run_of, corpus, Path(output, "out"), processes, kind, all_cores=True)
            return found

    return work


def loop_of(corpus: str) -> list[float]:
    """Extract from documents that are in memory."""
    documents = list(read_all(corpus))
    for document in documents[:200]:
        extract(document)
    start, used = time.perf_counter(), time.process_time()
    for document in documents:
        extract(document)
    return [time.perf_counter() - start, time.process_time() - used, peak_megabytes(), 0, 0]


def run_of(corpus: str, output: str, jobs: int, kind: str) -> list[float]:
    """Run a corpus; times are without the start of Python, but with that of the workers."""
    start = time.perf_counter()
    engine.run(corpus, output, jobs=jobs, engine=kind)
    seconds = time.perf_counter() - start
    used = [processor_seconds(), peak_megabytes(), most_resident(children=True)]
    manifest = json.loads(Path(output, "manifest.json").read_text(encoding="utf-8"))
    seen = bytearray(manifest["counts"]["documents"])
    for id_ in _ids(Path(output)):
        seen[int(id_[1:])] += 1
    return [seconds, *used, sum(1 for times in seen if times != 1)]


def _ids(output: Path) -> Iterator[str]:
    from pyarrow import parquet

    for path in [*sorted(output.glob("part-*.parquet")), output / "failures.parquet"]:
        yield from parquet.read_table(path, columns=["id"])["id"].to_pylist()


def _write(shape: str, data: str, path: str, count: int) -> None:
    {"recombined": write_recombined, "halves": write_halves}[shape](Path(data), Path(path), count)


def _statistics(data: Path, folder: Path, sizes: Sequence[int], jobs: Sequence[int]) -> Report:
    """Document frequencies of texts whose distinct phrases keep growing in number, as those of a real corpus do."""
    rows: list[Row] = []
    for size in sizes:
        corpus = folder / f"{size}.jsonl"
        fresh(_write, "halves", data, corpus, size)
        for processes in jobs:
            made = fresh(frequencies_of, corpus, folder / f"{size}-{processes}.table", processes, all_cores=True)
            phrases, seconds, processor, own, worker, disk, result = made
            row: Row = {"documents": size, "processes": processes, "phrases": phrases, "seconds": seconds}
            row |= {"per_s": size / seconds, "per_s_of_processor": size / processor, "memory_mb": own}
            rows.append(row | {"memory_of_a_worker_mb": worker, "disk_mb": disk, "table_mb": result})
    return Report("statistics", rows, [table("Document frequencies of a corpus", rows)])


def frequencies_of(corpus: str, table: str, jobs: int) -> list[float]:
    """Count; return the phrases, seconds, and megabytes of memory, of the files meanwhile and of the table."""
    path, most = Path(table), 0

    def watch(step: str, done: int, total: int) -> None:
        nonlocal most
        runs = [one for one in path.parent.glob(f".{path.name}-runs-*/*") if one.exists()]
        most = max(most, sum(one.stat().st_size for one in runs))

    start = time.perf_counter()
    found = fit_frequencies(read_all(corpus), path, jobs=jobs, least=1, progress=watch)
    seconds = time.perf_counter() - start
    used = [processor_seconds(), peak_megabytes(), most_resident(children=True)]
    return [len(found.counts), seconds, *used, most / 1e6, path.stat().st_size / 1e6]


def _words(specs: Sequence[str], sizes: Sequence[int]) -> Report:
    """One text in which no word occurs twice, and nearly every run of up to five of them is a candidate: the most that
    a text of this length can take."""
    rows: list[Row] = []
    for spec in specs:
        for size in sizes:
            megabytes, seconds, peak = fresh(distinct_of, spec, size)
            row: Row = {"method": spec, "words": size, "text_mb": megabytes, "seconds": seconds, "memory_mb": peak}
            rows.append(row)
    return Report("distinct-words", rows, [table("One text of distinct words, processor seconds", rows)])


def distinct_of(spec: str, size: int) -> list[float]:
    text = " ".join(map("w{}".format, range(size)))
    begun = time.process_time()
    extract(text, method=spec)
    return [len(text) / 1e6, time.process_time() - begun, peak_megabytes()]
