"""Part-of-speech tags by a linear model, from left to right (docs/reference/tagger.md): Penn's for English, else UPOS.

What a word contributes is summed once per word type; `tag` then adds up a few rows for each token. A model has its tags
in its metadata, and may have a lexicon: classes of words (their possible tags, say), each of which is a feature.
"""

import zlib
from array import array
from collections.abc import Mapping
from pathlib import Path

from phrasemill import models
from phrasemill.errors import ModelError
from phrasemill.kernels import tag_features, tag_tables, tagging
from phrasemill.models import shipped

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
LEXICON = {"lexicon_buckets": "I", "lexicon_prints": "H", "lexicon_classes": "B"}
LONGEST = 64  # characters of a word that count; longer ones are data
BOUNDARY = "\0"  # stands for the places beyond a sentence's ends


class Tagger:
    """A model's weights, and the sums for the word types added so far."""

    def __init__(self, buffers: Mapping[str, memoryview], tags: tuple[str, ...] = TAGS, columns: int = 0) -> None:
        self.tags = tags
        self._buffers = buffers
        self._columns = columns  # classes per word of the lexicon
        self._weights = tag_features.Weights(*_sparse(buffers))
        self._lexicon = [buffers[name] if columns else array(letter) for name, letter in LEXICON.items()]
        self._transitions = buffers["transitions"]
        # POSITIONS rows for each type, after those of the boundary.
        self._rows = array("h")
        self._cases = array("B")
        self._blocks = array("i")  # where a type's rows for the tag before it are in _contexts, or -1
        self._contexts = array("h")
        self._weights.add_words(
            [BOUNDARY], LONGEST, *self._lexicon, columns, self._rows, array("B"), array("i"), array("h")
        )

    @classmethod
    def load(cls, path: Path | None = None) -> "Tagger":
        """Return the model at `path`, by default the English one that comes with Phrasemill."""
        path = path or MODEL
        model = models.load(path, kind=KIND)
        problem = _problem(model)
        if problem:
            raise ModelError(f"{path}: not a {KIND} file that this version can use ({problem})")
        tags = ("", *model.metadata["tags"].split())
        buffers = {**model.buffers, "transitions": _wide(model["transitions"], len(tags))}
        return cls(buffers, tags, _columns(model))

    def fresh(self) -> "Tagger":
        """Return a tagger with the same weights and no word types."""
        return Tagger(self._buffers, self.tags, self._columns)

    def add(self, word: str) -> int:
        """Add a word type; return its number, counted from 0."""
        self.add_all([word])
        return len(self._cases) - 1

    def add_all(self, words: list[str]) -> None:
        """Add word types, which are numbered in turn; of long ones, the beginning counts."""
        self._weights.add_words(
            words, LONGEST, *self._lexicon, self._columns, self._rows, self._cases, self._blocks, self._contexts
        )

    def tag(self, types: "array[int]", sentence_ends: "array[int]", out: "array[int]") -> None:
        """Fill `out` with the tag codes of the tokens whose types `add` gave; sentences end before `sentence_ends`."""
        scores = array("h", bytes(2 * tag_features.WIDTH))
        tagging.tag(
            types, sentence_ends, self._rows, self._cases, self._blocks, self._contexts, self._transitions, scores,
            len(self.tags) - 1, out,
        )  # fmt: skip


def _sparse(buffers: Mapping[str, memoryview]) -> Sparse:
    buckets, offsets, prints, counts, tags, weights = (buffers[name] for name in SPARSE)
    return buckets, offsets, prints, counts, tags, weights


def _columns(model: models.Tensors) -> int:
    return model.number("columns") if "columns" in model.metadata else 0


def _wide(transitions: memoryview, tags: int) -> memoryview:
    """Return the weights for preceding tags in rows that are as wide as the kernel's; files have no padding."""
    width = tag_features.WIDTH
    rows = width * width + tagging.MANNERS * tagging.CASES * width
    if len(transitions) == rows * width:
        return transitions
    wide = memoryview(bytearray(rows * width)).cast("b")
    for row in range(tags * tags + tagging.MANNERS * tagging.CASES * tags):
        group, last = divmod(row, tags)
        # Pairs of tags come first; then how the word and its sentence are written, with one tag.
        target = (group * width if group < tags else width * width + (group - tags) * width) + last
        wide[target * width : target * width + tags] = transitions[row * tags : (row + 1) * tags]
    return wide.toreadonly()


def checksum(buffers: Mapping[str, "memoryview | array[int]"]) -> str:
    """Return the checksum of buffers that the metadata of a model has."""
    value = 0
    for name in (*TYPECODES, *LEXICON):
        value = zlib.crc32(buffers[name], value) if name in buffers else value
    return f"{value:08x}"


def _problem(model: models.Tensors) -> str:
    """Return what is wrong with a model, if anything; kernels do not check."""
    tags = 1 + len(model.metadata.get("tags", "").split())
    if not 2 <= tags <= tag_features.WIDTH:
        return "no tags, or too many"
    columns = model.metadata.get("columns", "0")
    if columns not in ("0", "1", "2", "3"):
        return f"a lexicon of {columns} columns"
    for name, typecode in (TYPECODES | (LEXICON if columns != "0" else {})).items():
        if name not in model.buffers or model[name].format != typecode:
            return f"{name} is missing or of another type"
    forms = tagging.MANNERS * tagging.CASES
    if len(model["transitions"]) not in (width * width * (width + forms) for width in (tags, tag_features.WIDTH)):
        return "transitions are of another size"
    if model.metadata.get("checksum") != checksum(model.buffers):
        return "the checksum differs"
    if columns != "0" and not tag_tables.sound_lexicon(*(model[name] for name in LEXICON), int(columns)):
        return "the lexicon's tables do not fit together"
    return "" if tag_tables.sound(*_sparse(model.buffers)) else "the tables do not fit together"
