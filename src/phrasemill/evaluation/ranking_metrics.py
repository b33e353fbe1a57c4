"""Metrics that look at the order of the predictions, from information retrieval."""

from math import log2
from typing import ClassVar

from phrasemill.evaluation.cases import Case
from phrasemill.evaluation.metrics import Metric
from phrasemill.evaluation.policies import Policy


class _Ranked(Metric):
    """Metrics of a document with gold; without gold, the choice `empty_gold` decides."""

    def ranked(self, case: Case) -> float:
        raise NotImplementedError

    def score(self, case: Case, policy: Policy) -> float:
        return self.ranked(case) if case.gold else float(policy.empty_gold == "one" and not case.predicted)


class AveragePrecision(_Ranked):
    """The mean of the precisions at each hit, over min(k, gold keyphrases); averaged over documents it is MAP."""

    paper: ClassVar[str] = "Manning et al., 2008, section 8.4"

    def ranked(self, case: Case) -> float:
        cut = self.cut(case)
        earned = total = 0.0
        for rank, match in enumerate(case.matches[:cut], start=1):
            if match.credit:
                earned += match.credit
                total += match.credit * earned / rank
        # With @M a short list must not make the task easier: all gold was there to be found.
        return min(total / (len(case.gold) if self.at == "M" else min(cut, len(case.gold))), 1.0)


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
        cut = self.cut(case)
        gain = sum([match.credit / log2(rank + 1) for rank, match in enumerate(case.matches[:cut], start=1)])
        best = len(case.gold) if self.at == "M" else min(cut, len(case.gold))
        return min(gain / sum([1 / log2(rank + 1) for rank in range(1, best + 1)]), 1.0)
