"""Fits the weights that every tag model begins with (data/tag_blend.json), to collections of many sizes.

Each source is cut into collections of several sizes, because what speaks for a tag weighs differently among twenty
documents than among thousands. Besides, there are small collections about few subjects, as people's notes are, with
texts about others: in a collection of 20 notes, a single word in common with those of one tag looks like a lot, unless
the weights have seen how little it means. No test split is read.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from phrasemill.tags.blend import Blend
from phrasemill.tags.evidence import Witness
from phrasemill.tags.features import read
from phrasemill.tags.index import Index
from phrasemill.tags.library import Entry, Library
from phrasemill.tags.model import examples
from phrasemill_lab.models.make import Row
from phrasemill_lab.models.sources import Source

Evidence: TypeAlias = tuple[NDArray[np.float32], NDArray[np.bool_]]  # rows, and which tags are right
SOURCES = (
    Source("stackexchange_takg_valid.jsonl.gz"),
    Source("inspec_train.jsonl.gz", gold="contr"),
    Source("keywords/valid.jsonl.xz", last=3000),
)
SIZES = (25, 80, 250, 800, 2500)
DOCUMENTS = 800  # of each size and source
SUBJECTS, EACH = (2, 9), (3, 13)  # tags of one, and documents of each tag; the second number is excluded
LEAST = 12  # documents of a tag that may be a subject
FOREIGN = 6  # texts about other subjects for one, out of its source, and as many out of others


def tagged(source: Source, data: Path) -> Iterator[Entry]:
    for document in source.documents(data):
        tags = tuple(str(one if isinstance(one, str) else one[0]).lower() for one in document.references)
        if tags:
            reading = read(document)
            yield Entry(reading.language, reading.features, tags)


def witness_of(entries: Iterable[Entry]) -> Witness:
    library = Library()
    for number, entry in enumerate(entries):
        library.add(str(number), entry)
    return Witness(library, Index.of(library.columns()))


def evidence(documents: list[Entry], seed: int) -> Iterator[Evidence]:
    """Yield the evidence in about `DOCUMENTS` documents for each size of collection, in each given all others."""
    random = np.random.default_rng(seed)
    for size in SIZES:
        order = random.permutation(len(documents))
        for begin in range(0, min(DOCUMENTS, max(len(documents) - size, 1)), size):
            yield examples(witness_of(documents[i] for i in order[begin : begin + size]))


def evidence_of_few_subjects(documents: list[Entry], others: list[Entry], count: int, seed: int) -> Iterator[Evidence]:
    """Return the evidence in documents of `count` collections about few subjects, and in texts about none of them."""
    random = np.random.default_rng(seed)
    counts = Counter(tag for one in documents for tag in one.tags)
    frequent = sorted(tag for tag, n in counts.items() if n >= LEAST)
    for _ in range(count):
        subjects = set(random.choice(frequent, random.integers(*SUBJECTS), replace=False).tolist())
        each = int(random.integers(*EACH))
        order = random.permutation(len(documents)).tolist()
        about = {tag: [i for i in order if tag in documents[i].tags] for tag in sorted(subjects)}
        chosen = [documents[i] for i in sorted({i for found in about.values() for i in found[:each]})]
        witness = witness_of(replace(one, tags=tuple(tag for tag in one.tags if tag in subjects)) for one in chosen)
        yield examples(witness)
        foreign = [documents[i] for i in order if subjects.isdisjoint(documents[i].tags)][:FOREIGN]
        foreign += [others[i] for i in random.choice(len(others), FOREIGN, replace=False)]
        for one in foreign:
            rows = witness.evidence(one.features, one.language).rows
            yield rows, np.zeros(len(rows), bool)


def make(data: Path, output: Path, row: Row) -> None:
    sources = [list(tagged(source, data)) for source in SOURCES]
    found = [one for documents in sources for one in evidence(documents, row["seed"])]
    for documents in sources:
        others = [one for source in sources if source is not documents for one in source]
        found += evidence_of_few_subjects(documents, others, row["settings"]["small"], row["seed"])
    rows, right = np.concatenate([one for one, _ in found]), np.concatenate([one for _, one in found])
    spread = rows.std(0, np.float64)
    fresh = Blend(rows.mean(0, np.float64), np.where(spread > 0.001, spread, 1.0), np.zeros(2 * rows.shape[1] + 1))
    blend = Blend(*(np.round(one, 5) for one in fresh.fitted(rows, right, pull=1.0)))
    output.write_text(json.dumps(blend.record(), separators=(",", ":")) + "\n", encoding="utf-8")
