"""TF-IDF: phrases that a document uses more often than other documents do (Salton and Buckley, 1988).

The score is the count of a candidate in the document times log((N + 1) / (df + 1)), with df its document frequency in
a background collection of N documents: by default a table of scientific abstracts that ships with the package.
Another language than the table's has no document frequencies, and the score is the count alone.

The toolkit of Boudin (2016), whose TF-IDF is a baseline in several papers, has the same weighting but takes every
n-gram without punctuation, `the coast` included: `function_words=True`, with `frequencies` of a table by
`DocumentFrequencies.fit(documents, function_words=True)`. The toolkit's own are of the 244 papers of SemEval-2010.
"""

from array import array
from dataclasses import dataclass
from typing import Annotated, ClassVar

from phrasemill.candidates import compile_pattern, forms, ngrams, noun_phrases
from phrasemill.errors import ConfigError
from phrasemill.kernels import spans
from phrasemill.methods.parameters import at_least
from phrasemill.ranker import Ranker
from phrasemill.specs import AtMost, OneOf
from phrasemill.statistics import load_frequencies
from phrasemill.text.tag import TAGS
from phrasemill.types import Analysis, Candidates

CANDIDATES = ("auto", "ngrams", "noun_phrases")


@dataclass(frozen=True, slots=True, repr=False)
class TfIdf(Ranker):
    """Term frequency times inverse document frequency: frequent here, rare elsewhere.

    - `candidates`: `ngrams`, `noun_phrases`, `auto` (noun phrases if there are tags) or a tag pattern such as
      `(JJ.*)*(NN.*)+`.
    - `longest`: the most words in an n-gram.
    - `frequencies`: the path of a table saved by `DocumentFrequencies.save`, instead of the one in the package.
    - `function_words`: whether n-grams may begin and end with function words.
    """

    name: ClassVar[str] = "tfidf"
    paper: ClassVar[str] = "Salton and Buckley, 1988"

    candidates: Annotated[str, OneOf("auto", "ngrams", "noun_phrases")] = "ngrams"
    longest: Annotated[int, AtMost(50)] = 3
    frequencies: str | None = None
    function_words: bool = False

    def __post_init__(self) -> None:
        if self.candidates not in CANDIDATES:
            try:
                compile_pattern(self.candidates, TAGS)
            except ConfigError as error:
                raise ConfigError(f"candidates must be {', '.join(CANDIDATES)} or a tag pattern ({error})") from None
        at_least(1, longest=self.longest)
        if self.function_words and (self.candidates != "ngrams" or self.frequencies is None):
            raise ConfigError("function_words requires candidates='ngrams' and frequencies that count them")

    @property
    def reads_tags(self) -> bool:  # type: ignore[override]
        return self.candidates != "ngrams"

    def propose(self, analysis: Analysis) -> Candidates:
        if self.candidates == "ngrams" or (self.candidates == "auto" and not analysis.tagged):
            return ngrams(analysis, longest=self.longest, function_words=self.function_words)
        if self.candidates in CANDIDATES:
            return noun_phrases(analysis)
        return noun_phrases(analysis, patterns=(self.candidates,))

    def score(self, candidates: Candidates) -> "array[float]":
        table = load_frequencies(self.frequencies)
        weights = array("d", [1.0]) * len(candidates)
        if table.language == candidates.analysis.language:
            weights = table.idf_column(forms(candidates))
        scores: array[float] = spans.times(candidates.view, weights)
        return scores
