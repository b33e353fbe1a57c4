"""What `evaluate` and `compare` share: read the files, score them, and report ids that do not match."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from phrasemill.cli.progress import counting_bar
from phrasemill.errors import ConfigError
from phrasemill.evaluation import Answers, Scores, compare, evaluate, html_report, read_answers
from phrasemill.evaluation.aggregate import settings
from phrasemill.registry import parse

MOST_NAMED = 10  # ids in a message; the count is always there


class ScoringJob:
    """Files of predictions and gold, and how to score them."""

    def __init__(
        self,
        predictions: Sequence[Path],
        gold: Path,
        metrics: Sequence[str],
        preset: str,
        choices: Sequence[str],
        gold_field: str | None,
        gold_top: int | None,
        match: str | None = None,
    ) -> None:
        self.metrics, self.preset, self.policy = list(metrics), preset, _matching(match) | _choices(choices)
        # Errors in these are raised before files are read.
        settings(preset, metrics, self.policy)
        self.gold = read_answers(gold, field=gold_field, top=gold_top)
        self.systems = _named(predictions, [read_answers(path) for path in predictions])

    def scores(self, resamples: int, seed: int) -> list[Scores]:
        _, wanted = settings(self.preset, self.metrics, self.policy)
        found = []
        with counting_bar("Scoring", len(self.systems) * len(self.gold) * len(wanted)) as advance:
            for system in self.systems:
                found.append(
                    evaluate(
                        system,
                        self.gold,
                        metrics=self.metrics,
                        preset=self.preset,
                        policy=self.policy,
                        resamples=resamples,
                        seed=seed,
                        progress=advance,
                    )
                )
        for scores in found:
            _report_ids(scores, len(self.gold))
        return found

    def page(self, scores: list[Scores], *, test: str, resamples: int = 1000, seed: int = 1) -> str:
        with counting_bar("Drawing", len(self.systems) * len(self.gold) * 3 * html_report.CURVE) as advance:
            curve = html_report.curves(
                self.systems, self.gold, preset=self.preset, policy=self.policy, progress=advance
            )
        pairs = compare(scores, test=test, resamples=resamples, seed=seed) if len(scores) > 1 else []
        title = f"Keyphrase scores against {self.gold.name}"
        return html_report.page(scores, curve=curve, differences=pairs, test=test, title=title)


def _named(paths: Sequence[Path], systems: list[Answers]) -> list[Answers]:
    """Return the systems with different names: where files have the same name, with their folder."""
    names = [system.name for system in systems]
    if len(set(names)) < len(names):
        names = [f"{path.parent.name}/{name}" for path, name in zip(paths, names, strict=True)]
    if len(set(names)) < len(names):
        raise ConfigError(
            f"the same predictions are given twice: {', '.join(sorted({n for n in names if names.count(n) > 1}))}"
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


def _report_ids(scores: Scores, documents: int) -> None:
    """Report ids without an answer and answers without gold, whatever the policy does with them."""
    for ids, what in (
        (scores.missing, f"of {documents} gold documents have no answer"),
        (scores.surplus, "answers are to no document of the gold"),
    ):
        if ids:
            some = ", ".join(ids[:MOST_NAMED]) + (f" and {len(ids) - MOST_NAMED} more" if len(ids) > MOST_NAMED else "")
            print(f"phrasemill: {scores.system}: {len(ids)} {what}: {some}", file=sys.stderr)
