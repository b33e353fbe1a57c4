"""Features: one row of numbers for each candidate of one document."""

from array import array
from functools import lru_cache, partial

from phrasemill.kernels import features as kernel
from phrasemill.kernels import hashing, layout, word_features
from phrasemill.lender import Lender
from phrasemill.methods.learned.background import DECODED, PHRASE_COLUMNS, WORD_COLUMNS, Background
from phrasemill.methods.learned.shapes import LONGEST, Shapes, word_classes
from phrasemill.text.word_frequencies import SCALE, WordFrequencies, word_frequencies
from phrasemill.types import STOPWORD, WORD, Analysis, Candidates

FEATURES = kernel.FEATURES
# A list of references is looked for in texts of at least LONG tokens, in their later part.
LONG = 1500
REFERENCES_AFTER = 0.4
REFERENCE_HEADINGS = ("refer", "bibliographi")
BESIDE_REFERENCES = {"cite", "further", "list", "literatur", "note", "read", "select"}  # in the same heading
HEADING_TOKENS = 4
# Beyond this number all words are dropped and looked up anew.
MOST_WORDS = 50_000


def features(candidates: Candidates, shapes: Shapes, background: Background) -> "array[float]":
    """Return the rows of all candidates, one after the other."""
    return Features(candidates, shapes, background).some(0, len(candidates))


class Features:
    """The features of the candidates of a text. Rows are made when they are asked for: a long text has millions.

    Rows are zeros for what stands in the list of references only. `classes` are the `word_classes`, where the caller
    has them.
    """

    def __init__(
        self, candidates: Candidates, shapes: Shapes, background: Background, classes: "array[int] | None" = None
    ) -> None:
        text, documents = candidates.analysis, background.documents
        places = (candidates.first, candidates.start, candidates.end)
        frequencies = word_frequencies(text.language)
        listed = bool(frequencies)
        line, heading = layout.lines(text.text, text.start, text.end, text.sentences)
        body = body_end(text, line)
        title = layout.title_end(line, text.sentences, body)
        hashes = hashing.stem_hashes(text.stems)
        counts = word_features.counts(text.stem, text.kind, len(text.stems), title, body)
        lender = known_words(background, frequencies)
        words_so_far = lender.borrow()
        words = words_so_far.look_up(hashes, counts[0])
        lender.give_back(words_so_far)
        table = background.phrases
        df, chosen = hashing.phrase_counts(
            *places, text.stem, hashes, table.fingerprints, *(table.columns[name] for name in PHRASE_COLUMNS)
        )
        idf = _rarities(documents)
        most = word_features.most_frequent(places[0], places[2], body, df, idf, documents > 0)
        classes = classes or word_classes(text)
        same = kernel.document(classes, len(text.sentences), len(candidates), title, body, documents, listed)
        numbers = layout.sentence_numbers(text.sentences, len(text))
        self._count = len(candidates)
        self._places = (
            text.text, *places, text.start, text.kind, classes, numbers, line, heading, title, body, LONGEST,
            shapes.odds, shapes.known, same,
        )  # fmt: skip
        self._words = (
            text.text, *places, text.start, text.end, text.kind, text.stem, body, *counts,
            *word_features.logarithms(counts[0], body), *words, df, chosen, DECODED, idf, most, documents, listed,
        )  # fmt: skip
        runs = kernel.runs(*places, len(text), LONGEST)
        self._containment = (*places, body, LONGEST, *runs, chosen, DECODED)

    def __len__(self) -> int:
        return self._count

    def some(self, begin: int, end: int) -> "array[float]":
        """Return the rows of the candidates `begin` to `end` (exclusive), one after the other."""
        rows = array("f", bytes(4 * len(FEATURES) * (end - begin)))
        occurs = kernel.places(*self._places, begin, end, rows)
        word_features.words(*self._words, begin, occurs, rows)
        kernel.containment(*self._containment, begin, occurs, rows)
        return rows


def text_bounds(analysis: Analysis) -> tuple[int, int]:
    """Return the tokens at which the title ends, and the text before a list of references."""
    line, _ = layout.lines(analysis.text, analysis.start, analysis.end, analysis.sentences)
    body = body_end(analysis, line)
    return layout.title_end(line, analysis.sentences, body), body


def body_end(analysis: Analysis, line: "array[int]") -> int:
    """Return the token at which a list of references begins, or the number of tokens."""
    count = len(analysis)
    if count < LONG:
        return count
    wanted = {analysis.stems.index(stem) for stem in REFERENCE_HEADINGS if stem in analysis.stems}
    if not wanted:
        return count
    i = count
    while (i := layout.last_place(analysis.stem, min(wanted), max(wanted), i, int(count * REFERENCES_AFTER))) >= 0:
        # A line that goes on beyond a heading's length is none, however long it is.
        first = last = i
        while first > 0 and line[first - 1] == line[i] and last - first < HEADING_TOKENS:
            first -= 1
        while last + 1 < count and line[last + 1] == line[i] and last - first < HEADING_TOKENS:
            last += 1
        ended = analysis.text[analysis.end[last] - 1] in ".,"
        if last - first < HEADING_TOKENS and not ended and _heads_references(analysis, range(first, last + 1), wanted):
            return first
    return count


def _heads_references(analysis: Analysis, line: range, wanted: set[int]) -> bool:
    """Return whether a line is a heading of references, not one such as `4. Reference implementation`."""
    return all(
        analysis.stem[i] in wanted
        or not analysis.kind[i] & WORD
        or analysis.kind[i] & STOPWORD
        or analysis.stems[analysis.stem[i]] in BESIDE_REFERENCES
        for i in line
    )


@lru_cache(maxsize=32)
def _rarities(documents: int) -> "array[float]":
    """Return how rare a phrase is for each code of its number of documents."""
    found: array[float] = word_features.rarities(DECODED, documents)
    return found


class KnownWords:
    """The words of the tables that were met so far: their row of `word_features.word_statistics` and their vectors, by
    number. Words that no table has are all number 0, so that odd ones take no room.

    Belongs to one extraction at a time (`lender.py`).
    """

    def __init__(self, background: Background, frequencies: WordFrequencies) -> None:
        self.known = hashing.Remembered()
        self.statistics = array("d")
        self.vectors = array("f")
        self._background = background
        self._frequencies = frequencies
        self._add(array("i", [-1]), array("i", [-1]), array("i", [-1]))

    def look_up(self, hashes: "array[int]", counts: "array[int]") -> "tuple[array[float], array[int], array[float]]":
        """Return how close each word is to the theme of a text in which words have these `counts`, its row in what
        comes third, and the rows."""
        number, missing = self.known.look_up(hashes)
        if missing:
            self._find(missing)
            number, _ = self.known.look_up(hashes)
        closeness = word_features.themes(
            self.vectors, self._background.vectors.dimensions, number, counts, self.statistics
        )
        return closeness, *word_features.gathered(number, self.statistics)

    def _find(self, hashes: "array[int]") -> None:
        """Add those of the words that some table has."""
        places = hashing.find(hashes, self._background.words.fingerprints)
        listed = hashing.find(hashes, self._frequencies.fingerprints)
        vectors = hashing.find(hashes, self._background.vectors.fingerprints)
        self._add(*self.known.add(hashes, places, listed, vectors))

    def _add(self, places: "array[int]", listed: "array[int]", vectors: "array[int]") -> None:
        table, found = self._background.words, self._background.vectors
        columns = [table.columns[name] for name in WORD_COLUMNS]
        rarity = (listed, self._frequencies.rarity, SCALE)
        documents = self._background.documents
        self.statistics.extend(word_features.word_statistics(places, *columns, DECODED, documents, *rarity))
        self.vectors.extend(hashing.gather_vectors(vectors, found.numbers, found.dimensions))


@lru_cache(maxsize=32)
def known_words(background: Background, frequencies: WordFrequencies) -> "Lender[KnownWords]":
    """Return the lender of the words that were looked up in these tables so far."""
    return Lender(partial(KnownWords, background, frequencies), _is_full)


def _is_full(words: KnownWords) -> bool:
    return len(words.known) > MOST_WORDS
