"""rake-nltk's interface: RAKE (Rose et al., 2010) with our tokeniser.

The method `rake` reads the paper differently: it counts stems, and joins phrases across stopwords. This one counts
words as they are written, as rake-nltk does, and needs no NLTK data.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum
from itertools import groupby

from phrasemill.text.analyse import analyse
from phrasemill.text.language_codes import language_code
from phrasemill.text.stopwords import stopwords as stopwords_of

Words = tuple[str, ...]


class Metric(Enum):
    """How a word is scored: by its degree divided by its frequency, or by one of the two."""

    DEGREE_TO_FREQUENCY_RATIO = 0
    WORD_DEGREE = 1
    WORD_FREQUENCY = 2


class Rake:
    """Extract phrases as rake-nltk does: call `extract_keywords_from_text`, then `get_ranked_phrases`.

    Without `punctuations`, tokens without letters and digits separate phrases. Without tokenisers, our own are used.
    """

    def __init__(
        self,
        stopwords: AbstractSet[str] | None = None,
        punctuations: AbstractSet[str] | None = None,
        language: str = "english",
        ranking_metric: Metric = Metric.DEGREE_TO_FREQUENCY_RATIO,
        max_length: int = 100000,
        min_length: int = 1,
        include_repeated_phrases: bool = True,
        sentence_tokenizer: Callable[[str], list[str]] | None = None,
        word_tokenizer: Callable[[str], list[str]] | None = None,
    ) -> None:
        self.language = language_code(language)
        self.stopwords = frozenset(stopwords) if stopwords else stopwords_of(self.language)
        self.punctuations = frozenset(punctuations) if punctuations else None
        self.metric = ranking_metric if isinstance(ranking_metric, Metric) else Metric.DEGREE_TO_FREQUENCY_RATIO
        self.min_length, self.max_length = min_length, max_length
        self.include_repeated_phrases = include_repeated_phrases
        self._split, self._tokenise = sentence_tokenizer, word_tokenizer
        self.frequency_dist: Counter[str] = Counter()
        self.degree: Counter[str] = Counter()
        self.rank_list: list[tuple[float, str]] = []

    def extract_keywords_from_text(self, text: str) -> None:
        """Extract the phrases of a text, which the other methods then return."""
        if self._split is not None:
            self.extract_keywords_from_sentences(self._split(text))
        elif self._tokenise is not None:
            self._rank(self._tokenise(sentence) for sentence in _sentences(text, self.language))
        else:
            self._rank(_words(text, self.language))

    def extract_keywords_from_sentences(self, sentences: Sequence[str]) -> None:
        """Extract the phrases of a text that is already split into sentences."""
        if self._tokenise is not None:
            self._rank(map(self._tokenise, sentences))
        else:
            self._rank(words for sentence in sentences for words in _words(sentence, self.language))

    def get_ranked_phrases(self) -> list[str]:
        """Return the phrases in lower case, best first."""
        return [phrase for _, phrase in self.rank_list]

    def get_ranked_phrases_with_scores(self) -> list[tuple[float, str]]:
        """Return pairs of score and phrase, best first."""
        return self.rank_list

    def get_word_frequency_distribution(self) -> Counter[str]:
        """Return how often each word occurs in phrases."""
        return self.frequency_dist

    def get_word_degrees(self) -> Counter[str]:
        """Return the degree of each word: the sum of the lengths of the phrases that contain it."""
        return self.degree

    def _rank(self, sentences: Iterable[Sequence[str]]) -> None:
        phrases = [phrase for words in sentences for phrase in self._phrases(words)]
        if not self.include_repeated_phrases:
            phrases = list(dict.fromkeys(phrases))
        self.frequency_dist = Counter(word for phrase in phrases for word in phrase)
        self.degree = Counter()
        for phrase in phrases:
            for word in phrase:
                self.degree[word] += len(phrase)
        scored = [(sum(map(self._score, phrase)), " ".join(phrase)) for phrase in phrases]
        self.rank_list = sorted(scored, reverse=True)

    def _phrases(self, words: Sequence[str]) -> Iterator[Words]:
        for kept, group in groupby([word.lower() for word in words], self._is_content):
            phrase = tuple(group)
            if kept and self.min_length <= len(phrase) <= self.max_length:
                yield phrase

    def _is_content(self, word: str) -> bool:
        if word in self.stopwords:
            return False
        return any(map(str.isalnum, word)) if self.punctuations is None else word not in self.punctuations

    def _score(self, word: str) -> float:
        if self.metric is Metric.WORD_FREQUENCY:
            return float(self.frequency_dist[word])
        degree = float(self.degree[word])
        return degree if self.metric is Metric.WORD_DEGREE else degree / self.frequency_dist[word]


def _words(text: str, language: str) -> Iterator[list[str]]:
    """Yield the tokens of each sentence."""
    analysis = analyse(text, language=language, tag=False)
    start = 0
    for end in analysis.sentences:
        yield [text[analysis.start[i] : analysis.end[i]] for i in range(start, end)]
        start = end


def _sentences(text: str, language: str) -> Iterator[str]:
    analysis = analyse(text, language=language, tag=False)
    start = 0
    for end in analysis.sentences:
        if end > start:
            yield text[analysis.start[start] : analysis.end[end - 1]]
        start = end
