"""Precision, recall and F1: of phrases, of single words, at any cut.

A metric turns each document into a few numbers that can be added up (its sufficient statistics) and turns their sums
into the score, so that a bootstrap resamples sums and never matches a phrase twice. Its name is its spec: `F1@5`,
`R@50(present='absent')`, `unigram-F1@20(average='micro')`. After `@` comes the cut: a number, `O` for as many as there
are gold keyphrases, `M` for all predictions (Yuan et al., 2020, section 4).
"""

from collections import Counter
from dataclasses import dataclass, fields
from typing import ClassVar, NamedTuple

from phrasemill.errors import ConfigError, UnknownName
from phrasemill.evaluation.cases import Case
from phrasemill.evaluation.policies import Policy
from phrasemill.specs import Registry, Spec, parse

Statistics = tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """What metrics have in common: a cut, and choices that override the preset's where they are given."""

    at: str = "M"
    match: str | None = None
    credit: str | None = None
    stemmer: str | None = None
    lowercase: bool | None = None
    digits: str | None = None
    wordings: str | None = None
    genitives: str | None = None
    dedupe: str | None = None
    dedupe_gold: bool | None = None
    denominator: str | None = None
    short: str | None = None
    rounding: str | None = None
    average: str | None = None
    empty_gold: str | None = None
    missing: str | None = None
    present: str | None = None
    presence: str | None = None
    stemmed: str | None = None
    embeddings: str | None = None
    threshold: float | None = None

    share: ClassVar[bool] = True  # a share of one, shown in per cent; otherwise a count
    averages: ClassVar[tuple[str, ...]] = ("macro",)
    cuts: ClassVar[bool] = True
    paper: ClassVar[str] = ""
    needs: ClassVar[str] = ""

    def __post_init__(self) -> None:
        if self.at not in ("O", "M") and not (self.at.isascii() and self.at.isdigit() and int(self.at) > 0):
            raise ConfigError(f"after @ comes a number from 1, O or M; got {self.at!r}")
        if not self.cuts and self.at != "M":
            raise ConfigError(f"{METRICS.name_of(type(self))} looks at whole lists; leave out @{self.at}")
        if self.average is not None and self.average not in self.averages:
            known = ", ".join(self.averages)
            raise ConfigError(f"{METRICS.name_of(type(self))} has no {self.average!r} average; it has {known}")
        self.policy(Policy())  # raises an error for wrong choices

    def __str__(self) -> str:
        own = [field.name for field in fields(self) if field.name != "at"]
        default = {field.name: field.default for field in fields(self)}
        options = [(name, getattr(self, name)) for name in own if getattr(self, name) != default[name]]
        name = METRICS.name_of(type(self))
        return str(Spec(f"{name}@{self.at}" if self.cuts else name, (), tuple(options)))

    __repr__ = __str__

    def policy(self, policy: Policy) -> Policy:
        """Return `policy` with the metric's own choices."""
        names = {field.name for field in fields(Policy)}
        own = {name: value for name in names if (value := getattr(self, name)) is not None}
        if "average" not in own and policy.average not in self.averages:
            own["average"] = self.averages[0]
        return policy.changed(own)

    def cut(self, case: Case) -> int:
        """Return how many predictions count."""
        if self.at == "O":
            return len(case.gold)
        return len(case.predicted) if self.at == "M" else int(self.at)

    def left_out(self, case: Case, policy: Policy) -> bool:
        return (policy.empty_gold == "skip" and not case.gold) or (policy.missing == "skip" and not case.answered)

    def score(self, case: Case, policy: Policy) -> float | None:
        """Return the score of one document, for metrics that average them; None leaves the document out."""
        raise NotImplementedError

    def statistics(self, case: Case, policy: Policy) -> Statistics | None:
        """Return what the document adds to the sums, or None if it is left out."""
        score = None if self.left_out(case, policy) else self.score(case, policy)
        return None if score is None else (score, 1.0)

    def value(self, sums: Statistics, policy: Policy) -> float:
        """Return the score that the sums give."""
        return sums[0] / sums[1]


class Counts(NamedTuple):
    """Of one document or of many: what was earned out of what was predicted, and found out of what was to find."""

    earned: float
    predicted: float
    found: float
    gold: float

    @property
    def precision(self) -> float:
        return self.earned / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        # With partial credit several predictions may earn from one gold keyphrase.
        return min(self.found / self.gold, 1.0) if self.gold else 0.0


PERFECT = Counts(1, 1, 1, 1)


def harmonic(precision: float, recall: float) -> float:
    """Return F1: the harmonic mean, 0 where both are."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


class _Counted(Metric):
    """Metrics made of counts; they can be averaged in all three ways."""

    averages: ClassVar[tuple[str, ...]] = ("macro", "micro", "means")
    paper: ClassVar[str] = "Yuan et al., 2020"

    def of(self, precision: float, recall: float) -> float:
        raise NotImplementedError

    def counts(self, case: Case, policy: Policy) -> Counts:
        """Count whole phrases among the first k."""
        cut = self.cut(case)
        first = case.matches[:cut]
        earned = sum([match.credit for match in first])
        found: float = earned
        whole = policy.match in ("exact", "stem", "semantic")
        if whole and policy.dedupe == "none" and policy.credit == "prediction":
            found = len({match.gold for match in first if match.credit})
        return Counts(earned, cut if policy.denominator == "k" else len(first), found, len(case.gold))

    def statistics(self, case: Case, policy: Policy) -> Statistics | None:
        if self.left_out(case, policy):
            return None
        if policy.empty_gold == "one" and not case.gold and not case.predicted:
            counts = PERFECT
        else:
            counts = self.counts(case, policy)
        if policy.short == "zero" and len(case.predicted) < self.cut(case):
            counts = counts._replace(earned=0.0, found=0.0)
        if policy.average == "micro":
            return counts
        precision, recall = counts.precision, counts.recall
        if policy.average == "means":
            return precision, recall, 1.0
        return self._of(precision, recall, policy), 1.0

    def _of(self, precision: float, recall: float, policy: Policy) -> float:
        if policy.rounding == "percent":
            precision, recall = (float(f"{100 * share:.2f}") / 100 for share in (precision, recall))
        return self.of(precision, recall)

    def value(self, sums: Statistics, policy: Policy) -> float:
        if policy.average == "micro":
            counts = Counts(*sums)
            return self._of(counts.precision, counts.recall, policy)
        if policy.average == "means":
            return self._of(sums[0] / sums[2], sums[1] / sums[2], policy)
        return sums[0] / sums[1]


class Precision(_Counted):
    """The share of the first k predictions that is right."""

    def of(self, precision: float, recall: float) -> float:
        return precision


class Recall(_Counted):
    """The share of the gold keyphrases that is among the first k predictions."""

    def of(self, precision: float, recall: float) -> float:
        return recall


class F1(_Counted):
    """The harmonic mean of precision and recall of the first k predictions."""

    def of(self, precision: float, recall: float) -> float:
        return harmonic(precision, recall)


class _Words:
    """Words of the first k predictions against words of the gold, as bags (Shapira et al., 2021, appendix A).

    The different phrases among the first k give their words; each gold cluster gives its different words; all clusters
    are pooled. Where repeats stay in the list (`dedupe='match'`) their words stay in the denominator.
    """

    paper: ClassVar[str] = "Shapira et al., 2021"

    def counts(self: _Counted, case: Case, policy: Policy) -> Counts:  # type: ignore[misc]
        first = case.predicted[: self.cut(case)]
        given = sum([key.count(" ") + 1 for key in first])
        distinct = first if policy.dedupe == "none" else dict.fromkeys(first)
        words = Counter([word for key in distinct for word in key.split()])
        gold: Counter[str] = Counter()
        for cluster in case.gold:
            # One wording may well repeat a word; only where wordings are merged must repeats go.
            gold.update(cluster[0].split() if len(cluster) == 1 else {w for key in cluster for w in key.split()})
        shared = float((words & gold).total())
        return Counts(shared, given, shared, gold.total())


class UnigramPrecision(_Words, Precision):
    """The share of the words in the first k predictions that is in the gold."""


class UnigramRecall(_Words, Recall):
    """The share of the words in the gold that is in the first k predictions."""


class UnigramF1(_Words, F1):
    """The harmonic mean of precision and recall of single words in the first k predictions."""


class MetricRegistry(Registry):
    """A registry whose names may end in a cut: `F1@5` is `F1(at='5')`."""

    def name_of(self, metric: type) -> str:
        """Return the name of a metric; that of its class if it is not registered."""
        return next((name for name in self.names() if self.get(name) is metric), metric.__name__)

    def build(self, spec: str | Spec) -> Metric:
        spec = parse(spec) if isinstance(spec, str) else spec
        name, mark, at = spec.name.partition("@")
        if name not in self:
            raise UnknownName(self.kind, spec.name, self.names())
        options = (("at", at), *spec.options) if mark else spec.options
        built: Metric = super().build(Spec(name, spec.values, options))
        return built


METRICS = MetricRegistry(
    "metric",
    {
        "ECE": "phrasemill.evaluation.descriptive_metrics:CalibrationError",
        "F1": "phrasemill.evaluation.metrics:F1",
        "MAP": "phrasemill.evaluation.ranking_metrics:AveragePrecision",
        "MRR": "phrasemill.evaluation.ranking_metrics:ReciprocalRank",
        "P": "phrasemill.evaluation.metrics:Precision",
        "R": "phrasemill.evaluation.metrics:Recall",
        "duplication": "phrasemill.evaluation.descriptive_metrics:Duplication",
        "nDCG": "phrasemill.evaluation.ranking_metrics:DiscountedGain",
        "phrase-length": "phrasemill.evaluation.descriptive_metrics:PhraseLength",
        "phrases": "phrasemill.evaluation.descriptive_metrics:Phrases",
        "synonymous": "phrasemill.evaluation.descriptive_metrics:Synonymous",
        "unigram-F1": "phrasemill.evaluation.metrics:UnigramF1",
        "unigram-P": "phrasemill.evaluation.metrics:UnigramPrecision",
        "unigram-R": "phrasemill.evaluation.metrics:UnigramRecall",
        "unique": "phrasemill.evaluation.descriptive_metrics:Unique",
    },
)
