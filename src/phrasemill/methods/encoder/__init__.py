"""The encoder: a pretrained network scores candidates in context, and trees combine it with the features of `learned`.

MiniLM (Wang et al., 2020), trained to separate keyphrases from the other candidates of a text, as JointKPE is (Sun et
al., 2021; `lab` has its network), from labels and from the scores of a larger network. Long texts are read in
overlapping windows, each after the title. The scores of a candidate (best, mean, first, and how it compares)
and the kind of text that the network recognises go into trees with all features of `learned`; the results are
probabilities as there. It runs in int8 in ONNX Runtime, on the CPU.

`size='large'` reads with MPNet (Song et al., 2020) instead, which learned from labels alone; its weights are a package
of their own.

Texts in other languages than English are ranked by `learned`, with a warning, unless `model` names an encoder of one's
own, which may read any language (folder.py).
"""

import json
import warnings
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

from phrasemill.candidates import including
from phrasemill.errors import ConfigError, ModelError, PhrasemillWarning, UnknownName
from phrasemill.methods.learned import Learned, conventions
from phrasemill.methods.learned.background import WIDTH
from phrasemill.methods.learned.model import model_for, shipped_model
from phrasemill.methods.styles import AUTHOR, ENCODER_KINDS, ENCODER_PIECES, GENERAL, READER
from phrasemill.methods.writing import load_model
from phrasemill.models import separate, shipped
from phrasemill.ranker import Ranked, Ranker
from phrasemill.specs import OneOf
from phrasemill.text.language_codes import language_name
from phrasemill.types import NO_PLACES, Analysis, Candidates, Evidence, Places

if TYPE_CHECKING:
    from phrasemill.methods.encoder.scorer import SpanScorerModel
    from phrasemill.methods.learned.trees import StyledTrees

SHIPPED = shipped("encoder_en.safetensors")
SMALL, LARGE = "small", "large"
SIZES = {SMALL: SHIPPED, LARGE: separate("encoder_large_en.safetensors")}
# What a phrase of `top="auto"` costs, as in `learned`; of full papers more phrases are likely here.
PRICES = conventions.PRICES | {READER: 2.25, AUTHOR: 2.5}
STYLE_PREFIX = "trees.of."  # of the columns with the tree numbers of each style


def installed_sizes() -> tuple[str, ...]:
    """Return the sizes whose weights are installed."""
    return tuple([name for name, path in SIZES.items() if path.exists()])


@dataclass(frozen=True, slots=True, repr=False)
class Encoder(Ranker):
    """A network that reads the whole text, with the features of `learned`; scores are probabilities.

    - `style`: whose choices to predict: `indexer`, `author`, `reader`, `news`, `everyday`, or `general`, which
      recognises the kind of text; `explain` names it.
    - `model`: a file written by `phrasemill make encoder_en`; or a Transformers folder with a BERT for any
      language, which needs no training and adjusts the ranking of `learned` by similarity to the text.
    - `size`: `small`, or `large`, which ranks everyday texts better and takes over ten times as long; install its
      weights separately.
    """

    name: ClassVar[str] = "encoder"
    paper: ClassVar[str] = "Phrasemill; after Sun et al., 2021"
    scale: ClassVar[str] = "probability"
    redundancy: ClassVar[str] = "variants"

    style: str = GENERAL
    model: str | None = None
    size: Annotated[str, OneOf(installed_sizes)] = SMALL

    def __post_init__(self) -> None:
        if self.style not in ENCODER_PIECES:
            raise UnknownName("style", self.style, ENCODER_PIECES)
        if self.size not in SIZES:
            raise UnknownName("size", self.size, SIZES)
        if self.model is not None and self.size != SMALL:
            raise ConfigError("encoder takes a size or a model, not both")

    def propose(self, analysis: Analysis) -> Candidates:
        return model_for(analysis.language).shapes.propose(analysis)

    def score(self, candidates: Candidates) -> "array[float]":
        return self.scored(candidates)[0]

    def ranked(self, analysis: Analysis, extra: Places = NO_PLACES) -> Ranked:
        candidates = including(self.propose(analysis), extra)
        scores, styles = self.scored(candidates)
        return conventions.ranked(candidates, scores, styles, prices=PRICES)

    def scored(self, candidates: Candidates) -> "tuple[array[float], dict[str, float]]":
        """Return the scores, and how likely each style is: the one that was asked for, or by the kind of the text."""
        if self.model is not None and self._is_folder:
            from phrasemill.methods.encoder.folder import moved

            scores, styles = Learned(self.style).scored(candidates)
            return moved(candidates, scores, self.model), styles
        if candidates.analysis.language != shipped_model().language:
            found = language_name(candidates.analysis.language)
            warnings.warn(f"encoder is for English only; texts in {found} are ranked by learned", PhrasemillWarning, 2)
            return Learned(self.style).scored(candidates)
        scorer, trees = self._opened
        rows = _Rows(candidates, scorer, self.style)
        styles = {self.style: 1.0}
        scores = trees.probabilities(rows, styles)
        if self.style == GENERAL and (kinds := rows.kinds()):
            styles = dict(zip(ENCODER_KINDS, kinds, strict=True))
        return scores, styles

    def explain(self, candidates: Candidates) -> Callable[[int], tuple[Evidence, ...]]:
        from phrasemill.methods.learned.evidence import READING, evidence

        if self._is_folder or candidates.analysis.language != shipped_model().language:
            return Learned(self.style).explain(candidates)
        scorer, trees = self._opened
        return evidence(trees, _Rows(candidates, scorer, self.style), {self.style: 1.0}, READING)

    @property
    def _is_folder(self) -> bool:
        """Whether the model is a folder in the layout of Transformers."""
        return self.model is not None and (Path(self.model) / "config.json").is_file()

    @property
    def _opened(self) -> "tuple[SpanScorerModel, StyledTrees]":
        return load_model(_load, self.model, self.name, SIZES[self.size])


class _Rows:
    """The features of `learned` and the network's columns, per candidate."""

    def __init__(self, candidates: Candidates, scorer: "SpanScorerModel", style: str) -> None:
        from phrasemill.methods.encoder.scorer import columns

        self._known = shipped_model().rows(candidates)
        title, body = candidates.analysis.view.bounds
        self._read = columns(scorer.scores(candidates, style, title=title, body=body))

    def __len__(self) -> int:
        return len(self._known)

    def some(self, begin: int, end: int) -> "array[float]":
        import numpy as np

        known = np.frombuffer(self._known.some(begin, end), dtype=np.float32).reshape(-1, WIDTH)
        return array("f", np.hstack([known, self._read[begin:end]]).tobytes())

    def kinds(self) -> list[float]:
        """Return the shares of the kinds that the network takes the text for; none without candidates."""
        return self._read[0, -len(ENCODER_KINDS) :].tolist() if len(self) else []


def _load(path: Path, name: str) -> "tuple[SpanScorerModel, StyledTrees]":
    from phrasemill.methods.encoder.scorer import COLUMNS, SpanScorerModel
    from phrasemill.methods.learned.trees import StyledTrees

    scorer = SpanScorerModel.open(path)
    trees = StyledTrees.read(scorer.file.others, STYLE_PREFIX, json.loads(scorer.file.metadata["trees"]))
    if trees.width != WIDTH + len(COLUMNS) or set(trees.styles) < set(ENCODER_PIECES):
        raise ModelError(f"{path}: trained by another version, with other features; train it again")
    return scorer, trees
