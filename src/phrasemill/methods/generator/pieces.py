"""The generator's vocabulary: pieces of words, and the marks between them."""

from collections.abc import Callable, Iterable, Sequence

from phrasemill.errors import ModelError
from phrasemill.methods.generator.hypotheses import IntArray
from phrasemill.methods.generator.search import Marks
from phrasemill.methods.pieces import CONTINUED, WordPieces, padded
from phrasemill.methods.styles import GENERATOR_PIECES
from phrasemill.methods.writing import Words
from phrasemill.text.segments import DIGIT

MARKS = ("[PAD]", "[UNK]", DIGIT, "<eos>", "<sep>", "<sequence>", "<present>", "<absent>", "<end>")
SPECIALS = (*MARKS, *[f"<{style}>" for style in GENERATOR_PIECES])
PAD, UNKNOWN, NUMBER, EOS, SEP, SEQUENCE, PRESENT, ABSENT, END = range(len(MARKS))
# Sequences of the best of a beam are compared by their mean log-probability per piece.
GENERATOR_MARKS = Marks(SEQUENCE, EOS, SEP, kinds=(PRESENT, ABSENT), normalise=1.0)


class PieceVocabulary(WordPieces):
    """The generator's vocabulary, specials first."""

    def __init__(self, pieces: Sequence[str]) -> None:
        if tuple(pieces[: len(SPECIALS)]) != SPECIALS:
            raise ModelError("the vocabulary does not begin with the special pieces; it is of another version")
        super().__init__(pieces, unknown=UNKNOWN, whole={DIGIT: NUMBER})

    def numbered(self, sources: Sequence[Sequence[str]], style: str, most: int = 512) -> IntArray:
        """Return sources as the encoder reads them (rows, pieces): the style, the words, the end."""
        texts = [[piece for word in words for piece in self.of(word)] for words in sources]
        return padded([[style_id(style), *text[: most - 2], END] for text in texts], fill=PAD)

    def words(self, ids: Iterable[int]) -> Words:
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

    def decoder(self, source: Sequence[str]) -> Callable[[tuple[int, ...]], Words]:
        return self.words


def style_id(style: str) -> int:
    return len(MARKS) + GENERATOR_PIECES.index(style)
