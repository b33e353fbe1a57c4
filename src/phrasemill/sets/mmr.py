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
from phrasemill.methods.parameters import at_least, share
from phrasemill.options import DEFAULT_METHOD
from phrasemill.sets.merge import KEPT, MergeBase, document_frequencies, found_wordings, phrase_score
from phrasemill.sets.occurrences import ChosenPhrase
from phrasemill.sets.read_documents import ReadDocument
from phrasemill.types import Method


@dataclass(frozen=True, slots=True, repr=False)
class MMR(MergeBase):
    """Merge the phrases of each document, then choose phrases unlike those before them.

    - `method`: the method for single documents.
    - `balance`: the weight of the score against being unlike the others, from 0 to 1.
    - `keep`: how many phrases of each document are merged.
    - `pool`: how many merged phrases to choose from.
    """

    name: ClassVar[str] = "mmr"
    paper: ClassVar[str] = "Carbonell and Goldstein, 1998"

    method: Method | str = DEFAULT_METHOD
    balance: float = 0.7
    keep: int = KEPT
    pool: int = 200

    def __post_init__(self) -> None:
        MergeBase.__post_init__(self)
        share(balance=self.balance)
        at_least(1, pool=self.pool)

    def choose(self, readings: Sequence[ReadDocument], wanted: int | None) -> list[ChosenPhrase]:
        scores = document_frequencies(reading.words for reading in readings)
        wordings = found_wordings(readings)
        relevance = {form: phrase_score(form, scores) for form in wordings}
        left = sorted(relevance, key=lambda form: -relevance[form])[: self.pool]
        bags = [frozenset(form.split()) for form in left]

        def likeness(i: int) -> list[float]:
            return [2 * len(bag & bags[i]) / (len(bag) + len(bags[i])) for bag in bags]

        order = marginal([relevance[form] for form in left], likeness, balance=self.balance)
        # Scores must descend with the order: what was taken at each step is the score.
        return [ChosenPhrase(wordings[left[i]], score, (left[i],)) for i, score in order]
