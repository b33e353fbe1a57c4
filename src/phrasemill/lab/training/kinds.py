"""Trains the model that recognises the kind of a text (methods/learned/kinds.py)."""

from array import array
from collections import Counter
from collections.abc import Iterable
from math import log2

import numpy as np

from phrasemill.kernels import hashing
from phrasemill.methods.learned.kinds import SCALE, KindModel, form
from phrasemill.methods.learned.shapes import word_classes
from phrasemill.methods.styles import INDEXER
from phrasemill.text.analyse import analyse
from phrasemill.types import Document

LEAST_DOCUMENTS, MOST_WORDS = 4, 20_000
STRENGTH = 0.2  # of the fit; larger values fit more closely
WEIGHTS = {INDEXER: 2.0}  # of a style, where it is not 1: there are few indexed abstracts, and many like them


def train_kinds(
    documents: Iterable[tuple[Document, str]], *, most_words: int = MOST_WORDS, strength: float = STRENGTH
) -> KindModel:
    """Return the model fitted to documents of known style; the documents of a style weigh as much as those of another,
    or as WEIGHTS says."""
    from scipy import sparse
    from sklearn.linear_model import LogisticRegression

    stems, forms, labels = [], [], []
    for document, style in documents:
        analysis = analyse(document.content, language=document.language)
        if len(analysis):
            counts = Counter(analysis.stem)
            stems.append({stem: log2(1 + counts[number]) for number, stem in enumerate(analysis.stems)})
            forms.append(np.array(form(analysis, word_classes(analysis))))
            labels.append(style)
    frequencies = Counter(stem for one in stems for stem in one)
    known = [stem for stem, count in frequencies.most_common(most_words) if count >= LEAST_DOCUMENTS]
    number = {stem: i for i, stem in enumerate(known)}
    rows, columns, values = [], [], []
    for i, one in enumerate(stems):
        for stem, times in one.items():
            if stem in number:
                rows.append(i)
                columns.append(number[stem])
                values.append(times / np.sqrt(len(one)))
    described = np.array(forms)
    middle, spread = described.mean(0), described.std(0) + 1e-6
    words = sparse.csr_matrix((values, (rows, columns)), shape=(len(stems), len(known)))
    design = sparse.hstack([words * 8, sparse.csr_matrix((described - middle) / spread)]).tocsr()
    balanced = {
        style: WEIGHTS.get(style, 1.0) * len(labels) / count / len(set(labels))
        for style, count in Counter(labels).items()
    }
    fitted = LogisticRegression(C=strength, class_weight=balanced, max_iter=300, tol=1e-3).fit(design, labels)
    weights, offsets = fitted.coef_, fitted.intercept_
    if len(weights) == 1:  # of two kinds the fit has the second only
        weights, offsets = np.vstack([-weights, weights]) / 2, np.concatenate([-offsets, offsets]) / 2
    by_form = weights[:, len(known) :] / spread
    offset = offsets - by_form @ middle
    fingerprints = array("I", bytes(4 * (len(known) * 5 // 4 + 1)))
    places = hashing.fill(hashing.stem_hashes(known), fingerprints)
    table = np.zeros((len(fingerprints), len(weights)), np.int16)
    table[np.array(places)] = np.round(weights[:, : len(known)].T * 8 * SCALE)
    matrix = array("d", np.hstack([by_form, offset[:, None]]).ravel().tolist())
    return KindModel(tuple(map(str, fitted.classes_)), fingerprints, array("h", table.tobytes()), matrix)
