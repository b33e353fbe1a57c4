"""Words and their numbers, with the numbering that pointer networks use for words a vocabulary lacks."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from phrasemill.errors import ModelError

SPECIALS = ("<pad>", "<unk>", "<bos>", "<eos>", "<sep>")
PAD, UNKNOWN, BEGIN, END, SEPARATOR = range(5)


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a model, by number; the first five are marks.

    In a source, a word that is not here is numbered `len(words)` and up, in order of first occurrence: a model may copy
    it under that number. A word of a text that looks like a mark is such an unknown word too.
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
    def count(cls, texts: Iterable[Sequence[str]], *, size: int = 50_000) -> "Words":
        """The most frequent words of sources and targets, marks included in `size`; of equals the first by alphabet."""
        counts = Counter(word for text in texts for word in text)
        for mark in SPECIALS:
            counts.pop(mark, None)
        ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        return cls(SPECIALS + tuple(word for word, _ in ranked[: size - len(SPECIALS)]))

    def __len__(self) -> int:
        return len(self.words)

    def source(self, words: Sequence[str]) -> tuple[list[int], tuple[str, ...]]:
        """The numbers of a source's words, and those of its words that are not in the vocabulary."""
        unknown: dict[str, int] = {}
        size = len(self.words)
        numbers = [
            self.numbers[word] if word in self.numbers else unknown.setdefault(word, size + len(unknown))
            for word in words
        ]
        return numbers, tuple(unknown)

    def target(self, words: Sequence[str], unknown: Sequence[str] = ()) -> list[int]:
        """The numbers of a phrase's words, given the unknown words of its source."""
        copied = {word: len(self.words) + place for place, word in enumerate(unknown)}
        return [self.numbers.get(word, copied.get(word, UNKNOWN)) for word in words]

    def decode(self, numbers: Iterable[int], unknown: Sequence[str] = ()) -> tuple[str, ...]:
        """The words behind these numbers, without the marks for padding, begin, end and separation."""
        size = len(self.words)
        marks = (PAD, BEGIN, END, SEPARATOR)
        return tuple(self.words[n] if n < size else unknown[n - size] for n in numbers if n not in marks)

    def save(self, path: Path) -> None:
        """One word a line."""
        path.write_text("".join(f"{word}\n" for word in self.words), encoding="utf-8", newline="\n")

    @classmethod
    def load(cls, path: Path) -> "Words":
        try:
            text = path.read_bytes().decode("utf-8")
        except (OSError, ValueError) as error:
            raise ModelError(f"{path}: not a vocabulary ({error})") from None
        return cls(tuple(text.split("\n")[:-1]))
