"""The default: boosted trees over features of a phrase, trained on what people chose as keyphrases.

Candidates are runs of up to five words with a sequence of word classes that keyphrases have. Each has a row of features
(kernels/features.py): how often and where it stands, what stands around it, which longer and shorter candidates there
are, how frequent it and its words are in other texts and how often people chose them as keyphrases there, how close its
words are to the theme of the text. Trees turn a row into log-odds, and a line fitted on held-out documents turns those
into a probability: of ten phrases that score 0.3, about three are keyphrases that people would choose.

Who chooses matters: indexers mark many full noun phrases, authors a few general ones. `style` selects one;
`docs/quality.md` has the figures, and what each style was trained on. No feature depends on English; in other languages
the tables of other texts and the tags are missing, as in some of the training documents.
"""

from array import array
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from phrasemill.errors import UnknownName
from phrasemill.methods.learned.model import LearnedModel, load_model, shipped_model
from phrasemill.methods.styles import GENERAL
from phrasemill.pipeline import Ranker
from phrasemill.types import Analysis, Candidates, Evidence


@dataclass(frozen=True, slots=True, repr=False)
class Learned(Ranker):
    """Boosted trees trained on what people chose; scores are probabilities.

    `style` is whose choice is wanted: `indexer`, `author`, `reader`, `news`, or `general` where that is not known.
    `model` is a file that `phrasemill train learned` wrote.
    """

    name: ClassVar[str] = "learned"
    paper: ClassVar[str] = "ours"
    scale: ClassVar[str] = "probability"
    redundancy: ClassVar[str] = "variants"

    style: str = GENERAL
    model: str | None = None

    def __post_init__(self) -> None:
        styles = self._model.trees.styles
        if self.style not in styles:
            raise UnknownName("style", self.style, styles)

    @property
    def _model(self) -> LearnedModel:
        if self.model is None:
            return shipped_model()
        from phrasemill.methods.trained_models import opened

        return opened(self.model, self.name, load_model)

    def propose(self, analysis: Analysis) -> Candidates:
        return self._model.shapes.propose(analysis)

    def score(self, candidates: Candidates) -> "array[float]":
        model = self._model
        return model.trees.probabilities(model.rows(candidates), self._style(candidates.analysis))

    def explain(self, candidates: Candidates) -> Callable[[int], tuple[Evidence, ...]]:
        from phrasemill.methods.learned.evidence import evidence

        model = self._model
        return evidence(model.trees, model.rows(candidates), self._style(candidates.analysis))

    def _style(self, analysis: Analysis) -> str:
        """Return the style for a text; GENERAL in other languages, as only its trees were trained on texts without
        tags."""
        return self.style if analysis.language == self._model.language else GENERAL
