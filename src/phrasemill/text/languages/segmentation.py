"""Words of Chinese and Japanese, with their tags of Universal Dependencies.

The tokeniser keeps runs of characters whole (`tokenise`); `Segmenter` cuts them by the best path through a lattice of
words, and tags all tokens on the way. Its model has a lexicon, as hashes with a class for each word, and the weights
of a linear model (`phrasemill make segmenter_ja` and `segmenter_zh` train it).
"""

from array import array
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from phrasemill.kernels import segmenter as kernel
from phrasemill.kernels.tokens import Class, Rules
from phrasemill.models import checksum_of_columns, reading, shipped
from phrasemill.text.languages import UPOS
from phrasemill.text.tokenise import ABBREVIATIONS, FUNCTION_CHARACTERS, classify

LANGUAGES = ("ja", "zh")
KIND = "segmenter"
# Columns of the model, in the order that the kernel takes them.
SPARSE = ("buckets", "features", "entries")
WORDS = ("fingerprints", "classes", "variants", "usual")  # of a lexicon; characters that are read as others
# Scores of a tag after another, and at the beginning; frequent characters, and their scores of a tag after another
WEIGHTS = (*SPARSE, "transitions", "codes", "contexts")
SUMMED = (*SPARSE, "fingerprints", "classes", "transitions", "codes", "contexts", "variants", "usual")
TABLE = memoryview(bytearray(0x110000))  # as in text/tokenise.py, where hiragana and katakana are classes of their own
Columns = tuple["array[int]", "array[int]", "array[int]"]


def _classify(character: str) -> int:
    found = classify(character)
    if found == Class.KANA or (
        found == Class.LETTER and ("\u30a0" <= character <= "\u31ff" or "\uff66" <= character <= "\uff9f")
    ):
        return Class.HAN
    return found


_KEPT = {word: rule for word, rule in ABBREVIATIONS.items() if word not in FUNCTION_CHARACTERS}
_RULES = Rules(TABLE, _classify, _KEPT)


def tokenise(text: str) -> Columns:
    """Return start and end of each token and what separates it from the next; runs of Han and kana are one token."""
    columns: Columns = _RULES.tokenise(text)
    return columns


class Segmenter:
    """A lexicon and a model of one language; nothing in it changes."""

    tags = UPOS

    def __init__(self, buffers: Mapping[str, "memoryview | array[int]"], *, joins: bool = False) -> None:
        self._words = kernel.Words(*(buffers[name] for name in WORDS), TABLE)
        self._weights = kernel.Weights(*(buffers[name] for name in WEIGHTS))
        self._joins = joins

    @classmethod
    def load(cls, path: Path, *, joins: bool = False) -> "Segmenter":
        """Return the model at `path`; see `segment` for `joins`."""
        with reading(path, KIND, checksum=lambda file: checksum_of_columns(file.buffers, SUMMED)) as file:
            if file.metadata["tags"] != " ".join(UPOS[1:]):
                raise ValueError("other tags")
            return cls(file.buffers, joins=joins)

    def segment(self, text: str) -> tuple["array[int]", "array[int]", "array[int]", "array[int]"]:
        """Return start and end of each word, what separates it from the next one, and its tag's place in `UPOS`.

        Universal Dependencies cut the suffixes off Chinese nouns (`委员` + `会`); where the segmenter joins, they are
        put back.
        """
        start, end, gap, tag = kernel.segment(self._words, self._weights, text, *tokenise(text), self._joins)
        return start, end, gap, tag


@cache
def segmenter(language: str) -> Segmenter:
    """Return the process's segmenter for `language`, one of LANGUAGES."""
    return Segmenter.load(shipped(f"segmenter_{language}.safetensors"), joins=language == "zh")
