"""Print how good the defaults are on every kind of text, with default settings, with 95 % intervals and signatures.

    python -m phrasemill_lab.bench.defaults --data DIR -o RESULTS
    python -m phrasemill_lab.bench.defaults --data DIR -o RESULTS --methods learned --no-with-style

The first table has one row per dataset and metric, and per method a second column with the style of the dataset given.
The second compares them with our targets, the third has the everyday texts by kind. Results are kept in RESULTS, as
those of `phrasemill bench`, and an interrupted run is resumed.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from phrasemill.registry import split_specs
from phrasemill.tables import Table, as_markdown
from phrasemill_lab.bench import figures
from phrasemill_lab.bench.report import NOTHING, score_cell
from phrasemill_lab.bench.results import BenchResult
from phrasemill_lab.bench.runner import BenchRequest, run, styled
from phrasemill_lab.bench.tasks import EVERYDAY, GENRE, task

# The rows: a dataset, and the metrics that are shown.
ROWS = {
    "everyday": ("F1@5", "F1@10", "essential R@10"),
    "everyday-news": ("F1@10",),
    "duc2001": ("F1@5", "F1@10"),
    "inspec": ("F1@5", "F1@10"),
    "kp20k": ("F1@5",),
    "semeval2010": ("F1@15",),
    "pubmedake": ("F1@5",),
    "mkduc01": ("F1@20",),
}
# What we aim at, in per cent, with default settings.
TARGETS = {
    "learned": {
        "everyday": {"F1@5": 47, "F1@10": 54, "essential R@10": 74},
        "everyday-news": {"F1@10": 52},
        "duc2001": {"F1@5": 27, "F1@10": 31},
        "inspec": {"F1@5": 40, "F1@10": 46},
        "kp20k": {"F1@5": 34},
        "semeval2010": {"F1@15": 31},
        "pubmedake": {"F1@5": 46},
        "mkduc01": {"F1@20": 33},
    },
    "encoder": {
        "everyday": {"F1@5": 52, "F1@10": 60, "essential R@10": 80},
        "everyday-news": {"F1@10": 57},
        "duc2001": {"F1@5": 32, "F1@10": 36},
        "inspec": {"F1@5": 43, "F1@10": 49},
        "kp20k": {"F1@5": 38},
        "semeval2010": {"F1@15": 34},
        "pubmedake": {"F1@5": 51},
        "mkduc01": {"F1@20": 34},
    },
}
METHODS = "learned,encoder"
SETS = {"learned": "consensus", "encoder": "consensus(by='encoder')"}  # what extracts from sets by a method
BY_KIND = "F1@10"
KEYS = {"overall": 2, "targets": 2, "kinds": 1}  # how many columns name a row
LIMIT = 3600.0  # seconds for one method on one dataset
Found = Mapping[tuple[str, str], BenchResult]


def overall(results: Found, methods: Sequence[str], datasets: Sequence[str], *, with_style: bool) -> Table:
    """Return one row per dataset and metric; two columns per method where styles are given, too."""
    header = ["texts", "metric", "documents"]
    for method in methods:
        header += [f"`{method}`", f"`{method}`, style given"] if with_style else [f"`{method}`"]
    rows, notes = [], []
    for name in datasets:
        one = task(name)
        for metric in ROWS[name]:
            cells, some = [], None
            for method in methods:
                spec = SETS.get(method, method) if one.sets else method
                for asked in (spec, styled(spec, one.styles, sets=one.sets)) if with_style else (spec,):
                    result = results.get((name, asked))
                    cells.append(score_cell(result, metric) if result else NOTHING)
                    some = some or result
            rows.append((one.title, metric, f"{some.groups:,}" if some else NOTHING, *cells))
            notes += [score.signature for score in (some.quality if some else None) or () if score.metric == metric]
    return Table("The defaults", tuple(header), tuple(rows), tuple(notes))


def against_targets(results: Found, methods: Sequence[str], datasets: Sequence[str]) -> Table:
    """Return one row per dataset and metric: the target of each method, and whether it is met."""
    known = [method for method in methods if method in TARGETS]
    header = ["texts", "metric", *(cell for method in known for cell in (f"`{method}`, target", f"`{method}`"))]
    rows = []
    for name in datasets:
        one = task(name)
        for metric in ROWS[name]:
            cells = []
            for method in known:
                result = results.get((name, SETS.get(method, method) if one.sets else method))
                target = TARGETS[method][name][metric]
                cells += [f"≥ {target}", _verdict(result, metric, target) if result else NOTHING]
            rows.append((one.title, metric, *cells))
    return Table("The targets", tuple(header), tuple(rows), words=True)


def _verdict(result: BenchResult, metric: str, target: float) -> str:
    value = next((round(100 * one.value, 1) for one in result.quality or () if one.metric == metric), None)
    if value is None:
        return NOTHING
    return f"met: {value}" if value >= target else f"missed by {target - value:.1f}: {value}"


def by_kind(results: Found, methods: Sequence[str], kinds: Sequence[str]) -> Table:
    """Return one row per kind of everyday texts."""
    rows = []
    for kind in kinds:
        found = [results.get((f"{EVERYDAY.name}-{kind}", method)) for method in methods]
        count = next((f"{one.groups:,}" for one in found if one), NOTHING)
        rows.append((kind, count, *(score_cell(one, BY_KIND) if one else NOTHING for one in found)))
    title = f"{EVERYDAY.title} by kind, {BY_KIND}"
    return Table(title, ("kind", "documents", *(f"`{method}`" for method in methods)), tuple(rows))


def _kinds(data: Path) -> list[str]:
    documents = EVERYDAY.load(data).documents
    return sorted({str(one.metadata[GENRE]) for one in documents if GENRE in one.metadata})


def _measured(request: BenchRequest) -> Found:
    return {(one.dataset, one.spec): one for one in run(request).results}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder of the results, which are kept")
    parser.add_argument("--methods", default=METHODS)
    parser.add_argument("--datasets", default=",".join(ROWS), help="some of them; by default all of these")
    parser.add_argument(
        "--with-style", action=argparse.BooleanOptionalAction, default=True, help="also with the style given"
    )
    parser.add_argument("--documents", type=int, help="of each dataset at most")
    figures.add_option(parser)
    given = parser.parse_args(arguments)
    methods, datasets = split_specs(given.methods), given.datasets.split(",")
    if wrong := [name for name in datasets if name not in ROWS]:
        parser.error(f"unknown dataset {wrong[0]!r}; choose from {', '.join(ROWS)}")
    request = BenchRequest(given.data, given.output, measures=("quality",), documents=given.documents, limit=LIMIT)
    sets = [SETS[one] for one in methods if one in SETS]
    every = replace(request, methods=(*methods, *sets), datasets=tuple(datasets), with_style=given.with_style)
    found = _measured(every)
    tables = {"overall": overall(found, methods, datasets, with_style=given.with_style)}
    tables["targets"] = against_targets(found, methods, datasets)
    if EVERYDAY.name in datasets:
        kinds = _kinds(given.data)
        apart = replace(request, methods=tuple(methods), datasets=tuple([f"{EVERYDAY.name}-{kind}" for kind in kinds]))
        tables["kinds"] = by_kind(_measured(apart), methods, kinds)
    for table in tables.values():
        print(f"## {table.title}\n\n{as_markdown(table._replace(title=''))}")
    values = {name: figures.table(one.header, one.rows, keys=KEYS[name]) for name, one in tables.items()}
    figures.write(given.figures, values, signatures=tables["overall"].notes)


if __name__ == "__main__":
    main()
