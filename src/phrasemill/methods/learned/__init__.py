"""The default: boosted trees over features of a phrase, trained on what people chose as keyphrases.

Candidates are runs of up to five words with a sequence of word classes that keyphrases have. Each has a row of features
(kernels/learned.pyx): how often and where it stands, what stands around it, which longer and shorter candidates there
are, how frequent it and its words are in other texts and how often people chose them as keyphrases there, how close its
words are to the theme of the text. Trees turn a row into log-odds, and a line fitted on held-out documents turns those
into a probability: of ten phrases that score 0.3, about three are keyphrases that people would choose.

Who chooses matters: indexers mark many full noun phrases, authors a few general ones, and an article has other
keyphrases than a paper. The kind of a text is recognised (kinds.py) and the trees of all styles are mixed by their
likelihood unless `style` names one; `docs/evidence/quality.md` has the figures, and what each style was trained on.
Texts in other languages than English have a model of their own, which was trained on several languages: no feature
depends on one.
"""

import warnings
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from phrasemill.candidates import including
from phrasemill.errors import PhrasemillWarning, UnknownName
from phrasemill.methods.learned import conventions, kinds
from phrasemill.methods.learned.model import NO_BACKGROUND, LearnedModel, load_model, model_for, shipped_model
from phrasemill.methods.styles import GENERAL, TAGS
from phrasemill.ranker import Ranked, Ranker
from phrasemill.text.language_codes import language_name
from phrasemill.types import NO_PLACES, Analysis, Candidates, Evidence, Places


def kind_of(analysis: Analysis) -> str:
    """Return the kind of a text as the shipped model recognises it: `abstract`, `paper`, `news` or `everyday`; "" for
    a text without words."""
    if not len(analysis):
        return ""
    return kinds.likeliest(model_for(analysis.language).mixture(analysis, GENERAL))


@dataclass(frozen=True, slots=True, repr=False)
class Learned(Ranker):
    """Boosted trees, trained on keyphrases that people chose; scores are probabilities.

    - `style`: whose choices to predict: `indexer`, `author`, `reader`, `news`, `everyday`, or `general`, which
      recognises the kind of text. `tags` (single words and names) is for languages other than English. If the model
      of a language lacks a style, `general` is used, with a warning.
    - `model`: a file written by `phrasemill train learned`.
    """

    name: ClassVar[str] = "learned"
    paper: ClassVar[str] = "ours"
    scale: ClassVar[str] = "probability"
    redundancy: ClassVar[str] = "variants"

    style: str = GENERAL
    model: str | None = None

    def __post_init__(self) -> None:
        styles = (*shipped_model().styles, TAGS) if self.model is None else self._own.styles
        if self.style not in styles:
            raise UnknownName("style", self.style, styles)

    @property
    def _own(self) -> LearnedModel:
        from phrasemill.methods.trained_models import opened

        return opened(self.model, self.name, load_model)

    def _model(self, analysis: Analysis) -> LearnedModel:
        return model_for(analysis.language) if self.model is None else self._own

    def propose(self, analysis: Analysis) -> Candidates:
        return self._model(analysis).shapes.propose(analysis)

    def score(self, candidates: Candidates) -> "array[float]":
        return self.scored(candidates)[0]

    def ranked(self, analysis: Analysis, extra: Places = NO_PLACES) -> Ranked:
        model = model_for(analysis.language) if self.model is None else self._own
        candidates = model.shapes.propose(analysis)
        if extra:
            candidates = including(candidates, extra)
        scores, styles = self.scored(candidates)
        return conventions.ranked(candidates, scores, styles)

    def scored(self, candidates: Candidates) -> "tuple[array[float], dict[str, float]]":
        """Return the scores, and the shares of the styles whose trees they come from."""
        model = model_for(candidates.analysis.language) if self.model is None else self._own
        if self.style not in model.styles:
            language = language_name(candidates.analysis.language)
            where = "English" if self.style in shipped_model().styles else "languages other than English"
            told = f"learned has the style {self.style!r} for {where}; texts in {language} are ranked by general"
            warnings.warn(told, PhrasemillWarning, 2)
        styles = {self.style: 1.0} if self.style in model.trees.styles else model.general(candidates.analysis)
        rows = model.tables.get(candidates.analysis.language, NO_BACKGROUND).rows(candidates, model.shapes)
        return model.trees.probabilities(rows, styles), styles

    def explain(self, candidates: Candidates) -> Callable[[int], tuple[Evidence, ...]]:
        from phrasemill.methods.learned.evidence import evidence

        model = self._model(candidates.analysis)
        return evidence(model.trees, model.rows(candidates), model.mixture(candidates.analysis, self.style))
