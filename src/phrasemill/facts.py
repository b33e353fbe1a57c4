"""The cost and the quality of each method: the table behind `phrasemill methods`, `/v1/methods` and the page.

Figures are measured: `phrasemill measure facts` writes them to data/method_facts.json, with the date, the
command and the signature of the run that each comes from; speeds are those of lab/results/speed.csv. What a method
needs is declared here.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace

from phrasemill.extras import EXTRAS
from phrasemill.shipped import shipped

FILE = shipped("method_facts.json")
NOTHING, SHIPPED, YOURS = "nothing", "shipped", "yours"
BERTKPE, EMBED, NEURAL = (EXTRAS[name].command for name in ("bertkpe", "embed", "neural"))
PACES = ((1000, "very fast"), (50, "fast"), (2, "slow"), (0, "very slow"))


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of one method; None for what was not measured, or depends on the model that one trains.

    `speed` is abstracts per second on one core; `indexers` and `authors` are F1@10, in per cent, against the choice of
    each. `learns` is whether it was trained on what people chose: `nothing`, `shipped` (it comes trained), or `yours`.
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
    def rate(self) -> str:
        """The speed as pages show it, or nothing."""
        return "" if self.speed is None else f"{self.speed:,}"

    @property
    def quality(self) -> float | None:
        """The mean of both scores."""
        if self.indexers is None or self.authors is None:
            return None
        return (self.indexers + self.authors) / 2

    def record(self) -> dict[str, object]:
        """Return the facts as JSON has them."""
        return asdict(self) | {"pace": self.pace}


NEEDS = {
    "bertkpe": Facts(learns=SHIPPED, megabytes=26, install=BERTKPE),
    "catseq": Facts(learns=YOURS, install=NEURAL),
    "catseqd": Facts(learns=SHIPPED, megabytes=16, install=NEURAL),
    "copyrnn": Facts(learns=YOURS, install=NEURAL),
    "embedrank": Facts(megabytes=90, install=EMBED),
    "encoder": Facts(learns=SHIPPED, megabytes=19, install=NEURAL),
    "firstphrases": Facts(),
    "generator": Facts(learns=SHIPPED, megabytes=30, install=NEURAL),
    "kea": Facts(learns=YOURS),
    "kpminer": Facts(megabytes=2),
    "learned": Facts(learns=SHIPPED, megabytes=10),
    "llm": Facts(learns=YOURS),
    "maui": Facts(learns=YOURS),
    "maxent": Facts(learns=YOURS),
    "mderank": Facts(megabytes=90, install=EMBED),
    "multipartiterank": Facts(),
    "naivebayes": Facts(learns=YOURS),
    "positionrank": Facts(),
    "rake": Facts(),
    "singlerank": Facts(),
    "summarise": Facts(),
    "textrank": Facts(),
    "tfidf": Facts(megabytes=2),
    "topicalpagerank": Facts(megabytes=0.5),
    "topicrank": Facts(),
    "yake": Facts(),
    # For sets: what they cost is the method that reads each document, `learned` by default.
    "bayatmakou": Facts(),
    "collabrank": Facts(),
    "concat": Facts(learns=SHIPPED, megabytes=10),
    "consensus": Facts(learns=SHIPPED, megabytes=10),
    "merge": Facts(learns=SHIPPED, megabytes=10),
}


def _with_figures() -> dict[str, Facts]:
    measured = json.loads(FILE.read_text(encoding="utf-8"))["methods"]
    figures = {name: {key: value for key, value in row.items() if key != "run"} for name, row in measured.items()}
    return {name: replace(needs, **figures.get(name, {})) for name, needs in NEEDS.items()}


FACTS = _with_figures()


def facts_of(name: str) -> Facts:
    """Return the facts of a method; those of methods that others registered are empty."""
    return FACTS.get(name, Facts())


def fastest(names: Iterable[str]) -> str:
    """Return the fastest of `names`."""
    return max(names, key=lambda name: facts_of(name).speed or 0)


def best(names: Iterable[str]) -> str:
    """Return the one of `names` with the highest quality."""
    return max(names, key=lambda name: facts_of(name).quality or 0)
