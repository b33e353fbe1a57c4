"""Write the figures of `phrasemill methods` from the results of a benchmark.

    phrasemill bench --datasets inspec_dev.jsonl --datasets keywords_dev.jsonl --measure quality,speed -o RESULTS
    python -m phrasemill.lab.bench.facts RESULTS --indexers inspec_dev --authors keywords_dev

Figures of methods without a result stay as they are, with the run that they come from.
"""

import argparse
import json
import shlex
import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from phrasemill import __version__
from phrasemill.errors import DataError
from phrasemill.facts import FILE
from phrasemill.lab.bench.results import BenchResult, BenchScore, read_folder
from phrasemill.registry import parse

METRIC = "F1@10"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, help="the folder of phrasemill bench")
    parser.add_argument("--indexers", required=True, help="dataset with the choice of indexers; speed is taken from it")
    parser.add_argument("--authors", required=True, help="dataset with the choice of authors")
    parser.add_argument("--output", type=Path, default=FILE, help="default: the file in the package")
    options = parser.parse_args(arguments)
    results = [one for one in read_folder(options.results) if not one.failed and one.version == __version__]
    before = json.loads(FILE.read_text(encoding="utf-8"))
    command = shlex.join(["python", "-m", "phrasemill.lab.bench.facts", *(arguments or sys.argv[1:])])
    found = updated(before, results, options.indexers, options.authors, command, datetime.now(UTC).date().isoformat())
    options.output.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def updated(
    before: dict[str, Any], results: Iterable[BenchResult], indexers: str, authors: str, command: str, date: str
) -> dict[str, Any]:
    """Return the record `before` with the figures of the results, as those of a run on `date`."""
    # The figures of a method are those of its defaults: what it scores with parameters, such as a style, is left out.
    by_dataset: dict[str, dict[str, BenchResult]] = {indexers: {}, authors: {}}
    for one in results:
        if one.dataset in by_dataset and one.spec == parse(one.spec).name:
            by_dataset[one.dataset][one.spec] = one
    for name, found in by_dataset.items():
        if not found:
            raise DataError(f"no results of this version on the dataset {name!r}")
    methods = {name: dict(row) for name, row in before["methods"].items()}
    run: dict[str, Any] = {"version": __version__, "command": [command]}
    for key, dataset in (("indexers", indexers), ("authors", authors)):
        for name, result in by_dataset[dataset].items():
            row = methods.setdefault(name, {})
            row["run"] = date
            quality = _quality(result)
            if quality is not None:
                row[key] = round(100 * quality.value, 1)
                run[key] = {"data": result.title, "digest": result.digest, "signature": quality.signature}
            if key == "indexers" and (speed := result.documents_a_second):
                row["speed"] = round(speed) if speed >= 1 else float(f"{speed:.1g}")
            run["machine"] = result.machine
    used = {row["run"] for row in methods.values()}
    runs = {name: one for name, one in (before["runs"] | {date: run}).items() if name in used}
    return before | {"runs": runs, "methods": dict(sorted(methods.items()))}


def _quality(result: BenchResult) -> BenchScore | None:
    return next((one for one in result.quality or () if one.metric == METRIC), None)


if __name__ == "__main__":
    main()
