"""Sentences of Universal Dependencies as lattices of words, whose features have numbers."""

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from phrasemill.kernels import hashing
from phrasemill.kernels import segmenter as kernel
from phrasemill.text.languages import UPOS
from phrasemill.text.languages.segmentation import TABLE, tokenise
from phrasemill_lab.kernels import segmentation_training as trainer
from phrasemill_lab.models.sources import read_records

CONTEXT_COUNT = 20  # units as frequent as this get weights in combination with the tag before them
LOAD = 0.9  # share of a lexicon's places that are taken


@dataclass(frozen=True, slots=True)
class Sentence:
    """A text with its words: where each starts and ends, and its tag."""

    text: str
    words: tuple[tuple[int, int, str], ...]


@dataclass(frozen=True, slots=True)
class Example:
    """One lattice: features of units and edges, the units' blocks, and the right edges with their tags.

    Features are hashes at first, and blocks the codes of units; then both are numbers, -1 for none.
    """

    nodes: Any
    start: "array[int]"
    end: "array[int]"
    edges: Any
    blocks: "array[int]"
    path: "array[int]"
    tags: "array[int]"


def read(path: Path) -> Iterator[Sentence]:
    """Yield the sentences of a file."""
    for record in read_records(path):
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
        self.fingerprints, self.classes = self._lexicon(words, str.maketrans(dict(variants)))
        self.words = kernel.Words(self.fingerprints, self.classes, self.variants, self.usual, TABLE)
        self.features: dict[int, int] = {}
        self.contexts: dict[int, int] = {}  # from the code of a unit to the first of its rows for the tags before

    def _lexicon(self, words: Mapping[str, str], folding: dict[int, str]) -> tuple["array[int]", "array[int]"]:
        names = {name: number for number, name in enumerate(sorted(set(words.values())), start=1)}
        keys: dict[int, int] = {}
        for word, name in words.items():
            keys.setdefault(kernel.word_key(word.translate(folding)), names[name])
        fingerprints = array("I", bytes(4 * int(len(keys) / LOAD + 1)))
        classes = array("B", bytes(len(fingerprints)))
        for place, number in zip(hashing.fill(array("Q", keys), fingerprints), keys.values(), strict=True):
            classes[place] = number
        return fingerprints, classes

    def examples(self, sentences: Sequence[Sentence]) -> list[Example]:
        """Number the features of `sentences`; return their lattices."""
        found = [self._example(sentence) for sentence in sentences]
        every = dict.fromkeys(key for one in found for column in (one.nodes, one.edges) for key in column)
        self.features = {key: number for number, key in enumerate(every)}
        units = Counter(code for one in found for code in one.blocks)
        base = len(self.features)
        for code, count in units.items():
            if count >= CONTEXT_COUNT and code <= 0xFFFF:
                self.contexts[code] = base + kernel.TAGS * len(self.contexts)
        return [
            replace(
                one,
                nodes=array("i", [self.features[key] for key in one.nodes]),
                edges=array("i", [self.features[key] for key in one.edges]),
                blocks=array("i", [self.contexts.get(code, -1) for code in one.blocks]),
            )
            for one in found
        ]

    @property
    def rows(self) -> int:
        return len(self.features) + kernel.TAGS * len(self.contexts)

    def _example(self, sentence: Sentence) -> Example:
        lattice = trainer.Example(self.words, sentence.text, *tokenise(sentence.text))
        code, begin, joined = lattice.columns()
        path, tags = _path(sentence, begin, joined)
        pairs = sorted({*lattice.pairs(), *path})  # the right words are always among them
        start, end = array("i", [i for i, _ in pairs]), array("i", [j for _, j in pairs])
        numbers = {pair: number for number, pair in enumerate(pairs)}
        right = array("i", [numbers[pair] for pair in path])
        return Example(lattice.features_of_units(), start, end, lattice.features_of_words(pairs), code, right, tags)


def _path(
    sentence: Sentence, begin: Sequence[int], joined: Sequence[int]
) -> tuple[list[tuple[int, int]], "array[int]"]:
    """Return the right words as pairs of units, and their tags; a token that we do not cut is one word."""
    tag_at = {i: tag for start, end, tag in sentence.words for i in range(start, end)}
    starts = {start for start, _, _ in sentence.words}
    cuts = [i for i, place in enumerate(begin) if not joined[i] or place in starts]
    pairs = list(zip(cuts, [*cuts[1:], len(begin)], strict=True))
    return pairs, array("B", [UPOS.index(tag_at[begin[i]]) - 1 for i, _ in pairs])
