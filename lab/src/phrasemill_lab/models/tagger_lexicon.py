"""A lexicon for the tagger: classes of words, packed into the tables that `Tagger` reads.

A word has one class in each column, a name such as `ADJ|NOUN` (the tags that it can have) or that of a cluster. What
the classes mean to the tagger is learned from the training sentences.
"""

from array import array
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from phrasemill.kernels import tag_features

MOST_CLASSES = 255  # a column is a byte, and 0 is for words that are not listed

Entries = Mapping[str, tuple[str, ...]]  # a word in lower case -> its class in each column, "" for none


@dataclass(frozen=True, slots=True)
class PackedLexicon:
    """The tables, and how many columns they have."""

    columns: int = 0
    buffers: "dict[str, array[int]]" = field(default_factory=dict)

    def classes_of(self, word: str) -> bytes:
        """Return the classes of a word, as the tagger looks them up."""
        if not self.columns:
            return b""
        key = tag_features.word_hash(word.lower())
        return bytes(tag_features.listed(key, *self.buffers.values(), self.columns))


NO_LEXICON = PackedLexicon()


def pack(entries: Entries, bits: int = 12) -> PackedLexicon:
    """Return the tables of a lexicon, with the most frequent classes of each column, without words that have none."""
    columns = len(next(iter(entries.values()), ()))
    numbers = []
    for column in range(columns):
        counts = Counter(classes[column] for classes in entries.values() if classes[column])
        numbers.append({name: number + 1 for number, (name, _) in enumerate(counts.most_common(MOST_CLASSES))})
    packed: dict[int, bytes] = {}
    for word, classes in sorted(entries.items()):
        codes = bytes(of.get(name, 0) for of, name in zip(numbers, classes, strict=True))
        if any(codes):
            packed.setdefault(tag_features.word_hash(word), codes)
    buckets, prints, table = array("I", [0]), array("H"), array("B")
    for key in sorted(packed):
        while len(buckets) <= key >> (32 - bits):
            buckets.append(len(prints))
        prints.append(key & 0xFFFF)
        table.frombytes(packed[key])
    buckets.extend([len(prints)] * ((1 << bits) + 1 - len(buckets)))
    return PackedLexicon(columns, {"lexicon_buckets": buckets, "lexicon_prints": prints, "lexicon_classes": table})
