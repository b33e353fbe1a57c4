"""The options of `evaluate`, `compare`, `metrics` and `meta-evaluate`, and what their help says."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

INPUT, SCORING, OUTPUT = "Input", "How to score", "Output"
FLAG = " "  # instead of <bool>, which tells nobody anything

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
META_EXAMPLES = """[bold]Examples[/bold]
  phrasemill meta-evaluate pairs.jsonl
  phrasemill meta-evaluate pairs.jsonl -m r-precision -m bleu --combine majority
  phrasemill meta-evaluate rated.jsonl --predictions run.jsonl --gold gold.jsonl"""


class Format(StrEnum):
    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"
    LATEX = "latex"
    HTML = "html"


class PlainFormat(StrEnum):
    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"
    LATEX = "latex"


class ListFormat(StrEnum):
    TABLE = "table"
    JSON = "json"


def _preset_names() -> list[str]:
    from phrasemill.evaluation.policies import PRESETS

    return sorted(PRESETS)


def _match_names() -> list[str]:
    from phrasemill.evaluation.policies import CHOICES

    return list(CHOICES["match"])


Predictions = Annotated[
    list[Path],
    typer.Argument(metavar="PRED", help="Predictions: JSON lines, JSON or SemEval's lines, plain, .gz or .xz."),
]
Gold = Annotated[
    Path,
    typer.Option("--gold", "-g", metavar="GOLD", help="The gold, in the same formats.", rich_help_panel=INPUT),
]
GoldField = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Where in a record the gold is; by default clusters, else keyphrases.",
        show_default=False,
        rich_help_panel=INPUT,
    ),
]
GoldTop = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=1, help="Use only the first N gold keyphrases.", show_default=False, rich_help_panel=INPUT
    ),
]
Metrics = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        "-m",
        metavar="SPEC",
        help="Such as F1@5 or R@50(present='absent'); may be repeated. By default the preset's own.",
        show_default=False,
        rich_help_panel=SCORING,
    ),
]
PresetName = Annotated[
    str,
    typer.Option(
        "--preset",
        "-p",
        metavar="NAME",
        help="The protocol: see [bold]phrasemill metrics[/bold].",
        autocompletion=_preset_names,
        rich_help_panel=SCORING,
    ),
]
Match = Annotated[
    str | None,
    typer.Option(
        "--match",
        metavar="HOW",
        help="When two phrases are one: exact, stem, partial …, or by meaning: semantic(0.8).",
        autocompletion=_match_names,
        show_default=False,
        rich_help_panel=SCORING,
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="CHOICE=VALUE",
        help="Change one of the preset's choices, such as average=micro; may be repeated.",
        show_default=False,
        rich_help_panel=SCORING,
    ),
]
Resamples = Annotated[
    int,
    typer.Option(metavar="N", min=0, help="Bootstrap samples for 95 % intervals; 0 for none.", rich_help_panel=SCORING),
]
Seed = Annotated[int, typer.Option(metavar="N", min=0, help="For the resampling.", rich_help_panel=SCORING)]
PerDocument = Annotated[
    bool,
    typer.Option("--per-document", metavar=FLAG, help="One row a document instead.", rich_help_panel=OUTPUT),
]
OutputFormat = Annotated[
    Format,
    typer.Option(
        "--format",
        "-f",
        metavar="FORMAT",
        help="table, json, csv, markdown, latex or html (a report with plots).",
        rich_help_panel=OUTPUT,
    ),
]
PlainOutputFormat = Annotated[
    PlainFormat,
    typer.Option(
        "--format", "-f", metavar="FORMAT", help="table, json, csv, markdown or latex.", rich_help_panel=OUTPUT
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write there instead of to the screen.",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]
