"""FirstPhrases: noun phrases in the order in which they first occur.

The baseline that every ranker should beat, and that few do by much on news: writers put first what matters.
"""

from array import array
from dataclasses import dataclass
from typing import ClassVar

from phrasemill.candidates import NOUN_PHRASE, noun_phrases
from phrasemill.ranker import Ranker
from phrasemill.types import Analysis, Candidates


@dataclass(frozen=True, slots=True, repr=False)
class FirstPhrases(Ranker):
    """Noun phrases in order of first occurrence.

    - `pattern`: the tag pattern of candidates; by default adjectives, then nouns.
    """

    name: ClassVar[str] = "firstphrases"
    needs: ClassVar[str] = "a tagger"

    pattern: str = NOUN_PHRASE

    def propose(self, analysis: Analysis) -> Candidates:
        return noun_phrases(analysis, patterns=(self.pattern,))

    def score(self, candidates: Candidates) -> "array[float]":
        """Return 1 for a phrase that opens the text, falling to 0 at its end."""
        length = len(candidates.analysis)
        return array("d", [1 - candidates.start[o] / length for o in candidates.first[:-1]])
