"""The options that `evaluate` and `compare` share, and what they do: read the files, score them, and report ids that
do not match."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from phrasemill.cli.options import INPUT, Option
from phrasemill.cli.progress import counting_bar
from phrasemill.cli.reading import complain
from phrasemill.errors import ConfigError
from phrasemill.specs import parse

if TYPE_CHECKING:
    from phrasemill.evaluation import Answers, Scores

SCORING = "How to score"
MOST_NAMED = 10  # ids in a message; the count is always there
PREDICTIONS_HELP = "Files of predictions: JSON lines, JSON or SemEval's format, plain, .gz or .xz."
FIELD_HELP = "The field that contains the gold; by default clusters, else keyphrases, else the only list of strings."
METRIC_HELP = "A metric, such as F1@5 or R@50(present='absent'). May be repeated. By default those of the preset."
MATCH_HELP = "How phrases are matched: exact, stem, partial …, or by meaning: semantic(0.8)."
SET_HELP = "Change one choice of the preset, such as average=micro. May be repeated."


def _presets() -> list[str]:
    from phrasemill.evaluation.policies import PRESETS

    return sorted(PRESETS)


def _matches() -> list[str]:
    from phrasemill.evaluation.policies import CHOICES

    return list(CHOICES["match"])


Preset = Annotated[
    str,
    Option(
        "--preset -p NAME", "The scoring protocol; see [bold]phrasemill metrics[/bold].", SCORING, complete=_presets
    ),
]


@dataclass(frozen=True)
class ScoringJob:
    """Files of predictions and gold, and how to score them; files are read when they are needed."""

    predictions: Annotated[list[Path], Option("PRED", PREDICTIONS_HELP)]
    gold: Annotated[Path, Option("--gold -g GOLD", "The file of gold keyphrases, in the same formats.", INPUT)]
    metric: Annotated[list[str] | None, Option("--metric -m SPEC", METRIC_HELP, SCORING)] = None
    preset: Preset = "default"
    match: Annotated[str | None, Option("--match HOW", MATCH_HELP, SCORING, complete=_matches)] = None
    settings: Annotated[list[str] | None, Option("--set CHOICE=VALUE", SET_HELP, SCORING)] = None
    gold_field: Annotated[str | None, Option("--gold-field NAME", FIELD_HELP, INPUT)] = None
    gold_top: Annotated[int | None, Option("--gold-top N", "Use only the first N gold keyphrases.", INPUT, least=1)] = (
        None
    )

    @cached_property
    def policy(self) -> dict[str, object]:
        return _matching(self.match) | _choices(self.settings or [])

    @cached_property
    def answers(self) -> "Answers":
        """The gold."""
        from phrasemill.evaluation import read_answers

        return _told(self.gold, read_answers(self.gold, field=self.gold_field, top=self.gold_top))

    @cached_property
    def systems(self) -> "list[Answers]":
        from phrasemill.evaluation import read_answers

        return _named(self.predictions, [_told(path, read_answers(path)) for path in self.predictions])

    def scores(self, resamples: int, seed: int) -> "list[Scores]":
        from phrasemill.evaluation import evaluate
        from phrasemill.evaluation.aggregate import settings

        # Errors in these are raised before files are read.
        _, wanted = settings(self.preset, self.metric or [], self.policy)
        gold, found = self.answers, []
        with counting_bar("Scoring", len(self.systems) * len(gold) * len(wanted)) as advance:
            for system in self.systems:
                found.append(
                    evaluate(
                        system,
                        gold,
                        metrics=self.metric or [],
                        preset=self.preset,
                        policy=self.policy,
                        resamples=resamples,
                        seed=seed,
                        progress=advance,
                    )
                )
        for scores in found:
            _report_ids(scores, len(gold))
        return found

    def page(self, scores: "list[Scores]", *, test: str, resamples: int = 1000, seed: int = 1) -> str:
        from phrasemill.evaluation import compare, html_report

        gold = self.answers
        with counting_bar("Drawing", len(self.systems) * len(gold) * 3 * html_report.CURVE) as advance:
            curve = html_report.curves(self.systems, gold, preset=self.preset, policy=self.policy, progress=advance)
        pairs = compare(scores, test=test, resamples=resamples, seed=seed) if len(scores) > 1 else []
        title = f"Keyphrase scores against {gold.name}"
        return html_report.page(scores, curve=curve, differences=pairs, test=test, title=title)


def _told(path: Path, answers: "Answers") -> "Answers":
    """Return the answers; print which field they were read from if it was guessed."""
    if answers.guessed:
        complain(f"{path}: keyphrases ← {answers.guessed} (the only field with lists of strings)")
    return answers


def _named(paths: Sequence[Path], systems: "list[Answers]") -> "list[Answers]":
    """Return the systems with different names: where files have the same name, with their folder."""
    names = [system.name for system in systems]
    if len(set(names)) < len(names):
        names = [f"{path.absolute().parent.name}/{name}" for path, name in zip(paths, names, strict=True)]
    if len(set(names)) < len(names):
        raise ConfigError(
            f"these predictions are given twice: {', '.join(sorted({n for n in names if names.count(n) > 1}))}"
        )
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


def _report_ids(scores: "Scores", documents: int) -> None:
    """Report ids without an answer and answers without gold, whatever the policy does with them."""
    for ids, what in (
        (scores.missing, f"of {documents} gold documents have no answer"),
        (scores.surplus, "answers are to no document of the gold"),
    ):
        if ids:
            some = ", ".join(ids[:MOST_NAMED]) + (f" and {len(ids) - MOST_NAMED} more" if len(ids) > MOST_NAMED else "")
            print(f"phrasemill: {scores.system}: {len(ids)} {what}: {some}", file=sys.stderr)
