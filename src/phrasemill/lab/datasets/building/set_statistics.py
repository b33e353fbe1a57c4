"""The statistics of Table 1 of Shapira et al. (2021) over any document sets.

Deviations are over the population, a phrase's words are split at spaces, and the share of unique stems is averaged
within each set first: only so do the published numbers come out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import NamedTuple

from phrasemill.evaluation.answers import clustered
from phrasemill.evaluation.phrases import normaliser
from phrasemill.lab.datasets.building.grouping import DocumentSet


class Spread(NamedTuple):
    """A mean and the standard deviation beside it."""

    mean: float
    deviation: float

    def shown(self, digits: int = 2) -> str:
        return f"{self.mean:.{digits}f} ({self.deviation:.{digits}f})"


@dataclass(frozen=True, slots=True)
class SetStatistics:
    """One column of the table."""

    topics: int
    documents: Spread  # a topic
    keyphrases: Spread  # a topic
    words: Spread  # a keyphrase, its preferred wording
    total: int
    clusters: int  # keyphrases with more than one wording
    wordings: Spread  # a cluster
    unique_stems: Spread  # the share of a cluster's words that are not the same stem again

    def rows(self) -> list[tuple[str, str]]:
        return [
            ("topics", str(self.topics)),
            ("documents per topic", self.documents.shown()),
            ("keyphrases per topic", self.keyphrases.shown()),
            ("words per keyphrase", self.words.shown()),
            ("keyphrases with substitutes", f"{self.clusters} of {self.total}"),
            ("wordings per cluster", self.wordings.shown()),
            ("unique stems in a cluster", self.unique_stems.shown()),
        ]


def set_statistics(groups: Iterable[DocumentSet], *, top: int | None = None) -> SetStatistics:
    """The statistics of `groups`, or of the first `top` keyphrases of each."""
    sizes, counts, words, wordings, unique = [], [], [], [], []
    for group in groups:
        clusters = [clustered(reference) for reference in group.references[:top]]
        substituted = [cluster for cluster in clusters if len(cluster) > 1]
        sizes.append(len(group.documents))
        counts.append(len(clusters))
        words += [len(cluster[0].split()) for cluster in clusters]
        wordings += [len(cluster) for cluster in substituted]
        if substituted:
            unique.append(fmean(map(_unique_stems, substituted)))
    return SetStatistics(
        len(counts),
        _spread(sizes),
        _spread(counts),
        _spread(words),
        sum(counts),
        len(wordings),
        _spread(wordings),
        _spread(unique),
    )


def _unique_stems(cluster: Sequence[str]) -> float:
    stems = normaliser("nltk").key(" ".join(cluster)).split()
    return len(set(stems)) / len(stems) if stems else 0.0


def _spread(values: Sequence[float]) -> Spread:
    return Spread(fmean(values), pstdev(values)) if values else Spread(0.0, 0.0)
