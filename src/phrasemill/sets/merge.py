"""Merge (Shapira et al., "Multi-Document Keyphrase Extraction: Dataset, Baselines and Review", 2021).

An extractor runs on each document; the lists become one as `merging.py` has it. Of several wordings of one form the
first that the extractor gave stays, in the order of the documents. How many phrases of each document enter is not
said; the authors' published lists for single documents have 20.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from phrasemill.errors import ConfigError
from phrasemill.options import DEFAULT_METHOD
from phrasemill.pipeline import build
from phrasemill.sets.merging import rerank, word_scores
from phrasemill.sets.method import SetMethod
from phrasemill.sets.occurrences import Chosen
from phrasemill.sets.reading import Reading
from phrasemill.types import Extractor

KEPT = 20


@dataclass(frozen=True, slots=True, repr=False)
class Merge(SetMethod):
    """An extractor over each document; phrases by document frequency of their words."""

    name: ClassVar[str] = "merge"
    paper: ClassVar[str] = "Shapira et al., 2021"

    method: Extractor | str = DEFAULT_METHOD
    keep: int = KEPT

    def __post_init__(self) -> None:
        if self.keep < 1:
            raise ConfigError(f"keep must be at least 1, got {self.keep}")
        object.__setattr__(self, "method", build(self.method))

    def extractor(self, language: str) -> Extractor:
        return build(self.method)

    @property
    def kept(self) -> int:
        return self.keep

    def choose(self, readings: Sequence[Reading], wanted: int | None) -> list[Chosen]:
        return merged(readings)


def first_wordings(readings: Sequence[Reading]) -> dict[str, str]:
    """The forms that were found in any document, with the wording that came first."""
    wordings: dict[str, str] = {}
    for reading in readings:
        for found in reading.found:
            wordings.setdefault(found.form, found.text)
    return wordings


def merged(readings: Sequence[Reading]) -> list[Chosen]:
    """The merged and reranked list of what was found in each document."""
    wordings = first_wordings(readings)
    ranked = rerank(wordings, word_scores(reading.words for reading in readings))
    return [Chosen(wordings[form], score, (form,)) for form, score in ranked]
