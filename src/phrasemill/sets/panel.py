"""One model in several styles at once: how likely a phrase is a keyphrase, whoever chooses.

Who will read a set is not known. The score is the geometric mean of the probabilities in several styles: a phrase must
be plausible in all of them. Which styles depends on the kind of each text, which is recognised. Of `learned`, the
features are worked out once; `encoder` reads a text once for each style.
"""

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from phrasemill.errors import UnknownName
from phrasemill.methods.learned.model import model_for, shipped_model
from phrasemill.methods.styles import AUTHOR, EVERYDAY, GENERAL, INDEXER, NEWS, READER
from phrasemill.ranker import Ranker, build
from phrasemill.types import Analysis, Candidates

LEARNED = "learned"
BY = ("encoder", LEARNED)
# Chosen on sets made of other corpora (docs/evidence/sets.md); GENERAL recognises which of them a text needs.
SCIENCE = "science"
PANELS = {
    SCIENCE: (AUTHOR, INDEXER, READER),
    NEWS: (INDEXER, NEWS),
}
CHOICES = (GENERAL, NEWS)


@dataclass(frozen=True, slots=True, repr=False)
class Panel(Ranker):
    """A model in several styles; scores are geometric means of probabilities."""

    name: ClassVar[str] = "panel"
    scale: ClassVar[str] = "probability"

    style: str = GENERAL
    by: str = LEARNED

    def __post_init__(self) -> None:
        if self.style not in CHOICES:
            raise UnknownName("style", self.style, CHOICES)
        if self.by not in BY:
            raise UnknownName("by", self.by, BY)

    def propose(self, analysis: Analysis) -> Candidates:
        return model_for(analysis.language).shapes.propose(analysis)

    def score(self, candidates: Candidates) -> "array[float]":
        styles = self._styles(candidates.analysis)
        columns = self._learned(candidates, styles) if self.by == LEARNED else self._by_method(candidates, styles)
        share = 1 / len(columns)
        return array("d", [math.prod(column) ** share for column in zip(*columns, strict=True)])

    def _styles(self, analysis: Analysis) -> Sequence[str]:
        """Return the styles that judge a text: those of its kind in English, the recognised one elsewhere."""
        if analysis.language != shipped_model().language:
            return (GENERAL,)
        if self.style == NEWS:
            return PANELS[NEWS]
        return PANELS[NEWS if share_of_prose(analysis) >= 0.5 else SCIENCE]

    def _learned(self, candidates: Candidates, styles: Sequence[str]) -> "list[array[float]]":
        model = model_for(candidates.analysis.language)
        rows = model.rows(candidates)
        mixtures = [model.mixture(candidates.analysis, style) for style in styles]
        return [model.trees.probabilities(rows, mixture) for mixture in mixtures]

    def _by_method(self, candidates: Candidates, styles: Sequence[str]) -> list[Sequence[float]]:
        members = [build(f"{self.by}(style={style!r})") for style in styles]
        return [member.score(candidates) for member in members if isinstance(member, Ranker)]


def share_of_prose(analysis: Analysis) -> float:
    """Return how likely a text is news or everyday prose rather than science."""
    kinds = model_for(analysis.language).mixture(analysis, GENERAL)
    return kinds.get(NEWS, 0.0) + kinds.get(EVERYDAY, 0.0)
