"""Part-of-speech tags by a linear model, from left to right (docs/reference/tagger.md): Penn's for English, else UPOS.

A model has its tags in its metadata, and may have a lexicon: classes of words (their possible tags, say), each of which
is a feature.
"""

from pathlib import Path

from phrasemill.kernels.tagger import Model, Tagger, WordList
from phrasemill.models import checksum_of_columns, reading, shipped

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
    with reading(path, KIND, checksum=lambda file: checksum_of_columns(file.buffers, TABLES)) as file:
        columns = file.number("columns") if len(file.buffers.get("lexicon_classes", b"")) else 0
        listed = WordList(*(file[name] for name in LEXICON), columns) if columns else None
        return Tagger(Model(file, ("", *file.metadata["tags"].split()), listed))
