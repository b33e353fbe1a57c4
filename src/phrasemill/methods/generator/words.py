"""Words and their numbers, with the numbering that pointer networks use for words a vocabulary lacks."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from phrasemill.errors import ModelError
from phrasemill.methods.generator.search import Marks
from phrasemill.methods.pieces import padded

SPECIALS = ("<pad>", "<unk>", "<bos>", "<eos>", "<sep>")
PAD, UNKNOWN, BEGIN, END, SEPARATOR = range(5)
SOURCE_LIMIT = 1000  # words of a source that are read when decoding (Yuan et al., 2020, appendix C)


@dataclass(frozen=True, slots=True)
class WordVocabulary:
    """The words of a model, by number; the first five are marks.

    In a source, a word that is not in the vocabulary is numbered `len(words)` and up, in order of first occurrence: a
    model may copy it under that number. A word of a text that looks like a mark is such an unknown word too.
    """

    words: tuple[str, ...]
    numbers: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.words[: len(SPECIALS)] != SPECIALS:
            raise ModelError(f"not a vocabulary: it must begin with {' '.join(SPECIALS)}")
        numbers = {word: number for number, word in enumerate(self.words) if number >= len(SPECIALS)}
        if len(numbers) + len(SPECIALS) != len(self.words):
            raise ModelError("not a vocabulary: a word occurs twice")
        object.__setattr__(self, "numbers", numbers)

    @classmethod
    def count(cls, texts: Iterable[Sequence[str]], *, size: int = 50_000) -> "WordVocabulary":
        """Return the most frequent words of sources and targets, `size` with the marks; of equals the first by
        alphabet."""
        counts = Counter(word for text in texts for word in text)
        for mark in SPECIALS:
            counts.pop(mark, None)
        ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        return cls(SPECIALS + tuple(word for word, _ in ranked[: size - len(SPECIALS)]))

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

    def target(self, words: Sequence[str], unknown: Sequence[str] = ()) -> list[int]:
        """Return the numbers of a phrase's words, given the unknown words of its source."""
        copied = {word: len(self.words) + place for place, word in enumerate(unknown)}
        return [self.numbers.get(word, copied.get(word, UNKNOWN)) for word in words]

    def decode(self, numbers: Iterable[int], unknown: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the words of these numbers, without the marks for padding, begin, end and separation."""
        size = len(self.words)
        marks = (PAD, BEGIN, END, SEPARATOR)
        return tuple(self.words[n] if n < size else unknown[n - size] for n in numbers if n not in marks)

    def decoder(self, source: Sequence[str]) -> Callable[[tuple[int, ...]], tuple[str, ...]]:
        return partial(self.decode, unknown=self.source(source[:SOURCE_LIMIT])[1])

    def save(self, path: Path) -> None:
        """Write one word per line."""
        path.write_text("".join(f"{word}\n" for word in self.words), encoding="utf-8", newline="\n")

    @classmethod
    def load(cls, path: Path) -> "WordVocabulary":
        try:
            text = path.read_bytes().decode("utf-8")
        except (OSError, ValueError) as error:
            raise ModelError(f"{path}: not a vocabulary ({error})") from None
        return cls(tuple(text.split("\n")[:-1]))


def marks_of(paradigm: str) -> Marks:
    """Return the marks of a model that was trained to write all phrases at once (one2seq), or one (one2one)."""
    return Marks(BEGIN, END, SEPARATOR if paradigm == "one2seq" else None)


def numbered(
    sources: Sequence[Sequence[str]], vocabulary: WordVocabulary
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return padded numbers (sources, words) and lengths (sources,); a source without words is one unknown word."""
    found = [vocabulary.source(source[:SOURCE_LIMIT])[0] or [UNKNOWN] for source in sources]
    return padded(found, fill=PAD), np.array([len(numbers) for numbers in found], np.int64)
