"""Tagged sentences for the tagger: read, converted to one tag set, split by document, varied in letter case.

The files are `*.jsonl.gz` with one sentence per line: {"doc", "tokens": [[word, tag, …], …]}. Words are converted to
their spelling in text (`-LRB-` to `(`), and tags to those of the Penn Treebank; docs/reference/tagger.md gives the
mapping.
"""

import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from phrasemill.errors import DataError
from phrasemill_lab.models.sources import read_records

TEST_PERCENT = 10
DEV_PERCENT = 5
LOWER_PERCENT = 16  # sentences that are repeated in another letter case
UPPER_PERCENT = 4
TITLE_PERCENT = 8
TYPESET_PERCENT = 25  # training documents that get the quotes and dashes of typeset text

WORDS = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}",
    "``": '"', "''": '"', "`": "'", "\\/": "/", "\\*": "*",
}  # fmt: skip
TYPESET = {"--": "—", "...": "…", "#": "£", "'": "’"}
BRACKETS = {"(": "-LRB-", "[": "-LRB-", "{": "-LRB-", ")": "-RRB-", "]": "-RRB-", "}": "-RRB-"}
# The tags that English Web Treebank adds to Penn's.
EXTRA_TAGS = {"HYPH": ":", "NFP": ":", "ADD": "NN", "AFX": "JJ", "XX": "FW", "GW": "FW"}
PAUSE = re.compile(r"[-–—]+|\.\.+|…|[:;/]")


@dataclass(frozen=True, slots=True)
class TaggedSentence:
    part: str  # train, dev or test
    words: tuple[str, ...]
    tags: tuple[str, ...]


def read(folder: Path) -> Iterator[TaggedSentence]:
    """Yield every sentence of the files in `folder`, in the order of the files' names."""
    files = sorted(folder.glob("*.jsonl.gz"))
    if not files:
        raise DataError(f"{folder}: no *.jsonl.gz files")
    for path in files:
        name = path.name.removesuffix(".jsonl.gz")
        treebank = re.fullmatch(r".+_(train|dev|test)", name)
        for record in read_records(path):
            document = f"{name}/{record['doc']}"
            part = treebank[1] if treebank else split(document)
            typeset = part == "train" and _percentile(f"typeset {document}") < TYPESET_PERCENT
            pairs = [_pair(word, tag, typeset) for word, tag, *_ in record["tokens"]]
            words, tags = zip(*(_merged(pairs) if typeset else pairs), strict=True)
            yield TaggedSentence(part, words, tags)


def split(document: str) -> str:
    """Return the part that a document belongs to, which depends on its name only."""
    percentile = _percentile(document)
    if percentile < TEST_PERCENT:
        return "test"
    return "dev" if percentile < TEST_PERCENT + DEV_PERCENT else "train"


def _percentile(name: str) -> int:
    return zlib.crc32(name.encode()) % 100


def _pair(word: str, tag: str, typeset: bool) -> tuple[str, str]:
    """Return the word as text spells it, and its Penn tag."""
    if typeset and tag in ("``", "''"):
        double = word in ("``", "''", '"')
        return ("“”" if double else "‘’")[tag == "''"], tag
    word = WORDS.get(word, word).replace("\\/", "/")
    if word in BRACKETS:
        return word, BRACKETS[word]
    if PAUSE.fullmatch(word) and tag in (",", "HYPH", "NFP", ":"):
        tag = ":"
    elif word.lower() == "to" and tag == "IN":
        tag = "TO"
    elif tag == "NFP" and any(letter.isalnum() for letter in word):
        tag = "SYM"
    tag = EXTRA_TAGS.get(tag, tag)
    return (TYPESET.get(word, word).replace("'", "’") if typeset else word), tag


def _merged(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Join amounts into one token, as Phrasemill's tokeniser does: `$` `5` becomes `$5`, and `5` `%` becomes `5%`."""
    merged: list[tuple[str, str]] = []
    for word, tag in pairs:
        last, last_tag = merged[-1] if merged else ("", "")
        if (word == "%" and last_tag == "CD") or (tag == "CD" and last_tag == "$"):
            merged[-1] = (last + word, "CD")
        else:
            merged.append((word, tag))
    return merged


def augmented(sentences: Iterable[TaggedSentence]) -> Iterator[TaggedSentence]:
    """Yield each sentence, and some again in lower case, capitals or title case."""
    cases: list[tuple[int, Callable[[str], str]]] = [
        (LOWER_PERCENT, str.lower),
        (UPPER_PERCENT, str.upper),
        (TITLE_PERCENT, title),
    ]
    for index, sentence in enumerate(sentences):
        yield sentence
        percentile = _percentile(f"case {index}")
        for percent, change in cases:
            if 0 <= percentile < percent:
                yield recased(sentence, change)
            percentile -= percent


def title(word: str) -> str:
    """Return a word as headings write it: with a capital, unless it is short."""
    return word if len(word) < 4 and word.islower() else word[:1].upper() + word[1:]


def recased(sentence: TaggedSentence, change: Callable[[str], str]) -> TaggedSentence:
    """Return the sentence with `change` applied to every word."""
    return replace(sentence, words=tuple(change(word) for word in sentence.words))
