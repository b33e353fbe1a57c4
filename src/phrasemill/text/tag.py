"""Penn Treebank tags for English: a linear model, read from left to right (docs/tagger.md).

What a word contributes is summed once per word type; `tag` then adds up a few rows for each token.
"""

import zlib
from array import array
from collections.abc import Mapping
from pathlib import Path

from phrasemill import tensors
from phrasemill.errors import ModelError
from phrasemill.kernels import tag_features, tagging
from phrasemill.shipped import shipped

# A token's code is the index of its tag here; 0 is for text that was not tagged.
TAGS: tuple[str, ...] = (
    "", "CC", "CD", "DT", "EX", "FW", "IN", "JJ", "JJR", "JJS", "LS", "MD", "NN", "NNS", "NNP", "NNPS", "PDT", "POS",
    "PRP", "PRP$", "RB", "RBR", "RBS", "RP", "SYM", "TO", "UH", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "WDT", "WP",
    "WP$", "WRB", "#", "$", "''", "``", ",", ".", ":", "-LRB-", "-RRB-",
)  # fmt: skip

MODEL = shipped("tagger.safetensors")
KIND = "tagger"
SPARSE = ("buckets", "offsets", "prints", "counts", "tags", "weights")  # in the order that the kernel takes them
Sparse = tuple[memoryview, memoryview, memoryview, memoryview, memoryview, memoryview]
TYPECODES = dict(zip((*SPARSE, "transitions"), "IIHBBbb", strict=True))
BOUNDARY = "\0"  # stands for the places beyond a sentence's ends


class Tagger:
    """A model's weights, and the sums for the word types added so far."""

    def __init__(self, buffers: Mapping[str, memoryview]) -> None:
        self._buffers = buffers
        self._sparse = _sparse(buffers)
        self._transitions = buffers["transitions"]
        self._rows = array("h")  # POSITIONS rows for each type, after those of the boundary
        self._cases = array("B")
        self._blocks = array("i")  # where a type's rows for the tag before it are in _contexts, or -1
        self._contexts = array("h")
        self._hashes = array("Q", bytes(8 * tag_features.FEATURES))
        self._places = array("B", bytes(tag_features.FEATURES))
        self._keys = array("Q", bytes(8 * tag_features.KEYS))
        self._targets = array("i", bytes(4 * tag_features.KEYS))
        self._sum(BOUNDARY)

    @classmethod
    def load(cls, path: Path | None = None) -> "Tagger":
        """Return the model at `path`, by default the one that comes with Phrasemill."""
        path = path or MODEL
        model = tensors.load(path, kind=KIND)
        problem = _problem(model)
        if problem:
            raise ModelError(f"{path}: not a {KIND} file that this version can use ({problem})")
        return cls(model.buffers)

    def fresh(self) -> "Tagger":
        """Return a tagger with the same weights and no word types."""
        return Tagger(self._buffers)

    def add(self, word: str) -> int:
        """Add a word type; return its number, counted from 0."""
        ambiguous = self._sum(word)
        self._cases.append(tag_features.case(word))
        self._blocks.append(self._context() if ambiguous else -1)
        return len(self._cases) - 1

    def tag(self, types: "array[int]", sentence_ends: "array[int]", out: "array[int]") -> None:
        """Fill `out` with the tag codes of the tokens whose types `add` gave; sentences end before `sentence_ends`."""
        scores = array("h", bytes(2 * tag_features.WIDTH))
        tagging.tag(
            types, sentence_ends, self._rows, self._cases, self._blocks, self._contexts, self._transitions, scores, out
        )

    def _sum(self, word: str) -> bool:
        """Append the rows of a word; return whether it has rows for the tag before it, too."""
        start = len(self._rows)
        self._rows.frombytes(bytes(2 * tag_features.POSITIONS * tag_features.WIDTH))
        n = tag_features.word_keys(word, word.lower(), self._hashes, self._places, self._keys, self._targets)
        return bool(tag_features.collect(self._keys, self._targets, n, *self._sparse, self._rows, start))

    def _context(self) -> int:
        """Append the rows for the tags before the last word; return their number."""
        start = len(self._contexts)
        self._contexts.frombytes(bytes(2 * tag_features.WIDTH * tag_features.WIDTH))
        n = tag_features.context_keys(self._hashes, self._keys, self._targets)
        tag_features.collect(self._keys, self._targets, n, *self._sparse, self._contexts, start)
        return start // int(tag_features.WIDTH * tag_features.WIDTH)


def _sparse(buffers: Mapping[str, memoryview]) -> Sparse:
    buckets, offsets, prints, counts, tags, weights = (buffers[name] for name in SPARSE)
    return buckets, offsets, prints, counts, tags, weights


def checksum(buffers: Mapping[str, "memoryview | array[int]"]) -> str:
    """Return the checksum of buffers that the metadata of a model has."""
    value = 0
    for name in TYPECODES:
        value = zlib.crc32(buffers[name], value)
    return f"{value:08x}"


def _problem(model: tensors.Tensors) -> str:
    """Return what is wrong with a model, if anything; kernels do not check."""
    if model.metadata.get("tags") != " ".join(TAGS[1:]):
        return "other tags"
    for name, typecode in TYPECODES.items():
        if name not in model.buffers or model[name].format != typecode:
            return f"{name} is missing or of another type"
    if len(model["transitions"]) != tag_features.WIDTH * tag_features.WIDTH * (
        tag_features.WIDTH + tagging.MANNERS * tagging.CASES
    ):
        return "transitions are of another size"
    if model.metadata.get("checksum") != checksum(model.buffers):
        return "the checksum differs"
    return "" if tag_features.sound(*_sparse(model.buffers)) else "the tables do not fit together"
