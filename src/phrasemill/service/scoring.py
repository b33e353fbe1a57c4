"""Score predictions against gold for a request to /v1/evaluate."""

import json
from typing import Any

from pydantic import ValidationError

from phrasemill.errors import ConfigError, InputError
from phrasemill.evaluation import Answers, compare, evaluate, report
from phrasemill.evaluation.answers import parse_answers
from phrasemill.service.answers import encoded
from phrasemill.service.models import AnswersIn, EvaluateRequest
from phrasemill.service.problems import Refusal, misshapen, refusal_of
from phrasemill.service.specs import check_metrics

MOST_DRAWS = 10_000_000  # resamples of all systems and pairs, for all metrics: about ten seconds of work
USUAL_METRICS = 10  # of a preset
CURVES, CUTS = ("F1", "P", "R"), range(1, 21)


def scored(body: bytes, *, html: bool = False) -> bytes:
    """Return the answer to a request, as JSON or as a report. The texts of files are parsed as the command does it."""
    asked = _parsed(body)
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
    if html:
        return report.page(scores, differences=pairs).encode(errors="replace")
    at_k = []
    if asked.curves:
        names = [f"{metric}@{k}" for metric in CURVES for k in CUTS]
        at_k = [evaluate(one, gold, metrics=names, **shared) for one in systems]
    answer = {
        "systems": [report.as_record(one, per_document=True) for one in scores],
        "shares": {score.name: score.metric.share for score in scores[0]},
        "differences": report.difference_records(pairs),
        "curves": {
            metric: [{"system": one.system, "values": [one[f"{metric}@{k}"] for k in CUTS]} for one in at_k]
            for metric in (CURVES if asked.curves else ())
        },
    }
    return encoded(answer)


def _parsed(body: bytes) -> EvaluateRequest:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        reason = f"body.{getattr(error, 'pos', 0)}: this is not JSON: {getattr(error, 'msg', error)}"
        raise Refusal("malformed-request", reason) from None
    try:
        return EvaluateRequest.model_validate(value)
    except ValidationError as error:
        errors = error.errors(include_url=False, include_context=False, include_input=False)
        raise misshapen([{**one, "loc": ("body", *one["loc"])} for one in errors], value) from None


def _check_draws(asked: EvaluateRequest) -> None:
    """Refuse resampling that would take minutes: every system and every pair is resampled for every metric."""
    compared = len(asked.predictions) * (len(asked.predictions) + 1) // 2
    most = MOST_DRAWS // (compared * (len(asked.metrics) or USUAL_METRICS))
    if asked.resamples > most:
        raise ConfigError(f"resamples must be at most {most:,} with so many systems and metrics")


def _answers(given: AnswersIn, name: str, where: str, *, top: int | None = None) -> Answers:
    text = given.text if given.text is not None else json.dumps(given.answers)
    try:
        return parse_answers(text.encode(errors="replace"), name=name, field=given.field, top=top)
    except InputError as error:
        raise refusal_of(error, where=f"{where}.field") from None
