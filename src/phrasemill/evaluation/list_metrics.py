"""Metrics of whole lists: their order, what they look like whether or not they are right, and whether their scores are
probabilities."""

from collections import Counter
from collections.abc import Mapping
from math import log2
from typing import ClassVar

from phrasemill.errors import DataError
from phrasemill.evaluation.cases import Case
from phrasemill.evaluation.matching import NOTHING
from phrasemill.evaluation.metrics import Metric, Statistics
from phrasemill.evaluation.policies import Policy


class _Ranked(Metric):
    """Metrics of a document with gold; without gold, the choice `empty_gold` decides."""

    def ranked(self, case: Case) -> float:
        raise NotImplementedError

    def score(self, case: Case, policy: Policy) -> float:
        return self.ranked(case) if case.gold else float(policy.empty_gold == "one" and not case.predicted)

    def to_find(self, case: Case) -> int:
        """Return how many hits a perfect list has. With @M a short list must not make the task easier."""
        return len(case.gold) if self.at == "M" else min(self.cut(case), len(case.gold))


class AveragePrecision(_Ranked):
    """The mean of the precisions at each hit, over min(k, gold keyphrases); averaged over documents it is MAP."""

    paper: ClassVar[str] = "Manning et al., 2008, section 8.4"

    def ranked(self, case: Case) -> float:
        earned = total = 0.0
        for rank, match in enumerate(case.matches[: self.cut(case)], start=1):
            earned += match.credit
            total += match.credit * earned / rank
        return min(total / self.to_find(case), 1.0)


class ReciprocalRank(_Ranked):
    """One over the rank of the first hit among the first k, 0 without one; averaged over documents it is MRR."""

    paper: ClassVar[str] = "Voorhees, 1999"

    def ranked(self, case: Case) -> float:
        hits = (rank for rank, match in enumerate(case.matches[: self.cut(case)], start=1) if match.credit)
        return 1 / next(hits, float("inf"))


class DiscountedGain(_Ranked):
    """Credit over log2(rank + 1), summed over the first k, over that of a perfect list."""

    paper: ClassVar[str] = "Järvelin and Kekäläinen, 2002"

    def ranked(self, case: Case) -> float:
        first = case.matches[: self.cut(case)]
        gain = sum([match.credit / log2(rank + 1) for rank, match in enumerate(first, start=1)])
        return min(gain / sum([1 / log2(rank + 1) for rank in range(1, self.to_find(case) + 1)]), 1.0)


class PhraseLength(Metric):
    """The number of words per predicted phrase, averaged by document, then over documents; repeats included."""

    share: ClassVar[bool] = False
    paper: ClassVar[str] = "Shapira et al., 2021, Table 6"

    def left_out(self, case: Case, policy: Policy) -> bool:
        return not case.listed

    def score(self, case: Case, policy: Policy) -> float:
        first = case.listed if self.at == "M" else case.listed[: self.cut(case)]
        return sum([len(key.split()) for key in first]) / len(first) if first else 0.0


class Synonymous(Metric):
    """Of the predictions that match a gold cluster, the share whose cluster another prediction also matches.

    The paper calls it the percentage of keyphrases that "share substitute clusters with others"; its figures are
    shares of the matching predictions, a topic without any counting as 0.
    """

    paper: ClassVar[str] = "Shapira et al., 2021, Table 6"

    def score(self, case: Case, policy: Policy) -> float:
        met = [match.gold for match in case.matches[: self.cut(case)] if match.gold != NOTHING]
        times = Counter(met)
        return sum([times[gold] > 1 for gold in met]) / len(met) if met else 0.0


class _Listing(Metric):
    """Metrics of the list alone: gold, or the lack of it, plays no part."""

    cuts: ClassVar[bool] = False
    paper: ClassVar[str] = "Yuan et al., 2020, section 6.2"

    def left_out(self, case: Case, policy: Policy) -> bool:
        return policy.missing == "skip" and not case.answered


class Phrases(_Listing):
    """The number of predicted phrases per document, repeats included."""

    share: ClassVar[bool] = False
    paper: ClassVar[str] = ""

    def score(self, case: Case, policy: Policy) -> float:
        return float(len(case.listed))


class Unique(_Listing):
    """The number of different predicted phrases per document."""

    share: ClassVar[bool] = False

    def score(self, case: Case, policy: Policy) -> float:
        return float(len(set(case.listed)))


class Duplication(_Listing):
    """The share of predictions that repeat an earlier one; documents without predictions are left out."""

    def score(self, case: Case, policy: Policy) -> float | None:
        return 1 - len(set(case.listed)) / len(case.listed) if case.listed else None


class CalibrationError(Metric):
    """Expected calibration error: how far probabilities are from the share of predictions that is right.

    Predictions of all documents fall into `bins` of equal width by score; the gaps between mean score and share right
    are averaged, weighted by the number of predictions.
    """

    paper: ClassVar[str] = "Naeini et al., 2015; Guo et al., 2017"
    needs: ClassVar[str] = "scores from 0 to 1"
    averages: ClassVar[tuple[str, ...]] = ("micro",)
    parameters: ClassVar[Mapping[str, int]] = {"bins": 10}

    def statistics(self, case: Case, policy: Policy) -> Statistics | None:
        if self.left_out(case, policy):
            return None
        bins = self.parameter("bins")
        sums = [0.0] * (3 * bins)
        first = case.matches[: self.cut(case)]
        if first and not case.scores:
            raise DataError(f"ECE needs a score for each prediction; {case.id!r} has none")
        for match, score in zip(first, case.scores, strict=False):
            if not 0 <= score <= 1:
                raise DataError(f"ECE needs scores from 0 to 1; {case.id!r} has {score:g}")
            place = 3 * min(int(score * bins), bins - 1)
            sums[place] += 1
            sums[place + 1] += score
            sums[place + 2] += match.credit
        return tuple(sums)

    def value(self, sums: Statistics, policy: Policy) -> float:
        total = sum(sums[::3])
        gaps = [abs(sums[i + 1] - sums[i + 2]) for i in range(0, len(sums), 3)]
        return sum(gaps) / total if total else 0.0
