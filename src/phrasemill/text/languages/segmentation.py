"""Words of Chinese and Japanese, with their tags of Universal Dependencies.

The tokeniser keeps runs of characters whole (`tokenise`); `Segmenter` cuts them by the best path through a lattice of
words, and tags all tokens on the way. Its model has a lexicon, as hashes with a class for each word, and the weights
of a linear model (`phrasemill make segmenter_ja` and `segmenter_zh` train it).
"""

import zlib
from array import array
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from phrasemill import models
from phrasemill.errors import ModelError
from phrasemill.kernels import hashing, lattice, lattice_words, segmentation
from phrasemill.kernels.tokens import Class, Rules
from phrasemill.models import shipped
from phrasemill.text.languages import UPOS
from phrasemill.text.tokenise import ABBREVIATIONS, FUNCTION_CHARACTERS, classify

LANGUAGES = ("ja", "zh")
# Chinese particles that are no suffixes: function words, and prefixes.
APART = "的之地得了着过们吗呢吧啊等所因" + "大总新副原小古正低非前老准反超"
KIND = "segmenter"
SPARSE = ("buckets", "features", "entries")  # in the order that the kernel takes them
TYPECODES = dict(zip(SPARSE, "IIh", strict=True)) | {
    "fingerprints": "I",  # of the words of a lexicon: kernels/hashing.py
    "classes": "B",
    "transitions": "i",  # scores of a tag after another, and at the beginning
    "codes": "H",  # frequent characters …
    "contexts": "b",  # … with their scores of a tag after another
    "variants": "H",  # characters …
    "usual": "H",  # … that are read as others
}
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
        self._joins = joins
        self._words = lattice_words.Words(buffers["fingerprints"], buffers["classes"])
        self._fold = folding(buffers["variants"], buffers["usual"])
        sparse = (buffers[name] for name in SPARSE)
        block = array("h", [-1]) * 0x10000
        for number, code in enumerate(buffers["codes"]):
            block[code] = number
        self._model = lattice.Model(*sparse, buffers["transitions"], block, array("i", buffers["contexts"]))

    @classmethod
    def load(cls, path: Path, *, joins: bool = False) -> "Segmenter":
        """Return the model at `path`; see `segment` for `joins`."""
        model = models.load(path, kind=KIND)
        problem = _problem(model)
        if problem:
            raise ModelError(f"{path}: not a {KIND} file that this version can use ({problem})")
        return cls(model.buffers, joins=joins)

    def segment(self, text: str) -> tuple["array[int]", "array[int]", "array[int]", "array[int]"]:
        """Return start and end of each word, what separates it from the next one, and its tag's place in `UPOS`.

        Universal Dependencies cut the suffixes off Chinese nouns (`委员` + `会`); where the segmenter joins, they are
        put back.
        """
        columns = tokenise(text)
        start, end, gap, tag = segmentation.segment(
            text, *columns, TABLE, Class.HAN, self._fold, self._words, self._model, self._joins, APART
        )
        return start, end, gap, tag


def folding(variants: Iterable[int], usual: Iterable[int]) -> "array[int]":
    """Return the code of each character of the basic plane: that of its usual form, if it is a variant."""
    table = array("H", range(0x10000))
    for variant, code in zip(variants, usual, strict=True):
        table[variant] = code
    return table


@cache
def segmenter(language: str) -> Segmenter:
    """Return the process's segmenter for `language`, one of LANGUAGES."""
    return Segmenter.load(shipped(f"segmenter_{language}.safetensors"), joins=language == "zh")


def checksum(buffers: Mapping[str, "memoryview | array[int]"]) -> str:
    """Return the checksum of buffers that the metadata of a model has."""
    value = 0
    for name in TYPECODES:
        value = zlib.crc32(buffers[name], value)
    return f"{value:08x}"


def _problem(model: models.Tensors) -> str:
    """Return what is wrong with a model, if anything; kernels do not check."""
    if model.metadata.get("tags") != " ".join(UPOS[1:]):
        return "other tags"
    for name, typecode in TYPECODES.items():
        if name not in model.buffers or model[name].format != typecode:
            return f"{name} is missing or of another type"
    pairs = lattice.TAGS * lattice.TAGS
    if (
        len(model["transitions"]) != pairs + lattice.TAGS
        or len(model["contexts"]) != pairs * len(model["codes"])
        or len(model["variants"]) != len(model["usual"])
    ):
        return "a table is of another size"
    if len(model["fingerprints"]) != len(model["classes"]) or not hashing.has_room(model["fingerprints"]):
        return "the lexicon is damaged"
    if model.metadata.get("checksum") != checksum(model.buffers):
        return "the checksum differs"
    return "" if lattice.sound(*(model[name] for name in SPARSE)) else "the tables do not fit together"
