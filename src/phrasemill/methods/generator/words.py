"""Words and their numbers, with the numbering that pointer networks use for words a vocabulary lacks."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

from phrasemill.errors import ModelError
from phrasemill.methods.generator.hypotheses import IntArray
from phrasemill.methods.generator.search import Marks
from phrasemill.methods.pieces import padded
from phrasemill.methods.writing import Words

SPECIALS = ("<pad>", "<unk>", "<bos>", "<eos>", "<sep>")
PAD, UNKNOWN, BEGIN, END, SEPARATOR = range(5)
SOURCE_LIMIT = 1000  # words of a source that are read when decoding (Yuan et al., 2020, appendix C)


@dataclass(frozen=True, slots=True)
class WordVocabulary:
    """The words of a recurrent model, by number; the first five are marks.

    In a source, a word that is not in the vocabulary is numbered `len(words)` and up, in order of first occurrence: a
    model may copy it under that number. A word of a text that looks like a mark is such an unknown word too.
    """

    words: tuple[str, ...]
    numbers: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        count = len(SPECIALS)
        if self.words[:count] != SPECIALS:
            raise ModelError(f"not a vocabulary: it must begin with {' '.join(SPECIALS)}")
        numbers = {word: number for number, word in enumerate(self.words) if number >= count}
        if len(numbers) + count != len(self.words):
            raise ModelError("not a vocabulary: a word occurs twice")
        object.__setattr__(self, "numbers", numbers)

    def __len__(self) -> int:
        return len(self.words)

    def source(self, words: Sequence[str]) -> tuple[list[int], tuple[str, ...]]:
        """Return the numbers of a source's words, and those of its words that are not in the vocabulary."""
        unknown: dict[str, int] = {}
        size = len(self.words)
        numbers = [
            self.numbers[word] if word in self.numbers else unknown.setdefault(word, size + len(unknown))
            for word in words
        ]
        return numbers, tuple(unknown)

    def numbered(self, sources: Sequence[Sequence[str]]) -> IntArray:
        """Return the numbers of sources (sources, words); a source without words is one unknown word."""
        return padded([self.source(source[:SOURCE_LIMIT])[0] or [UNKNOWN] for source in sources], fill=PAD)

    def decode(self, numbers: Iterable[int], unknown: Sequence[str] = ()) -> Words:
        """Return the words of these numbers, without the marks for padding, begin, end and separation."""
        size, marks = len(self.words), (PAD, BEGIN, END, SEPARATOR)
        return tuple(self.words[n] if n < size else unknown[n - size] for n in numbers if n not in marks)

    def decoder(self, source: Sequence[str]) -> Callable[[tuple[int, ...]], Words]:
        return partial(self.decode, unknown=self.source(source[:SOURCE_LIMIT])[1])


def marks_of(paradigm: str) -> Marks:
    """Return the marks of a model that was trained to write all phrases at once (one2seq), or one (one2one)."""
    return Marks(BEGIN, END, SEPARATOR if paradigm == "one2seq" else None)
