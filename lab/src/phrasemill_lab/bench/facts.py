"""Write the figures of `phrasemill methods`: speeds from the bench, scores from the results of a benchmark.

    python -m phrasemill_lab.bench.facts --speed docs/figures/speed.json
    phrasemill bench --datasets inspec_dev.jsonl --datasets keywords_dev.jsonl --measure quality -o RESULTS
    python -m phrasemill_lab.bench.facts RESULTS --indexers inspec_dev --authors keywords_dev

Speeds are those of the table `ours` that benchmarks/peers/compare.py writes; a method without a row has none. Scores of
methods without a result stay as they are, with the run that they come from.
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
from phrasemill.registry import parse
from phrasemill_lab.bench.figures import Figures, read
from phrasemill_lab.bench.results import BenchResult, BenchScore, read_folder

METRIC = "F1@10"
TABLE, COLUMN = "ours", "abstracts, per s"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, nargs="?", help="the folder of phrasemill bench, for scores")
    parser.add_argument("--indexers", help="dataset with the choice of indexers")
    parser.add_argument("--authors", help="dataset with the choice of authors")
    parser.add_argument("--speed", type=Path, metavar="FILE", help="figures of benchmarks/peers/compare.py, for speeds")
    parser.add_argument("--output", type=Path, default=FILE, help="default: the file in the package")
    options = parser.parse_args(arguments)
    if options.results and not (options.indexers and options.authors):
        parser.error("RESULTS requires --indexers and --authors")
    if not options.results and not options.speed:
        parser.error("name RESULTS, --speed FILE, or both")
    found = json.loads(FILE.read_text(encoding="utf-8"))
    if options.results:
        results = [one for one in read_folder(options.results) if not one.failed and one.version == __version__]
        command = shlex.join(["python", "-m", "phrasemill_lab.bench.facts", *(arguments or sys.argv[1:])])
        date = datetime.now(UTC).date().isoformat()
        found = with_scores(found, results, options.indexers, options.authors, command, date)
    if options.speed:
        found = with_speeds(found, read(options.speed))
    options.output.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def with_speeds(before: dict[str, Any], run: Figures) -> dict[str, Any]:
    """Return the record `before` with the speeds of a run of the bench, and no others."""
    table = run.table(TABLE)
    column = table.column(COLUMN)
    speeds = {str(row[0]).strip("`"): row[column] for row in table.rows if isinstance(row[column], int | float)}
    methods = {name: {key: row[key] for key in row if key != "speed"} for name, row in before["methods"].items()}
    for name, speed in speeds.items():
        methods[name] = {"speed": speed} | methods.get(name, {})
    origin = {"command": run.command, "date": run.date, "machine": run.machine, "commit": run.commit}
    kept = {name: row for name, row in sorted(methods.items()) if row.keys() - {"run"}}
    used = {row["run"] for row in kept.values() if "run" in row}
    runs = {name: one for name, one in before["runs"].items() if name in used}
    return before | {"speed": origin, "runs": runs, "methods": kept}


def with_scores(
    before: dict[str, Any], results: Iterable[BenchResult], indexers: str, authors: str, command: str, date: str
) -> dict[str, Any]:
    """Return the record `before` with the scores of the results, as those of a run on `date`."""
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
            run["machine"] = result.machine
    used = {row["run"] for row in methods.values() if "run" in row}
    runs = {name: one for name, one in (before["runs"] | {date: run}).items() if name in used}
    return before | {"runs": runs, "methods": dict(sorted(methods.items()))}


def _quality(result: BenchResult) -> BenchScore | None:
    return next((one for one in result.quality or () if one.metric == METRIC), None)


if __name__ == "__main__":
    main()
