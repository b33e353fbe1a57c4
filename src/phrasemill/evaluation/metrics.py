"""What a metric is; precision, recall and F1, of phrases and of single words; and the names of all metrics.

A metric turns each document into a few numbers that can be added up (its sufficient statistics) and turns their sums
into the score, so that a bootstrap resamples sums and never matches a phrase twice. Its name is its spec: `F1@5`,
`R@50(present='absent')`, `unigram-F1@20(average='micro')`. After `@` comes the cut: a number, `O` for as many as there
are gold keyphrases, `M` for all predictions (Yuan et al., 2020, section 4).

A new one is a class with a docstring and `score`, here or anywhere: `METRICS.register("first", First)`.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import ClassVar, NamedTuple

from phrasemill.errors import ConfigError, UnknownName
from phrasemill.evaluation.cases import Case
from phrasemill.evaluation.policies import Policy
from phrasemill.specs import Registry, Spec, parse

Statistics = tuple[float, ...]


@dataclass(frozen=True, repr=False)
class Metric:
    """What metrics have in common: a cut, and choices that override those of the preset."""

    at: str = "M"
    choices: Mapping[str, object] = field(default_factory=dict)

    share: ClassVar[bool] = True  # a share of one, shown in per cent; otherwise a count
    averages: ClassVar[tuple[str, ...]] = ("macro",)
    cuts: ClassVar[bool] = True
    parameters: ClassVar[Mapping[str, int]] = {}  # what it takes beyond choices: names and defaults of numbers from 1
    paper: ClassVar[str] = ""
    needs: ClassVar[str] = ""

    def __post_init__(self) -> None:
        name = METRICS.name_of(type(self))
        if self.at not in ("O", "M") and not (self.at.isascii() and self.at.isdigit() and int(self.at) > 0):
            raise ConfigError(f"after @ comes a number from 1, O or M; got {self.at!r}")
        if not self.cuts and self.at != "M":
            raise ConfigError(f"{name} looks at whole lists; leave out @{self.at}")
        if (average := self.choices.get("average", self.averages[0])) not in self.averages:
            raise ConfigError(f"{name} has no {average!r} average; it has {', '.join(self.averages)}")
        for parameter in self.parameters:
            if type(value := self.parameter(parameter)) is not int or value < 1:
                raise ConfigError(f"{parameter} must be at least 1, got {value!r}")
        self.policy(Policy())  # raises an error for wrong choices
        order = [*(one.name for one in fields(Policy)), *self.parameters]
        object.__setattr__(self, "choices", {key: self.choices[key] for key in sorted(self.choices, key=order.index)})

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        name = METRICS.name_of(type(self))
        return str(Spec(f"{name}@{self.at}" if self.cuts else name, (), tuple(self.choices.items())))

    __repr__ = __str__

    def policy(self, policy: Policy) -> Policy:
        """Return `policy` with the metric's own choices."""
        own = {name: value for name, value in self.choices.items() if name not in self.parameters}
        if policy.average not in self.averages:
            own.setdefault("average", self.averages[0])
        return policy.changed(own)

    def parameter(self, name: str) -> int:
        value: int = self.choices.get(name, self.parameters[name])  # type: ignore[assignment]
        return value

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


def harmonic(precision: float, recall: float) -> float:
    """Return F1: the harmonic mean, 0 where both are."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


class Counted(Metric):
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
            counts = Counts(1, 1, 1, 1)
        else:
            counts = self.counts(case, policy)
        if policy.short == "zero" and len(case.predicted) < self.cut(case):
            counts = counts._replace(earned=0.0, found=0.0)
        if policy.average == "micro":
            return counts
        if policy.average == "means":
            return counts.precision, counts.recall, 1.0
        return self._of(counts.precision, counts.recall, policy), 1.0

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


class Precision(Counted):
    """The share of the first k predictions that is right."""

    def of(self, precision: float, recall: float) -> float:
        return precision


class Recall(Counted):
    """The share of the gold keyphrases that is among the first k predictions."""

    def of(self, precision: float, recall: float) -> float:
        return recall


class F1(Counted):
    """The harmonic mean of precision and recall of the first k predictions."""

    def of(self, precision: float, recall: float) -> float:
        return harmonic(precision, recall)


class _Words:
    """Words of the first k predictions against words of the gold, as bags (Shapira et al., 2021, appendix A).

    The different phrases among the first k give their words; each gold cluster gives its different words; all clusters
    are pooled. Where repeats stay in the list (`dedupe='match'`) their words stay in the denominator.
    """

    paper: ClassVar[str] = "Shapira et al., 2021"

    def counts(self: Counted, case: Case, policy: Policy) -> Counts:  # type: ignore[misc]
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
    """A registry whose names may end in a cut: `F1@5` is `F1("5")`."""

    def name_of(self, metric: type) -> str:
        """Return the name of a metric; that of its class if it is not registered."""
        return next((name for name in self.names() if self.get(name) is metric), metric.__name__)

    def build(self, spec: str | Spec) -> Metric:
        spec = parse(spec) if isinstance(spec, str) else spec
        name, mark, at = spec.name.partition("@")
        if name not in self:
            raise UnknownName(self.kind, spec.name, self.names())
        if spec.values:
            raise ConfigError(f"{spec}: write choices as name=value, such as {name}(average='micro')")
        choices = dict(spec.options)
        metric: Metric = self.get(name)(at if mark else str(choices.pop("at", "M")), choices)
        return metric


METRICS = MetricRegistry(
    "metric",
    {
        "ECE": "phrasemill.evaluation.list_metrics:CalibrationError",
        "F1": "phrasemill.evaluation.metrics:F1",
        "MAP": "phrasemill.evaluation.list_metrics:AveragePrecision",
        "MRR": "phrasemill.evaluation.list_metrics:ReciprocalRank",
        "P": "phrasemill.evaluation.metrics:Precision",
        "R": "phrasemill.evaluation.metrics:Recall",
        "duplication": "phrasemill.evaluation.list_metrics:Duplication",
        "nDCG": "phrasemill.evaluation.list_metrics:DiscountedGain",
        "phrase-length": "phrasemill.evaluation.list_metrics:PhraseLength",
        "phrases": "phrasemill.evaluation.list_metrics:Phrases",
        "synonymous": "phrasemill.evaluation.list_metrics:Synonymous",
        "unigram-F1": "phrasemill.evaluation.metrics:UnigramF1",
        "unigram-P": "phrasemill.evaluation.metrics:UnigramPrecision",
        "unigram-R": "phrasemill.evaluation.metrics:UnigramRecall",
        "unique": "phrasemill.evaluation.list_metrics:Unique",
    },
)
