"""Fits the network that every tag model begins with (data/tag_blend.json), to collections of many sizes.

Each source is cut into collections of several sizes, because what speaks for a tag weighs differently among twenty
documents than among thousands. Besides, there are small collections about few subjects, as people's notes are, with
texts about others: in a collection of 20 notes, a single word in common with those of one tag looks like a lot, unless
the network has seen how little it means. No test split is read.
"""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from phrasemill.tags.model import examples
from phrasemill.tags.model_blend import Blend
from phrasemill.tags.model_collection import Collection
from phrasemill.tags.model_evidence import Witness
from phrasemill.tags.model_features import Features, read
from phrasemill.tags.model_index import Index
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


class Tagged(NamedTuple):
    """A document as the model keeps it, with its tags."""

    features: Features
    language: str
    tags: tuple[str, ...]


def tagged(source: Source, data: Path) -> Iterator[Tagged]:
    for document in source.documents(data):
        tags = tuple(str(one if isinstance(one, str) else one[0]).lower() for one in document.references)
        if tags:
            reading = read(document)
            yield Tagged(reading.features, reading.language, tags)


def evidence(documents: list[Tagged], seed: int) -> Iterator[Evidence]:
    """Yield the evidence in about `DOCUMENTS` documents for each size of collection, in each given all others."""
    random = np.random.default_rng(seed)
    for size in SIZES:
        order = random.permutation(len(documents))
        for begin in range(0, min(DOCUMENTS, max(len(documents) - size, 1)), size):
            collection = Collection()
            for i in order[begin : begin + size]:
                collection.add("", documents[i].language, documents[i].features, documents[i].tags)
            yield examples(collection, Witness(collection, Index.of(collection.columns())))


def evidence_of_few_subjects(
    documents: list[Tagged], others: list[Tagged], count: int, seed: int
) -> Iterator[Evidence]:
    """Return the evidence in documents of `count` collections about few subjects, and in texts about none of them."""
    random = np.random.default_rng(seed)
    counts = Counter(tag for one in documents for tag in one.tags)
    frequent = sorted(tag for tag, n in counts.items() if n >= LEAST)
    for _ in range(count):
        subjects = set(random.choice(frequent, random.integers(*SUBJECTS), replace=False).tolist())
        each = int(random.integers(*EACH))
        order = random.permutation(len(documents)).tolist()
        about = {tag: [i for i in order if tag in documents[i].tags] for tag in sorted(subjects)}
        collection = Collection()
        for i in sorted({i for found in about.values() for i in found[:each]}):
            one = documents[i]
            collection.add("", one.language, one.features, [tag for tag in one.tags if tag in subjects])
        witness = Witness(collection, Index.of(collection.columns()))
        yield examples(collection, witness)
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
    network = Blend.fresh(rows).fitted(rows, right, pull=1.0)
    output.write_text(json.dumps(network.rounded().record(), separators=(",", ":")) + "\n", encoding="utf-8")
