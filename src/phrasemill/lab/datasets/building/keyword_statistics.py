"""What came out of a PubMedAKE build: the paper's Table 1 and Figure 2, and why articles were rejected."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from phrasemill.plots import Bar, bars

SHOWN_KEYWORDS = range(1, 26)  # the x axis of Figure 2


class Split:
    """Sums over the articles of one split."""

    def __init__(self) -> None:
        self.articles = self.title_words = self.abstract_words = 0
        self.extractive: Counter[int] = Counter()  # articles by their number of keywords
        self.abstractive: Counter[int] = Counter()
        self.keywords: Counter[int] = Counter()

    def add(self, numbers: tuple[int, ...]) -> None:
        inside, outside, title, abstract = numbers
        self.articles += 1
        self.title_words += title
        self.abstract_words += abstract
        self.extractive[inside] += 1
        self.abstractive[outside] += 1
        self.keywords[inside + outside] += 1

    def __iadd__(self, other: "Split") -> "Split":
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)
        return self

    def row(self) -> dict[str, float]:
        """Means over articles, as Table 1 has them: its words are those of the abstract."""
        inside, outside = _total(self.extractive), _total(self.abstractive)
        return {
            "articles": self.articles,
            "title words": _share(self.title_words, self.articles),
            "abstract words": _share(self.abstract_words, self.articles),
            "keywords": _share(inside + outside, self.articles),
            "extractive": _share(inside, self.articles),
            "abstractive": _share(outside, self.articles),
            "% abstractive": _share(100 * outside, inside + outside),
            "least keywords": min(self.keywords, default=0),
            "most keywords": max(self.keywords, default=0),
        }


class Counting:
    """Collects the splits as they are written."""

    def __init__(self) -> None:
        self._splits: dict[str, Split] = {}

    def add(self, split: str, numbers: tuple[int, ...]) -> None:
        if split not in self._splits:
            self._splits[split] = Split()
        self._splits[split].add(numbers)

    def report(self, reasons: Mapping[str, int]) -> "Report":
        return Report(self._splits, reasons)


@dataclass(frozen=True)
class Report:
    """The splits, and the rejections by reason."""

    splits: Mapping[str, Split]
    reasons: Mapping[str, int]

    @cached_property
    def whole(self) -> Split:
        """All articles; the small selection repeats some and does not count."""
        total = Split()
        for name, split in self.splits.items():
            if not name.startswith("small_"):
                total += split
        return total

    @property
    def accepted(self) -> int:
        return self.whole.articles

    @property
    def rejected(self) -> int:
        return sum(self.reasons.values())

    def rows(self) -> dict[str, dict[str, float]]:
        """A row a split, and one for all of them."""
        small = {name: split for name, split in self.splits.items() if name.startswith("small_")}
        large = {name: split for name, split in self.splits.items() if name not in small}
        return {name: split.row() for name, split in [*large.items(), ("all", self.whole), *small.items()]}

    def json(self) -> str:
        histogram = {
            name: {str(number): counts[number] for number in sorted(counts)}
            for name, counts in (("extractive", self.whole.extractive), ("abstractive", self.whole.abstractive))
        }
        rounded = {name: {key: round(value, 3) for key, value in row.items()} for name, row in self.rows().items()}
        found = {"splits": rounded, "articles by keywords": histogram, "rejected": dict(self.reasons)}
        return json.dumps(found, ensure_ascii=False, indent=2) + "\n"

    def figure(self) -> str:
        """Figure 2: how many of a hundred articles have so many extractive, so many abstractive keywords."""
        groups = [str(number) for number in SHOWN_KEYWORDS]
        values = [
            [_bar(counts[number], self.whole.articles) for number in SHOWN_KEYWORDS]
            for counts in (self.whole.extractive, self.whole.abstractive)
        ]
        names = [f"% of the articles have so many {kind} keywords" for kind in ("extractive", "abstractive")]
        return bars(groups, names, values, title="Articles by their number of keywords") + "\n"


def _total(articles_by_number: Counter[int]) -> int:
    return sum(number * articles for number, articles in articles_by_number.items())


def _share(part: float, whole: int) -> float:
    return part / whole if whole else 0.0


def _bar(count: int, whole: int) -> Bar:
    share = _share(count, whole)
    return Bar(share, share, share)
