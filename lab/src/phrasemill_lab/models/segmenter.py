"""Trains the segmenters of Chinese and Japanese (docs/reference/segmentation.md)."""

import random
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from phrasemill import models
from phrasemill.kernels import segmenter as kernel
from phrasemill.text.languages import UPOS
from phrasemill.text.languages.segmentation import KIND, SPARSE, SUMMED
from phrasemill_lab.kernels import segmentation_training as trainer
from phrasemill_lab.models.make import Row
from phrasemill_lab.models.segmenter_lattices import Example, Lattices, Sentence, read
from phrasemill_lab.models.segmenter_lexicons import chinese, japanese, simplified
from phrasemill_lab.models.sources import matching
from phrasemill_lab.models.word_lists import bucket_starts

MARGIN = 5
DROPPED = 0.5  # share of the features that a lattice is trained without
SIZE = 120_000  # words of a lexicon
SCALE = 4.0  # weights are kept as multiples of 1 / SCALE
PRUNE = 4  # the smallest such number that is kept
LARGEST = 127
DENSE = 8  # features with more weights than this have all of them, in order


class Perceptron:
    """An averaged structured perceptron (Collins, 2002) with a margin."""

    def __init__(self, rows: int) -> None:
        self.weights = np.zeros(rows * kernel.LABELS, np.int32)
        self.sums = np.zeros(rows * kernel.LABELS)
        self.transitions = np.zeros((kernel.TAGS + 1) * kernel.TAGS, np.int32)
        self.transition_sums = np.zeros((kernel.TAGS + 1) * kernel.TAGS)
        self.clock = 1.0

    def learn(self, example: Example) -> None:
        """Correct the weights if the right path does not win by MARGIN for each word."""
        path, tags = np.frombuffer(example.path, np.int32), np.frombuffer(example.tags, np.uint8)
        right = (path * kernel.TAGS + tags).astype(np.int32)
        lattice = (example.nodes, example.edges, example.start, example.end, example.blocks)
        chosen, found = map(np.asarray, trainer.best_path(*lattice, right, MARGIN, self.weights, self.transitions))
        if not np.array_equal(chosen, path) or not np.array_equal(found, tags):
            self._correct(example, path, tags, 1)
            self._correct(example, chosen, found, -1)
        self.clock += 1

    def _correct(self, example: Example, path: Any, tags: Any, amount: int) -> None:
        start = np.frombuffer(example.start, np.int32)[path]
        lengths = np.frombuffer(example.end, np.int32)[path] - start
        labels = np.repeat(tags + kernel.TAGS, lengths).astype(np.uint8)
        labels[start] = tags
        change = (amount, self.clock, self.weights, self.sums)
        units = np.arange(len(labels), dtype=np.int32)
        trainer.correct(units, labels, kernel.UNIT_KEYS, example.nodes, *change)
        trainer.correct(path.astype(np.int32), tags, kernel.WORD_KEYS, example.edges, *change)
        has = np.frombuffer(example.blocks, np.int32)[start[1:]]
        rows = np.where(has >= 0, has + tags[:-1], -1).astype(np.int32)
        trainer.correct(np.arange(len(rows), dtype=np.int32), tags[1:].copy(), 1, rows, *change)
        pairs = np.concatenate([[kernel.TAGS], tags[:-1]]).astype(int) * kernel.TAGS + tags
        np.add.at(self.transitions, pairs, amount)
        np.add.at(self.transition_sums, pairs, amount * self.clock)


def _without_some(example: Example, chance: np.random.Generator) -> Example:
    """Return the lattice less a share of its features, so that others learn to do without them."""
    nodes, edges = np.array(example.nodes, np.int32), np.array(example.edges, np.int32)
    nodes[chance.random(len(nodes), np.float32) < DROPPED] = -1
    edges[chance.random(len(edges), np.float32) < DROPPED] = -1
    return replace(example, nodes=nodes, edges=edges)


def train(examples: Sequence[Example], rows: int, *, epochs: int, runs: int, seed: int = 1) -> tuple[Any, Any]:
    """Return the weights of the features and of the transitions: the mean of several runs, which differ in order and
    in the features left out."""
    weights: Any = 0
    transitions: Any = 0
    for run in range(seed, seed + runs):
        learner = Perceptron(rows)
        order = list(range(len(examples)))
        shuffle, chance = random.Random(run), np.random.default_rng(run)
        for _ in range(epochs):
            shuffle.shuffle(order)
            for i in order:
                learner.learn(_without_some(examples[i], chance))
        weights += learner.weights - learner.sums / learner.clock
        transitions += learner.transitions - learner.transition_sums / learner.clock
    return weights / runs, transitions / runs


def model(lattices: Lattices, weights: Any, transitions: Any) -> "dict[str, array[int]]":
    """Return the buffers of a model: the lexicon, and the weights as whole numbers."""
    table = np.clip(np.rint(weights.reshape(-1, kernel.LABELS) * SCALE), -LARGEST, LARGEST).astype(np.int8)
    contexts = table[len(lattices.features) :, : kernel.TAGS].tobytes()
    table[np.abs(table) < PRUNE] = 0
    buffers = _sparse(lattices.features, table)
    buffers["transitions"] = array("i", np.rint(transitions * SCALE).astype(np.int32).tobytes())
    buffers |= {"codes": array("H", lattices.contexts), "contexts": array("b", contexts)}
    buffers |= {"fingerprints": lattices.fingerprints, "classes": lattices.classes}
    return buffers | {"variants": lattices.variants, "usual": lattices.usual}


def _sparse(named: Mapping[int, int], table: Any) -> "dict[str, array[int]]":
    """Return buckets of features, identified by 17 bits of their hash, each with entries: labels and weights."""
    kept, before = list[int](), [0]
    features, entries = array("I"), array("h")
    for feature in sorted(named):
        row = table[named[feature]]
        labels = np.flatnonzero(row)
        if len(labels) > DENSE:
            labels = np.arange(kernel.TAGS if labels[-1] < kernel.TAGS else kernel.LABELS)
        if len(labels):
            features.append((feature & 0x1FFFF) << 8 | len(labels))
            entries.extend((row[labels].astype(int) * 256 + labels).tolist())
            kept.append(feature)
            before.append(len(entries))
    starts = bucket_starts(kept, kernel.BITS)
    buckets = array("I", [number for start in starts for number in (start, before[start])])
    return dict(zip(SPARSE, (buckets, features, entries), strict=True))


def save(path: Path, buffers: "dict[str, array[int]]") -> None:
    """Write a model for `Segmenter.load`."""
    metadata = {"kind": KIND, "tags": " ".join(UPOS[1:]), "checksum": models.checksum_of_columns(buffers, SUMMED)}
    models.save(path, buffers, metadata)


def lattices(data: Path, language: str) -> Lattices:
    """Return lattices with the lexicon of a language."""
    if language == "zh":
        return Lattices(chinese(SIZE, data / "lac_model"), simplified())
    return Lattices(japanese(SIZE), {})


def fit(
    made: Lattices, sentences: Iterable[Sentence], *, epochs: int, runs: int, seed: int = 1
) -> "dict[str, array[int]]":
    """Return the buffers of a model that has learned from the sentences."""
    examples = made.examples(list(sentences))
    return model(made, *train(examples, made.rows, epochs=epochs, runs=runs, seed=seed))


def make(data: Path, output: Path, row: Row) -> None:
    parts = [pattern for pattern in row["data"] if pattern.startswith("ud_multi/")]
    sentences = [sentence for pattern in parts for path in matching(data, pattern) for sentence in read(path)]
    save(output, fit(lattices(data, row["each"]), sentences, seed=row["seed"], **row["settings"]))
