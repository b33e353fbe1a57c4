"""How long one large set takes, and how that grows: the whole of `extract_set`, in one process.

    python lab/benchmarks/sets_scale.py --data DIR

DIR holds keywords/train-00.jsonl.xz, or whatever --pattern names: JSON Lines of title and text. Prints seconds, peak
memory and documents per second for sets of growing size; the last column is the time per document over that in the
smallest set, which stays near 1 where cost grows linearly.
"""

import argparse
import json
from pathlib import Path

import phrasemill as pm
from phrasemill.sets import SetKeyphrase
from phrasemill_lab.bench.corpora import all_records
from phrasemill_lab.bench.scripts import MarkdownRows, fresh, numbers, parser, seconds_of, usage, write_figures


def one(data: Path, pattern: str, count: int, method: str) -> None:
    """Measure one size, in a process of its own, so that peak memory is that of this size."""
    records = all_records(data, pattern, count)
    texts = [pm.Document(str(i), record["text"], record.get("title", "")) for i, record in enumerate(records)]
    before = usage().own_megabytes
    found: list[SetKeyphrase] = []
    seconds = seconds_of(lambda: found.extend(pm.extract_set(texts, method=method, top=20)))
    print(json.dumps([len(texts), seconds, before, usage().own_megabytes, [phrase.text for phrase in found[:5]]]))


def main() -> None:
    options = parser(__doc__, pattern="keywords/train-0*.jsonl.xz")
    options.add_argument("--method", default="consensus")
    options.add_argument("--sizes", type=numbers, default=[1000, 2500, 5000, 10000, 20000])
    options.add_argument("--one", type=int, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.one is not None:
        one(given.data, given.pattern, given.one, given.method)
        return
    header = "documents, seconds, documents/s, MB with the texts, MB at the peak, time per document"
    rows = MarkdownRows(*header.split(", "), name="growth")
    first = None
    for size in given.sizes:
        shared = ("--data", given.data, "--pattern", given.pattern, "--method", given.method)
        count, seconds, before, peak, phrases = fresh(__file__, *shared, "--one", size)
        first = first or seconds / count
        rates = (f"{seconds:.1f}", f"{count / seconds:,.0f}")
        rows.add(f"{count:,}", *rates, f"{before:.0f}", f"{peak:.0f}", f"{seconds / count / first:.2f}")
    print(f"\nThe best of the last: {', '.join(phrases)}")
    write_figures(given.figures)


if __name__ == "__main__":
    main()
