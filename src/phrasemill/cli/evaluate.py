"""`evaluate`, `compare` and `metrics`: scores on the command line.

What a command needs is imported when it runs, so that the others start fast.
"""

from pathlib import Path
from typing import Annotated

import typer

from phrasemill.cli import options
from phrasemill.cli.formats import write, write_json
from phrasemill.cli.grids import show
from phrasemill.cli.options import OUTPUT, Option
from phrasemill.cli.scoring import SCORING, ScoringJob
from phrasemill.errors import ConfigError

EVALUATE_EXAMPLES = """[bold]Examples[/bold]
  phrasemill evaluate run.jsonl --gold gold.jsonl
  phrasemill evaluate run.jsonl -g gold.jsonl -m F1@5 -m F1@O -p yuan2020
  phrasemill evaluate a.json b.json -g gold.jsonl.gz -f html -o report.html
  phrasemill evaluate run.txt -g test.reader.stem.final -p semeval2010
  phrasemill evaluate run.jsonl -g gold.jsonl -m "R@50(present='absent')"
  phrasemill evaluate run.jsonl -g gold.jsonl --set denominator=k
  phrasemill evaluate run.jsonl -g gold.jsonl --match 'semantic(0.8)'"""
COMPARE_EXAMPLES = """[bold]Examples[/bold]
  phrasemill compare a.jsonl b.jsonl --gold gold.jsonl
  phrasemill compare a.jsonl b.jsonl -g gold.jsonl -m F1@10 --test randomisation"""
METRICS_EXAMPLES = """[bold]Examples[/bold]
  phrasemill metrics
  phrasemill metrics --format json"""
TABLE_FORMATS = ("table", "json", "csv", "markdown", "latex")
REPORT_FORMATS = (*TABLE_FORMATS, "html")
FORMAT_HELP = "table, json, csv, markdown, latex or html (a report with plots)."

Resamples = Annotated[
    int, Option("--resamples N", "The number of bootstrap samples for 95 % intervals; 0 for none.", SCORING, least=0)
]
Seed = Annotated[int, Option("--seed N", "The random seed of the resampling.", SCORING, least=0)]
Format = Annotated[str, Option("--format -f FORMAT", FORMAT_HELP, OUTPUT, choices=REPORT_FORMATS)]
Output = Annotated[Path | None, Option("--output -o FILE", "Write to this file instead of the screen.", OUTPUT)]

app = typer.Typer()


@options.command(app, EVALUATE_EXAMPLES)
def evaluate(
    *,
    job: ScoringJob,
    resamples: Resamples = 0,
    seed: Seed = 1,
    per_document: Annotated[bool, Option("--per-document", "Print one row per document instead.", OUTPUT)] = False,
    format: Format = "table",
    output: Output = None,
) -> int:
    """Score predictions against gold keyphrases. Every score has a signature that records how it was computed."""
    from phrasemill.evaluation import report

    # A report without intervals would invite to read too much into small differences.
    scores = job.scores(resamples or (1000 if format == "html" else 0), seed)
    if format == "html":
        write(job.page(scores, test="bootstrap"), output)
    elif format == "json":
        write(report.as_json(scores, per_document=per_document), output)
    elif per_document:
        show(lambda room: report.documents_table(scores, room=room), format, output)
    elif format == "csv":
        write(report.scores_csv(scores), output)
    else:
        show(lambda room: report.scores_table(scores, room=room), format, output)
    return 0


@options.command(app, COMPARE_EXAMPLES)
def compare(
    *,
    job: ScoringJob,
    test: Annotated[str, Option("--test TEST", "bootstrap or randomisation.", SCORING)] = "bootstrap",
    resamples: Resamples = 1000,
    seed: Seed = 1,
    differing: Annotated[int, Option("--differing N", "Show the N documents that differ most.", OUTPUT, least=0)] = 5,
    format: Format = "table",
    output: Output = None,
) -> int:
    """Test whether systems differ, by paired tests with Holm's correction, and show where they differ most."""
    from phrasemill.evaluation import report
    from phrasemill.evaluation import significance as tests

    if len(job.predictions) < 2:
        raise ConfigError("compare needs at least two files of predictions")
    scores = job.scores(resamples if format == "html" else 0, seed)
    differences = tests.compare(scores, test=test, resamples=max(1, resamples), seed=seed)
    if format == "html":
        write(job.page(scores, test=test, resamples=max(1, resamples), seed=seed), output)
    elif format == "json":
        write(report.differences_json(differences), output)
    else:
        grids = [report.differences_table(differences, test=test)]
        if differing and len(scores) == 2 and format != "csv":
            name = next(iter(scores[0])).name
            grids.append(report.differing_table(scores[0], scores[1], name=name, top=differing))
        show(lambda room: grids, format, output)
    return 0


@options.command(app, METRICS_EXAMPLES)
def metrics(format: options.ListFormat = "table") -> int:
    """List the metrics, presets and choices, and what each means."""
    from phrasemill.evaluation.report import choice_records, choice_tables

    if format == "json":
        write_json(choice_records())
    else:
        show(lambda room: choice_tables(), "table", None)
    return 0
