"""The shapes and the background of `learned`, counted over documents with author keywords."""

import math
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray
from phrasemill.kernels.shapes import ADVERB, CARDINAL, PARTICIPLE, VERB

from phrasemill.kernels import hashing
from phrasemill.methods.learned.background import Background, CountTable, Vectors, phrase_keys
from phrasemill.methods.learned.shapes import LONGEST, Shapes, word_classes
from phrasemill.text.analyse import analyse
from phrasemill.training.learned import gold_keys, keys_of
from phrasemill.types import Document

Hashes = NDArray[np.uint64]


# A shape is kept if it is at least this common among keyphrases, relative to n-grams, on average over collections …
LEAST_LIFT = 0.2
# … or commoner than among n-grams in one, and frequent; some shapes are never those of keyphrases.
LEAST_SEEN, OFTEN_SEEN = 3, 10
NEVER = {VERB, PARTICIPLE, ADVERB, CARDINAL, 16 * ADVERB + PARTICIPLE, 16 * ADVERB + VERB}
LEAST_DOCUMENTS = 3  # phrases of fewer documents are left out, unless they are keyphrases
LONGEST_KEYPHRASE = 6
VECTOR_WORDS, VECTOR_DOCUMENTS, DIMENSIONS = 25_000, 80_000, 48


def mine_shapes(
    collections: Mapping[str, Iterable[Document]], *, special: tuple[float, int] = (1, OFTEN_SEEN)
) -> Shapes:
    """Return the shapes of keyphrases, with equal weight for each collection.

    `special` is how much commoner a shape must be in one collection, and how often seen, to count for that one alone.
    """
    everything = Shapes(bytearray(b"\1") * 16**LONGEST, array("f", [0.0, 0.0]))
    lifts: list[Callable[[int], float]] = []
    seen: Counter[int] = Counter()
    for documents in collections.values():
        hits, runs = Counter[int](), Counter[int]()
        for document in documents:
            candidates = everything.propose(analyse(document.content, language=document.language))
            classes, gold = word_classes(candidates.analysis), gold_keys(document)
            for c, one in enumerate(keys_of(candidates)):
                first = candidates.first[c]
                shape = 0
                for i in range(candidates.start[first], candidates.end[first]):
                    shape = shape * 16 + classes[i]
                runs[shape] += 1
                hits[shape] += one in gold
        seen.update(hits)
        lifts.append(_lift(hits, runs))
    odds = {}
    for shape, count in seen.items():
        if count < LEAST_SEEN or shape in NEVER:
            continue
        each = [lift(shape) for lift in lifts]
        mean = sum(map(math.log, each)) / len(each)
        if mean > math.log(LEAST_LIFT) or (max(each) > special[0] and count >= special[1]):
            odds[shape] = (count, mean)
    best = sorted(odds, key=lambda shape: (-odds[shape][0], shape))[:250]
    return Shapes.of({shape: odds[shape][1] for shape in best})


def _lift(hits: Counter[int], runs: Counter[int]) -> Callable[[int], float]:
    """Return how much commoner a shape is among keyphrases than among n-grams."""
    total_hits, total_runs = max(hits.total(), 1), max(runs.total(), 1)
    return lambda shape: (hits[shape] / total_hits + 1e-4) / (runs[shape] / total_runs + 4e-4)


def count_background(documents: Iterable[Document], shapes: Shapes) -> Background:
    """Count documents and keyphrases with each phrase and word, and make vectors of the frequent words."""
    phrases, words, lengths = [], [], []
    chosen: list[int] = []
    parts: dict[str, list[int]] = {"chosen": [], "head": [], "first": []}
    for document in documents:
        candidates = shapes.propose(analyse(document.content, language=document.language))
        hashes = hashing.stem_hashes(list(candidates.analysis.stems))
        phrases.append(np.frombuffer(phrase_keys(candidates, hashes), dtype=np.uint64))
        words.append(np.frombuffer(hashes, dtype=np.uint64))
        lengths.append(len(hashes))
        keyphrases = list(_hashed(document))
        chosen += {phrase for _, phrase in keyphrases}
        parts["chosen"] += {word for stems, _ in keyphrases for word in stems}
        parts["head"] += {stems[-1] for stems, _ in keyphrases}
        parts["first"] += {stems[0] for stems, _ in keyphrases}
    phrase_counts, chosen_counts = _counts(np.concatenate(phrases)), _counts(_hashes(chosen))
    every_word = np.concatenate(words)
    word_counts = _counts(every_word)
    keys = np.union1d(phrase_counts[0][phrase_counts[1] >= LEAST_DOCUMENTS], chosen_counts[0])
    frequent = word_counts[0][word_counts[1] >= LEAST_DOCUMENTS]
    columns = {"df": _look_up(frequent, word_counts)}
    columns |= {name: _look_up(frequent, _counts(_hashes(found))) for name, found in parts.items()}
    return Background(
        len(lengths),
        CountTable.of(_array(keys), {"df": _look_up(keys, phrase_counts), "chosen": _look_up(keys, chosen_counts)}),
        CountTable.of(_array(frequent), columns),
        _vectors(every_word, np.array(lengths), word_counts),
    )


def _hashed(document: Document) -> Iterator[tuple[list[int], int]]:
    """Yield the hashes of the stems of each keyphrase, and of the whole keyphrase."""
    for reference in document.references:
        phrase = reference if isinstance(reference, str) else reference[0]
        analysis = analyse(phrase, language=document.language, tag=False)
        count = len(analysis)
        if 0 < count <= LONGEST_KEYPHRASE:
            hashes = hashing.stem_hashes(list(analysis.stems))
            whole = hashing.phrase_hashes(
                array("i", [0, 1]), array("i", [0]), array("i", [count]), analysis.stem, hashes
            )
            yield [hashes[stem] for stem in analysis.stem], whole[0]


def _hashes(found: list[int]) -> Hashes:
    return np.array(found, dtype=np.uint64)


def _counts(hashes: Hashes) -> tuple[Hashes, NDArray[np.int64]]:
    keys, counts = np.unique(hashes, return_counts=True)
    return keys, counts


def _look_up(keys: Hashes, counts: tuple[Hashes, NDArray[np.int64]]) -> list[float]:
    if not len(counts[0]):
        return [0.0] * len(keys)
    place = np.minimum(np.searchsorted(counts[0], keys), len(counts[0]) - 1)
    found: list[float] = np.where(counts[0][place] == keys, counts[1][place], 0).tolist()
    return found


def _array(keys: Hashes) -> "array[int]":
    return array("Q", keys.tobytes())


def _vectors(words: Hashes, lengths: NDArray[np.int64], counts: tuple[Hashes, NDArray[np.int64]]) -> Vectors:
    """Return vectors by latent semantic analysis (Deerwester et al., 1990), without its first dimension, in which all
    words are alike."""
    from scipy import sparse
    from sklearn.utils.extmath import randomized_svd

    order = np.argsort(-counts[1], kind="stable")[:VECTOR_WORDS]
    vocabulary = np.sort(counts[0][order])
    some = lengths[:VECTOR_DOCUMENTS]
    tokens = words[: some.sum()]
    column = np.minimum(np.searchsorted(vocabulary, tokens), len(vocabulary) - 1)
    known = vocabulary[column] == tokens
    row, column = np.repeat(np.arange(len(some)), some)[known], column[known]
    frequency = np.bincount(column, minlength=len(vocabulary))
    idf = np.log((len(some) + 1) / (frequency + 1)).astype(np.float32)
    matrix = sparse.csr_matrix((idf[column], (row, column)), shape=(len(some), len(vocabulary)))
    lengths_of = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
    matrix = sparse.diags(1 / np.maximum(lengths_of, 1e-9)) @ matrix
    dimensions = min(DIMENSIONS, min(matrix.shape) - 1)
    _, strength, directions = randomized_svd(matrix, dimensions + 1, n_iter=4, random_state=0)
    vectors = directions[1:].T * np.sqrt(strength[1:])
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return Vectors.of(_array(vocabulary), vectors.tolist(), dimensions)
