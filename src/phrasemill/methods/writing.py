"""What methods share that write keyphrases instead of choosing among those of the text.

A model reads the words of a text, in lower case and (unless it can read them) with numbers masked, and writes phrases.
A phrase that the text has comes back with its places, in the text's own wording (phrase_matching.py); one that it has
not is absent. A masked number in a phrase is the one that the text has there; an absent phrase with one is dropped,
since nobody knows which.

Every text is read and answered alone. Decoding several at once is faster by a quarter (a recurrent model: twice as
fast), but matrix products add up in another order for another number of rows, and the last bits then depend on which
texts happen to be neighbours; now and then that makes another phrase.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import ClassVar, TypeAlias

from phrasemill.errors import ConfigError, ModelError
from phrasemill.methods.phrase_matching import Phrase, ground, phrase
from phrasemill.pipeline import Ranker
from phrasemill.text.segments import DIGIT, masked_words, segmented
from phrasemill.types import NO_PLACES, STOPWORD, WORD, Analysis, Candidates, Evidence, Places, Span

RUNTIME = "runtime.safetensors"  # in the folder that training made
Words: TypeAlias = tuple[str, ...]
Found: TypeAlias = list[tuple[Words, float]]


class Writing(Ranker):
    """A method that writes; subclasses say what `written` is."""

    __slots__ = ()

    reads_tags: ClassVar[bool] = False
    absent: ClassVar[Evidence] = Evidence("written", "the model wrote it; the text does not say it", 0.0)

    @property
    def reads_numbers(self) -> bool:
        """Whether the model was taught with numbers as they are."""
        return False

    def written(self, source: Words) -> Found:
        """Return the phrases that the model writes for a source, as words, best first, with scores."""
        raise NotImplementedError

    def rank(self, analysis: Analysis, extra: Places = NO_PLACES) -> "tuple[Candidates, array[float]]":
        phrases: Iterable[Phrase] = ()
        if _says_something(analysis):
            words, spans = segmented(analysis.text)
            source = words if self.reads_numbers else masked_words(words)
            phrases = in_words_of(analysis, source, spans, self.written(source))
        return ground(phrases, analysis)


def model_file(model: str | None, name: str, shipped: Path | None = None) -> tuple[Path, int, int]:
    """The file to read, the method's own unless `model` names a file or the folder of a training run; and by what a
    change of it shows."""
    path = shipped if model is None else Path(model)
    if path is None:
        raise ConfigError(
            f"{name} needs a model: train one with phrasemill train {name} --recipe FILE --data DIR -o MODEL, "
            f"then write {name}(model='MODEL')"
        )
    path = path / RUNTIME if path.is_dir() else path
    try:
        stat = path.stat()
    except OSError:
        raise ModelError(f"{path}: no such file") from None
    return path, stat.st_mtime_ns, stat.st_size


def in_words_of(analysis: Analysis, source: Words, spans: Sequence[Span], found: Found) -> Iterator[Phrase]:
    """What was written, as the text writes it at the first place that has the same words."""
    for words, score in found:
        at = place(words, source)
        if at is not None:
            text = analysis.text[spans[at].start : spans[at + len(words) - 1].end]
            yield phrase(text, score, analysis.language)
        elif DIGIT not in words:
            yield phrase(" ".join(words), score, analysis.language)


def place(words: Words, source: Words) -> int | None:
    """Where `words` first stand in a row in the source."""
    size = len(words)
    for at in range(len(source) - size + 1):
        if source[at] == words[0] and source[at : at + size] == words:
            return at
    return None


def _says_something(analysis: Analysis) -> bool:
    return any(kind & WORD and not kind & STOPWORD for kind in analysis.kind)
