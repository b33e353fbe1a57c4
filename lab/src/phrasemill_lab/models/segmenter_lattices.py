"""Sentences of Universal Dependencies as lattices of words, whose features have numbers."""

import json
import lzma
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from phrasemill.kernels import hashing, lattice_units, lattice_words
from phrasemill.kernels import lattice as kernel
from phrasemill.text.languages import UPOS
from phrasemill.text.languages.segmentation import TABLE, folding, tokenise
from phrasemill.text.tokenise import CLASS

FEWEST = 1  # how often a feature must occur to get weights
CONTEXT_COUNT = 20  # units as frequent as this get weights in combination with the tag before them
LOAD = 0.9  # share of a lexicon's places that are taken


@dataclass(frozen=True, slots=True)
class Sentence:
    """A text with its words: where each starts and ends, and its tag."""

    text: str
    words: tuple[tuple[int, int, str], ...]


@dataclass(frozen=True, slots=True)
class Example:
    """One lattice: feature numbers of units, edges and contexts (-1 for none), and the right edges with their tags."""

    nodes: Any
    start: "array[int]"
    end: "array[int]"
    edges: Any
    blocks: "array[int]"
    path: "array[int]"
    tags: "array[int]"


class _Keys(NamedTuple):
    """The same with features as hashes, before they have numbers."""

    codes: "array[int]"
    nodes: "array[int]"
    start: "array[int]"
    end: "array[int]"
    edges: "array[int]"
    path: "array[int]"
    tags: "array[int]"


def read(path: Path) -> Iterator[Sentence]:
    """Yield the sentences of a file."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            words, place = [], 0
            for _, form, tag, _, _ in record["tokens"]:
                place = record["text"].index(form, place)
                words.append((place, place + len(form), tag))
                place += len(form)
            yield Sentence(record["text"], tuple(words))


class Lattices:
    """Lattices of sentences with one lexicon, whose features are numbered."""

    def __init__(self, words: Mapping[str, str], variants: Mapping[str, str]) -> None:
        self.variants = array("H", map(ord, variants))
        self.usual = array("H", map(ord, variants.values()))
        self.fold = folding(self.variants, self.usual)
        self.fingerprints, self.classes = self._lexicon(words)
        self.words = lattice_words.Words(self.fingerprints, self.classes)
        self.features: dict[int, int] = {}
        self.contexts: dict[int, int] = {}  # from the code of a unit to the first of its rows for the tags before

    def _lexicon(self, words: Mapping[str, str]) -> tuple["array[int]", "array[int]"]:
        names = {name: number for number, name in enumerate(sorted(set(words.values())), start=1)}
        keys: dict[int, int] = {}
        for word, name in words.items():
            folded = "".join(chr(self.fold[ord(c)]) if c <= "\uffff" else c for c in word)
            keys.setdefault(lattice_words.word_key(folded), names[name])
        fingerprints = array("I", bytes(4 * int(len(keys) / LOAD + 1)))
        classes = array("B", bytes(len(fingerprints)))
        for place, number in zip(hashing.fill(array("Q", keys), fingerprints), keys.values(), strict=True):
            classes[place] = number
        return fingerprints, classes

    def examples(self, sentences: Sequence[Sentence]) -> list[Example]:
        """Number the features of `sentences`; return their lattices."""
        found = [self._keys(sentence) for sentence in sentences]
        counts = Counter(key for keys in found for column in (keys.nodes, keys.edges) for key in column)
        self.features = {key: number for number, key in enumerate(k for k, n in counts.items() if n >= FEWEST)}
        units = Counter(code for keys in found for code in keys.codes)
        base = len(self.features)
        for code, count in units.items():
            if count >= CONTEXT_COUNT and code <= 0xFFFF:
                self.contexts[code] = base + kernel.TAGS * len(self.contexts)
        return [self._example(keys) for keys in found]

    @property
    def rows(self) -> int:
        return len(self.features) + kernel.TAGS * len(self.contexts)

    def _keys(self, sentence: Sentence) -> _Keys:
        columns, _, _ = lattice_units.units(
            sentence.text, *tokenise(sentence.text), TABLE, CLASS["han"], self.fold, 0, 0
        )
        code, kind, begin, _, _, joined = columns
        lattice = kernel.Lattice(code, kind, joined, self.words)
        path, tags = _path(sentence, begin, joined)
        start, end = _with(path, *lattice.words())
        nodes, words = lattice.unit_keys(), lattice.word_keys(start, end)
        numbers = {pair: number for number, pair in enumerate(zip(start, end, strict=True))}
        return _Keys(code, nodes, start, end, words, array("i", [numbers[pair] for pair in path]), tags)

    def _example(self, keys: _Keys) -> Example:
        number = self.features.get
        return Example(
            array("i", [number(key, -1) for key in keys.nodes]),
            keys.start,
            keys.end,
            array("i", [number(key, -1) for key in keys.edges]),
            array("i", [self.contexts.get(code, -1) for code in keys.codes]),
            keys.path,
            keys.tags,
        )


def _path(sentence: Sentence, begin: "array[int]", joined: bytearray) -> tuple[list[tuple[int, int]], "array[int]"]:
    """Return the right words as pairs of units, and their tags; a token that we do not cut is one word."""
    tag_at = {i: tag for start, end, tag in sentence.words for i in range(start, end)}
    starts = {start for start, _, _ in sentence.words}
    cuts = [i for i, place in enumerate(begin) if not joined[i] or place in starts]
    pairs = list(zip(cuts, [*cuts[1:], len(begin)], strict=True))
    return pairs, array("B", [UPOS.index(tag_at[begin[i]]) - 1 for i, _ in pairs])


def _with(path: list[tuple[int, int]], start: "array[int]", end: "array[int]") -> tuple["array[int]", "array[int]"]:
    """Return the edges with those of `path` among them."""
    pairs = sorted({*zip(start, end, strict=True), *path})
    return array("i", [i for i, _ in pairs]), array("i", [j for _, j in pairs])
