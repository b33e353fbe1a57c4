"""Trains the language detector (docs/reference/languages.md)."""

import random
from array import array
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from phrasemill.kernels.language import Parts
from scipy.sparse import csr_matrix

from phrasemill import models
from phrasemill.text.languages.detect import KIND
from phrasemill.text.languages.scripts import NUMBER, PAGES
from phrasemill_lab.models.detector_texts import LANGUAGES, Texts, read_texts
from phrasemill_lab.models.make import Row

BITS = {"Latin": 14, "Cyrillic": 12, "Arabic": 12, "Devanagari": 11, "Hebrew": 10}
SHORTEST, LONGEST = 3, 60  # words of an example
# How often examples are drawn: texts in English, and in its neighbours among all that people read, are more.
SHARES = {"en": 5.0, "gl": 0.5, "af": 0.6, "br": 0.4, "eo": 0.4, "la": 0.3, "lb": 0.3, "mk": 0.6, "sr": 0.7}
SHARES |= dict.fromkeys("de fr es it pt nl ru sv cs".split(), 2.0) | {"da": 3.0, "no": 3.0}
MIXED = 0.25  # of the examples have some words of English, as titles and terms
EPOCHS = 8
BATCH = 512
RATE = 0.5
DECAY = 1e-6
SCALE = 12.0  # weights are kept as multiples of 1 / SCALE, from -127 to 127


class Examples(NamedTuple):
    """How often each example has each part of words, and the number of its language."""

    counts: csr_matrix
    languages: "np.ndarray[Any, Any]"


def draw(texts: dict[str, Texts], script: str, english: Texts, per_language: int, generator: random.Random) -> Examples:
    """Return examples of all languages of a script, of different lengths."""
    indices, ends, labels = array("i"), array("q", [0]), []
    for number, (code, known) in enumerate(texts.items()):
        for _ in range(round(per_language * SHARES.get(code, 1.0))):
            count = round(SHORTEST * (LONGEST / SHORTEST) ** generator.random())
            words = known.drawn(count, generator)
            if code != "en" and count > 5 and generator.random() < MIXED:
                words = english.drawn(generator.randrange(1, count // 3 + 1), generator) + words
            indices += Parts(" ".join(words).lower(), PAGES, NUMBER[script], BITS[script]).rows
            ends.append(len(indices))
            labels.append(number)
    values = np.ones(len(indices), dtype=np.float32)
    shape = (len(labels), 1 << BITS[script])
    counts = csr_matrix((values, np.asarray(indices), np.asarray(ends)), shape=shape)
    counts.sum_duplicates()
    return Examples(counts, np.asarray(labels))


def fit(examples: Examples, languages: int, seed: int) -> tuple["np.ndarray[Any, Any]", "np.ndarray[Any, Any]"]:
    """Return the weights and biases of a softmax regression, by Adagrad."""
    generator = np.random.default_rng(seed)
    weights = np.zeros((examples.counts.shape[1], languages), dtype=np.float32)
    seen = np.full_like(weights, 1e-2)
    bias = np.zeros(languages, dtype=np.float32)
    size = len(examples.languages)
    for epoch in range(EPOCHS):
        order = generator.permutation(size)
        rate = RATE * (1 - epoch / EPOCHS)
        for start in range(0, size, BATCH):
            chosen = order[start : start + BATCH]
            counts, wanted = examples.counts[chosen], examples.languages[chosen]
            scores = counts @ weights + bias
            scores -= scores.max(axis=1, keepdims=True)
            likely = np.exp(scores)
            likely /= likely.sum(axis=1, keepdims=True)
            places = np.arange(len(chosen)), wanted
            likely[places] -= 1
            used = np.unique(counts.indices)
            gradient = (counts[:, used].T @ likely) / len(chosen) + DECAY * weights[used]
            seen[used] += gradient**2
            weights[used] -= rate * 0.1 * gradient / np.sqrt(seen[used])
            bias -= rate * 0.1 * likely.mean(axis=0)
    return weights, bias


def make(data: Path, output: Path, row: Row) -> None:
    """Write a model of all scripts that several languages share."""
    seed, per_language = row["seed"], row["settings"]["examples"]
    buffers: dict[str, array[Any]] = {}
    metadata = {"kind": KIND, "scale": str(SCALE), "scripts": " ".join(LANGUAGES)}
    english = read_texts("en", data)
    for script, listed in LANGUAGES.items():
        codes = listed.split()
        texts = {code: english if code == "en" else read_texts(code.rstrip("*"), data) for code in codes}
        examples = draw(texts, script, english, per_language, random.Random(seed))
        weights, bias = fit(examples, len(codes), seed)
        rounded = np.clip(np.rint(weights * SCALE), -127, 127)
        buffers[f"{script} weights"] = array("b", rounded.astype(np.int8).tobytes())
        buffers[f"{script} bias"] = array("i", np.rint(bias * SCALE).astype(np.int32).tobytes())
        metadata[f"{script} bits"] = str(BITS[script])
        metadata[f"{script} languages"] = " ".join("und" if code.endswith("*") else code for code in codes)
    models.save(output, buffers, metadata)
