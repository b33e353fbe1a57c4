"""Bayatmakou, Ahmadi and Mohebi, "Automatic Query-based Keyword and Keyphrase Extraction" (2017).

RAKE runs on each document; phrases of more than `longest` words are left out, and a phrase that several documents have
scores the mean of its scores in them. That is how Shapira et al. (2021) run it. The query, which a set does not have,
plays no part. Phrases are the same if they are spelled the same, in any case; of several spellings of the same stems
the best stays.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from phrasemill.methods.parameters import at_least
from phrasemill.ranker import build
from phrasemill.select import Selection
from phrasemill.sets.method import SetMethod
from phrasemill.sets.reading import DocumentPhrase, Form, ReadDocument
from phrasemill.sets.results import ChosenPhrase
from phrasemill.specs import AtMost
from phrasemill.types import Method


@dataclass(frozen=True, slots=True, repr=False)
class Bayatmakou(SetMethod):
    """RAKE on each document; phrases are ranked by their mean score.

    - `longest`: the most words in a phrase.
    """

    name: ClassVar[str] = "bayatmakou"
    paper: ClassVar[str] = "Bayatmakou et al., 2017"

    longest: Annotated[int, AtMost(50)] = 3

    def __post_init__(self) -> None:
        at_least(1, longest=self.longest)

    def extractor(self, language: str) -> Method:
        return build(f"rake(longest={self.longest})")

    def choose(self, readings: Sequence[ReadDocument], wanted: int | None, counting: Selection) -> list[ChosenPhrase]:
        same: dict[tuple[str, str], list[DocumentPhrase]] = {}
        for reading in readings:
            for found in reading.found:
                same.setdefault((reading.language, found.text.lower()), []).append(found)
        means = [
            ChosenPhrase(first.text, sum([one.score for one in (first, *others)]) / (1 + len(others)), (first.form,))
            for first, *others in same.values()
        ]
        best: dict[Form, ChosenPhrase] = {}
        for phrase in sorted(means, key=lambda phrase: -phrase.score):
            best.setdefault(phrase.forms[0], phrase)
        return list(best.values())
