"""BERT-KPE: JointKPE (Sun et al., "Capturing Global Informativeness in Open Domain Keyphrase Extraction", NLPCC 2021).

A pretrained encoder reads the text, a convolution per length makes a vector of every n-gram of up to five words, and a
linear layer scores how informative it is; a phrase has the highest score of its occurrences.
`lab/src/phrasemill_lab/networks/jointkpe.py` is the network; here it runs in ONNX Runtime, on the CPU.

The paper reads the first 512 pieces of a document; this reads all of it, in windows that overlap, and takes the highest
score of any window (`truncate=True` reads as the paper does). The paper ranks all n-grams and compares them in lower
case; candidates here are as everywhere in this package: no stopword at either end, nothing across punctuation,
inflected forms together, with the highest score of any of them. A phrase of more than five words, which only a
vocabulary can propose, has the mean score of its n-grams of five.
"""

from array import array
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, ClassVar

from phrasemill.candidates import including, ngrams
from phrasemill.errors import ConfigError
from phrasemill.methods.writing import load_model
from phrasemill.models import separate
from phrasemill.ranker import Ranked, Ranker
from phrasemill.specs import AtMost
from phrasemill.text.language_codes import language_name
from phrasemill.types import NO_PLACES, Analysis, Candidates, Places

if TYPE_CHECKING:
    from phrasemill.methods.bertkpe.reader import JointModel

SHIPPED = separate("bertkpe_en")
ENGLISH = "en"


@dataclass(frozen=True, slots=True, repr=False)
class BertKPE(Ranker):
    """Rank all n-grams of up to five words with a pretrained encoder.

    - `model`: a folder written by `phrasemill make bertkpe_en`, instead of our own model for English in the package
      phrasemill-bertkpe.
    - `window`: the most pieces to read at once.
    - `truncate`: read the first window only.
    """

    name: ClassVar[str] = "bertkpe"
    paper: ClassVar[str] = "Sun et al., 2021"
    needs: ClassVar[str] = "English, or a model of your own"
    reads_tags: ClassVar[bool] = False

    model: str | None = None
    window: Annotated[int, AtMost(1_000)] = 512
    truncate: bool = False

    def __post_init__(self) -> None:
        if self.window < 1:
            raise ConfigError(f"window must be at least 1, got {self.window}")

    def propose(self, analysis: Analysis) -> Candidates:
        return ngrams(analysis, longest=self._opened().reader.longest)

    def ranked(self, analysis: Analysis, extra: Places = NO_PLACES) -> Ranked:
        if self.model is None and analysis.language != ENGLISH:
            raise ConfigError(
                f"{self.name} without a model of your own is for English only, and this text is in "
                f"{language_name(analysis.language)}: use learned, or name the language if this is wrong"
            )
        session, reader = self._opened()
        candidates = including(self.propose(analysis), extra)
        if not len(candidates):
            return Ranked(candidates, array("d"))
        from phrasemill.methods.bertkpe.reader import best, scores

        reader = replace(reader, window=min(self.window, reader.window))
        values = best(scores(session, reader, analysis, truncate=self.truncate), candidates)
        read = [c for c, value in enumerate(values) if value > float("-inf")]
        if len(read) == len(candidates):
            return Ranked(candidates, values)
        return Ranked(candidates.keep(read), array("d", [values[c] for c in read]))

    def _opened(self) -> "JointModel":
        from phrasemill.methods.bertkpe.reader import WEIGHTS, load

        return load_model(load, self.model, self.name, SHIPPED, file=WEIGHTS)
