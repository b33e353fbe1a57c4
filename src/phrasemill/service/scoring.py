"""Score predictions against gold for a request to /v1/evaluate."""

import json
from typing import Any

from phrasemill.errors import ConfigError, InputError
from phrasemill.evaluation import Answers, compare, evaluate, report
from phrasemill.evaluation.answers import parse_answers
from phrasemill.service.bodies import EVALUATED_VALUES, Body, checked, parsed
from phrasemill.service.problems import refusal_of
from phrasemill.service.schemas import AnswersIn, EvaluateRequest
from phrasemill.service.specs import check_metrics

MOST_DRAWS = 10_000_000  # resamples of all systems and pairs, for all metrics: about ten seconds of work
USUAL_METRICS = 10  # of a preset
CUTS = range(1, 21)  # of the curves


def scored(body: Body) -> dict[str, Any]:
    """Return the answer to a request. The texts of files are parsed as the command parses them."""
    asked = checked(EvaluateRequest, parsed(body, EVALUATED_VALUES))
    names = [one.name or f"system {i}" for i, one in enumerate(asked.predictions, start=1)]
    if len(set(names)) < len(names):
        raise ConfigError("two systems have the same name; give each a name of its own")
    check_metrics(asked.metrics, asked.policy)
    _check_draws(asked)
    gold = _answers(asked.gold, "gold", "body.gold", top=asked.gold.top)
    systems = [
        _answers(one, name, f"body.predictions.{i}")
        for i, (name, one) in enumerate(zip(names, asked.predictions, strict=True))
    ]
    shared: dict[str, Any] = {"preset": asked.preset, "policy": dict(asked.policy)}
    drawn: dict[str, Any] = {"resamples": asked.resamples, "seed": asked.seed}
    metrics = tuple(asked.metrics)
    scores = [evaluate(system, gold, metrics=metrics, **shared, **drawn) for system in systems]
    pairs = compare(scores, resamples=max(1, asked.resamples), seed=asked.seed) if len(scores) > 1 else []
    curves = {}
    if asked.curves:
        at = {metric: [f"{metric}@{k}" for k in CUTS] for metric in ("F1", "P", "R")}
        at_k = [
            evaluate(one, gold, metrics=[name for each in at.values() for name in each], **shared) for one in systems
        ]
        for metric, listed in at.items():
            curves[metric] = [{"system": one.system, "values": [one[name] for name in listed]} for one in at_k]
    return {
        "systems": [report.as_record(one, per_document=True) for one in scores],
        "shares": {score.name: score.metric.share for score in scores[0]},
        "differences": report.difference_records(pairs),
        "curves": curves,
    }


def _check_draws(asked: EvaluateRequest) -> None:
    """Refuse resampling that would take minutes: every system and every pair is resampled for every metric."""
    compared = len(asked.predictions) * (len(asked.predictions) + 1) // 2
    most = MOST_DRAWS // (compared * (len(asked.metrics) or USUAL_METRICS))
    if asked.resamples > most:
        raise ConfigError(f"resamples must be at most {most:,} with so many systems and metrics")


def _answers(given: AnswersIn, name: str, where: str, *, top: int | None = None) -> Answers:
    try:
        return parse_answers(_data(given), name=name, field=given.field, top=top)
    except InputError as error:
        raise refusal_of(error, where=f"{where}.field") from None


def _data(answers: AnswersIn) -> bytes:
    text = answers.text if answers.text is not None else json.dumps(answers.answers)
    return text.encode(errors="replace")
