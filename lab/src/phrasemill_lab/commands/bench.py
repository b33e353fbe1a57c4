"""`bench`: every method over every dataset that is there, side by side."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from phrasemill.cli import grids, options
from phrasemill.cli.formats import write_json
from phrasemill.cli.options import Option
from phrasemill.cli.progress import progress_bar
from phrasemill.cli.reading import complain
from phrasemill.errors import ConfigError

if TYPE_CHECKING:
    from phrasemill_lab.bench.results import BenchResult

FORMATS = ("table", "markdown", "json")
DEFAULT_OUTPUT = Path("benchmarks/results")
MEASURES = "quality,speed,memory,startup"
EXAMPLES = """[bold]Examples[/bold]
  phrasemill bench --data data/
  phrasemill bench --data data/ --methods learned,yake,'textrank(window=5)' --datasets inspec,duc2001
  phrasemill bench --data data/ --methods learned --with-style --measure quality
  phrasemill bench --data data/ --documents 100 --measure quality,speed -o quick/
  phrasemill bench --datasets my-papers.jsonl --methods learned --methods "learned(style='author')"
  phrasemill bench --data data/ --datasets inspec --methods learned,generator --retrieval
  phrasemill bench --data data/ --datasets mkduc01 --methods consensus,'merge(positionrank)' --format markdown"""

METHODS_HELP = "The methods to measure, separated by commas. May be repeated. By default all."
DATASETS_HELP = "The datasets to use, or your own file with keyphrases. By default all in DIR."
OUTPUT_HELP = "The folder for results: one JSON file per method and dataset, report.md and report.html."
STYLE_HELP = "Also measure each method in the style of the dataset's keyphrases, as a separate row."
RETRIEVAL_HELP = "Instead, measure how much keyphrases improve a search index of the datasets (bm25s)."
FIGURES_HELP = "Also write the tables to this JSON file, from which the documentation reads them."
LIMIT_HELP = "Stop a method on a dataset after this time, and report it as failed."

app = typer.Typer()


@options.command(app, EXAMPLES)
def bench(
    data: Annotated[Path, Option("--data -d DIR", "The folder with your datasets.")] = Path(),
    methods: Annotated[list[str] | None, Option("--methods -m SPECS", METHODS_HELP)] = None,
    datasets: Annotated[list[str] | None, Option("--datasets NAMES", DATASETS_HELP)] = None,
    output: Annotated[Path, Option("--output -o DIR", OUTPUT_HELP)] = DEFAULT_OUTPUT,
    documents: Annotated[int | None, Option("--documents N", "Use only the first N documents of each dataset.")] = None,
    measure: Annotated[
        str,
        Option("--measure NAMES", "What to measure: any of quality, speed, memory and startup, separated by commas."),
    ] = MEASURES,
    with_style: Annotated[bool, Option("--with-style", STYLE_HELP)] = False,
    limit: Annotated[float, Option("--limit SECONDS", LIMIT_HELP)] = 600,
    fresh: Annotated[bool, Option("--fresh", "Measure again what is already in the results.")] = False,
    retrieval: Annotated[bool, Option("--retrieval", RETRIEVAL_HELP)] = False,
    figures: Annotated[Path | None, Option("--figures FILE", FIGURES_HELP)] = None,
    format: Annotated[str, Option("--format -f FORMAT", choices=FORMATS)] = "table",
) -> int:
    """Measure the quality, speed, memory and start-up of methods, each in a new process on one core.

    Methods run with default settings: they are given neither the language of a text nor a style.
    Finished results are kept, so you can resume a stopped run, and add methods or datasets to the report.
    """
    from phrasemill_lab.bench import BenchRequest, run

    if retrieval:
        return _retrieval(data, methods or [], datasets or [], documents, format)
    request = BenchRequest(
        data=data,
        output=output,
        methods=tuple(methods or ()),
        datasets=tuple(datasets or ()),
        measures=tuple(dict.fromkeys(part.strip() for part in measure.split(",") if part.strip())),
        with_style=with_style,
        documents=documents,
        limit=limit,
        fresh=fresh,
    )
    if not request.measures:
        raise ConfigError("--measure is empty; choose from quality, speed, memory, startup")
    with progress_bar() as progress:
        outcome = run(request, progress=progress)
    _write(request.output, outcome.left_out, outcome.not_here)
    _write_figures(figures, outcome.results)
    _show(outcome.results, format, outcome.left_out, outcome.not_here)
    failed = sum(bool(result.failed) for result in outcome.results)
    print(f"{len(outcome.results)} results, {failed} failed; report.html, report.md in {output}", file=sys.stderr)
    return 1 if failed else 0


def _retrieval(data: Path, methods: Sequence[str], datasets: Sequence[str], documents: int | None, format: str) -> int:
    """Measure what keyphrases add to a search index."""
    from phrasemill_lab.bench import retrieval
    from phrasemill_lab.bench.runner import chosen_methods, chosen_tasks

    if not datasets:
        raise ConfigError("--retrieval needs --datasets: names, or files with titles and keyphrases")
    singles, sets = chosen_methods(methods or [retrieval.DEFAULT_METHOD])
    if sets:
        raise ConfigError(f"--retrieval is for methods of single documents, not {sets[0]}")
    found = []
    with progress_bar() as progress:
        for task in chosen_tasks(data, datasets):
            loaded = task.load(data, documents)
            for done, spec in enumerate(singles):
                progress(task.title, done, len(singles), spec)
                found += retrieval.measure(task.title, loaded.documents, spec)
            progress(task.title, len(singles), len(singles), "done")
    if format == "json":
        write_json([one.record() for one in found])
    else:
        grids.show(lambda room: retrieval.tables(found), format, None)
    return 0


def _write(folder: Path, left_out: dict[str, str], not_here: dict[str, str]) -> None:
    """Write the report over all results of this version in the folder."""
    from phrasemill import __version__
    from phrasemill_lab.bench import page, report

    results, others = report.results_of(folder, __version__)
    notes = report.absences(left_out, not_here)
    if others:
        notes.append(f"{others} results of other versions in the folder are left out")
    if results:
        (folder / "report.md").write_text(report.markdown(results, notes), encoding="utf-8")
        (folder / "report.html").write_text(page.page(results, notes), encoding="utf-8")
        if drawn := page.picture(results):
            (folder / "quality-speed.svg").write_text(drawn, encoding="utf-8")


def _write_figures(path: Path | None, results: "Sequence[BenchResult]") -> None:
    from phrasemill_lab.bench import figures, report

    sections = report.sections(results)
    tables = {section.label: report.section_table(section) for section in sections}
    values = {label: figures.table(table.header, table.rows) for label, table in tables.items()}
    figures.write(path, values, signatures=[one for section in sections for one in section.signatures])


def _show(results: "Sequence[BenchResult]", format: str, left_out: dict[str, str], not_here: dict[str, str]) -> None:
    from phrasemill_lab.bench import report

    if format == "json":
        write_json(list(report.records(results)))
    elif results:
        grids.show(lambda room: [report.section_table(section) for section in report.sections(results)], format, None)
    for line in report.absences(left_out, not_here):
        complain(line)
