"""Features: one row of numbers for each candidate of one document."""

from array import array
from functools import lru_cache, partial

from phrasemill.kernels import columns, hashing, layout, word_features
from phrasemill.kernels import features as kernel
from phrasemill.lender import Lender
from phrasemill.methods.learned.background import DECODED, PHRASE_COLUMNS, UNKNOWN, WORD_COLUMNS, Background
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
# Beyond this number all words are dropped and looked up anew, so that a stream of odd words cannot fill memory.
MOST_WORDS = 50_000


def features(
    candidates: Candidates, shapes: Shapes, background: Background, classes: "array[int] | None" = None
) -> "array[float]":
    """Return the rows of all candidates, one after the other; zeros for what stands in the list of references only.

    `classes` are the `word_classes`, where the caller has them.
    """
    text = candidates.analysis
    places = (candidates.first, candidates.start, candidates.end)
    frequencies = word_frequencies(text.language)
    lender = known_words(background, frequencies)
    words_so_far = lender.borrow()
    number = words_so_far.numbers(list(text.stems))
    table = background.phrases
    tables = (table.fingerprints, *(table.columns[name] for name in PHRASE_COLUMNS), DECODED, UNKNOWN)
    df, chosen = hashing.phrase_counts(*places, text.stem, number, words_so_far.hashes, *tables)
    line, heading = layout.lines(text.text, text.start, text.end, text.sentences)
    body = body_end(text, line)
    title = layout.title_end(line, text.sentences, body)
    rows = array("f", bytes(4 * len(FEATURES) * len(candidates)))
    classes, listed = classes or word_classes(text), bool(frequencies)
    tokens = (classes, layout.sentence_numbers(text.sentences, len(text)), line, heading, title, body)
    occurs = kernel.places(text.text, *places, text.start, text.kind, *tokens, LONGEST, shapes.odds, shapes.known, rows)
    words = (text.start, text.end, text.kind, text.stem, title, body)
    vectors = (words_so_far.vectors, background.vectors.dimensions)
    known = (df, chosen, number, words_so_far.statistics, background.documents, *vectors, listed)
    word_features.words(text.text, *places, *words, occurs, *known, rows)
    lender.give_back(words_so_far)
    kernel.containment(*places, len(text), LONGEST, occurs, chosen, rows)
    kernel.document(occurs, classes, len(text.sentences), title, body, background.documents, listed, rows)
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


class KnownWords:
    """The words met so far, by number: their hashes, their row of `word_features.word_statistics` and their vectors.

    Belongs to one extraction at a time (`lender.py`).
    """

    def __init__(self, background: Background, frequencies: WordFrequencies) -> None:
        self.known: dict[str, int] = {}
        self.hashes = array("Q")
        self.statistics = array("d")
        self.vectors = array("f")
        self._background = background
        self._frequencies = frequencies

    def numbers(self, stems: list[str]) -> "array[int]":
        """Return the number of each of the words."""
        found, missing = columns.numbers(stems, self.known)
        if missing:
            self._add(missing)
            found, _ = columns.numbers(stems, self.known)
        return found

    def _add(self, stems: list[str]) -> None:
        fresh = list(dict.fromkeys(stems))
        hashes = hashing.stem_hashes(fresh)
        table, documents = self._background.words, self._background.documents
        places = hashing.find(hashes, table.fingerprints)
        counts = [table.columns[name] for name in WORD_COLUMNS]
        listed = hashing.find(hashes, self._frequencies.fingerprints)
        rarity = (listed, self._frequencies.rarity, SCALE)
        self.statistics.extend(word_features.word_statistics(places, *counts, DECODED, documents, *rarity))
        self.vectors.extend(self._background.vectors.look_up(hashes))
        self.hashes.extend(hashes)
        self.known.update(zip(fresh, range(len(self.known), len(self.known) + len(fresh)), strict=True))


@lru_cache(maxsize=32)
def known_words(background: Background, frequencies: WordFrequencies) -> "Lender[KnownWords]":
    """Return the lender of the words that were looked up in these tables so far."""
    return Lender(partial(KnownWords, background, frequencies), _is_full)


def _is_full(words: KnownWords) -> bool:
    return len(words.known) > MOST_WORDS
