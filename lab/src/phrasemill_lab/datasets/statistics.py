"""A dataset in numbers, as the papers' tables give them, from one pass over its documents.

| table | columns | here |
|---|---|---|
| Yuan et al., 2020, Table 8 | #Doc #KP #PreDoc #PreKP #AbsDoc #AbsKP | `documents` `keyphrases` `present_documents` … |
| the same, Table 1 | Mean, Var, %Pre | `mean`, `variance` (of the population), `present_share` |
| Kim et al., 2010, Tables 1 and 2 | documents by category, keyphrases by annotator | `categories`; `gold` in loading |
| Shapira et al., 2021, Table 1 | words per keyphrase, substitute clusters, unique stems | `phrase_words` `clusters` … |
| Sheng et al., 2022, Table 1 | # words, # kp, % abs | `text_words`, `mean`, `1 - present_share` |

A cluster of wordings counts as one keyphrase; its first wording is measured. Words are what stands between spaces. The
share of unique stems in clusters is averaged within a document first. Documents without a text (the topics of
MK-DUC-01) count in neither `present` nor `absent`.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from phrasemill.evaluation.answers import clustered
from phrasemill.evaluation.phrases import normaliser
from phrasemill.evaluation.policies import Policy, preset
from phrasemill.types import Document
from phrasemill_lab.datasets.building.grouping import DocumentSet
from phrasemill_lab.datasets.preparation import PROTOCOL, PreparedGold, split_by_presence
from phrasemill_lab.datasets.records import STEMMED

CATEGORIES = ("category", "topic")
PRESENCE = ("present_documents", "present", "absent_documents", "absent")
COUNTED = ("wordings", "repeated", "without_gold", *PRESENCE)


@dataclass(frozen=True, slots=True)
class Spread:
    """A mean and the standard deviation of the population, over `count` values."""

    count: int
    mean: float
    deviation: float

    def __str__(self) -> str:
        return self.shown(2)

    def shown(self, digits: int) -> str:
        return f"{self.mean:,.{digits}f} ({self.deviation:,.{digits}f})"


@dataclass(frozen=True, slots=True)
class Statistics:
    """What is counted. `wordings` counts every wording of every cluster, `unique` different keyphrases, lower-cased."""

    documents: int
    keyphrases: int
    wordings: int
    unique: int
    repeated: int
    mean: float
    variance: float
    without_gold: int
    present: int
    absent: int
    present_documents: int
    absent_documents: int
    text_words: Spread
    phrase_words: Spread
    clusters: int
    cluster_size: Spread
    cluster_stems: Spread
    categories: Mapping[str, int] = field(default_factory=dict)

    @property
    def present_share(self) -> float:
        """Of the keyphrases of documents that have a text."""
        known = self.present + self.absent
        return self.present / known if known else 0.0

    @property
    def absent_mean(self) -> float:
        """Absent keyphrases per document."""
        return self.absent / self.documents if self.documents else 0.0


class _Running:
    """Mean and deviation of values as they come (Welford, 1962)."""

    def __init__(self) -> None:
        self.count, self.mean, self._squares = 0, 0.0, 0.0

    def add(self, value: float) -> None:
        self.count += 1
        step = value - self.mean
        self.mean += step / self.count
        self._squares += step * (value - self.mean)

    @property
    def variance(self) -> float:
        return self._squares / self.count if self.count else 0.0

    @property
    def spread(self) -> Spread:
        return Spread(self.count, self.mean, math.sqrt(self.variance))


class Counting:
    """Counts documents on their way: `for document in counting.over(documents)`, then `counting.statistics`."""

    def __init__(self, *, policy: Policy | None = None) -> None:
        self._policy = policy or preset(PROTOCOL).policy
        self._stem = normaliser(self._policy.stemmer).word
        self._unique: set[str] = set()
        self._number, self._text, self._phrase = _Running(), _Running(), _Running()
        self._size, self._stems = _Running(), _Running()
        self._counts: Counter[str] = Counter()
        self._categories: Counter[str] = Counter()

    def over(self, documents: Iterable[Document]) -> Iterator[Document]:
        for document in documents:
            self.add(document)
            yield document

    def add(self, document: Document) -> None:
        known = bool(document.content.strip())
        gold = split_by_presence(document, policy=self._policy) if known else PreparedGold((), ())
        self._number.add(len(document.references))
        self._text.add(len(document.content.split()))
        counts = {"without_gold": not document.references, "present": len(gold.present), "absent": len(gold.absent)}
        counts |= {"present_documents": bool(gold.present), "absent_documents": bool(gold.absent)}
        self._counts.update({name: int(count) for name, count in counts.items()})
        self._add_phrases(document)
        category = next((document.metadata[name] for name in CATEGORIES if name in document.metadata), None)
        if isinstance(category, str):
            self._categories[category] += 1

    def _add_phrases(self, document: Document) -> None:
        firsts = [" ".join(clustered(reference)[0].lower().split()) for reference in document.references]
        self._unique.update(firsts)
        self._counts["repeated"] += len(firsts) - len(set(firsts))
        shares = []
        for first, reference in zip(firsts, document.references, strict=True):
            self._phrase.add(len(first.split()))
            wordings = clustered(reference)
            self._counts["wordings"] += len(wordings)
            if len(wordings) > 1:
                self._size.add(len(wordings))
                shares.append(self._unique_stems(wordings, stemmed=bool(document.metadata.get(STEMMED))))
        if shares:
            self._stems.add(sum(shares) / len(shares))

    def _unique_stems(self, wordings: Sequence[str], *, stemmed: bool) -> float:
        words = [word.lower() for wording in wordings for word in wording.split()]
        return len(set(words if stemmed else map(self._stem, words))) / len(words)

    @property
    def statistics(self) -> Statistics:
        return Statistics(
            **{name: self._counts[name] for name in COUNTED},
            documents=self._number.count,
            keyphrases=self._phrase.count,
            unique=len(self._unique),
            mean=self._number.mean,
            variance=self._number.variance,
            text_words=self._text.spread,
            phrase_words=self._phrase.spread,
            clusters=self._size.count,
            cluster_size=self._size.spread,
            cluster_stems=self._stems.spread,
            categories=dict(sorted(self._categories.items())),
        )


def set_rows(groups: Iterable[DocumentSet], *, top: int | None = None) -> list[tuple[str, str]]:
    """Return Table 1 of Shapira et al. (2021) for document sets, or for the first `top` keyphrases of each."""
    counting, sizes = Counting(), _Running()
    for group in groups:
        sizes.add(len(group.documents))
        counting.add(Document(group.id, "", references=group.references[:top]))
    found = counting.statistics
    return [
        ("topics", str(found.documents)),
        ("documents per topic", str(sizes.spread)),
        ("keyphrases per topic", str(Spread(found.documents, found.mean, math.sqrt(found.variance)))),
        ("words per keyphrase", str(found.phrase_words)),
        ("keyphrases with substitutes", f"{found.clusters} of {found.keyphrases}"),
        ("wordings per cluster", str(found.cluster_size)),
        ("unique stems in a cluster", str(found.cluster_stems)),
    ]


def describe(documents: Iterable[Document], *, policy: Policy | None = None) -> Statistics:
    """Return the statistics of `documents`; presence according to `policy`, by default that of Yuan et al. (2020)."""
    counting = Counting(policy=policy)
    for document in documents:
        counting.add(document)
    return counting.statistics
