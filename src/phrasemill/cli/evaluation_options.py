"""The options of `evaluate`, `compare`, `metrics` and `meta-evaluate`, and their help."""

from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

INPUT, SCORING, OUTPUT = "Input", "How to score", "Output"
FLAG = " "  # instead of <bool>

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


class ListFormat(StrEnum):
    TABLE = "table"
    JSON = "json"


class PlainFormat(StrEnum):
    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"
    LATEX = "latex"


class Format(StrEnum):
    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"
    LATEX = "latex"
    HTML = "html"


def _preset_names() -> list[str]:
    from phrasemill.evaluation.policies import PRESETS

    return sorted(PRESETS)


def _match_names() -> list[str]:
    from phrasemill.evaluation.policies import CHOICES

    return list(CHOICES["match"])


reading = partial(typer.Option, rich_help_panel=INPUT)
scoring = partial(typer.Option, rich_help_panel=SCORING)
printing = partial(typer.Option, rich_help_panel=OUTPUT)
# Options without a default do not show one.
optional_reading, optional_scoring = partial(reading, show_default=False), partial(scoring, show_default=False)

Predictions = Annotated[
    list[Path],
    typer.Argument(metavar="PRED", help="Predictions: JSON lines, JSON or SemEval's lines, plain, .gz or .xz."),
]
Gold = Annotated[Path, reading("--gold", "-g", metavar="GOLD", help="The gold, in the same formats.")]
GoldField = Annotated[
    str | None,
    optional_reading(metavar="NAME", help="The field of the gold in a record; by default clusters, else keyphrases."),
]
GoldTop = Annotated[int | None, optional_reading(metavar="N", min=1, help="Use only the first N gold keyphrases.")]
METRIC_HELP = "Such as F1@5 or R@50(present='absent'); may be repeated. By default the preset's own."
Metrics = Annotated[list[str] | None, optional_scoring("--metric", "-m", metavar="SPEC", help=METRIC_HELP)]
PRESET_HELP = "The protocol: see [bold]phrasemill metrics[/bold]."
PresetName = Annotated[str, scoring("--preset", "-p", metavar="NAME", help=PRESET_HELP, autocompletion=_preset_names)]
MATCH_HELP = "When two phrases are one: exact, stem, partial …, or by meaning: semantic(0.8)."
Match = Annotated[str | None, optional_scoring("--match", metavar="HOW", help=MATCH_HELP, autocompletion=_match_names)]
SET_HELP = "Change one of the preset's choices, such as average=micro; may be repeated."
Settings = Annotated[list[str] | None, optional_scoring("--set", metavar="CHOICE=VALUE", help=SET_HELP)]
Resamples = Annotated[int, scoring(metavar="N", min=0, help="Bootstrap samples for 95 % intervals; 0 for none.")]
Seed = Annotated[int, scoring(metavar="N", min=0, help="For the resampling.")]
PerDocument = Annotated[bool, printing("--per-document", metavar=FLAG, help="One row per document instead.")]
FORMAT_HELP = "table, json, csv, markdown, latex or html (a report with plots)."
OutputFormat = Annotated[Format, printing("--format", "-f", metavar="FORMAT", help=FORMAT_HELP)]
PlainOutputFormat = Annotated[
    PlainFormat, printing("--format", "-f", metavar="FORMAT", help="table, json, csv, markdown or latex.")
]
Output = Annotated[
    Path | None,
    printing("--output", "-o", metavar="FILE", help="Write there instead of to the screen.", show_default=False),
]
Test = Annotated[str, scoring(metavar="TEST", help="bootstrap or randomisation.")]
Differing = Annotated[int, printing(metavar="N", min=0, help="Show the N documents that differ most.")]
MetricsFormat = Annotated[ListFormat, typer.Option("--format", "-f", metavar="FORMAT", help="table or json.")]

Judgements = Annotated[Path, typer.Argument(metavar="HUMAN", help="JSON lines with scores that people gave.")]
SIMILARITY_HELP = "exact, partial, r-precision, bleu …; with --predictions a metric such as F1@5. By default all."
Similarities = Annotated[list[str] | None, optional_scoring("--metric", "-m", metavar="NAME", help=SIMILARITY_HELP)]
Combine = Annotated[str, scoring(metavar="HOW", help="Annotators: average or majority.")]
Language = Annotated[str, reading("--language", "-l", metavar="CODE", help="Of the phrases, such as en or fr.")]
Stemmer = Annotated[
    str | None, optional_scoring(metavar="NAME", help="porter, nltk, none …; by default the language's own.")
]
Statistics = Annotated[list[str] | None, optional_scoring(metavar="NAME", help="spearman or kendall; by default both.")]
JUDGED_HELP = "The answers that were judged, for judgements of whole answers."
JudgedPredictions = Annotated[Path | None, optional_reading(metavar="PRED", help=JUDGED_HELP)]
JudgedGold = Annotated[Path | None, optional_reading(metavar="GOLD", help="Their gold.")]
