"""What methods share that write keyphrases instead of choosing among those of the text.

A model reads the words of a text, in lower case and (unless it can read them) with numbers masked, and writes phrases.
A phrase that the text has comes back with its places, in the text's own wording (methods/grounding.py); one that it has
not is absent. A masked number in a phrase is the one that the text has there; an absent phrase with one is dropped,
since nobody knows which.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from phrasemill.errors import ConfigError, ModelError
from phrasemill.methods.grounding import Phrase, ground, phrase, within
from phrasemill.pipeline import Ranker, as_document
from phrasemill.selection import select
from phrasemill.text.segments import DIGIT, masked_words, segmented
from phrasemill.types import STOPWORD, WORD, Analysis, Candidates, Document, Evidence, Keyphrase, Span, Top

if TYPE_CHECKING:
    pass

RUNTIME = "runtime.safetensors"  # in the folder that training made
AT_ONCE = 32  # documents that are read together in a batch
ABSENT = Evidence("written", "the model wrote it; the text does not say it", 0.0)
Words: TypeAlias = tuple[str, ...]
Found: TypeAlias = list[tuple[Words, float]]


class Writing(Ranker):
    """A method that writes; subclasses say what `written` is."""

    __slots__ = ()

    @property
    def reads_tags(self) -> bool:
        return False

    @property
    def reads_numbers(self) -> bool:
        """Whether the model was taught with numbers as they are."""
        return False

    def written(self, sources: Sequence[Words]) -> list[Found]:
        """The phrases that the model writes for each source, as words, best first, with scores."""
        raise NotImplementedError

    def rank(self, analysis: Analysis) -> "tuple[Candidates, array[float]]":
        return next(self._ranked([analysis]))

    def within(self, keyphrases: list[Keyphrase], analysis: Analysis) -> list[Keyphrase]:
        return within(keyphrases, analysis, ABSENT)

    def extract_batch(
        self,
        sources: Iterable[Document | Analysis],
        *,
        top: Top = 10,
        threshold: float | None = None,
        exclude: Iterable[str] = (),
        redundancy: str | None = None,
    ) -> Iterator[list[Keyphrase]]:
        """The same for many documents, some of which are read together."""
        selection = self.selection(top, threshold, exclude, redundancy)
        rest = iter(sources)
        while batch := list(islice(rest, AT_ONCE)):
            analyses = [one if isinstance(one, Analysis) else self._analysed(as_document(one)) for one in batch]
            for analysis, (candidates, scores) in zip(analyses, self._ranked(analyses), strict=True):
                yield self.within(select(candidates, scores, selection), analysis)

    def _ranked(self, analyses: Sequence[Analysis]) -> "Iterator[tuple[Candidates, array[float]]]":
        with_words = [number for number, analysis in enumerate(analyses) if _says_something(analysis)]
        read = {number: segmented(analyses[number].text) for number in with_words}
        given = {number: words if self.reads_numbers else masked_words(words) for number, (words, _) in read.items()}
        found = dict(zip(with_words, self.written(list(given.values())), strict=True)) if read else {}
        for number, analysis in enumerate(analyses):
            phrases: Iterable[Phrase] = ()
            if number in found:
                phrases = in_words_of(analysis, given[number], read[number][1], found[number])
            yield ground(phrases, analysis)


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
