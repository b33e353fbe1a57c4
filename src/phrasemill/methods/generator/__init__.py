"""Our own generator: a small Transformer that writes keyphrases, present and absent.

`lab` has the network, `docs/evidence/generation.md` describes its training and quality; here it
runs in ONNX Runtime, in int8, on the CPU. It builds on CatSeq (Yuan et al., 2020), the Transformer (Vaswani et al.,
2017), copying (See et al., 2017) and keyphrase dropout (Ray Chowdhury et al., 2022).

It reads the beginning of a text, 384 pieces or about 280 words: a title and an abstract; `summarise(generator)` reads
all of a longer text.
"""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from phrasemill.errors import UnknownName
from phrasemill.methods.styles import GENERATOR_PIECES
from phrasemill.methods.writing import GenerativeMethod, Phrases, Search, Words, load_model
from phrasemill.models import shipped
from phrasemill.specs import AtMost, OneOf

SHIPPED = shipped("generator_en.safetensors")


@dataclass(frozen=True, slots=True, repr=False)
class Generator(GenerativeMethod):
    """Generate keyphrases, present and absent, and their number, with a small Transformer.

    - `style`: whose keyphrases to generate: `author`, `indexer`, `reader`, `tags` (of a forum) or `news`.
    - `search`: `greedy`, `top` (the best sequence of a beam) or `beam` (many phrases, present and absent, by
      probability).
    - `width`: the number of sequences in a beam.
    - `length`: the most pieces in a sequence.
    - `no_repeat_ngram`: no run of this many pieces may occur twice in a sequence; 0 for no limit.
    - `no_repeat_phrase`: whether to forbid repeated phrases; otherwise they count once.
    - `patience`: greedy search ends a sequence after this many repeated phrases in a row; 0 for never.
    - `model`: a file written by `phrasemill make`, instead of the model in the package.
    """

    name: ClassVar[str] = "generator"
    paper: ClassVar[str] = "Phrasemill; after Yuan et al., 2020"
    needs: ClassVar[str] = "English"

    style: str = "author"
    search: Annotated[str, OneOf("beam", "greedy", "top")] = "greedy"
    width: Annotated[int, AtMost(200)] = 50
    length: Annotated[int, AtMost(1_000)] = 96
    no_repeat_ngram: Annotated[int, AtMost(100)] = 0
    no_repeat_phrase: bool = False
    patience: Annotated[int, AtMost(1_000)] = 3  # chosen on validation: docs/evidence/generation.md
    model: str | None = None

    def __post_init__(self) -> None:
        if self.style not in GENERATOR_PIECES:
            raise UnknownName("style", self.style, GENERATOR_PIECES)
        self._search(self.length)

    @property
    def language(self) -> str:
        return "en" if self.model is None else ""

    @property
    def reads_numbers(self) -> bool:
        return True

    @property
    def ends_itself(self) -> bool:  # type: ignore[override]
        return self.search != "beam"

    def written(self, source: Words) -> Phrases:
        from phrasemill.methods.generator.onnx_models import GeneratorModel

        model = load_model(GeneratorModel.load, self.model, self.name, SHIPPED)
        search = self._search(min(self.length, model.target_positions))
        return model.in_style(self.style).generate(source, search)

    def _search(self, length: int) -> Search:
        repeats = (self.no_repeat_ngram, self.no_repeat_phrase, self.patience)
        return Search(self.search, self.width, length, "appearance", *repeats)
