"""How alike two phrases are, from 0 to 1: the measures of `match=`; `measure agreement` compares them with people.

Each takes two phrases as lists of words: stems, but for `cosine` and `meteor-wordnet` the words as they are. BLEU,
METEOR and NIST take the longer one as the reference, "to avoid the length penalty in most MT metrics" (Kim, Baldwin and
Kan, 2010, section 3.1); they are NLTK's, ROUGE is Google's `rouge-score`.
"""

import functools
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from phrasemill.errors import DataError, MissingExtra, UnknownName
from phrasemill.text.stem import stemmer

Words = Sequence[str]
Similarity = Callable[[Words, Words], float]
HIGHEST_ORDER = 4  # of BLEU's n-grams, Papineni et al., 2002; shorter phrases have fewer
NIST_ORDER = 5


def overlap(one: Words, other: Words) -> int:
    """Return how many words the two share, repeated words counted as often as they occur in both."""
    if len(set(one)) == len(one) or len(set(other)) == len(other):
        return len(set(one) & set(other))
    return sum((Counter(one) & Counter(other)).values())


def exact(one: Words, other: Words) -> float:
    """Return 1 if the words are the same, else 0."""
    return float(list(one) == list(other))


def partial(one: Words, other: Words) -> float:
    """Twice the shared words over all words (Sheng, Gero and Ho, 2022, PubMedAKE, eq. 1)."""
    return 2 * overlap(one, other) / (len(one) + len(other)) if one or other else 1.0


def r_precision(one: Words, other: Words) -> float:
    """Return the shared words over the words of the longer phrase (Zesch and Gurevych, 2009)."""
    longest = max(len(one), len(other))
    return overlap(one, other) / longest if longest else 1.0


def modified_r_precision(one: Words, other: Words) -> float:
    """R-precision where the i-th of N words weighs 1 / (N - i + 1), so that the head weighs most.

    Kim, Baldwin and Kan, 2010, section 3.3. The weights are those of the longer phrase.
    """
    longer, shorter = _ordered(one, other)
    if not longer:
        return 1.0
    left, shared, total = Counter(shorter), 0.0, 0.0
    # From the head, so that of a repeated word the weightier one is the match.
    for distance, word in enumerate(reversed(longer), start=1):
        total += 1 / distance
        if left[word] > 0:
            left[word] -= 1
            shared += 1 / distance
    return shared / total


def bleu(one: Words, other: Words) -> float:
    """BLEU (Papineni et al., 2002) over orders up to the shorter phrase's length, NLTK's smoothing 1."""
    longer, shorter = _ordered(one, other)
    if not shorter:
        return float(not longer)
    if not overlap(one, other):
        return 0.0
    module = _nltk("bleu_score")
    order = min(HIGHEST_ORDER, len(shorter))
    smooth = module.SmoothingFunction().method1
    return float(module.sentence_bleu([longer], shorter, weights=(1 / order,) * order, smoothing_function=smooth))


def meteor(one: Words, other: Words) -> float:
    """METEOR (Agarwal and Lavie, 2008) on exact words and stems, without WordNet: it needs no download."""
    longer, shorter = _ordered(one, other)
    if not shorter:
        return float(not longer)
    return float(_nltk("meteor_score").single_meteor_score(longer, shorter, wordnet=_NoSynonyms()))


def meteor_wordnet(one: Words, other: Words) -> float:
    """METEOR on words, stems and the synonyms of WordNet, as the paper has it; NLTK's data must be there."""
    longer, shorter = _ordered(one, other)
    if not shorter:
        return float(not longer)
    synonyms = _Synonyms(_wordnet())
    return float(_nltk("meteor_score").single_meteor_score(longer, shorter, stemmer=_STEMS, wordnet=synonyms))


def cosine(one: Words, other: Words, embeddings: str = "minilm") -> float:
    """Return the cosine of the phrases' embeddings, between 0 and 1: a graded semantic similarity.

    Section 3.4 has the cosine over web snippets that a search engine returned for each phrase.
    """
    from phrasemill.evaluation.embeddings import embeddings as load

    found = float(load(embeddings).cosines([" ".join(one)], [" ".join(other)])[0, 0])
    return min(max(found, 0.0), 1.0)


def nist(one: Words, other: Words) -> float:
    """NIST (Doddington, 2002) over that of the longer phrase against itself, since NIST alone has no upper end."""
    longer, shorter = _ordered(one, other)
    if not overlap(one, other):
        return float(not longer)
    if len(longer) == 1:
        return 1.0  # a single word carries no information by NIST's own formula: 0 / 0
    best = _nist(tuple(longer), tuple(longer))
    return _nist(tuple(longer), tuple(shorter)) / best if best else exact(one, other)


def _nist(reference: tuple[str, ...], candidate: tuple[str, ...]) -> float:
    order = min(NIST_ORDER, len(candidate))
    return float(_nltk("nist_score").sentence_nist([list(reference)], list(candidate), n=order))


def rouge(name: str, one: Words, other: Words) -> float:
    """Return the F-measure of ROUGE (Lin and Hovy, 2003).

    `rouge1` counts words, and between two phrases equals `partial`; in `rougeL`, the longest common subsequence, order
    counts.
    """
    longer, shorter = _ordered(one, other)
    score = _rouge_scorer(name).score(" ".join(longer), " ".join(shorter))
    return float(score[name].fmeasure)


rouge_1, rouge_l = functools.partial(rouge, "rouge1"), functools.partial(rouge, "rougeL")


def _ordered(one: Words, other: Words) -> tuple[list[str], list[str]]:
    """Return the longer phrase and the shorter; of equals the second is the reference, as gold comes second."""
    return (list(one), list(other)) if len(one) > len(other) else (list(other), list(one))


class _NoSynonyms:
    """Stands in for WordNet, which would have to be downloaded."""

    def synsets(self, word: str) -> list[object]:
        return []


class _Stem(str):
    """A stem that keeps its word: NLTK looks up synonyms of what its stemmer returned, and WordNet has no stems."""

    __slots__ = ("word",)
    word: str


class _KeepingStemmer:
    """Porter's algorithm, for NLTK."""

    def stem(self, word: str) -> _Stem:
        found = _Stem(stemmer("porter")(word))
        found.word = word
        return found


_STEMS = _KeepingStemmer()


class _Synonyms:
    """WordNet as NLTK's METEOR asks for it: a stem has one synset, of which each lemma is a synonym's stem."""

    def __init__(self, wordnet: Any) -> None:
        self._wordnet = wordnet

    def synsets(self, stem: _Stem) -> "list[_StemSet]":
        names = {lemma.name() for synset in self._wordnet.synsets(stem.word) for lemma in synset.lemmas()}
        return [_StemSet([_StemLemma(_STEMS.stem(name)) for name in sorted(names) if "_" not in name])]


class _StemSet(NamedTuple):
    found: "list[_StemLemma]"

    def lemmas(self) -> "list[_StemLemma]":
        return self.found


class _StemLemma(NamedTuple):
    stem: str

    def name(self) -> str:
        return self.stem


class _Spaces:
    """ROUGE's own tokeniser would drop every letter beyond a to z."""

    def tokenize(self, text: str) -> list[str]:
        return text.split()


@functools.cache
def _nltk(module: str) -> Any:
    try:
        return import_module(f"nltk.translate.{module}")
    except ImportError:
        raise MissingExtra("nltk", "metrics", purpose="computing BLEU, METEOR and NIST") from None


@functools.cache
def _wordnet() -> Any:
    _nltk("meteor_score")  # raises an error where NLTK is missing
    try:
        wordnet = import_module("nltk.corpus").wordnet
        wordnet.ensure_loaded()
    except (LookupError, OSError):
        raise DataError("meteor-wordnet needs NLTK's WordNet: run python -m nltk.downloader wordnet") from None
    return wordnet


@functools.cache
def _rouge_scorer(name: str) -> Any:
    try:
        module = import_module("rouge_score.rouge_scorer")
    except ImportError:
        raise MissingExtra("rouge-score", "metrics", purpose="ROUGE") from None
    return module.RougeScorer([name], tokenizer=_Spaces())


SIMILARITIES: dict[str, Similarity] = {
    "exact": exact,
    "partial": partial,
    "r-precision": r_precision,
    "modified-r-precision": modified_r_precision,
    "bleu": bleu,
    "meteor": meteor,
    "meteor-wordnet": meteor_wordnet,
    "nist": nist,
    "rouge-1": rouge_1,
    "rouge-l": rouge_l,
    "cosine": cosine,
}
# Those that compare words as they are written, and need data beside the extra `metrics`; and the others.
AS_WRITTEN = ("meteor-wordnet", "cosine")
SELF_CONTAINED = tuple(name for name in SIMILARITIES if name not in AS_WRITTEN)


def similarity(name: str, *, embeddings: str = "minilm") -> Similarity:
    """Return the measure called `name`; `embeddings` are those of `cosine`."""
    if name == "cosine":
        return functools.partial(cosine, embeddings=embeddings)
    if name not in SIMILARITIES:
        raise UnknownName("similarity", name, SIMILARITIES)
    return SIMILARITIES[name]
