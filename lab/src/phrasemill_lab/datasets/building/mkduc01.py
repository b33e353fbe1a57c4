"""MK-DUC-01 (Shapira et al., 2021) out of DUC-2001, and how near the machine comes to the gold.

The gold of the paper is the automatic stage of `mkpe` refined by hand. `closeness` compares the two, and `derive` in
`decisions` finds out what the hand did.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from statistics import fmean

from phrasemill.errors import DataError
from phrasemill.evaluation.answers import clustered
from phrasemill.selection import form_of
from phrasemill.types import Document, Reference
from phrasemill_lab.datasets.building.grouping import TOPIC, DocumentSet
from phrasemill_lab.datasets.building.mkpe import TRUNCATED
from phrasemill_lab.datasets.duc import DOCUMENTS
from phrasemill_lab.datasets.loading import read_layout


def with_topics(documents: Iterable[Document], path: Path) -> tuple[list[Document], list[str]]:
    """Return the documents with the topics that a dataset file names, in its order, and the ids that are missing.

    The file has topics with `doc_ids`, as MK-DUC-01, or documents with their `topic`, as DUC-2001.
    """
    by_id = {document.id: document for document in documents}
    named: dict[str, object] = {}
    for record in read_layout(path):
        listed = record.metadata.get(DOCUMENTS)
        named |= (
            dict.fromkeys(listed, record.id) if isinstance(listed, list) else {record.id: record.metadata.get(TOPIC)}
        )
    if not named.keys() & by_id.keys():
        raise DataError(
            f"{path}: names none of the documents; it needs topics with {DOCUMENTS!r}, or documents with {TOPIC!r}"
        )
    found = [replace(by_id[id_], metadata={TOPIC: topic}) for id_, topic in named.items() if id_ in by_id]
    return found, sorted(named.keys() - by_id.keys())


def closeness(made: Iterable[DocumentSet], gold: Mapping[str, Sequence[Reference]]) -> list[tuple[str, str]]:
    """Return how near the sets come to the published gold, as means over the topics.

    A gold keyphrase is found if one of its wordings is in the list, by stems.
    """
    rows = []
    for group in made:
        if group.id not in gold:
            raise DataError(f"the gold has no set {group.id}")
        rows.append(_compared(group.references, gold[group.id]))
    if not rows:
        raise DataError("no sets to compare with the gold")
    *shares, correlation = (fmean(column) for column in zip(*rows, strict=True))
    names = (
        "gold keyphrases found in the list",
        "phrases of the list in the gold",
        f"gold's first {TRUNCATED} among the list's first {TRUNCATED}",
        f"gold's first {TRUNCATED} in the list",
    )
    percent = [(name, f"{100 * share:.1f} %") for name, share in zip(names, shares, strict=True)]
    return [("topics", str(len(rows))), *percent, ("Kendall's tau of the two orders", f"{correlation:.3f}")]


def _compared(made: Sequence[Reference], gold: Sequence[Reference]) -> tuple[float, ...]:
    ranks: dict[str, int] = {}
    for rank, reference in enumerate(made):
        for wording in clustered(reference):
            ranks.setdefault(form_of(wording), rank)
    forms = [{form_of(wording) for wording in clustered(reference)} for reference in gold]
    every = set().union(*forms)
    found = [min((ranks[form] for form in cluster if form in ranks), default=None) for cluster in forms]
    placed = [rank for rank in found if rank is not None]
    first = found[:TRUNCATED]
    correct = sum(any(form_of(wording) in every for wording in clustered(reference)) for reference in made)
    signs = [(later > earlier) - (later < earlier) for earlier, later in combinations(placed, 2)]
    return (
        _share(len(placed), len(found)),
        _share(correct, len(made)),
        _share(sum(rank is not None and rank < TRUNCATED for rank in first), len(first)),
        _share(sum(rank is not None for rank in first), len(first)),
        _share(sum(signs), len(signs)),  # Kendall's tau-a
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
