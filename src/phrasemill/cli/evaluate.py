"""`evaluate`: score predictions, test whether systems differ, and list metrics, presets and choices.

What the command needs is imported when it runs, so that the others start fast.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from phrasemill.cli import app, options
from phrasemill.cli.options import INPUT, OUTPUT, Option
from phrasemill.cli.output import (
    FORMATS,
    Part,
    View,
    counting_bar,
    format_of,
    show,
    show_tables,
    width_of,
    write,
    write_json,
)
from phrasemill.cli.reading import complain
from phrasemill.errors import ConfigError
from phrasemill.specs import parse

if TYPE_CHECKING:
    from phrasemill.evaluation import Answers, Difference

EXAMPLES = """[bold]Examples[/bold]
  phrasemill evaluate run.jsonl --gold gold.jsonl -m F1@5 -m "R@50(present='absent')" --set denominator=k
  phrasemill evaluate a.json b.json -g gold.jsonl.gz -p yuan2020 --match 'semantic(0.8)' -o report.html
  phrasemill evaluate --list"""
KNOWN = (*FORMATS, "latex", "html")
SCORING, SEVERAL = "How to score", "Where there are several systems"
RESAMPLES, DIFFERING, TESTS = 1000, 5, ("bootstrap", "randomisation")
PREDICTIONS_HELP = "Files of predictions: JSON lines, JSON or SemEval's format, plain, .gz or .xz."
FIELD_HELP = "The field that contains the gold; by default clusters, else keyphrases, else the only list of strings."
METRIC_HELP = "A metric, such as F1@5 or R@50(present='absent'). May be repeated. By default those of the preset."
PRESET_HELP = "The scoring protocol; see [bold]phrasemill evaluate --list[/bold]."
MATCH_HELP = "How phrases are matched: exact, stem, partial …, or by meaning: semantic(0.8)."
SET_HELP = "Change one choice of the preset, such as average=micro. May be repeated."
TEST_HELP = "The test of differences: bootstrap or randomisation, both paired. By default bootstrap."
RESAMPLES_HELP = f"Resamples for tests and 95 % intervals; 0 for none. By default {RESAMPLES} where either is shown."
DIFFERING_HELP = f"Show the N documents on which the first two systems differ most. By default {DIFFERING}."
FORMAT_HELP = "table, text, json, jsonl, csv, markdown, latex, or html: a report. By default that of the output file."


def _presets() -> list[str]:
    from phrasemill.evaluation.policies import PRESETS

    return sorted(PRESETS)


def _matches() -> list[str]:
    from phrasemill.evaluation.policies import CHOICES

    return list(CHOICES["match"])


@options.command(app, EXAMPLES)
def evaluate(
    predictions: Annotated[list[Path] | None, Option("PRED", PREDICTIONS_HELP)] = None,
    gold: Annotated[Path | None, Option("--gold -g GOLD", "The gold keyphrases, in the same formats.", INPUT)] = None,
    gold_field: Annotated[str | None, Option("--gold-field NAME", FIELD_HELP, INPUT)] = None,
    gold_top: Annotated[int | None, Option("--gold-top N", "Use only the first N of the gold.", INPUT, least=1)] = None,
    metric: Annotated[list[str] | None, Option("--metric -m SPEC", METRIC_HELP, SCORING)] = None,
    preset: Annotated[str, Option("--preset -p NAME", PRESET_HELP, SCORING, complete=_presets)] = "default",
    match: Annotated[str | None, Option("--match HOW", MATCH_HELP, SCORING, complete=_matches)] = None,
    settings: Annotated[list[str] | None, Option("--set CHOICE=VALUE", SET_HELP, SCORING)] = None,
    resamples: Annotated[int | None, Option("--resamples N", RESAMPLES_HELP, SCORING, least=0)] = None,
    seed: Annotated[int, Option("--seed N", "The random seed of the resampling.", SCORING, least=0)] = 1,
    test: Annotated[str | None, Option("--test TEST", TEST_HELP, SEVERAL, choices=TESTS)] = None,
    differing: Annotated[int | None, Option("--differing N", DIFFERING_HELP, SEVERAL, least=0)] = None,
    per_document: Annotated[bool, Option("--per-document", "Print one row per document instead.", OUTPUT)] = False,
    listing: Annotated[bool, Option("--list", "List the metrics, presets and choices instead.", OUTPUT)] = False,
    format: Annotated[str | None, Option("--format -f FORMAT", FORMAT_HELP, OUTPUT)] = None,
    output: options.Output = None,
) -> int:
    """Score predictions against gold keyphrases, and test whether systems differ where several are named.

    Every score has a signature that records how it was computed.
    """
    from phrasemill import evaluation
    from phrasemill.evaluation import report
    from phrasemill.evaluation.scores import settings as checked

    how = "html" if format is None and output and output.suffix == ".html" else format_of(format, output, KNOWN)
    if listing:
        if how in ("json", "jsonl"):
            write_json(report.choice_records(), output)
        else:
            show_tables(report.choice_tables(), how, output)
        return 0
    if not predictions or gold is None:
        raise ConfigError("evaluate needs files of predictions, and the gold with --gold; or --list")
    tested = len(predictions) > 1 and resamples != 0 and not per_document
    if not tested and (test or differing is not None):
        raise ConfigError("--test and --differing need two or more files of predictions, resamples and whole scores")
    policy = _matching(match) | _choices(settings or [])
    # Errors in these are raised before files are read.
    _, metrics = checked(preset, metric or [], policy)
    reference = evaluation.read_answers(gold, field=gold_field, top=gold_top)
    answers = [evaluation.read_answers(path) for path in predictions]
    for path, one in zip([gold, *predictions], [reference, *answers], strict=True):
        if one.guessed:
            complain(f"{path}: keyphrases ← {one.guessed} (the only field with lists of strings)")
    answers = _named(predictions, answers)
    intervals = resamples if resamples is not None else RESAMPLES if how == "html" else 0
    score = partial(evaluation.evaluate, metrics=metrics, preset=preset, policy=policy, resamples=intervals, seed=seed)
    with counting_bar("Scoring", len(answers) * len(reference) * len(metrics)) as advance:
        systems = [score(one, reference, progress=advance) for one in answers]
    for sentence in report.complaints(systems):
        complain(sentence)
    differences: list[Difference] = []
    kind = test or TESTS[0]
    if tested:
        differences = evaluation.compare(systems, test=kind, resamples=resamples or RESAMPLES, seed=seed)
    if how == "html":
        title = f"Keyphrase scores against {reference.name}"
        write(report.page(systems, differences, test=kind, title=title), output)
        return 0

    def table(_: object) -> list[Part]:
        room, most = width_of(how, output), DIFFERING if differing is None else differing
        if per_document:
            return [report.documents_table(systems, room=room)]
        tables: list[Part] = [report.scores_table(systems, room=room)]
        if differences:
            tables.append(report.differences_table(differences, test=kind))
            if most:
                tables.append(report.differing_table(*systems[:2], name=differences[0].metric, top=most))
        return tables

    def record(_: object) -> object:
        records = [report.as_record(scores, per_document=per_document) for scores in systems]
        if len(records) == 1:
            return records[0]
        return {"systems": records, "differences": report.difference_records(differences)}

    view: View[object] = View(table, record)
    if not per_document:
        lines = [f"{scores.system}: {score}" for scores in systems for score in scores]
        view = View(table, record, lambda _: report.all_rows(systems, differences), lambda _: lines)
    show([None], view, how, output)
    return 0


def _named(paths: Sequence[Path], systems: "list[Answers]") -> "list[Answers]":
    """Return the systems with different names: where files have the same name, with their folder."""
    names = [system.name for system in systems]
    if len(set(names)) < len(names):
        names = [f"{path.absolute().parent.name}/{name}" for path, name in zip(paths, names, strict=True)]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ConfigError(f"these predictions are given twice: {', '.join(twice)}")
    return [replace(system, name=name) for system, name in zip(systems, names, strict=True)]


def _matching(given: str | None) -> dict[str, object]:
    """Parse `--match`: `stem`, or `semantic(0.8)` with its threshold and optionally embeddings."""
    if given is None:
        return {}
    spec = parse(given)
    values = dict(zip(("threshold", "embeddings"), spec.values, strict=False)) | dict(spec.options)
    if len(spec.values) > 2 or not set(values) <= {"threshold", "embeddings"} or (values and spec.name != "semantic"):
        raise ConfigError(f"--match takes a name, or semantic(0.8, embeddings='minilm'); got {given!r}")
    return {"match": spec.name} | values


def _choices(given: Sequence[str]) -> dict[str, object]:
    """Parse `--set`: `average=micro` and the like; numbers, True and False as such."""
    constants: dict[str, object] = {"true": True, "false": False}
    found: dict[str, object] = {}
    for one in given:
        name, mark, value = one.partition("=")
        if not mark:
            raise ConfigError(f"--set takes CHOICE=VALUE, such as average=micro; got {one!r}")
        name, text = name.strip().replace("-", "_"), value.strip()
        try:
            found[name] = float(text) if name == "threshold" else constants.get(text.lower(), text)
        except ValueError:
            raise ConfigError(f"threshold must be a number, got {text!r}") from None
    return found
