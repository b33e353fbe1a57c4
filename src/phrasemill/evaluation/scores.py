"""Scores from predictions and gold: `evaluate`, what it returns, and signatures, which have every choice on one line.

    F1@5|match:stem(nltk)|avg:macro|empty:skip|den:k|dedupe:stem|docs:100|gold:4be1c0de|v:0.1.0

Two scores may be compared if their signatures are equal. What is not printed has its default: any wording finds a
cluster, each prediction earns once, repeats in the gold are dropped, missing documents score 0, all phrases count, case
and digits as `Policy`, and all documents are in English. Others are stemmed by the stemmers of their languages:
`match:stem(german)|lang:de`, or `match:stem(own)|lang:de,en` where there are several.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from phrasemill.errors import ConfigError, DataError
from phrasemill.evaluation.answers import Answers, Given, as_answers
from phrasemill.evaluation.cases import cases
from phrasemill.evaluation.metrics import METRICS, Metric, Statistics
from phrasemill.evaluation.phrases import ENGLISH, stemmer_of
from phrasemill.evaluation.policies import UNSTEMMED, Policy, preset
from phrasemill.specs import Spec
from phrasemill.text.languages.detect import language_of
from phrasemill.types import significant

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Interval:
    """The range of the score in `level` of the resampled document sets."""

    low: float
    high: float
    level: float


@dataclass(frozen=True, slots=True)
class Score:
    """One metric over all documents: from 0 to 1, or a plain number if `metric.share` is false."""

    name: str
    value: float
    signature: str
    metric: Metric
    policy: Policy
    statistics: Mapping[str, Statistics]
    interval: Interval | None = None

    def __str__(self) -> str:
        return f"{self.signature} = {self.shown}"

    @property
    def shown(self) -> str:
        """The value as text: in per cent, or as a number."""
        return shown(self.value, share=self.metric.share)

    @property
    def documents(self) -> dict[str, float]:
        """The score of each document that counts."""
        return {id_: self.metric.value(sums, self.policy) for id_, sums in self.statistics.items()}


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of one system: `scores["F1@5"]` is a number from 0 to 1, and `print(scores)` shows the signatures.

    `missing` are gold documents without an answer, and `surplus` are answers without a gold document.
    """

    system: str
    scores: tuple[Score, ...]
    missing: tuple[str, ...] = ()
    surplus: tuple[str, ...] = ()
    gold: str = ""
    preset: str = "default"

    def __getitem__(self, name: str) -> float:
        return self.score(name).value

    def __iter__(self) -> Iterator[Score]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)

    def __str__(self) -> str:
        return "\n".join(map(str, self.scores))

    def score(self, name: str) -> Score:
        """Return the score called `name`, with its signature and statistics."""
        for score in self.scores:
            if score.name == name:
                return score
        raise ConfigError(f"no score {name!r} here; there are {', '.join(score.name for score in self.scores)}")


def shown(value: float, *, share: bool) -> str:
    """Return at most four significant digits; the number is rounded once, as it was computed."""
    number = 100 * value if share else value
    size = abs(significant(number))
    return f"{number:.{2 if size < 100 else 1 if size < 1000 else 0}f}"


def evaluate(
    predictions: Given,
    gold: Given,
    *,
    metrics: Sequence[str | Spec | Metric] = (),
    preset: str = "default",
    policy: Mapping[str, object] | None = None,
    resamples: int = 0,
    seed: int = 1,
    progress: Progress | None = None,
) -> Scores:
    """Score `predictions` against `gold`, both as lists of phrases by document id, or as one list per document, in the
    same order. `gold` may also be documents with references.

    `preset` sets all choices as in a published protocol, `policy` changes some of them, and the options of a metric
    others: `evaluate(p, g, metrics=["F1@5", "F1@O(average='micro')"], preset="yuan2020", policy={"digits": "keep"})`.
    Without `metrics`, those of the preset are used. With `resamples`, such as 1000, each score has a bootstrap
    interval.
    """
    reference = as_answers(gold, name="gold")
    ids = () if isinstance(gold, Answers | Mapping) else tuple(reference.phrases)
    given = as_answers(predictions, name="system", ids=ids)
    if not reference.phrases:
        raise DataError("the gold has no documents")
    if given.phrases and not any(id_ in reference.phrases for id_ in given.phrases):
        one, other = next(iter(given.phrases)), next(iter(reference.phrases))
        raise DataError(f"{given.name} and {reference.name} have no id in common; one has {one!r}, the other {other!r}")
    side = ("both" if reference.stemmed else "predictions") if given.stemmed else "gold" if reference.stemmed else ""
    base, wanted = settings(preset, metrics, ({"stemmed": side} if side else {}) | dict(policy or {}))
    # The language of a document is the one that the gold names, else found from its text, else English.
    languages = {
        id_: language_of(reference.texts.get(id_) or given.texts.get(id_) or "", reference.languages.get(id_, ""))
        for id_ in reference.phrases
    }
    statistics = _statistics(given, reference, wanted, base, languages, progress)
    checksum, spoken = reference.checksum, sorted(set(languages.values()))
    scores = []
    for metric, by_document in zip(wanted, statistics, strict=True):
        if not by_document:
            raise DataError(f"{metric}: no document counts; all are without gold of this kind, or without an answer")
        own = metric.policy(base)
        sums = tuple(map(sum, zip(*by_document.values(), strict=True)))
        how = _signature(metric, own, documents=len(by_document), gold=checksum, languages=spoken)
        scores.append(Score(str(metric), metric.value(sums, own), how, metric, own, by_document))
    if resamples:
        from phrasemill.evaluation.significance import interval

        scores = [replace(score, interval=interval(score, resamples=resamples, seed=seed)) for score in scores]
    return Scores(
        system=given.name,
        scores=tuple(scores),
        missing=tuple(id_ for id_ in reference.phrases if id_ not in given.phrases),
        surplus=tuple(id_ for id_ in given.phrases if id_ not in reference.phrases),
        gold=checksum,
        preset=preset,
    )


def settings(
    name: str, metrics: Sequence[str | Spec | Metric], changes: Mapping[str, object]
) -> tuple[Policy, list[Metric]]:
    """Return the policy and the metrics for the arguments of `evaluate`."""
    chosen = preset(name)
    if isinstance(metrics, str):
        raise ConfigError(f"metrics must be a list, such as [{metrics!r}]; got the text {metrics!r}")
    wanted = list(dict.fromkeys(map(_built, metrics or chosen.metrics)))
    policy = chosen.policy.changed(changes)
    with_threshold = wanted if "threshold" in changes else [one for one in wanted if "threshold" in one.choices]
    if with_threshold and all(one.policy(policy).match != "semantic" for one in with_threshold):
        raise ConfigError("threshold has an effect only with match='semantic'")
    return policy, wanted


def _built(metric: str | Spec | Metric) -> Metric:
    if isinstance(metric, str | Spec):
        return METRICS.build(metric)
    if not isinstance(metric, Metric):
        raise ConfigError(f"a metric is a name such as 'F1@5', or a Metric; got {metric!r}")
    return metric


def _statistics(
    predictions: Answers,
    gold: Answers,
    metrics: Sequence[Metric],
    base: Policy,
    languages: Mapping[str, str],
    progress: Progress | None,
) -> list[dict[str, Statistics]]:
    """Return what each document adds to each metric; documents are matched once for all metrics that match alike."""
    collected: list[dict[str, Statistics]] = [{} for _ in metrics]
    policies = [metric.policy(base) for metric in metrics]
    groups: dict[Policy, list[int]] = {}
    for i, policy in enumerate(policies):
        groups.setdefault(policy.before_matching(), []).append(i)
    for matching, members in groups.items():
        for case in cases(predictions, gold, matching, languages):
            for i in members:
                sums = metrics[i].statistics(case, policies[i])
                if sums is not None:
                    collected[i][case.id] = sums
            if progress:
                progress(len(members))
    return collected


def _signature(metric: Metric, policy: Policy, *, documents: int, gold: str, languages: Sequence[str]) -> str:
    """Return the signature of `metric` under `policy`, over a number of documents of the gold with this checksum."""
    from phrasemill import __version__

    stemmers = {stemmer_of(policy, language) for language in languages}
    stem = stemmers.pop() if len(stemmers) == 1 else "own"
    match = policy.match if policy.match in UNSTEMMED else f"{policy.match}({stem})"
    if policy.match in ("cosine", "semantic"):
        threshold = f",{policy.threshold:g}" if policy.match == "semantic" else ""
        match = f"{policy.match}({Path(policy.embeddings).name}{threshold})"
    parts = [str(metric).partition("(")[0], f"match:{match}"]
    if set(languages) != {ENGLISH}:
        parts.append(f"lang:{','.join(languages)}")
    parts += [f"avg:{policy.average}", f"empty:{policy.empty_gold}", f"den:{policy.denominator}"]
    parts.append(f"dedupe:{policy.dedupe}")
    named = [one.name for one in fields(policy) if one.metadata.get("named")]
    parts += [f"{name}:{value}" for name in named if (value := getattr(policy, name)) != getattr(Policy(), name)]
    if not policy.dedupe_gold:
        parts.append("golddupes:keep")
    if policy.present != "all":
        how = f"stem({stem})" if policy.presence == "stem" else policy.presence
        parts.append(f"present:{policy.present}[{how}]")
    if not policy.lowercase:
        parts.append("case:keep")
    parts += [f"{name}:{metric.parameter(name)}" for name in metric.parameters]
    return "|".join([*parts, f"docs:{documents}", f"gold:{gold}", f"v:{__version__}"])
