"""Bayatmakou, Ahmadi and Mohebi, "Automatic Query-based Keyword and Keyphrase Extraction" (2017).

RAKE runs on each document; phrases of more than `longest` words are left out, as Shapira et al. (2021) do. Each
phrase is then scored again: its own scores in all documents, and those of the phrases that share words with it.

What is public says that RAKE's lists are merged "by word similarity" in a re-scoring, not how. Here the similarity of
two phrases is the share of stems that they have in common (Jaccard), RAKE's scores are taken relative to the best of
their document, and a phrase's new score is the sum over all phrases of all documents of similarity times score, over
the number of documents. The query, which a set does not have, plays no part.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from phrasemill.methods.parameters import at_least
from phrasemill.pipeline import build
from phrasemill.sets.merge import found_wordings, holders
from phrasemill.sets.method import SetMethod
from phrasemill.sets.occurrences import ChosenPhrase
from phrasemill.sets.read_documents import ReadDocument
from phrasemill.types import Extractor


@dataclass(frozen=True, slots=True, repr=False)
class Bayatmakou(SetMethod):
    """RAKE over each document; phrases scored by all phrases that share words with them."""

    name: ClassVar[str] = "bayatmakou"
    paper: ClassVar[str] = "Bayatmakou et al., 2017"

    longest: int = 3

    def __post_init__(self) -> None:
        at_least(1, longest=self.longest)

    def extractor(self, language: str) -> Extractor:
        return build(f"rake(longest={self.longest})")

    def choose(self, readings: Sequence[ReadDocument], wanted: int | None) -> list[ChosenPhrase]:
        totals: dict[str, float] = {}
        wordings = found_wordings(readings)
        for reading in readings:
            best = max((found.score for found in reading.found), default=1.0) or 1.0
            for found in reading.found:
                totals[found.form] = totals.get(found.form, 0.0) + found.score / best
        scores = {form: score / len(readings) for form, score in _shared(totals).items()}
        ranked = sorted(scores, key=lambda form: -scores[form])
        return [ChosenPhrase(wordings[form], scores[form], (form,)) for form in ranked]


def _shared(totals: dict[str, float]) -> dict[str, float]:
    """Return each form's own total and, by similarity, those of the forms that share words with it."""
    bags = {form: frozenset(form.split()) for form in totals}
    forms = holders(bags)
    result = {}
    for form, bag in bags.items():
        near = {other for word in bag for other in forms[word]}
        result[form] = sum(totals[other] * len(bag & bags[other]) / len(bag | bags[other]) for other in sorted(near))
    return result
