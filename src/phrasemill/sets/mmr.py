"""Maximal marginal relevance over a merged list (Carbonell and Goldstein, 1998; Qing-sheng, 2007, for sets).

Phrases are taken one by one: each time the one with the best `balance` times its score minus the rest times its
likeness to what was taken before. Scores are those of `merge`, before contained phrases are merged; likeness is the
share of stems in common (Dice). The review in Shapira et al. (2021) names the approach and no formula; these choices
are ours. Only the best `pool` phrases take part.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from phrasemill.diversity import marginal
from phrasemill.errors import ConfigError
from phrasemill.options import DEFAULT_METHOD
from phrasemill.pipeline import build
from phrasemill.sets.merge import KEPT, first_wordings
from phrasemill.sets.merging import phrase_score, word_scores
from phrasemill.sets.method import SetMethod
from phrasemill.sets.occurrences import Chosen
from phrasemill.sets.reading import Reading
from phrasemill.types import Extractor


@dataclass(frozen=True, slots=True, repr=False)
class MMR(SetMethod):
    """Merged phrases, each unlike those before it."""

    name: ClassVar[str] = "mmr"
    paper: ClassVar[str] = "Carbonell and Goldstein, 1998"

    method: Extractor | str = DEFAULT_METHOD
    balance: float = 0.7
    keep: int = KEPT
    pool: int = 200

    def __post_init__(self) -> None:
        if not 0 <= self.balance <= 1:
            raise ConfigError(f"balance must lie between 0 and 1, got {self.balance}")
        if self.keep < 1 or self.pool < 1:
            raise ConfigError(f"keep and pool must be at least 1, got {self.keep} and {self.pool}")
        object.__setattr__(self, "method", build(self.method))

    def extractor(self, language: str) -> Extractor:
        return build(self.method)

    @property
    def kept(self) -> int:
        return self.keep

    def choose(self, readings: Sequence[Reading], wanted: int | None) -> list[Chosen]:
        scores = word_scores(reading.words for reading in readings)
        wordings = first_wordings(readings)
        relevance = {form: phrase_score(form, scores) for form in wordings}
        left = sorted(relevance, key=lambda form: -relevance[form])[: self.pool]
        bags = [frozenset(form.split()) for form in left]

        def likeness(i: int) -> list[float]:
            return [2 * len(bag & bags[i]) / (len(bag) + len(bags[i])) for bag in bags]

        order = marginal([relevance[form] for form in left], likeness, balance=self.balance)
        # Scores must descend with the order: what was taken at each step is the score.
        return [Chosen(wordings[left[i]], score, (left[i],)) for i, score in order]
