"""What people decide about a merged list of keyphrases, in a file, so that it can be read, repeated and disputed.

A file of lines, tabs between the fields, `#` before remarks:

    wells	remove	last week
    wells	cluster	salt water	saline water
    mayors	prefer	Ada Brook

Decisions apply in the order of the file. A phrase is found by its wording, or else by its stems.

| action | what becomes of the list |
|---|---|
| remove | the phrases go |
| cluster | the phrases become one keyphrase, the first preferred, at the best of their places; new ones may join |
| prefer | the wording becomes the preferred one of its keyphrase, spelt as given |
| add | phrases that the machine dropped come back, at the end |
| order | the phrases come first, in this order |
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from phrasemill.errors import DataError, InputError, UnknownName
from phrasemill.evaluation.answers import LARGEST, clustered, decode_strictly
from phrasemill.files.streams import read_file
from phrasemill.select import form_of
from phrasemill.types import Reference
from phrasemill_lab.datasets import writing
from phrasemill_lab.datasets.building.grouping import DocumentSet

ACTIONS = ("add", "cluster", "order", "prefer", "remove")


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision; `where` is the file and line it comes from, for errors."""

    action: str
    phrases: tuple[str, ...]
    where: str = "decision"


def read_decisions(path: Path) -> dict[str, list[Decision]]:
    """Return the decisions in a file, by set."""
    found: dict[str, list[Decision]] = {}
    for number, line in enumerate(decode_strictly(read_file(path, largest=LARGEST), str(path)).splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        where = f"{path}, line {number}"
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) < 3:
            raise InputError(f"{where}: a decision is set, action and phrases, with tabs between them")
        topic, action, *rest = cells
        phrases = tuple(filter(None, rest))
        if action not in ACTIONS:
            raise InputError(f"{where}: {UnknownName('action', action, ACTIONS)}")
        if len(phrases) < (2 if action == "cluster" else 1):
            raise InputError(f"{where}: {action} needs {'two phrases or more' if action == 'cluster' else 'a phrase'}")
        found.setdefault(topic, []).append(Decision(action, phrases, where))
    return found


def write_decisions(sets: Iterable[DocumentSet], gold: Mapping[str, Sequence[Reference]], path: Path) -> None:
    """Write decisions that lead from the keyphrases of `sets` to their `gold`."""
    found = {one.id: derive(one.references, gold[one.id]) for one in sets}
    writing.lines(("\t".join((id_, one.action, *one.phrases)) for id_, made in found.items() for one in made), path)


def refine(references: Iterable[Reference], decisions: Iterable[Decision], *, topic: str) -> tuple[Reference, ...]:
    """Return `references` after the `decisions`, applied in order."""
    listed = _List([list(clustered(reference)) for reference in references], topic)
    for decision in decisions:
        getattr(listed, f"_{decision.action}")(decision)
    return tuple(tuple(cluster) if len(cluster) > 1 else cluster[0] for cluster in listed.clusters)


class _List:
    """The keyphrases of one set, while decisions are made about them; a method for each action."""

    def __init__(self, clusters: list[list[str]], topic: str) -> None:
        self.clusters, self.topic = clusters, topic

    def _find(self, phrase: str) -> tuple[list[str], int] | None:
        """Return the cluster that has `phrase`, and where in it."""
        for same in (str.__eq__, _alike):
            for cluster in self.clusters:
                for at, wording in enumerate(cluster):
                    if same(wording, phrase):
                        return cluster, at
        return None

    def _found(self, phrase: str, decision: Decision) -> tuple[list[str], int]:
        found = self._find(phrase)
        if found is None:
            raise DataError(f"{decision.where}: no phrase {phrase!r} in the list of {self.topic}")
        return found

    def _remove(self, decision: Decision) -> None:
        for phrase in decision.phrases:
            cluster, at = self._found(phrase, decision)
            del cluster[at]
            self.clusters = [one for one in self.clusters if one]

    def _cluster(self, decision: Decision) -> None:
        met = [found[0] for found in map(self._find, decision.phrases) if found]
        if not met:
            raise DataError(f"{decision.where}: none of these phrases is in the list of {self.topic}")
        joined = [cluster for cluster in self.clusters if any(cluster is one for one in met)]
        others = [wording for cluster in joined for wording in cluster]
        new = list(dict.fromkeys(decision.phrases))
        new += [wording for wording in others if not any(_alike(wording, phrase) for phrase in new)]
        self.clusters = [one for one in self.clusters if not any(one is other for other in joined[1:])]
        joined[0][:] = new

    def _prefer(self, decision: Decision) -> None:
        for phrase in decision.phrases:
            cluster, at = self._found(phrase, decision)
            del cluster[at]
            cluster.insert(0, phrase)

    def _add(self, decision: Decision) -> None:
        for phrase in decision.phrases:
            if any(phrase in cluster for cluster in self.clusters):
                raise DataError(f"{decision.where}: {phrase!r} is in the list of {self.topic} already")
            self.clusters.append([phrase])

    def _order(self, decision: Decision) -> None:
        first = [self._found(phrase, decision)[0] for phrase in decision.phrases]
        rest = [cluster for cluster in self.clusters if not any(cluster is one for one in first)]
        distinct = list({id(cluster): cluster for cluster in first}.values())
        self.clusters = distinct + rest


_form = lru_cache(10_000)(form_of)


def _alike(one: str, other: str) -> bool:
    return _form(one) == _form(other)


def derive(references: Sequence[Reference], wanted: Sequence[Reference]) -> list[Decision]:
    """Return decisions that lead from `references` to `wanted` exactly; they show what a refinement did."""
    held = {_form(clustered(reference)[0]): clustered(reference)[0] for reference in references}
    targets = [clustered(reference) for reference in wanted]
    forms = {_form(wording) for cluster in targets for wording in cluster}
    decisions = [Decision("remove", (text,)) for form, text in held.items() if form not in forms]
    for cluster in targets:
        known = [wording for wording in cluster if _form(wording) in held]
        if not known:
            decisions.append(Decision("add", (cluster[0],)))
        if len(cluster) > 1:
            decisions.append(Decision("cluster", cluster))
        elif known and held[_form(cluster[0])] != cluster[0]:
            decisions.append(Decision("prefer", (cluster[0],)))
    reached = refine(references, decisions, topic="the set")
    if list(map(clustered, reached)) != targets:
        decisions.append(Decision("order", tuple(cluster[0] for cluster in targets)))
    return decisions
