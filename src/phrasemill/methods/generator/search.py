"""How keyphrases are searched for with a model that writes them: in one sequence that ends by itself, or many at once.

The same search serves all models, whether PyTorch or ONNX Runtime takes their steps (`decode.Stepper`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from phrasemill.errors import ConfigError, UnknownName
from phrasemill.methods.writing import Phrases, Words

if TYPE_CHECKING:
    from phrasemill.methods.generator.decode import Stepper

SEARCHES = ("greedy", "top", "beam")
ORDERS = ("appearance", "best", "total")
ROWS_AT_ONCE = 400  # 8 sources with a beam of 50: a gigabyte with a vocabulary of 50,000
SOURCES_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Search:
    """`greedy` and `top` (the best of a beam) end by themselves; `beam` is exhaustive: all hypotheses count.

    `width` is the beam's, `kept` how many of its hypotheses that ended count (0: as many as it is wide), `length` the
    most tokens of a sequence, `phrase_length` of a phrase that is searched for on its own; `order` and `patience` are
    explained in `decode.phrases` and `decode.greedy`.
    """

    kind: str = "greedy"
    width: int = 50
    length: int = 40
    order: str = "appearance"
    no_repeat_ngram: int = 0
    no_repeat_phrase: bool = False
    patience: int = 0
    phrase_length: int = 16
    kept: int = 0

    def __post_init__(self) -> None:
        if self.kind not in SEARCHES:
            raise UnknownName("search", self.kind, SEARCHES)
        if self.order not in ORDERS:
            raise UnknownName("order", self.order, ORDERS)
        for name in ("width", "length"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} must be at least 1, got {getattr(self, name)}")
        if self.kept < 0:
            raise ConfigError(f"kept must be 0 (as many as the beam is wide) or more, got {self.kept}")
        if self.no_repeat_ngram < 0:
            raise ConfigError(f"no_repeat_ngram must be 0 (off) or more, got {self.no_repeat_ngram}")
        if self.patience < 0:
            raise ConfigError(f"patience must be 0 (endless) or more, got {self.patience}")


@dataclass(frozen=True, slots=True)
class Marks:
    """The tokens that begin and end what a model writes.

    Without a separator a sequence is one phrase. A model with `kinds` also writes single phrases of each kind, which an
    exhaustive search then looks for instead of sequences. `normalise` is that of `decode.beam`.
    """

    begin: int
    end: int
    separator: int | None = None
    kinds: tuple[int, ...] = ()
    normalise: float = 0.0


class Decoder(Protocol):
    """A vocabulary that turns the tokens written for a source into words."""

    def decoder(self, source: Sequence[str]) -> Callable[[tuple[int, ...]], Words]: ...


def generate(
    stepper: "Stepper",
    sources: Sequence[Sequence[str]],
    vocabulary: Decoder,
    marks: Marks,
    search: Search,
    *,
    rows_at_once: int = ROWS_AT_ONCE,
) -> list[Phrases]:
    """Return the unique phrases of each source; sources of similar length are searched together."""
    rows = 1 if search.kind == "greedy" else search.width * max(1, len(marks.kinds))
    at_once = SOURCES_AT_ONCE if search.kind == "greedy" else max(1, rows_at_once // rows)
    by_length = sorted(range(len(sources)), key=lambda number: len(sources[number]))
    found: dict[int, Phrases] = {}
    for first in range(0, len(by_length), at_once):
        numbers = by_length[first : first + at_once]
        batch = [sources[number] for number in numbers]
        searched = _by_kind if search.kind == "beam" and marks.kinds else _in_sequences
        found |= zip(numbers, searched(stepper, batch, vocabulary, marks, search), strict=True)
    return [found[number] for number in range(len(sources))]


def _in_sequences(
    stepper: "Stepper", sources: Sequence[Sequence[str]], vocabulary: Decoder, marks: Marks, search: Search
) -> list[Phrases]:
    from phrasemill.methods.generator.decode import RepetitionRule, beam, greedy, phrases

    no_repeat_phrase = search.no_repeat_phrase and marks.separator is not None
    rule = RepetitionRule(marks.end, marks.separator, search.no_repeat_ngram, no_repeat_phrase, search.patience)
    options: dict[str, Any] = {"begin": marks.begin, "rule": rule, "length": search.length}
    if search.kind == "greedy":
        found = [[one] for one in greedy(stepper, sources, **options)]
    else:
        options |= {"width": search.width, "kept": search.kept or None, "normalise": marks.normalise}
        found = beam(stepper, sources, **options)
    if search.kind == "top":
        found = [hypotheses[:1] for hypotheses in found]
    return [
        phrases(hypotheses, vocabulary.decoder(source), separator=marks.separator, order=search.order)
        for source, hypotheses in zip(sources, found, strict=True)
    ]


def _by_kind(
    stepper: "Stepper", sources: Sequence[Sequence[str]], vocabulary: Decoder, marks: Marks, search: Search
) -> list[Phrases]:
    """Return `width` single phrases of each kind, by probability; all kinds in one search, to fill the batch."""
    from phrasemill.methods.generator.decode import RepetitionRule, beam, phrases

    count = len(marks.kinds)
    repeated = [source for source in sources for _ in marks.kinds]
    options: dict[str, Any] = {"width": search.width, "length": search.phrase_length}
    begins = list(marks.kinds) * len(sources)
    found = beam(stepper, repeated, begin=begins, rule=RepetitionRule(marks.end), **options)
    lists = []
    for number, source in enumerate(sources):
        hypotheses = [one for kind in found[count * number : count * (number + 1)] for one in kind]
        ranked = phrases(hypotheses, vocabulary.decoder(source), order="best")
        lists.append(sorted(ranked, key=lambda item: (-item[1], item[0])))
    return lists
