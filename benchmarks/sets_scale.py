"""How long one large set takes, and how that grows: the whole of `extract_set`, in one process.

    python benchmarks/sets_scale.py --data DIR

DIR holds keywords/train-00.jsonl.xz, or whatever --pattern names: JSON Lines of title and text. Prints seconds, peak
memory and documents a second for sets of growing size; the last column is the time for a document against that in the
smallest set, which stays near 1 where cost grows linearly.
"""

import argparse
import gzip
import json
import lzma
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import phrasemill as pm

OPEN: dict[str, Any] = {".gz": gzip.open, ".xz": lzma.open}


def documents(data: Path, pattern: str) -> Iterator[pm.Document]:
    for path in sorted(data.glob(pattern)):
        with OPEN.get(path.suffix, open)(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines):
                record = json.loads(line)
                yield pm.Document(f"{path.name}:{number}", record["text"], record.get("title", ""))


def one(data: Path, pattern: str, count: int, method: str) -> None:
    """Measured in a process of its own, so that peak memory is that of one size."""
    texts = list(islice(documents(data, pattern), count))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    found = pm.extract_set(texts, method=method, top=20)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps([len(texts), seconds, before / 1024, peak / 1024, [phrase.text for phrase in found[:5]]]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--pattern", default="keywords/train-0*.jsonl.xz")
    parser.add_argument("--method", default="consensus")
    parser.add_argument("--sizes", default="1000,2500,5000,10000,20000")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one is not None:
        one(options.data, options.pattern, options.one, options.method)
        return
    print("| documents | seconds | documents a second | MB with the texts | MB at the peak | time for a document |")
    print("|---|---|---|---|---|---|")
    first = None
    for size in map(int, options.sizes.split(",")):
        arguments = [sys.executable, __file__, "--data", str(options.data), "--pattern", options.pattern]
        arguments += ["--method", options.method, "--one", str(size)]
        done = subprocess.run(arguments, capture_output=True, text=True, check=True)
        count, seconds, before, peak, phrases = json.loads(done.stdout)
        first = first or seconds / count
        rate = seconds / count / first
        print(
            f"| {count:,} | {seconds:.1f} | {count / seconds:,.0f} | {before:.0f} | {peak:.0f} | {rate:.2f} |",
            flush=True,
        )
    print(f"\nThe best of the last: {', '.join(phrases)}")


if __name__ == "__main__":
    main()
