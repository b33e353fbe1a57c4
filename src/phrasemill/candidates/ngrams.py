"""N-gram candidates: runs of words that neither start nor end with a stopword."""

from phrasemill.errors import ConfigError
from phrasemill.kernels import spans
from phrasemill.types import Analysis, Candidates


def ngrams(analysis: Analysis, *, longest: int = 3, inner_stopwords: bool = True, numbers: bool = True) -> Candidates:
    """Runs of one to `longest` words within a sentence, no punctuation inside, no stopword at either end.

    Stopwords inside (`quality of service`) and numbers beside words (`area 51`) can be ruled out.
    """
    if longest < 1:
        raise ConfigError(f"the longest n-gram must have at least 1 word, got {longest}")
    start, end = spans.ngrams(
        analysis.kind, analysis.sentences, min(longest, max(len(analysis), 1)), inner_stopwords, numbers
    )
    return Candidates(analysis, *spans.group(analysis.stem, start, end))
