"""KP-Miner (El-Beltagy and Rafea, "KP-Miner: Participation in SemEval-2", 2010, and Information Systems 34, 2009).

Candidates are runs of up to five words without stopwords or punctuation that occur at least `least` times and first
within the first `cutoff` words. The score is TF-IDF, where phrases of several words count as occurring in one
document of the background, times a boost for such phrases: the number of candidates over `alpha` times the number of
those with several words, at most `sigma`.

The paper lowers `least` for short documents "depending on their length" without saying how: here by one below
`cutoff` words and by one more below half of that. `adaptive=False` keeps it for all lengths, as the toolkit of Boudin
(2016) does. Words are counted with punctuation, and candidates for the boost
once each. A single letter, such as a variable in a formula, is no candidate. Its last step, which discounts parts of
longer keyphrases, is `redundancy="inclusion"`; its position factor is 1, as the authors found best.
"""

import math
from array import array
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Annotated, ClassVar

from phrasemill.candidates import ngrams
from phrasemill.errors import ConfigError
from phrasemill.methods.parameters import at_least
from phrasemill.ranker import Ranker
from phrasemill.specs import AtMost
from phrasemill.statistics import load_frequencies
from phrasemill.types import Analysis, Candidates

LONGEST = 5
LETTERS = frozenset(ascii_lowercase)


@dataclass(frozen=True, slots=True, repr=False)
class KPMiner(Ranker):
    """TF-IDF of phrases that occur often and early enough, with a boost for longer ones.

    - `least`: how often a candidate must occur.
    - `cutoff`: a candidate must first occur within this many words.
    - `adaptive`: whether to lower `least` in short texts.
    - `alpha`: the boost is the number of candidates, divided by `alpha` times the number of those with several
      words.
    - `sigma`: the highest boost.
    - `frequencies`: the path of a table saved by `DocumentFrequencies.save`, instead of the one in the package.
    """

    name: ClassVar[str] = "kpminer"
    paper: ClassVar[str] = "El-Beltagy and Rafea, 2010"
    reads_tags: ClassVar[bool] = False

    least: Annotated[int, AtMost(10_000)] = 3
    cutoff: Annotated[int, AtMost(1_000_000)] = 400
    adaptive: bool = True
    alpha: Annotated[float, AtMost(1_000)] = 2.3
    sigma: Annotated[float, AtMost(1_000)] = 3.0
    frequencies: str | None = None

    def __post_init__(self) -> None:
        at_least(1, least=self.least, cutoff=self.cutoff)
        if self.alpha <= 0 or self.sigma <= 0:
            raise ConfigError(f"alpha and sigma must be above 0, got {self.alpha} and {self.sigma}")

    def propose(self, analysis: Analysis) -> Candidates:
        everything = ngrams(analysis, longest=LONGEST, inner_stopwords=False)
        short = (len(analysis) < self.cutoff) + (len(analysis) < self.cutoff / 2) if self.adaptive else 0
        least = max(1, self.least - short)
        first, start, end, stem = everything.first, everything.start, everything.end, analysis.stem
        letters = {number for number, one in enumerate(analysis.stems) if one in LETTERS}
        return everything.keep(
            c
            for c in range(len(everything))
            if everything.count(c) >= least
            and start[first[c]] < self.cutoff
            and (end[first[c]] > start[first[c]] + 1 or stem[start[first[c]]] not in letters)
        )

    def score(self, candidates: Candidates) -> "array[float]":
        table = load_frequencies(self.frequencies)
        known = table.language == candidates.analysis.language
        lengths = [len(candidates.stem_ids(c)) for c in range(len(candidates))]
        phrases = sum(1 for length in lengths if length > 1)
        boost = min(self.sigma, len(lengths) / (phrases * self.alpha)) if phrases else 1.0
        once = math.log((table.documents + 1) / 2)
        scores = array("d")
        for c, length in enumerate(lengths):
            count = candidates.count(c)
            if length > 1:
                scores.append(count * once * boost)
            else:
                scores.append(count * (table.idf(candidates.form(c)) if known else once))
        return scores
