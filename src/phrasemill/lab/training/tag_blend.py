"""Fits the network that every tag model begins with (data/tag_blend.json), to collections of many sizes.

    python -m phrasemill.lab.training.tag_blend --data DIR -o src/phrasemill/data/tag_blend.json

Each source is cut into collections of several sizes, because what speaks for a tag weighs differently among twenty
documents than among thousands. No test split is read.
"""

import argparse
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from phrasemill.lab.training.sources import Source
from phrasemill.tags.model import examples
from phrasemill.tags.model_blend import Blend
from phrasemill.tags.model_collection import Collection
from phrasemill.tags.model_evidence import Witness
from phrasemill.tags.model_features import Features, read
from phrasemill.tags.model_index import Index

if TYPE_CHECKING:
    from numpy.typing import NDArray

SOURCES = (
    Source("stackexchange_takg_valid.jsonl.gz"),
    Source("inspec_train.jsonl.gz", gold="contr"),
    Source("keywords/valid.jsonl.xz", last=3000),
)
SIZES = (25, 80, 250, 800, 2500)
DOCUMENTS = 800  # of each size and source
SEEDS = 5  # networks, of which the best by its own fit is kept


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


def collected(documents: "Iterable[Tagged]") -> "tuple[NDArray[np.float32], NDArray[np.bool_]]":
    """Return the evidence in each document, given all others, and which tags are right."""
    collection = Collection()
    for one in documents:
        collection.add("", one.language, one.features, one.tags)
    return examples(collection, Witness(collection, Index.of(collection.columns())))


def evidence(documents: list[Tagged]) -> "Iterator[tuple[NDArray[np.float32], NDArray[np.bool_]]]":
    """Return the evidence in about `DOCUMENTS` documents for each size of collection."""
    random = np.random.default_rng(0)
    for size in SIZES:
        order = random.permutation(len(documents))
        for begin in range(0, min(DOCUMENTS, max(len(documents) - size, 1)), size):
            yield collected([documents[i] for i in order[begin : begin + size]])


def fitted(data: Path) -> Blend:
    found = [one for source in SOURCES for one in evidence(list(tagged(source, data)))]
    rows, right = np.concatenate([one for one, _ in found]), np.concatenate([one for _, one in found])
    networks = [Blend.fresh(rows, seed).fitted(rows, right, pull=1.0) for seed in range(SEEDS)]
    return min(networks, key=lambda network: _loss(network, rows, right))


def _loss(network: Blend, rows: "NDArray[np.float32]", right: "NDArray[np.bool_]") -> float:
    found = network.probabilities(rows).clip(1e-9, 1 - 1e-9)
    return float(-np.where(right, np.log(found), np.log1p(-found)).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="folder with the data")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="where the network goes")
    options = parser.parse_args()
    network = fitted(options.data)
    options.output.write_text(json.dumps(network.rounded().record(), separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
