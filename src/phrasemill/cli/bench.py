"""`bench`: every method over every dataset that is there, side by side."""

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from phrasemill.cli import formats, options
from phrasemill.errors import ConfigError

if TYPE_CHECKING:
    from phrasemill.lab.bench.results import BenchResult

FORMATS = ("table", "markdown", "json")
DEFAULT_OUTPUT = "benchmarks/results"
EXAMPLES = """[bold]Examples[/bold]
  phrasemill bench --data data/
  phrasemill bench --data data/ --methods learned,yake,'textrank(window=5)' --datasets inspec,duc2001
  phrasemill bench --data data/ --documents 100 --measure quality,speed -o quick/
  phrasemill bench --datasets my-papers.jsonl --methods learned --methods "learned(style='author')"
  phrasemill bench --data data/ --datasets mkduc01 --methods consensus,'merge(positionrank)' --format markdown"""

optional = partial(typer.Option, show_default=False)
Data = Annotated[str, typer.Option("--data", "-d", metavar="DIR", help="The folder with the datasets that you have.")]
METHODS_HELP = "Which, with commas, or repeat the option. By default all."
Methods = Annotated[list[str] | None, optional("--methods", "-m", metavar="SPECS", help=METHODS_HELP)]
DATASETS_HELP = "Which, or a file of your own with keyphrases. By default all that are in DIR."
Datasets = Annotated[list[str] | None, optional("--datasets", metavar="NAMES", help=DATASETS_HELP)]
OUTPUT_HELP = "Results: one JSON file per method and dataset, report.md, report.html."
Output = Annotated[str, typer.Option("--output", "-o", metavar="DIR", help=OUTPUT_HELP)]
Documents = Annotated[str | None, optional("--documents", metavar="N", help="Only the first N of each dataset.")]
Measure = Annotated[str, typer.Option("--measure", metavar="NAMES", help="Some of quality, speed, memory, startup.")]
LIMIT_HELP = "Stop a method on a dataset after this time, and report it as failed."
Limit = Annotated[str, typer.Option("--limit", metavar="SECONDS", help=LIMIT_HELP)]
Fresh = Annotated[
    bool, typer.Option("--fresh", metavar=options.FLAG, help="Measure again what is already in the results.")
]
Format = Annotated[str, typer.Option("--format", "-f", metavar="FORMAT", help="table, markdown or json.")]


def register(app: typer.Typer) -> None:
    """Add the command of this file to `app`."""
    app.command(cls=options.Command, epilog=EXAMPLES)(bench)


def bench(
    data: Data = ".",
    methods: Methods = None,
    datasets: Datasets = None,
    output: Output = DEFAULT_OUTPUT,
    documents: Documents = None,
    measure: Measure = "quality,speed,memory,startup",
    limit: Limit = "600",
    fresh: Fresh = False,
    format: Format = "table",
) -> int:
    """Measure methods over datasets: quality, speed, memory and start-up, each in a fresh process on one core.

    Finished results are kept: a stopped run is resumed, and other methods or datasets are added to the report.
    """
    from phrasemill.cli.progress import progress_bar
    from phrasemill.lab.bench import BenchRequest, run

    options.one_of(format, FORMATS, "--format")
    request = BenchRequest(
        data=Path(data),
        output=Path(output),
        methods=tuple(methods or ()),
        datasets=tuple(datasets or ()),
        measures=tuple(dict.fromkeys(part.strip() for part in measure.split(",") if part.strip())),
        documents=None if documents is None else options.number(documents, int, "--documents must be a whole number"),
        limit=options.number(limit, float, "--limit must be a number of seconds"),
        fresh=fresh,
    )
    if not request.measures:
        raise ConfigError("--measure is empty; choose from quality, speed, memory, startup")
    with progress_bar() as progress:
        outcome = run(request, progress=progress)
    _write(request.output, outcome.left_out, outcome.not_here)
    _show(outcome.results, format, outcome.left_out, outcome.not_here)
    failed = sum(bool(result.failed) for result in outcome.results)
    print(f"{len(outcome.results)} results, {failed} failed; report.html, report.md in {output}", file=sys.stderr)
    return 1 if failed else 0


def _write(folder: Path, left_out: dict[str, str], not_here: dict[str, str]) -> None:
    """Write the report over all results of this version in the folder."""
    from phrasemill import __version__
    from phrasemill.lab.bench import page, report

    results, others = report.results_of(folder, __version__)
    notes = report.absences(left_out, not_here)
    if others:
        notes.append(f"{others} results of other versions in the folder are left out")
    if results:
        (folder / "report.md").write_text(report.markdown(results, notes), encoding="utf-8")
        (folder / "report.html").write_text(page.page(results, notes), encoding="utf-8")
        if drawn := page.picture(results):
            (folder / "quality-speed.svg").write_text(drawn, encoding="utf-8")


def _show(results: "Sequence[BenchResult]", format: str, left_out: dict[str, str], not_here: dict[str, str]) -> None:
    from phrasemill.cli import grids
    from phrasemill.lab.bench import report

    if format == "json":
        print(formats.to_json(list(report.records(results)), sys.stdout.encoding, indent=2))
    elif results:
        grids.show(lambda room: [report.section_table(section) for section in report.sections(results)], format, None)
    for line in report.absences(left_out, not_here):
        print(f"phrasemill: {line}", file=sys.stderr)
