"""BERT-KPE: JointKPE (Sun et al., "Capturing Global Informativeness in Open Domain Keyphrase Extraction", NLPCC 2021).

A pretrained encoder reads the text, a convolution per length makes a vector of every n-gram of up to five words, and a
linear layer scores how informative it is; a phrase has the highest score of its occurrences. `network.py` is the
network, `lab/src/phrasemill_lab/models/jointkpe.py` trains it.

The paper reads the first 512 pieces of a document; this reads all of it, in windows that overlap, and takes the highest
score of any window (`truncate=True` reads as the paper does). The paper ranks all n-grams and compares them in lower
case; candidates here are as everywhere in this package: no stopword at either end, nothing across punctuation,
inflected forms together, with the highest score of any of them. A phrase of more than five words, which only a
vocabulary can propose, has the mean score of its n-grams of five.
"""

from array import array
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from phrasemill.candidates import including, ngrams
from phrasemill.errors import ConfigError, MissingExtra, ModelError
from phrasemill.models import how_to_install, shipped
from phrasemill.ranker import Ranker
from phrasemill.text.language_codes import language_name
from phrasemill.types import NO_PLACES, Analysis, Candidates, Places

if TYPE_CHECKING:
    from phrasemill.methods.bertkpe.network import JointKPE
    from phrasemill.methods.bertkpe.reader import PieceReader

SHIPPED = shipped("bertkpe_en")
ENGLISH = "en"


@dataclass(frozen=True, slots=True, repr=False)
class BertKPE(Ranker):
    """Rank all n-grams of up to five words with a pretrained encoder.

    - `model`: a folder written by `phrasemill make bertkpe_en`, or a checkpoint of the authors, instead of our own
      model for English in the package phrasemill-bertkpe.
    - `encoder`: with a checkpoint, the Transformers folder of the encoder that it was trained from.
    - `window`: the most pieces to read at once.
    - `truncate`: read the first window only.
    """

    name: ClassVar[str] = "bertkpe"
    paper: ClassVar[str] = "Sun et al., 2021"
    needs: ClassVar[str] = "English, or a model of your own; extra bertkpe"
    reads_tags: ClassVar[bool] = False

    model: str | None = None
    encoder: str | None = None
    window: int = 512
    truncate: bool = False

    def __post_init__(self) -> None:
        if self.window < 1:
            raise ConfigError(f"window must be at least 1, got {self.window}")

    def propose(self, analysis: Analysis) -> Candidates:
        return ngrams(analysis, longest=self._opened()[0].longest)

    def rank(self, analysis: Analysis, extra: Places = NO_PLACES) -> "tuple[Candidates, array[float]]":
        if self.model is None and analysis.language != ENGLISH:
            raise ConfigError(
                f"{self.name} without a model of your own is for English only, and this text is in "
                f"{language_name(analysis.language)}: use learned, or name the language if this is wrong"
            )
        network, reader = self._opened()
        candidates = including(self.propose(analysis), extra)
        if not len(candidates):
            return candidates, array("d")
        from phrasemill.methods.bertkpe.reader import best, scores

        ngram_scores = scores(network, reader, candidates.analysis, truncate=self.truncate)
        values = best(ngram_scores, candidates)
        read = [c for c, value in enumerate(values) if value > float("-inf")]
        if len(read) == len(candidates):
            return candidates, values
        return candidates.keep(read), array("d", [values[c] for c in read])

    def _opened(self) -> "tuple[JointKPE, PieceReader]":
        network, words = _loaded(str(self._path()), self.encoder, *_changed(self._path()))
        from phrasemill.methods.bertkpe.reader import PieceReader

        return network, PieceReader(words, network.encoder, longest=network.longest, window=self.window)

    def _path(self) -> Path:
        if self.model is None and not SHIPPED.exists():
            raise ModelError(
                f"{self.name} needs its weights: {how_to_install(SHIPPED.name)}; or train a model with "
                f"phrasemill make bertkpe_en --recipe FILE --data DIR -o MODEL and write {self.name}(model='MODEL')"
            )
        return SHIPPED if self.model is None else Path(self.model)


def _changed(path: Path) -> tuple[int, int]:
    """Return the model's time of change and size, by which a changed one is loaded again; zeros where there is none."""
    path = path / "best.safetensors" if path.is_dir() else path
    return (path.stat().st_mtime_ns, path.stat().st_size) if path.exists() else (0, 0)


@lru_cache(maxsize=2)
def _loaded(model: str, encoder: str | None, modified: int, size: int) -> "tuple[JointKPE, Any]":
    try:
        import torch
        import transformers  # noqa: F401

        from phrasemill.methods.bertkpe.files import load
    except ImportError:
        raise MissingExtra("transformers and torch", "bertkpe", purpose="bertkpe") from None
    network, words = load(model, encoder)
    return network.to("cuda" if torch.cuda.is_available() else "cpu"), words
