"""Trains the model that recognises the kind of a text (methods/learned/kinds.py), from texts and copies of them.

A copy is as people may give a text: in other case, with hard line breaks, without title, cut short. It is of the same
kind.
"""

import textwrap
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from math import log2, sqrt

import numpy as np

from phrasemill.kernels import hashing, shapes
from phrasemill.methods.learned.kinds import SCALE, KindModel
from phrasemill.methods.learned.shapes import word_classes
from phrasemill.text.analyse import analyse
from phrasemill.types import Document

LEAST_DOCUMENTS, MOST_WORDS = 4, 20_000  # a document and its copies are several
WIDTH = 72  # letters of a line


def _in(case: Callable[[str], str]) -> Callable[[Document], Document]:
    return lambda one: replace(one, title=case(one.title), text=case(one.text))


def _wrapped(text: str) -> str:
    lines = (textwrap.fill(line, WIDTH, break_on_hyphens=False, break_long_words=False) for line in text.split("\n"))
    return "\n".join(lines)


COPIES: dict[str, Callable[[Document], Document]] = {
    "lower case": _in(str.lower),
    "capitals": _in(str.upper),
    "hard-wrapped": _in(_wrapped),
    "no title": lambda one: replace(one, title=""),
    "first half": lambda one: replace(one, text=one.text[: len(one.text) // 2]),
}


def copies(document: Document) -> dict[str, Document]:
    """Return the copies that differ from the document, by name."""
    made = {name: copied(document) for name, copied in COPIES.items()}
    return {name: one for name, one in made.items() if one.content != document.content}


def train_kinds(
    documents: Iterable[tuple[Document, str]],
    *,
    strength: float,
    weights: Mapping[str, float] | None = None,
    smoothing: float = 0.0,
    most_words: int = MOST_WORDS,
) -> KindModel:
    """Return the model fitted to documents of known style and their copies.

    A larger `strength` fits more closely. The documents of a style weigh as much as those of another, times its weight
    if it has one.
    """
    from scipy import sparse
    from sklearn.linear_model import LogisticRegression

    numbers: dict[str, int] = {}  # of all stems
    stems, counts, ends, forms, labels = array("i"), array("d"), array("q", [0]), [], []
    for document, style in ((one, style) for given, style in documents for one in (given, *copies(given).values())):
        analysis = analyse(document.content, language=document.language)
        if len(analysis):
            stems.extend([numbers.setdefault(stem, len(numbers)) for stem in analysis.stems])
            times, norm = Counter(analysis.stem), sqrt(len(analysis.stems))
            counts.extend([log2(1 + times[number]) / norm for number in range(len(analysis.stems))])
            ends.append(len(stems))
            forms.append(np.array(shapes.form(analysis.view, word_classes(analysis))))
            labels.append(style)
    frequencies = np.bincount(stems, minlength=len(numbers))
    frequent = [number for number in np.argsort(-frequencies, kind="stable") if frequencies[number] >= LEAST_DOCUMENTS]
    names = list(numbers)
    known = [names[number] for number in frequent[:most_words]]
    words = sparse.csr_matrix((counts, stems, ends), shape=(len(labels), len(numbers)))[:, frequent[:most_words]]
    described = np.array(forms)
    middle, spread = described.mean(0), described.std(0) + 1e-6
    design = sparse.hstack([words * 8, sparse.csr_matrix((described - middle) / spread)]).tocsr()
    balanced = {
        style: (weights or {}).get(style, 1.0) * len(labels) / count / len(set(labels))
        for style, count in Counter(labels).items()
    }
    fitted = LogisticRegression(C=strength, class_weight=balanced, max_iter=300, tol=1e-3).fit(design, labels)
    found, offsets = fitted.coef_, fitted.intercept_
    if len(found) == 1:  # of two kinds the fit has the second only
        found, offsets = np.vstack([-found, found]) / 2, np.concatenate([-offsets, offsets]) / 2
    by_form = found[:, len(known) :] / spread
    offset = offsets - by_form @ middle
    fingerprints = array("I", bytes(4 * (len(known) * 5 // 4 + 1)))
    places = hashing.fill(hashing.stem_hashes(known), fingerprints)
    table = np.zeros((len(fingerprints), len(found)), np.int16)
    table[np.array(places)] = np.round(found[:, : len(known)].T * 8 * SCALE)
    matrix = array("d", np.hstack([by_form, offset[:, None]]).ravel().tolist())
    return KindModel(tuple(map(str, fitted.classes_)), fingerprints, array("h", table.tobytes()), matrix, smoothing)
