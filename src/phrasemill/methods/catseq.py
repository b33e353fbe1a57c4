"""CatSeq (Yuan et al., "One Size Does Not Fit All: Generating and Evaluating Variable Number of Keyphrases", ACL 2020).

A recurrent network reads the text and writes all keyphrases one after another and decides how many: those of the text
in the order of their first occurrence, then absent ones. Words are generated, or copied from the text.
`lab/src/phrasemill_lab/networks/recurrent.py` is the network; here it runs in ONNX Runtime, on the CPU.

With `search='greedy'` the likeliest word is taken at each step, with `'top'` the best sequence of a beam; both end by
themselves. `'beam'` is exhaustive: the phrases of all sequences of the beam that ended, far more than a reader needs.
It stops when none can overtake the worst of `width` that ended; the authors' runs on and keeps 500 (`kept=500`).

Scores are 1, 1/2, 1/3 … in the paper's order (`order='appearance'`: by sequence, then position in it), or probabilities
(`'best'`: the highest that a phrase has anywhere; `'total'`: that of all sequences which contain it). Sequences may
repeat a phrase, which then counts once; `no_repeat_phrase` forbids it.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from phrasemill.methods.writing import GenerativeMethod, Phrases, Search, Words, load_model
from phrasemill.models import separate
from phrasemill.specs import AtMost, OneOf

SHIPPED: dict[str, Path] = {"catseqd": separate("catseqd_en.safetensors")}


@dataclass(frozen=True, slots=True, repr=False)
class CatSeq(GenerativeMethod):
    """Generate all keyphrases, present and absent, and their number, with a recurrent network.

    - `model`: the file written by `phrasemill make`, or a folder with `runtime.safetensors`.
    - `search`: `greedy`, `top` (the best sequence of a beam) or `beam` (the phrases of all its sequences).
    - `width`: the number of sequences in a beam.
    - `length`: the most words in a sequence.
    - `order`: `appearance`, `best` (by highest probability) or `total` (by the share of sequences with the phrase).
    - `no_repeat_ngram`: no run of this many words may occur twice in a sequence; 0 for no limit.
    - `no_repeat_phrase`: whether to forbid a phrase from occurring twice in a sequence.
    - `kept`: how many finished sequences of a beam to use; 0 for its width.
    """

    name: ClassVar[str] = "catseq"
    paper: ClassVar[str] = "Yuan et al., 2020"
    needs: ClassVar[str] = "a model of your own"

    model: str | None = None
    search: Annotated[str, OneOf("beam", "greedy")] = "greedy"
    width: Annotated[int, AtMost(200)] = 50
    length: Annotated[int, AtMost(1_000)] = 40
    order: Annotated[str, OneOf("appearance", "best", "total")] = "appearance"
    no_repeat_ngram: Annotated[int, AtMost(100)] = 0
    no_repeat_phrase: bool = False
    kept: Annotated[int, AtMost(1_000)] = 0

    def __post_init__(self) -> None:
        self._search()

    @property
    def language(self) -> str:
        return "en" if self.model is None and self.name in SHIPPED else ""

    def written(self, source: Words) -> Phrases:
        from phrasemill.methods.generator.onnx_models import RecurrentModel

        model = load_model(RecurrentModel.load, self.model, self.name, SHIPPED.get(self.name))
        found = model.generate(source, self._search())
        if self.order == "appearance":
            return [(words, 1 / rank) for rank, (words, _) in enumerate(found, start=1)]
        return found

    def _search(self) -> Search:
        repeats = (self.no_repeat_ngram, self.no_repeat_phrase)
        return Search(self.search, self.width, self.length, self.order, *repeats, kept=self.kept)
