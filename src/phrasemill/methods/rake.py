"""RAKE (Rose, Engel, Cramer and Cowley, "Automatic Keyword Extraction from Individual Documents", 2010).

Stopwords and punctuation cut the text into candidates. A word's score is its degree (the summed length of the
candidates it stands in) over its frequency; a candidate scores the sum of its words. Two candidates that are joined
by one to three stopwords at least twice, in the same order, form one more candidate with those stopwords inside
(`axis of evil`), with the sum of both scores.

RAKE likes long phrases: `longest` limits the words of a candidate (0 for no limit, as in the paper). Words are
counted by stem here, and numbers cut the text like stopwords.
"""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from phrasemill.kernels import rake, spans
from phrasemill.kernels.graph import Words
from phrasemill.methods.parameters import at_least
from phrasemill.ranker import Ranked, Ranker
from phrasemill.specs import AtMost
from phrasemill.types import NO_PLACES, Analysis, Candidates, Places


@dataclass(frozen=True, slots=True, repr=False)
class Rake(Ranker):
    """Phrases between stopwords, scored by the degree of their words divided by frequency.

    - `longest`: the most words in a phrase; 0 for no limit, as in the paper, which favours very long phrases.
    """

    name: ClassVar[str] = "rake"
    paper: ClassVar[str] = "Rose et al., 2010"
    reads_tags: ClassVar[bool] = False

    longest: Annotated[int, AtMost(50)] = 0

    def __post_init__(self) -> None:
        at_least(0, longest=self.longest)

    def ranked(self, analysis: Analysis, extra: Places = NO_PLACES) -> Ranked:
        words = Words(analysis.view)
        runs = words.runs()
        joined = spans.group(analysis.stem, *rake.adjoining(analysis.view, *runs))
        places = rake.merge(*runs, joined, min(self.longest, len(analysis)))
        candidates = Candidates(analysis, *spans.group(analysis.stem, *places))
        return Ranked(candidates, words.sums(candidates.view, rake.ratios(words, *runs)))
