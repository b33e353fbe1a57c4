"""How the keyphrases of CopyRNN, CatSeq and CatSeqD are found, with any stepper: PyTorch's or ONNX Runtime's."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from phrasemill.errors import ConfigError, UnknownName
from phrasemill.methods.generator.decode import ORDERS, Stepper, beam, greedy, phrases
from phrasemill.methods.generator.sources import SOURCE_LIMIT
from phrasemill.methods.generator.words import BEGIN, END, SEPARATOR, Words

SEARCHES = ("greedy", "top", "beam")
ROWS_AT_ONCE = 400  # 8 sources with a beam of 50: a gigabyte with a vocabulary of 50,000
SOURCES_AT_ONCE = 256
Found = list[tuple[tuple[str, ...], float]]


@dataclass(frozen=True, slots=True)
class Search:
    """`greedy` and `top` (the best of a beam) stop by themselves; `beam` is exhaustive: all hypotheses count.

    `width` is the beam's, `length` the most tokens of a sequence; both are the paper's. `order` is explained in
    `decode.phrases`.
    """

    kind: str = "greedy"
    width: int = 50
    length: int = 40
    order: str = "appearance"
    no_repeat_ngram: int = 0
    no_repeat_phrase: bool = False

    def __post_init__(self) -> None:
        if self.kind not in SEARCHES:
            raise UnknownName("search", self.kind, SEARCHES)
        if self.order not in ORDERS:
            raise UnknownName("order", self.order, ORDERS)
        for name, value in (("width", self.width), ("length", self.length)):
            if value < 1:
                raise ConfigError(f"{name} must be at least 1, got {value}")
        if self.no_repeat_ngram < 0:
            raise ConfigError(f"no_repeat_ngram must be 0 (off) or more, got {self.no_repeat_ngram}")


def generated(
    stepper: Stepper,
    vocabulary: Words,
    sources: Sequence[Sequence[str]],
    search: Search,
    *,
    sequences: bool,
    limit: int = SOURCE_LIMIT,
) -> list[Found]:
    """Unique phrases of each source as words, best first, with their scores.

    `sequences` says whether the model was taught to say all phrases at once (one2seq) or one (one2one); `limit` how
    many words of a source the stepper reads.
    """
    separator = SEPARATOR if sequences else None
    options: dict[str, Any] = {"begin": BEGIN, "end": END, "length": search.length, "separator": separator}
    options |= {"no_repeat_ngram": search.no_repeat_ngram, "no_repeat_phrase": search.no_repeat_phrase and sequences}
    at_once = SOURCES_AT_ONCE if search.kind == "greedy" else max(1, ROWS_AT_ONCE // search.width)
    by_length = sorted(range(len(sources)), key=lambda number: len(sources[number]))
    found: dict[int, Found] = {}
    for first in range(0, len(by_length), at_once):
        numbers = by_length[first : first + at_once]
        batch = [sources[number] for number in numbers]
        if search.kind == "greedy":
            results = [[hypothesis] for hypothesis in greedy(stepper, batch, **options)]
        else:
            results = beam(stepper, batch, width=search.width, **options)
        for number, source, hypotheses in zip(numbers, batch, results, strict=True):
            say = partial(vocabulary.decode, unknown=vocabulary.source(source[:limit])[1])
            taken = hypotheses[:1] if search.kind == "top" else hypotheses
            found[number] = phrases(taken, say, separator=separator, order=search.order)
    return [found[number] for number in range(len(sources))]
