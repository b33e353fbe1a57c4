"""What methods share that write keyphrases instead of choosing among those of the text.

A model reads the words of a text, in lower case and (unless it was trained on them) with numbers masked, and writes
phrases. A phrase that occurs in the text gets its spans and the text's own wording (phrase_matching.py); any other is
absent. A masked number in a phrase is replaced by the text's; an absent phrase with a masked number is dropped.

Every text is decoded alone. Decoding several at once is faster by a quarter (a recurrent model: twice as fast), but
matrix products add up in another order for another number of rows: the last bits, and now and then a phrase, would
depend on which texts happen to be neighbours.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, TypeAlias, TypeVar

from phrasemill.catalogue import table
from phrasemill.errors import ConfigError, ModelError, UnknownName
from phrasemill.methods.parameters import at_least
from phrasemill.methods.phrase_matching import Phrase, ground, phrase
from phrasemill.models import how_to_install, kept
from phrasemill.ranker import Ranked, Ranker
from phrasemill.text.language_codes import language_name
from phrasemill.text.segments import DIGIT, masked_words, segmented
from phrasemill.types import NO_PLACES, STOPWORD, WORD, Analysis, Evidence, Places, Span

RUNTIME = "runtime.safetensors"  # the model in a folder
ModelT = TypeVar("ModelT")
Words: TypeAlias = tuple[str, ...]
Phrases: TypeAlias = list[tuple[Words, float]]  # best first, with their scores


SEARCHES = ("greedy", "top", "beam")
ORDERS = ("appearance", "best", "total")


@dataclass(frozen=True, slots=True)
class Search:
    """How phrases are searched for. `greedy` and `top` (the best of a beam) end by themselves; `beam` is exhaustive:
    all hypotheses count.

    `width` is the beam's, `kept` how many of its hypotheses that ended count (0: as many as it is wide), `length` the
    most tokens of a sequence, `phrase_length` of a phrase that is searched for on its own. `order` is explained in
    `generator.search.phrases`. Greedy search ends a sequence after `patience` repeated phrases in a row, 0 for never.
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
        at_least(1, width=self.width, length=self.length)
        at_least(0, kept=self.kept, no_repeat_ngram=self.no_repeat_ngram, patience=self.patience)


class GenerativeMethod(Ranker):
    """A method that writes keyphrases; subclasses define `written`."""

    __slots__ = ()

    reads_tags: ClassVar[bool] = False
    absent: ClassVar[Evidence] = Evidence("written", "the model wrote it; the text does not say it", 0.0)

    @property
    def language(self) -> str:
        """The language that the model reads and writes; empty where it is unknown, as with a model of one's own."""
        return ""

    @property
    def reads_numbers(self) -> bool:
        """Whether the model was trained on numbers as they are."""
        return False

    def written(self, source: Words) -> Phrases:
        """Return the phrases that the model writes for a source, as words, best first, with scores."""
        raise NotImplementedError

    def ranked(self, analysis: Analysis, extra: Places = NO_PLACES) -> Ranked:
        if self.language not in ("", analysis.language):
            raise ConfigError(
                f"{self.name} is for {language_name(self.language)} only, and this text is in "
                f"{language_name(analysis.language)}: use learned, or name the language if this is wrong"
            )
        phrases: Iterable[Phrase] = ()
        if _has_content(analysis):
            words, spans = segmented(analysis.text)
            source = words if self.reads_numbers else masked_words(words)
            phrases = in_words_of(analysis, source, spans, self.written(source))
        return Ranked(*ground(phrases, analysis))


def load_model(
    load: Callable[[Path, str], ModelT],
    model: str | None,
    name: str,
    shipped: Path | None = None,
    *,
    file: str = RUNTIME,
) -> ModelT:
    """Load a method's model from the file at `model` or `file` in the folder there, or the shipped one; only once,
    unless the file changes."""
    path = shipped if model is None else Path(model)
    if path is None:
        raise ConfigError(
            f"{name} needs a model: train one with phrasemill make catseqd_en --recipe FILE --data DIR -o MODEL, "
            f"then write {name}(model='MODEL')"
        )
    if path.is_dir():
        if not (path / file).is_file():
            raise ModelError(f"{path}: no {file} in this folder")
        path = path / file
    if model is None and not path.exists():
        raise ModelError(f"{table()['weights'].get(path.name, name)} needs its weights: {how_to_install(path.name)}")
    return kept(path, load, name)


def in_words_of(analysis: Analysis, source: Words, spans: Sequence[Span], found: Phrases) -> Iterator[Phrase]:
    """Yield the phrases, those of the text in its own wording at their first occurrence."""
    for words, score in found:
        at = place(words, source)
        if at is not None:
            text = analysis.text[spans[at].start : spans[at + len(words) - 1].end]
            yield phrase(text, score, analysis.language)
        elif DIGIT not in words:
            yield phrase(" ".join(words), score, analysis.language)


def place(words: Words, source: Words) -> int | None:
    """Return where `words` first occur in the source."""
    size = len(words)
    for at in range(len(source) - size + 1):
        if source[at] == words[0] and source[at : at + size] == words:
            return at
    return None


def _has_content(analysis: Analysis) -> bool:
    return any(kind & WORD and not kind & STOPWORD for kind in analysis.kind)
