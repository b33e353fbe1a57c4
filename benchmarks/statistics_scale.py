"""How fast document frequencies of large corpora are counted, and how much memory and disk that takes.

    python benchmarks/statistics_scale.py --data DIR
    python benchmarks/statistics_scale.py --data DIR --sizes 100000,1000000 --jobs 2

DIR holds keywords/train-*.jsonl.xz: JSON Lines of title and text. Documents are made up of halves of sentences from all
of those records: as long as real abstracts, and with new phrases where two halves meet, so that the number of distinct
phrases goes on growing as it does in a real corpus. Each count has its own process.
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
from pathlib import Path

from phrasemill.readers import read_all
from phrasemill.statistics.corpus import fit_frequencies

SENTENCE = re.compile(r"(?<=[.!?]) +(?=[A-Z])")


def halves(data: Path) -> tuple[list[str], list[str], list[int]]:
    """First and second halves of sentences, and how many sentences texts have."""
    first, second, lengths = [], [], []
    for path in sorted(data.glob("keywords/train-*.jsonl.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for record in map(json.loads, lines):
                sentences = [sentence.split() for sentence in SENTENCE.split(record["text"])]
                lengths.append(len(sentences))
                first += [" ".join(words[: len(words) // 2]) for words in sentences]
                second += [" ".join(words[len(words) // 2 :]) for words in sentences]
    return first, second, lengths


def write_corpus(data: Path, path: Path, size: int) -> None:
    first, second, lengths = halves(data)
    chance = random.Random(size)
    with path.open("w", encoding="utf-8") as file:
        for number in range(size):
            count = chance.choice(lengths)
            parts = zip(chance.choices(first, k=count), chance.choices(second, k=count), strict=True)
            text = " ".join(f"{one} {other}" for one, other in parts)
            file.write(json.dumps({"id": f"s{number}", "text": text}, ensure_ascii=False) + "\n")


def measure(corpus: Path, table: Path, jobs: int, least: int) -> None:
    """One count; prints what it took."""
    most = 0

    def watch(step: str, done: int, total: int) -> None:
        nonlocal most
        runs = [path for path in table.parent.glob(f".{table.name}-runs-*/*") if path.exists()]
        most = max(most, sum(path.stat().st_size for path in runs))

    start = time.perf_counter()
    found = fit_frequencies(read_all(corpus), table, jobs=jobs, least=least, progress=watch)
    seconds = time.perf_counter() - start
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    processor = sum(one.ru_utime + one.ru_stime for one in used)
    megabytes = [*(one.ru_maxrss / 1024 for one in used), most / 1e6, table.stat().st_size / 1e6]
    print(json.dumps([found.documents, len(found.counts), seconds, processor, *megabytes]))


def main() -> None:
    if sys.argv[1:2] == ["write"]:
        write_corpus(Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]))
        return
    if sys.argv[1:2] == ["measure"]:
        measure(Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5]))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sizes", default="100000")
    parser.add_argument("--jobs", default="1,2")
    parser.add_argument("--least", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where corpora and tables go, and stay (default: a temporary one)")
    options = parser.parse_args()
    sizes = [int(one) for one in options.sizes.split(",")]
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for size in sizes:
            if not (folder / f"{size}.jsonl").exists():
                apart("write", options.data, folder / f"{size}.jsonl", size)
        columns = "documents | processes | phrases | seconds | documents a second | a second of processor time"
        columns += " | MB, main process | MB, a worker | MB of runs | MB of the table"
        print(f"| {columns} |\n|{'---|' * 10}")
        for size in sizes:
            for jobs in options.jobs.split(","):
                table = folder / f"{size}-{jobs}.table"
                found = apart("measure", folder / f"{size}.jsonl", table, jobs, options.least)
                count, phrases, seconds, processor, *megabytes = found
                rates = [f"{count / seconds:,.0f}", f"{count / processor:,.0f}"]
                numbers = [f"{count:,}", jobs, f"{phrases:,}", f"{seconds:,.1f}", *rates]
                print("|", " | ".join([*numbers, *(f"{one:,.0f}" for one in megabytes)]), "|", flush=True)


def apart(*arguments: object) -> list[float]:
    """In a process of its own; peak memory is inherited, so this one must stay small."""
    done = subprocess.run([sys.executable, __file__, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    found: list[float] = json.loads(done.stdout or "[]")
    return found


if __name__ == "__main__":
    main()
