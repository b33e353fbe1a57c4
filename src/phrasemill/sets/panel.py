"""One model in several styles at once: how likely a phrase is a keyphrase, whoever chooses.

Indexers, authors, readers and news desks choose differently, and who will read a set is not known. The score is the
geometric mean of their probabilities: a phrase must be plausible to all of them. Of `learned`, the features are worked
out once; `encoder` reads a text once for each style.
"""

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from phrasemill.errors import UnknownName
from phrasemill.methods.learned.model import shipped_model
from phrasemill.methods.styles import GENERAL, INDEXER, NEWS, STYLES
from phrasemill.pipeline import Ranker, build
from phrasemill.types import Analysis, Candidates

LEARNED = "learned"
BY = ("encoder", LEARNED)
# Chosen on sets made of other corpora (docs/sets.md): all styles where nothing is known, two of them for news.
PANELS = {
    GENERAL: STYLES,
    NEWS: (INDEXER, NEWS),
}


@dataclass(frozen=True, slots=True, repr=False)
class Panel(Ranker):
    """A model in several styles; scores are geometric means of probabilities."""

    name: ClassVar[str] = "panel"
    scale: ClassVar[str] = "probability"

    style: str = GENERAL
    by: str = LEARNED

    def __post_init__(self) -> None:
        if self.style not in PANELS:
            raise UnknownName("style", self.style, PANELS)
        if self.by not in BY:
            raise UnknownName("by", self.by, BY)

    def propose(self, analysis: Analysis) -> Candidates:
        return shipped_model().shapes.propose(analysis)

    def score(self, candidates: Candidates) -> "array[float]":
        columns = self._learned(candidates) if self.by == LEARNED else self._by_method(candidates)
        share = 1 / len(columns)
        return array("d", [math.prod(column) ** share for column in zip(*columns, strict=True)])

    def _learned(self, candidates: Candidates) -> "list[array[float]]":
        model = shipped_model()
        rows = model.rows(candidates)
        # Only the general style was trained on texts without tags and tables, as those in other languages are.
        known = candidates.analysis.language == model.language
        styles = [style for style in PANELS[self.style] if style in model.trees.styles and (known or style == GENERAL)]
        return [model.trees.probabilities(rows, style) for style in styles or [next(iter(model.trees.styles))]]

    def _by_method(self, candidates: Candidates) -> list[Sequence[float]]:
        known = candidates.analysis.language == shipped_model().language
        members = [build(f"{self.by}(style={style!r})") for style in (PANELS[self.style] if known else [GENERAL])]
        return [member.score(candidates) for member in members if isinstance(member, Ranker)]
