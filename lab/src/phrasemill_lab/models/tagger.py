"""Trains the part-of-speech tagger of English (docs/reference/tagger.md)."""

import random
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from itertools import count as counted
from pathlib import Path
from typing import Any

import numpy as np

from phrasemill import models
from phrasemill.errors import DataError
from phrasemill.kernels import tagger as kernel
from phrasemill.text.tag import KIND, TABLES, TAGS
from phrasemill_lab.kernels import tagger_training
from phrasemill_lab.models.make import Row
from phrasemill_lab.models.tagger_data import TaggedSentence, augmented, read
from phrasemill_lab.models.word_lists import NO_LEXICON, PackedLexicon, bucket_starts

SCALE = 2.0  # weights are kept as multiples of 1 / SCALE, from -127 to 127

WIDTH, POSITIONS = kernel.WIDTH, kernel.POSITIONS
FORMS = kernel.MANNERS * kernel.CASES * WIDTH
BOUNDARY = "\0"  # stands for the places beyond a sentence's ends


@dataclass(frozen=True, slots=True)
class TaggerRecipe:
    """How a model is trained and packed."""

    tags: tuple[str, ...] = TAGS
    epochs: int = 10
    margin: float = 5.0
    here_count: int = 2  # how often a feature of the word itself must occur to get weights …
    near_count: int = 8  # … and one of its neighbours
    ambiguous_count: int = 100  # words with this many unusual tags get weights in combination with the tag before them
    prune: int = 2  # the smallest number that is kept, in units of 1 / SCALE
    bits: int = 15  # of a feature's hash choose its bucket; the lowest 16 identify it there
    seed: int = 1
    orders: int = 1  # of the sentences, each with a seed of its own; the weights are their average
    largest: float = float("inf")  # bytes; a larger model loses its smallest weights


ENGLISH = TaggerRecipe()


@dataclass(slots=True)
class TaggedCorpus:
    """Sentences as columns; word types count from 1, as 0 is the boundary."""

    words: list[str] = field(default_factory=lambda: [BOUNDARY])
    types: "array[int]" = field(default_factory=lambda: array("i"))
    tags: "array[int]" = field(default_factory=lambda: array("B"))
    ends: "array[int]" = field(default_factory=lambda: array("i"))
    cases: "array[int]" = field(default_factory=lambda: array("B", [0]))
    manners: "array[int]" = field(default_factory=lambda: array("B"))
    classes: list[bytes] = field(default_factory=list)  # of the lexicon, one entry per word


@dataclass(slots=True)
class FeatureSpace:
    """The features that get weights, and which of them each type has at each position."""

    ids: dict[int, int]  # a feature's hash -> its row
    starts: "array[int]"
    rows: "array[int]"
    ambiguous: list[int]  # the first features of the words that get rows for the tag before them
    blocks: "array[int]"

    @property
    def bases(self) -> "array[int]":
        """Return where the rows for preceding tags begin, and where they end: see kernels/tagger_training.pyx."""
        sizes = (len(self.ids), WIDTH, WIDTH * WIDTH, FORMS, WIDTH * len(self.ambiguous))
        return array("i", accumulate(sizes))


def corpus(
    sentences: Iterable[TaggedSentence], recipe: TaggerRecipe = ENGLISH, lexicon: PackedLexicon = NO_LEXICON
) -> TaggedCorpus:
    made = TaggedCorpus()
    known = {BOUNDARY: 0}
    codes = {tag: code for code, tag in enumerate(recipe.tags)}
    for sentence in sentences:
        start = len(made.types)
        for word in sentence.words:
            if word not in known:
                known[word] = len(known)
                made.words.append(word)
                made.cases.append(kernel.Word(word).case)
            made.types.append(known[word])
        made.tags.extend(codes[tag] for tag in sentence.tags)
        made.ends.append(len(made.types))
        made.manners.append(kernel.manner(bytes(made.cases[kind] for kind in made.types[start:])))
    made.classes = [lexicon.classes_of(word) for word in made.words]
    return made


def space(data: TaggedCorpus, recipe: TaggerRecipe = ENGLISH) -> FeatureSpace:
    """Count the features of the training data and number those that are frequent enough."""
    hashed = [kernel.Word(word).features(classes) for word, classes in zip(data.words, data.classes, strict=True)]
    frequency = Counter(data.types)
    frequency[0] = len(data.ends)
    counts: Counter[tuple[int, bool]] = Counter()
    for kind, positions in enumerate(hashed):
        for position, hashes in enumerate(positions):
            for feature in hashes:
                counts[feature, position == POSITIONS // 2] += frequency[kind]
    ids: dict[int, int] = {}
    for (feature, here), count in counts.items():
        if count >= (recipe.here_count if here else recipe.near_count):
            ids.setdefault(feature, len(ids))
    starts, rows = array("i", [0]), array("i")
    for positions in hashed:
        for hashes in positions:
            rows.extend(ids[feature] for feature in hashes if feature in ids)
            starts.append(len(rows))
    ambiguous = _ambiguous(data, recipe.ambiguous_count)
    numbers = {name: number for number, name in enumerate(ambiguous)}
    blocks = array("i", [numbers.get(kernel.Word(word).name, -1) for word in data.words])
    return FeatureSpace(ids, starts, rows, ambiguous, blocks)


def _ambiguous(data: TaggedCorpus, least: int) -> list[int]:
    """Return the words that often have a tag other than their usual one."""
    names = [kernel.Word(word).name for word in data.words]
    tags: dict[int, Counter[int]] = {}
    for (kind, tag), count in Counter(zip(data.types, data.tags, strict=True)).items():
        tags.setdefault(names[kind], Counter())[tag] += count
    return sorted(name for name, seen in tags.items() if seen.total() - max(seen.values()) >= least)


def train(data: TaggedCorpus, features: FeatureSpace, recipe: TaggerRecipe = ENGLISH) -> "array[float]":
    """Return the averaged weights, WIDTH of them per row."""
    average = _learned(data, features, recipe, recipe.seed)
    for order in range(1, recipe.orders):
        average += (_learned(data, features, recipe, recipe.seed + order) - average) / np.float32(order + 1)
    return array("f", average.tobytes())


def _learned(data: TaggedCorpus, features: FeatureSpace, recipe: TaggerRecipe, seed: int) -> "np.ndarray[Any, Any]":
    bases = features.bases
    zeros = bytes(4 * WIDTH * bases[-1])
    weights, sums = array("f", zeros), array("f", zeros)
    rows, scores = array("i", bytes(4 * 256)), array("f", bytes(4 * WIDTH))
    order = list(range(len(data.ends)))
    shuffle = random.Random(seed)
    clock = 1.0
    for _ in range(recipe.epochs):
        shuffle.shuffle(order)
        tagger_training.learn(
            array("i", order), data.ends, data.types, data.tags, data.manners, data.cases, features.blocks,
            features.starts, features.rows, bases, weights, sums, rows, scores, len(recipe.tags) - 1, recipe.margin,
            clock,
        )  # fmt: skip
        clock += len(data.types)
    return np.frombuffer(weights, np.float32) - np.frombuffer(sums, np.float32) / np.float32(clock)


def model(features: FeatureSpace, weights: "array[float]", recipe: TaggerRecipe = ENGLISH) -> "dict[str, array[int]]":
    """Return the weights as whole numbers in the tables that the tagger reads."""
    table = np.rint(np.frombuffer(weights, np.float32).reshape(-1, WIDTH) * SCALE)
    last, pairs, forms, contexts = features.bases[:4]
    width = WIDTH if recipe.tags == TAGS else len(recipe.tags)
    both = table[pairs:forms].reshape(WIDTH, WIDTH, WIDTH) + table[None, last:pairs]
    after = table[forms:contexts].reshape(-1, WIDTH, WIDTH)
    transitions = np.concatenate([both[:width, :width, :width], after[:, :width, :width]])
    named = dict(features.ids)
    for number, name in enumerate(features.ambiguous):
        named[kernel.placed(name, kernel.AMBIGUOUS)] = -1
        for tag in range(WIDTH):
            named[kernel.placed(name, kernel.CONTEXT + tag)] = contexts + number * WIDTH + tag
    table[np.abs(table) < recipe.prune] = 0
    sparse = _sparse(named, np.clip(table, -127, 127).astype(np.int8).tobytes(), recipe.bits)
    return sparse | {"transitions": array("b", np.clip(transitions, -127, 127).astype(np.int8).tobytes())}


def _sparse(named: dict[int, int], table: bytes, bits: int) -> "dict[str, array[int]]":
    """Return buckets of features, identified by 16 bits of their hash, each with a number of (tag, weight) entries."""
    dense = memoryview(table).cast("b")
    kept = list[int]()
    prints, counts, tags, weights = array("H"), array("B"), array("B"), array("b")
    for feature in sorted(named):
        row = dense[named[feature] * WIDTH : (named[feature] + 1) * WIDTH].tolist() if named[feature] >= 0 else []
        entries = [(tag, weight) for tag, weight in enumerate(row) if weight]
        if entries or named[feature] < 0:
            kept.append(feature)
            prints.append(feature & 0xFFFF)
            counts.append(len(entries))
            tags.extend(tag for tag, _ in entries)
            weights.extend(weight for _, weight in entries)
    buckets = bucket_starts(kept, bits)
    before = [0, *accumulate(counts)]
    offsets = array("I", [before[start] for start in buckets])
    return dict(zip(TABLES, (buckets, offsets, prints, counts, tags, weights), strict=False))


def save(
    path: Path, buffers: "dict[str, array[int]]", tags: Sequence[str] = TAGS, lexicon: PackedLexicon = NO_LEXICON
) -> None:
    """Write a model for `load_tagger`."""
    buffers = buffers | lexicon.buffers
    metadata = {"kind": KIND, "tags": " ".join(tags[1:]), "checksum": models.checksum_of_columns(buffers, TABLES)}
    if lexicon.columns:
        metadata["columns"] = str(lexicon.columns)
    models.save(path, buffers, metadata)


def fit(path: Path, data: TaggedCorpus, recipe: TaggerRecipe = ENGLISH, lexicon: PackedLexicon = NO_LEXICON) -> None:
    """Train a tagger and write it to `path`."""
    if not data.types:
        raise DataError("there are no sentences to train a tagger on")
    features = space(data, recipe)
    weights = train(data, features, recipe)
    for prune in counted(recipe.prune):
        save(path, model(features, weights, replace(recipe, prune=prune)), recipe.tags, lexicon)
        if path.stat().st_size <= recipe.largest:
            break


def make(data: Path, output: Path, row: Row) -> None:
    recipe = replace(ENGLISH, seed=row["seed"], **row.get("settings", {}))
    sentences = (sentence for sentence in read(data / "tagged") if sentence.part == "train")
    fit(output, corpus(augmented(sentences), recipe), recipe)
