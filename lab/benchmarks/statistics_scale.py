"""How fast document frequencies of large corpora are counted, and how much memory and disk that takes.

    python lab/benchmarks/statistics_scale.py --data DIR
    python lab/benchmarks/statistics_scale.py --data DIR --sizes 100000,1000000 --jobs 2

DIR holds keywords/train-*.jsonl.xz: JSON Lines of title and text. Documents are made up of halves of sentences from all
of those records: as long as real abstracts, and with new phrases where two halves meet, so that the number of distinct
phrases keeps growing as it does in a real corpus. Each count has its own process.
"""

import json
import sys
import tempfile
import time
from pathlib import Path

from phrasemill.readers import read_all
from phrasemill.statistics.corpus import fit_frequencies
from phrasemill_lab.bench.corpora import write_halves
from phrasemill_lab.bench.scripts import MarkdownRows, fresh, numbers, parser, usage, write_figures

HEADER = (
    *("documents", "processes", "phrases", "seconds", "documents/s", "per second of processor time"),
    *("MB, main process", "MB, a worker", "MB of runs", "MB of the table"),
)


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
    processor, *megabytes = usage()
    megabytes += [most / 1e6, table.stat().st_size / 1e6]
    print(json.dumps([found.documents, len(found.counts), seconds, processor, *megabytes]))


def main() -> None:
    if sys.argv[1:2] == ["write"]:
        write_halves(Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]))
        return
    if sys.argv[1:2] == ["measure"]:
        measure(Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5]))
        return
    options = parser(__doc__)
    options.add_argument("--sizes", type=numbers, default=[100_000])
    options.add_argument("--jobs", type=numbers, default=[1, 2])
    options.add_argument("--least", type=int, default=1)
    options.add_argument("--folder", type=Path, help="where corpora and tables are kept (default: a temporary folder)")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for size in given.sizes:
            if not (folder / f"{size}.jsonl").exists():
                fresh(__file__, "write", given.data, folder / f"{size}.jsonl", size)
        rows = MarkdownRows(*HEADER, name="growth", keys=2)
        for size in given.sizes:
            for jobs in given.jobs:
                table = folder / f"{size}-{jobs}.table"
                found = fresh(__file__, "measure", folder / f"{size}.jsonl", table, jobs, given.least)
                count, phrases, seconds, processor, *megabytes = found
                rates = [f"{count / seconds:,.0f}", f"{count / processor:,.0f}"]
                shown = [f"{one:,.0f}" for one in megabytes]
                rows.add(f"{count:,}", jobs, f"{phrases:,}", f"{seconds:,.1f}", *rates, *shown)
    write_figures(given.figures)


if __name__ == "__main__":
    main()
