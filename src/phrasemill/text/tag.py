"""Part-of-speech tags by a linear model, from left to right (docs/reference/tagger.md): Penn's for English, else UPOS.

A model has its tags in its metadata, and may have a lexicon: classes of words (their possible tags, say), each of which
is a feature.
"""

import zlib
from array import array
from collections.abc import Mapping
from pathlib import Path

from phrasemill import models
from phrasemill.errors import ModelError
from phrasemill.kernels.tagger import Model, Tagger, WordList
from phrasemill.models import shipped

# A token's code is the index of its tag here; 0 is for text that was not tagged.
TAGS: tuple[str, ...] = (
    "", "CC", "CD", "DT", "EX", "FW", "IN", "JJ", "JJR", "JJS", "LS", "MD", "NN", "NNS", "NNP", "NNPS", "PDT", "POS",
    "PRP", "PRP$", "RB", "RBR", "RBS", "RP", "SYM", "TO", "UH", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "WDT", "WP",
    "WP$", "WRB", "#", "$", "''", "``", ",", ".", ":", "-LRB-", "-RRB-",
)  # fmt: skip

MODEL = shipped("tagger.safetensors")
KIND = "tagger"
LEXICON = ("lexicon_buckets", "lexicon_prints", "lexicon_classes")  # in the order that the kernel takes them
TABLES = ("buckets", "offsets", "prints", "counts", "tags", "weights", "transitions", *LEXICON)


def load_tagger(path: Path = MODEL) -> Tagger:
    """Return the model at `path`, by default the English one that comes with Phrasemill."""
    model = models.load(path, kind=KIND)
    columns = model.number("columns") if "columns" in model.metadata else 0
    try:
        if model.metadata.get("checksum") != checksum(model.buffers):
            raise ValueError("the checksum differs")
        listed = WordList(*(model[name] for name in LEXICON), columns) if columns else None
        return Tagger(Model(model, ("", *model.metadata.get("tags", "").split()), listed))
    except ValueError as error:
        raise ModelError(f"{path}: not a {KIND} file that this version can use ({error})") from None


def checksum(buffers: Mapping[str, "memoryview | array[int]"]) -> str:
    """Return the checksum of buffers that the metadata of a model has."""
    value = 0
    for name in TABLES:
        value = zlib.crc32(buffers[name], value) if name in buffers else value
    return f"{value:08x}"
