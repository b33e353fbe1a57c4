"""How fast `phrasemill run` is on this machine, what it costs beside a bare loop, and how much memory it takes.

    python benchmarks/engine_speed.py --data DIR
    python benchmarks/engine_speed.py --data DIR --memory 100000,1000000

DIR holds keywords/train-00.jsonl.xz: JSON Lines of title and text. Documents are made up by recombining sentences of
those records, so that a corpus of any size has the lengths and words of real abstracts. Figures are the best of several
rounds, in each of which the bare loop and the runs take turns, each in a process of its own: whatever else the machine
does only ever makes things slower. With --memory it prints instead, for corpora of these sizes, rate and peak memory,
and counts every id.
"""

import argparse
import json
import lzma
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from phrasemill import engine, extract
from phrasemill.readers import read_all

SENTENCE = re.compile(r"(?<=[.!?]) +(?=[A-Z])")
SOURCES = 20_000  # records whose sentences are recombined


def sentences(data: Path) -> tuple[list[str], list[list[str]]]:
    """Titles, and texts in sentences."""
    titles, texts = [], []
    with lzma.open(data / "keywords" / "train-00.jsonl.xz", "rt", encoding="utf-8") as lines:
        for record in map(json.loads, islice(lines, SOURCES)):
            titles.append(record["title"])
            texts.append(SENTENCE.split(record["text"]))
    return titles, texts


def write_corpus(data: Path, path: Path, count: int) -> None:
    """Texts with as many sentences as a real one has, each from another; ids s0, s1 …"""
    titles, texts = sentences(data)
    every = [sentence for text in texts for sentence in text]
    chance = random.Random(10)
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            text = " ".join(chance.choices(every, k=len(chance.choice(texts))))
            record = {"id": f"s{number}", "title": chance.choice(titles), "text": text}
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


def bare(corpus: Path) -> None:
    """A loop of `extract` over documents that are in memory."""
    documents = list(read_all(corpus))
    for document in documents[:200]:
        extract(document)
    start, used = time.perf_counter(), time.process_time()
    for document in documents:
        extract(document)
    print(json.dumps([len(documents), time.perf_counter() - start, time.process_time() - used, 0, 0]))


def engine_run(corpus: Path, output: Path, jobs: int, kind: str) -> None:
    """A run; times are without the start of Python, but with that of the workers."""
    start = time.perf_counter()
    engine.run(corpus, output, jobs=jobs, engine=kind)
    seconds = time.perf_counter() - start
    ours, workers = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = ours.ru_utime + ours.ru_stime + workers.ru_utime + workers.ru_stime
    manifest = json.loads((output / "manifest.json").read_text(encoding="utf-8"))
    count = manifest["counts"]["documents"]
    print(json.dumps([count, seconds, cpu, ours.ru_maxrss / 1024, workers.ru_maxrss / 1024]))


def apart(*arguments: object) -> list[float]:
    """One measurement, in a process of its own."""
    command = [sys.executable, __file__, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    found: list[float] = json.loads(done.stdout.splitlines()[-1])
    return found


def speed(corpus: Path, folder: Path, rounds: int, jobs: list[int]) -> None:
    seconds: dict[str, list[float]] = {}
    cpu: dict[str, list[float]] = {}
    count = 0.0
    for number in range(rounds):
        for name in ("loop", *map(str, jobs)):
            arguments = [corpus] if name == "loop" else [corpus, folder / f"{number}-{name}", name, "local"]
            count, wall, used, *_ = apart("bare" if name == "loop" else "run", *arguments)
            seconds.setdefault(name, []).append(wall)
            cpu.setdefault(name, []).append(used)
    rate = {name: count / min(values) for name, values in seconds.items()}
    work = {name: min(values) for name, values in cpu.items()}
    print(f"{count:,.0f} documents, the best of {rounds} rounds\n")
    print("| | documents a second | beside the loop | processor time beside the loop | share of 1 process a process |")
    print("|---|---|---|---|---|")
    for name in rate:
        label = "bare loop" if name == "loop" else f"run, {name} process{'' if name == '1' else 'es'}"
        share = "" if name == "loop" else f"{100 * rate[name] / int(name) / rate['1']:.0f} %"
        beside = f"{rate[name] / rate['loop']:.2f} | {work[name] / work['loop']:.2f}"
        print(f"| {label} | {rate[name]:,.0f} | {beside} | {share} |")


def accounted_for(output: Path, count: int) -> str:
    """Whether every id is in the parts or among the failures, once."""
    from pyarrow import parquet

    seen = bytearray(count)
    for id_ in _ids(output):
        seen[int(id_[1:])] += 1
    rows = sum(parquet.read_metadata(path).num_rows for path in output.glob("part-*.parquet"))
    missing, twice = seen.count(0), sum(1 for times in seen if times > 1)
    return f"{rows:,} rows, {missing} ids missing, {twice} twice"


def _ids(output: Path) -> Iterator[str]:
    from pyarrow import parquet

    for path in [*sorted(output.glob("part-*.parquet")), output / "failures.parquet"]:
        yield from parquet.read_table(path, columns=["id"])["id"].to_pylist()


def memory(data: Path, folder: Path, sizes: list[int], jobs: int, kind: str) -> None:
    print("| documents | MB of input | seconds | documents a second | MB, main process | MB, a worker | ids |")
    print("|---|---|---|---|---|---|---|")
    for size in sizes:
        corpus, output = folder / f"{size}.jsonl", folder / f"{size}-out-{kind}"
        if not corpus.exists():
            write_corpus(data, corpus, size)
        count, seconds, _, ours, worker = apart("run", corpus, output, jobs, kind)
        numbers = f"{corpus.stat().st_size / 1e6:,.0f} | {seconds:,.1f} | {count / seconds:,.0f}"
        print(f"| {size:,} | {numbers} | {ours:,.0f} | {worker:,.0f} | {accounted_for(output, size)} |", flush=True)


def main() -> None:
    if sys.argv[1:2] == ["bare"]:
        bare(Path(sys.argv[2]))
        return
    if sys.argv[1:2] == ["run"]:
        engine_run(Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--jobs", default="1,2")
    parser.add_argument("--memory", help="sizes of corpora, such as 100000,1000000")
    parser.add_argument("--engine", default="local", help="for --memory: local or ray")
    parser.add_argument("--folder", type=Path, help="where corpora and results go, and stay (default: a temporary one)")
    options = parser.parse_args()
    jobs = [int(one) for one in options.jobs.split(",")]
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if options.memory:
            sizes = [int(one) for one in options.memory.split(",")]
            memory(options.data, folder, sizes, jobs[-1], options.engine)
            return
        corpus = folder / f"{options.documents}.jsonl"
        write_corpus(options.data, corpus, options.documents)
        speed(corpus, folder, options.rounds, jobs)


if __name__ == "__main__":
    main()
