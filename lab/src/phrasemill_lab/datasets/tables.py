"""The catalog and the statistics as grids: what `phrasemill dataset list` and `phrasemill dataset show` print."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict

from phrasemill.tables import Table
from phrasemill_lab.datasets.building.grouping import DocumentSet
from phrasemill_lab.datasets.catalog import Dataset
from phrasemill_lab.datasets.statistics import PRESENCE, Statistics, set_rows

MOST_CATEGORIES = 12
TRUNCATED = 20
UNKNOWN = "–"


def catalog_grid(entries: Sequence[Dataset]) -> Table:
    """Return one row per dataset: what it is, its splits and the papers to cite."""
    rows = [(entry.name, entry.title.partition(": ")[2], _splits(entry), "; ".join(entry.papers)) for entry in entries]
    note = (
        "Nothing is downloaded; phrasemill dataset list --format json shows where each is published, and its licence."
    )
    return Table("", ("name", "what it is", "documents", "papers"), tuple(rows), (note,), words=True)


def _splits(entry: Dataset) -> str:
    whole = [split for split in entry.splits if not split.part_of] or entry.splits
    return ", ".join(f"{split.name} {split.documents:,}" if split.documents else split.name for split in whole)


def catalog_records(entries: Sequence[Dataset]) -> list[dict[str, object]]:
    """Return all that is known, for JSON."""
    return [asdict(entry) for entry in entries]


def grids(counted: Mapping[str, Statistics], *, title: str) -> list[Table]:
    """Return the papers' tables, one row per split, without those that would be empty."""
    found = [_general(counted, title)]
    if any(map(_presence_known, counted.values())):
        found.append(_presence(counted))
    if any(one.clusters for one in counted.values()):
        found.append(_clusters(counted))
    categories = sorted({name for one in counted.values() for name in one.categories})
    if 1 < len(categories) <= MOST_CATEGORIES:
        rows = [(name, *(f"{one.categories.get(c, 0):,}" for c in categories)) for name, one in counted.items()]
        found.append(Table("Documents by category", ("split", *categories), tuple(rows)))
    return found


def _general(counted: Mapping[str, Statistics], title: str) -> Table:
    """Return one row per measure, so that it fits a narrow screen."""
    rows = [(label, *(measure(one) for one in counted.values())) for label, measure in MEASURES.items()]
    notes = []
    for name, one in counted.items():
        if one.without_gold:
            notes.append(f"{name}: {one.without_gold:,} of the documents have no keyphrases.")
        if one.repeated:
            notes.append(f"{name}: {one.repeated:,} of the keyphrases repeat another of their document.")
    return Table(title, ("", *counted), tuple(rows), tuple(notes))


def _presence_known(one: Statistics) -> bool:
    return bool(one.present or one.absent)


MEASURES: dict[str, Callable[[Statistics], str]] = {
    "documents": lambda one: f"{one.documents:,}",
    "keyphrases": lambda one: f"{one.keyphrases:,}",
    "different keyphrases": lambda one: f"{one.unique:,}",
    "keyphrases per document": lambda one: f"{one.mean:.2f}",
    "their variance": lambda one: f"{one.variance:.1f}",
    "% present": lambda one: f"{100 * one.present_share:.1f}" if _presence_known(one) else UNKNOWN,
    "absent per document": lambda one: f"{one.absent_mean:.2f}" if _presence_known(one) else UNKNOWN,
    "words per document": lambda one: one.text_words.shown(1) if one.text_words.mean else UNKNOWN,
    "words per keyphrase": lambda one: str(one.phrase_words),
}


def _presence(counted: Mapping[str, Statistics]) -> Table:
    measures = ("documents", "keyphrases", *PRESENCE)
    rows = [(name, *(f"{getattr(one, measure):,}" for measure in measures)) for name, one in counted.items()]
    header = ("split", "#Doc", "#KP", "#PreDoc", "#PreKP", "#AbsDoc", "#AbsKP")
    return Table("Present and absent keyphrases (Yuan et al., 2020, Table 8)", header, tuple(rows))


def _clusters(counted: Mapping[str, Statistics]) -> Table:
    rows = [
        (name, f"{one.clusters:,} of {one.keyphrases:,}", str(one.cluster_size), str(one.cluster_stems))
        for name, one in counted.items()
    ]
    header = ("split", "with substitutes", "wordings per cluster", "unique stems in a cluster")
    return Table("Clusters of wordings (Shapira et al., 2021, Table 1)", header, tuple(rows))


def sets_grid(groups: Sequence[DocumentSet], *, title: str, top: int = TRUNCATED) -> Table:
    """Return the statistics of document sets: all keyphrases of each set, and the first `top`."""
    columns = [set_rows(groups, top=most) for most in (None, top)]
    rows = [(name, full, first) for (name, full), (_, first) in zip(*columns, strict=True)]
    return Table(title, ("", "Full", f"Trunc-{top}"), tuple(rows))
