"""Print how good the defaults are on every kind of text, with default settings, with 95 % intervals and signatures.

    python -m phrasemill.lab.bench.defaults --data DIR -o RESULTS
    python -m phrasemill.lab.bench.defaults --data DIR -o RESULTS --methods learned --no-with-style

The first table has one row per dataset and metric, and per method a second column with the style of the dataset given.
The second has the everyday texts by kind. Results are kept in RESULTS, as those of `phrasemill bench`, and an
interrupted run is resumed.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from phrasemill.lab.bench import figures
from phrasemill.lab.bench.report import NOTHING, score_cell
from phrasemill.lab.bench.results import BenchResult
from phrasemill.lab.bench.runner import BenchRequest, run, styled
from phrasemill.lab.bench.tasks import EVERYDAY, GENRE, task
from phrasemill.registry import split_specs
from phrasemill.tables import Table, as_markdown

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
METHODS = "learned,encoder"
SETS = {"learned": "consensus", "encoder": "consensus(by='encoder')"}  # what extracts from sets by a method
BY_KIND = "F1@10"
KEYS = {"overall": 2, "kinds": 1}  # how many columns name a row
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
    tables = [overall(_measured(every), methods, datasets, with_style=given.with_style)]
    if EVERYDAY.name in datasets:
        kinds = _kinds(given.data)
        apart = replace(request, methods=tuple(methods), datasets=tuple([f"{EVERYDAY.name}-{kind}" for kind in kinds]))
        tables.append(by_kind(_measured(apart), methods, kinds))
    for table in tables:
        print(f"## {table.title}\n\n{as_markdown(table._replace(title=''))}")
    named = dict(zip(("overall", "kinds"), tables, strict=False))
    values = {name: figures.table(one.header, one.rows, keys=KEYS[name]) for name, one in named.items()}
    figures.write(given.figures, values, signatures=tables[0].notes)


if __name__ == "__main__":
    main()
