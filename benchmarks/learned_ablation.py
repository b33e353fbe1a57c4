"""What each group of features, the number of documents and the style contribute to the learned method.

    python benchmarks/learned_ablation.py --data DIR
    python benchmarks/learned_ablation.py --data DIR --parts learning

Trained and scored on training and development splits only: indexers (Inspec), authors (KP20k sample, keywords). Trees
are trained for each row, on one kind of documents alone and without the shared ones, which is quick; the figures
compare with each other, not with those of the shipped model.
"""

from array import array
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import phrasemill as pm
from phrasemill.lab.bench.scripts import MarkdownRows, f1_cell, parser, shown, write_figures
from phrasemill.lab.training.boosting import TreeExamples, boost
from phrasemill.lab.training.learned_examples import Labels, chosen, examples, marked_by_crowd
from phrasemill.lab.training.learned_sources import HELD_OUT
from phrasemill.lab.training.sources import Source
from phrasemill.methods.learned.evidence import GROUPS
from phrasemill.methods.learned.features import FEATURES
from phrasemill.methods.learned.model import shipped_model
from phrasemill.methods.styles import AUTHOR, INDEXER, NEWS
from phrasemill.text.analyse import analyse
from phrasemill.wording import wording

SETS = {
    "indexers": (Source("inspec_train.jsonl.gz", INDEXER), Source("inspec_dev.jsonl.gz", INDEXER)),
    "authors": (
        Source("keywords/train-10.jsonl.xz", AUTHOR, last=4000, share=0.3),
        Source("kp20k_small_valid.jsonl.gz", AUTHOR),
    ),
}
METRICS = ("F1@5", "F1@10")
MOST = 500
PARTS = ("reliability", "styles", "learning", "features")


class Dev:
    """Documents to score on, with the rows and wordings of their candidates."""

    def __init__(self, documents: Sequence[pm.Document]) -> None:
        model = shipped_model()
        self.documents = documents
        self.rows, self.phrases = [], []
        for document in documents:
            candidates = model.shapes.propose(analyse(document.content))
            self.rows.append(np.frombuffer(model.rows(candidates), dtype=np.float32).reshape(-1, len(FEATURES)))
            text = candidates.analysis.text
            self.phrases.append([wording(text, candidates.spans(c)) for c in range(len(candidates))])

    def score(self, booster: Any, columns: Sequence[int]) -> str:
        found = {}
        for document, rows, phrases in zip(self.documents, self.rows, self.phrases, strict=True):
            scores = booster.predict(rows[:, columns]) if len(rows) else np.zeros(0)
            found[document.id] = [phrases[c] for c in np.argsort(-scores, kind="stable")[:20]]
        return shown(pm.evaluate(found, self.documents, metrics=METRICS))

    def oracle(self) -> str:
        """Return the score of a perfect ranking of these candidates."""
        found = {}
        for document, phrases in zip(self.documents, self.phrases, strict=True):
            gold = pm.Document(document.id, "", references=document.references)
            hits = [
                phrase for phrase in phrases if pm.evaluate({gold.id: [phrase]}, [gold], metrics=["P@1"])["P@1"] > 0
            ]
            found[document.id] = [*hits, *phrases][:20]
        return shown(pm.evaluate(found, self.documents, metrics=METRICS))


def trained(found: TreeExamples, columns: Sequence[int], dev: Dev) -> str:
    """Return F1 with trees that are trained on these columns."""
    some = TreeExamples(found.rows[:, columns], found.labels, found.weights, found.documents)
    return dev.score(boost(some, trees=200, leaves=31, rate=0.05), columns)


def without_groups(found: TreeExamples, dev: Dev) -> Iterator[tuple[str, str]]:
    """Yield F1 with all features, and without each group of them."""
    every = list(range(len(FEATURES)))
    yield "all features", trained(found, every, dev)
    for group, (_, names) in GROUPS.items():
        yield f"without {group}", trained(found, [i for i in every if FEATURES[i] not in names], dev)


def by_size(found: TreeExamples, dev: Dev) -> Iterator[tuple[int, str]]:
    """Yield F1 with trees that are trained on more and more documents."""
    documents = int(found.documents.max()) + 1
    for size in (documents // 16, documents // 8, documents // 4, documents // 2, documents):
        yield size, trained(found.only(found.documents < size), list(range(len(FEATURES))), dev)


def reliability(data: Path) -> None:
    """For each range of probabilities of the shipped model, print how many are keyphrases.

    On held-out documents, to which the curve was fitted: this shows whether a line was enough, not how it does
    elsewhere.
    """
    model = shipped_model()
    edges = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0)
    print()
    rows = MarkdownRows("style", *(f"{low} to {high}" for low, high in pairwise(edges)), name="reliability")
    for style, held in HELD_OUT.items():
        labels: Labels = marked_by_crowd if style == NEWS else chosen
        parts = [examples(one.numbered_documents(data), model.shapes, model.background, labels=labels) for one in held]
        found = TreeExamples.joined(parts)
        scores = np.frombuffer(
            model.trees.probabilities(array("f", found.rows.tobytes()), {style: 1.0}), dtype=np.float64
        )
        cells = []
        for low, high in pairwise(edges):
            inside = (scores >= low) & (scores < high)
            cells.append(f"{scores[inside].mean():.3f} → {found.labels[inside].mean():.3f} ({inside.sum():,})")
        rows.add(style, *cells)


def styles(data: Path) -> None:
    """Score the shipped model in each style on each kind of held-out documents."""
    names = list(shipped_model().trees.styles)
    print()
    rows = MarkdownRows("held-out documents, F1@5 / F1@10", *names, name="styles")
    for held in HELD_OUT.values():
        for one in held:
            documents = list(one.numbered_documents(data))[:MOST]
            cells = [f1_cell(documents, f"learned(style={style!r})") for style in names]
            rows.add(f"{one.file} {one.part} ({len(documents)})", *cells)


def groups_and_sizes(data: Path, parts: Sequence[str], *, oracle: bool) -> None:
    """Train trees without each group of features, and on more and more documents."""
    model, learning = shipped_model(), MarkdownRows("set", "documents", *METRICS, name="learning", keys=2)
    for name, (train, held) in SETS.items():
        found = examples(train.numbered_documents(data), model.shapes, model.background, share=train.share)
        dev = Dev(list(held.numbered_documents(data)))
        for size, scores in by_size(found, dev) if "learning" in parts else ():
            learning.add(name, size, *scores.split(" / "))
        if "features" in parts:
            print()
            rows = MarkdownRows(f"{name}: {train.file}, scored on {held.file}", "F1@5 / F1@10", name=name)
            for row, scores in without_groups(found, dev):
                rows.add(row, scores)
            if oracle:
                rows.add("a perfect ranking", dev.oracle())


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    options.add_argument("--oracle", action="store_true", help="also the score of a perfect ranking")
    given = options.parse_args()
    if "reliability" in given.parts:
        reliability(given.data)
    if "styles" in given.parts:
        styles(given.data)
    groups_and_sizes(given.data, given.parts, oracle=given.oracle)
    write_figures(given.figures)


if __name__ == "__main__":
    main()
