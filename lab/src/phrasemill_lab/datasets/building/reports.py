"""What came out of a build: a row of the paper's table per split, and why inputs were rejected."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from phrasemill.plots import Bar, bars

SHOWN_KEYWORDS = range(1, 26)  # the x axis of Figure 2 of Sheng et al. (2022)
DOCUMENTS = "#Doc"
QUESTION_COLUMNS = (DOCUMENTS, "#KP", "#PreDoc", "#PreKP", "#AbsDoc", "#AbsKP")


@dataclass(frozen=True, slots=True)
class BuildReport:
    """One row per split; rejections by reason; and whatever else the builder counted."""

    rows: Mapping[str, Mapping[str, float]]
    reasons: Mapping[str, int]
    accepted: int
    others: Mapping[str, object] = field(default_factory=dict)

    @property
    def rejected(self) -> int:
        return sum(self.reasons.values())

    def json(self) -> str:
        rounded = {name: {key: round(value, 3) for key, value in row.items()} for name, row in self.rows.items()}
        found = {"splits": rounded, "rejected": dict(self.reasons), **self.others}
        return json.dumps(found, ensure_ascii=False, indent=2) + "\n"


class ArticleCounts:
    """Sums over articles: the columns of Table 1 of Sheng et al. (2022), and its Figure 2."""

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

    @classmethod
    def sum(cls, parts: "Iterable[ArticleCounts]") -> "ArticleCounts":
        total = cls()
        for part in parts:
            for name, value in vars(part).items():
                setattr(total, name, getattr(total, name) + value)
        return total

    def row(self) -> dict[str, float]:
        """Return means over articles, as in Table 1: its words are those of the abstract."""
        inside, outside = (sum(k * n for k, n in counts.items()) for counts in (self.extractive, self.abstractive))
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

    def histogram(self) -> dict[str, dict[str, int]]:
        kinds = {"extractive": self.extractive, "abstractive": self.abstractive}
        return {kind: {str(number): counts[number] for number in sorted(counts)} for kind, counts in kinds.items()}

    def figure(self) -> str:
        """Draw Figure 2: how many of a hundred articles have each number of extractive and abstractive keywords."""
        shares = [
            [_share(counts[number], self.articles) for number in SHOWN_KEYWORDS]
            for counts in (self.extractive, self.abstractive)
        ]
        values = [[Bar(share, share, share) for share in row] for row in shares]
        names = [f"% of the articles have so many {kind} keywords" for kind in ("extractive", "abstractive")]
        title = "Articles by their number of keywords"
        return bars([str(number) for number in SHOWN_KEYWORDS], names, values, title=title) + "\n"


class QuestionCounts:
    """Sums over questions: the columns of Tables 1 and 8 of Yuan et al. (2020)."""

    def __init__(self) -> None:
        self._sums: Counter[str] = Counter()

    def add(self, keyphrases: int, present: int) -> None:
        absent = keyphrases - present
        found = (1, keyphrases, present > 0, present, absent > 0, absent)
        self._sums.update(dict(zip(QUESTION_COLUMNS, map(int, found), strict=True)))
        self._sums["squares"] += keyphrases**2

    def row(self) -> dict[str, float]:
        """Return the sums, the mean and the variance of the population, and the share of present keyphrases."""
        sums = self._sums
        mean = sums["#KP"] / sums[DOCUMENTS]
        variance = sums["squares"] / sums[DOCUMENTS] - mean**2
        derived = {"Mean": mean, "Var": variance, "%Pre": 100 * sums["#PreKP"] / sums["#KP"]}
        return {name: sums[name] for name in QUESTION_COLUMNS} | derived


def _share(part: float, whole: int) -> float:
    return part / whole if whole else 0.0
