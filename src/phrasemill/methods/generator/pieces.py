"""The generator's vocabulary: pieces of words, and the marks between them."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from phrasemill.errors import ModelError
from phrasemill.methods.generator.search import Marks
from phrasemill.methods.pieces import CONTINUED, WordPieces, padded
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


def encoder_input(pieces: PieceVocabulary, sources: Sequence[Sequence[str]], style: str, most: int = 512) -> "Array":
    """Return sources as the encoder reads them (rows, pieces): the style, the words, the end."""
    texts = [[piece for word in words for piece in pieces.of(word)] for words in sources]
    return padded([[style_id(style), *text[: most - 2], END] for text in texts], fill=PAD)
