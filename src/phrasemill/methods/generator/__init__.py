"""Our own generator: a small Transformer that writes keyphrases, those of the text and those that the text never says.

`neural/transformer.py` is the network, `docs/generation.md` what it was taught and how good it is; here it runs in ONNX
Runtime, in int8, on the CPU. It builds on CatSeq (Yuan et al., 2020), the Transformer (Vaswani et al., 2017), copying
(See et al., 2017) and keyphrase dropout (Ray Chowdhury et al., 2022).

It reads the beginning of a text, 384 pieces or some 280 words, which is a title and an abstract; `summarise(generator)`
reads all of a longer one.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from phrasemill.errors import ConfigError, UnknownName
from phrasemill.methods.styles import GENERATOR_PIECES
from phrasemill.methods.writing import Found, Words, Writing, model_file
from phrasemill.shipped import shipped

if TYPE_CHECKING:
    from phrasemill.methods.generator.transformer import GeneratorModel

SHIPPED = shipped("generator_en.safetensors")
SEARCHES = ("greedy", "top", "beam")


@dataclass(frozen=True, slots=True, repr=False)
class Generator(Writing):
    """A small Transformer that writes keyphrases, also such as the text never says, and decides how many.

    `style` is whose keyphrases: `author`, `indexer`, `reader`, `tags` (of a forum) or `news`. `search` is `greedy`,
    `top` (the best of a beam; both end by themselves) or `beam` (many phrases of each kind, ranked by probability),
    `width` the beam's, `length` the most pieces of a sequence; `no_repeat_ngram` keeps a sequence from repeating so
    many pieces, and `no_repeat_phrase` from repeating a phrase, which otherwise counts once; after `patience` such
    repetitions in a row greedy search ends the sequence (0: never).
    `model` is a folder that `phrasemill train` wrote, instead of the model of the package.
    """

    name: ClassVar[str] = "generator"
    paper: ClassVar[str] = "Phrasemill; after Yuan et al., 2020"
    needs: ClassVar[str] = "English; extra generate"

    style: str = "author"
    search: str = "greedy"
    width: int = 50
    length: int = 96
    no_repeat_ngram: int = 0
    no_repeat_phrase: bool = False
    patience: int = 3  # chosen on validation: docs/generation.md
    model: str | None = None

    def __post_init__(self) -> None:
        if self.style not in GENERATOR_PIECES:
            raise UnknownName("style", self.style, GENERATOR_PIECES)
        if self.search not in SEARCHES:
            raise UnknownName("search", self.search, SEARCHES)
        for name, value, least in (("width", self.width, 1), ("length", self.length, 1)):
            if value < least:
                raise ConfigError(f"{name} must be at least {least}, got {value}")
        if self.no_repeat_ngram < 0:
            raise ConfigError(f"no_repeat_ngram must be 0 (off) or more, got {self.no_repeat_ngram}")
        if self.patience < 0:
            raise ConfigError(f"patience must be 0 (endless) or more, got {self.patience}")

    @property
    def reads_numbers(self) -> bool:
        return True

    @property
    def ends_itself(self) -> bool:  # type: ignore[override]
        return self.search != "beam"

    def written(self, source: Words) -> Found:
        from phrasemill.methods.generator.searching import generated

        model = _read(*model_file(self.model, self.name, SHIPPED))
        [found] = generated(
            model.stepper(self.style),
            [source],
            model.pieces,
            search=self.search,
            width=self.width,
            length=min(self.length, model.target_positions),
            no_repeat_ngram=self.no_repeat_ngram,
            no_repeat_phrase=self.no_repeat_phrase,
            patience=self.patience,
        )
        return found


@lru_cache(maxsize=2)
def _read(path: Path, modified: int, size: int) -> "GeneratorModel":
    from phrasemill.methods.generator.transformer import GeneratorModel

    return GeneratorModel.load(path)
