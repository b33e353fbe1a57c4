"""YAKE! (Campos et al., "YAKE! Keyword extraction from single documents using multiple local features", 2020).

Five features of a word: casing (capitals inside sentences, acronyms), position (the median sentence it stands in),
frequency (against mean plus deviation), relatedness (how many different words stand beside it) and spread over
sentences. A candidate of up to `longest` words combines the weights of its words with its own frequency; stopwords
inside count by how firmly they belong to their neighbours. Of two candidates that are almost the same string
(`dedupe`) the better stays.

S(kw) of the paper is better when lower; the score here is 1 / (1 + S). Candidates are counted by stemmed form, the
paper's by lower-cased string. Words with digits are ordinary words here, plain numbers are not. Casing is over 1 +
log TF, and an inner stopword's two probabilities divide by the counts of the words beside it: both follow the
authors' published implementation, not the wording of the paper. Of several stopwords inside a candidate only the
loosest is taken off the sum, which the paper, with at most three words, need not say.
"""

from array import array
from dataclasses import dataclass
from typing import Annotated, ClassVar

from phrasemill.candidates import ngrams
from phrasemill.kernels import yake
from phrasemill.methods.parameters import at_least, positive_share
from phrasemill.ranker import Ranker
from phrasemill.specs import AtMost
from phrasemill.types import Analysis, Candidates


@dataclass(frozen=True, slots=True, repr=False)
class Yake(Ranker):
    """Score words by case, position, frequency, neighbours and spread; needs no corpus.

    - `longest`: the most words in a phrase.
    - `window`: how many neighbours on each side count as context.
    - `dedupe`: of two phrases more similar than this, the one with the lower score is dropped.
    """

    name: ClassVar[str] = "yake"
    paper: ClassVar[str] = "Campos et al., 2020"
    reads_tags: ClassVar[bool] = False

    longest: Annotated[int, AtMost(50)] = 3
    window: Annotated[int, AtMost(1_000)] = 1
    dedupe: Annotated[float, AtMost(1)] = 0.9

    def __post_init__(self) -> None:
        at_least(1, longest=self.longest, window=self.window)
        positive_share(dedupe=self.dedupe)

    @property
    def redundancy(self) -> str:  # type: ignore[override]
        return f"similarity({self.dedupe})"

    def propose(self, analysis: Analysis) -> Candidates:
        return ngrams(analysis, longest=self.longest, numbers=False)

    def score(self, candidates: Candidates) -> "array[float]":
        found: array[float] = yake.scores(candidates.view, min(self.window, len(candidates.analysis)))
        return found
