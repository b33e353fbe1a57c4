"""Writes the figures of `phrasemill methods` to data/method_facts.json: speeds and scores, with where each is from.

    phrasemill measure tools --data DIR --save
    phrasemill measure quality --datasets inspec_dev.jsonl,keywords_dev.jsonl --methods all -o RESULTS
    phrasemill measure facts --speeds lab/results/speed.csv --scores RESULTS/quality.csv

Speeds are those of the file of our methods that `measure tools` writes; a method without a row has none. Scores of
methods without a row stay as they are, with the run that they come from.
"""

import csv
import json
from pathlib import Path
from typing import Any

from phrasemill import __version__
from phrasemill.catalogue import FIGURES
from phrasemill.errors import ConfigError, DataError
from phrasemill.types import significant
from phrasemill_lab.results import MADE

DATASETS = {"indexers": "inspec_dev", "authors": "keywords_dev"}  # whose choice, and the names of the files
METRIC = "F1@10"
RATE = "abstracts, per s"


def write(speeds: Path | None, scores: Path | None, output: Path = FIGURES) -> int:
    if speeds is None and scores is None:
        raise ConfigError("name --speeds FILE, --scores FILE, or both")
    found: dict[str, Any] = json.loads(output.read_text(encoding="utf-8"))
    if scores is not None:
        found = _with_scores(found, _rows(scores))
    if speeds is not None:
        found = _with_speeds(found, _rows(speeds))
    output.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return 0


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    if not rows or not {"method", *MADE} <= set(rows[0]):
        raise DataError(f"{path}: not a file of phrasemill measure")
    return rows


def _with_speeds(before: dict[str, Any], rows: list[dict[str, str]]) -> dict[str, Any]:
    """Return the record with the speeds of the rows, and no others."""
    rates = {row["method"]: row.get(RATE, "") for row in rows}
    speeds = {name: float(rate) for name, rate in rates.items() if rate.replace(".", "", 1).isdigit()}
    if not speeds:
        raise DataError("no row has the speed of a method of ours; write them by phrasemill measure tools")
    methods = {name: {key: row[key] for key in row if key != "speed"} for name, row in before["methods"].items()}
    for name, speed in speeds.items():
        methods[name] = {"speed": int(speed) if speed >= 100 else speed} | methods.get(name, {})
    kept = {name: row for name, row in sorted(methods.items()) if row.keys() - {"run"}}
    used = {row["run"] for row in kept.values() if "run" in row}
    runs = {name: one for name, one in before["runs"].items() if name in used}
    return before | {"speed": {name: rows[0][name] for name in MADE}, "runs": runs, "methods": kept}


def _with_scores(before: dict[str, Any], rows: list[dict[str, str]]) -> dict[str, Any]:
    """Return the record with the scores of the rows, as those of their run; methods with parameters are left out."""
    methods = {name: dict(row) for name, row in before["methods"].items()}
    run: dict[str, Any] = {}
    for key, dataset in DATASETS.items():
        own = [row for row in rows if row.get("dataset") == dataset and row.get("metric") == METRIC]
        if not own:
            raise DataError(f"no {METRIC} on the dataset {dataset!r}")
        for row in own:
            if not row["method"].isidentifier():
                continue
            found = {key: round(significant(float(row["score"])), 1), "run": row["date"]}
            methods[row["method"]] = methods.get(row["method"], {}) | found
            run |= {"version": __version__, "command": [row["command"]], "machine": row["machine"]}
            run |= {"date": row["date"], key: {"data": dataset, "signature": row["signature"]}}
    used = {row["run"] for row in methods.values() if "run" in row}
    runs = {name: one for name, one in (before["runs"] | {run.pop("date"): run}).items() if name in used}
    return before | {"runs": runs, "methods": dict(sorted(methods.items()))}
