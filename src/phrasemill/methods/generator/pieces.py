"""Subwords: a word is split into the longest pieces in the vocabulary, from left to right (WordPiece; Wu et al., 2016).

`##` marks a piece that continues a word. Accents are dropped, as in the encoder that provides the pieces' first
weights; the text's own wording is found again by its position.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from phrasemill.errors import ModelError
from phrasemill.methods.generator.search import Marks
from phrasemill.methods.styles import GENERATOR_PIECES
from phrasemill.text.segments import DIGIT

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

MARKS = ("[PAD]", "[UNK]", DIGIT, "<eos>", "<sep>", "<sequence>", "<present>", "<absent>", "<end>")
SPECIALS = (*MARKS, *[f"<{style}>" for style in GENERATOR_PIECES])
PAD, UNKNOWN, NUMBER, EOS, SEP, SEQUENCE, PRESENT, ABSENT, END = range(len(MARKS))
FIRST_STYLE = len(MARKS)
# Sequences of the best of a beam are compared by their mean log-probability per piece.
GENERATOR_MARKS = Marks(SEQUENCE, EOS, SEP, kinds=(PRESENT, ABSENT), normalise=1.0)
CONTINUED = "##"
LONGEST = 40  # in characters; longer words are data


class WordPieces:
    """A vocabulary of pieces; words of `whole` are one piece each and never split."""

    def __init__(self, pieces: Sequence[str], *, unknown: int, whole: Mapping[str, int] | None = None) -> None:
        self.pieces = tuple(pieces)
        self.ids = {piece: i for i, piece in enumerate(self.pieces)}
        self.unknown = unknown
        self._whole = {word: (piece,) for word, piece in (whole or {}).items()}
        self._known: dict[str, tuple[int, ...]] = dict(self._whole)

    def __len__(self) -> int:
        return len(self.pieces)

    def of(self, word: str) -> tuple[int, ...]:
        """Return the pieces of a lower-case word; one unknown piece where it cannot be split."""
        found = self._known.get(word)
        if found is None:
            if len(self._known) > 500_000:
                self._known = dict(self._whole)
            found = self._known[word] = self._pieces(without_accents(word))
        return found

    def _pieces(self, word: str) -> tuple[int, ...]:
        if len(word) > LONGEST:
            return (self.unknown,)
        result, start = [], 0
        while start < len(word):
            end = len(word)
            while end > start and (piece := CONTINUED * (start > 0) + word[start:end]) not in self.ids:
                end -= 1
            if end == start:
                return (self.unknown,)
            result.append(self.ids[piece])
            start = end
        return tuple(result) or (self.unknown,)


class PieceVocabulary(WordPieces):
    """The generator's vocabulary, specials first."""

    def __init__(self, pieces: Sequence[str]) -> None:
        if tuple(pieces[: len(SPECIALS)]) != SPECIALS:
            raise ModelError("the vocabulary does not begin with the special pieces; it is of another version")
        super().__init__(pieces, unknown=UNKNOWN, whole={DIGIT: NUMBER})

    def words(self, ids: Iterable[int]) -> tuple[str, ...]:
        """Return the words that these pieces write; none if one of them is a mark."""
        words: list[str] = []
        for i in ids:
            piece = self.pieces[i]
            if i < len(SPECIALS) and i != NUMBER:
                return ()
            if piece.startswith(CONTINUED) and words:
                words[-1] += piece[len(CONTINUED) :]
            else:
                words.append(piece.removeprefix(CONTINUED))
        return tuple(words)

    def decoder(self, source: Sequence[str]) -> Callable[[tuple[int, ...]], tuple[str, ...]]:
        return self.words

    def save(self, path: Path) -> None:
        path.write_text("".join([f"{piece}\n" for piece in self.pieces]), encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> "PieceVocabulary":
        try:
            return cls(path.read_text(encoding="utf-8").splitlines())
        except OSError as error:
            raise ModelError(f"{path}: {error.strerror}") from None


def style_id(style: str) -> int:
    return FIRST_STYLE + GENERATOR_PIECES.index(style)


def without_accents(word: str) -> str:
    if word.isascii():
        return word
    return "".join([c for c in unicodedata.normalize("NFD", word) if unicodedata.category(c) != "Mn"]).lower()


def encoder_input(pieces: PieceVocabulary, sources: Sequence[Sequence[str]], style: str, most: int = 512) -> "Array":
    """Return sources as the encoder reads them (rows, pieces): the style, the words, the end."""
    from phrasemill.methods.padding import padded

    texts = [[piece for word in words for piece in pieces.of(word)] for words in sources]
    return padded([[style_id(style), *text[: most - 2], END] for text in texts], fill=PAD)
