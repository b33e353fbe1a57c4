"""Features: what is known of each candidate of one document, as a row of numbers."""

from array import array

from phrasemill.kernels import features as kernel
from phrasemill.kernels import hashing, layout
from phrasemill.methods.learned.background import Background, phrase_keys
from phrasemill.methods.learned.shapes import LONGEST, Shapes, word_classes
from phrasemill.methods.learned.words import words_of
from phrasemill.types import Analysis, Candidates

FEATURES = kernel.FEATURES
# A list of references is looked for in texts of at least so many tokens, in their later part.
LONG = 1500
REFERENCES_AFTER = 0.4
REFERENCE_HEADINGS = ("refer", "bibliographi")
HEADING_TOKENS = 4


def features(candidates: Candidates, shapes: Shapes, background: Background) -> "array[float]":
    """The rows of all candidates, one after the other; zeros for what stands in the list of references only."""
    text = candidates.analysis
    places = (candidates.first, candidates.start, candidates.end)
    lender = words_of(background)
    known_words = lender.borrow()
    number = known_words.numbers(list(text.stems))
    df, chosen = background.phrases.look_up(phrase_keys(candidates, hashing.hashes_of(number, known_words.hashes)))
    line, heading = layout.lines(text.text, text.start, text.end)
    body = body_end(text, line)
    title = layout.title_end(line, text.sentences, body)
    rows = array("f", bytes(4 * len(FEATURES) * len(candidates)))
    tokens = (word_classes(text), layout.sentence_numbers(text.sentences, len(text)), line, heading, title, body)
    occurs = kernel.places(text.text, *places, text.start, text.kind, *tokens, LONGEST, shapes.odds, shapes.known, rows)
    words = (text.start, text.end, text.kind, text.stem, title, body)
    vectors = (known_words.vectors, background.vectors.dimensions)
    known = (df, chosen, number, known_words.statistics, background.documents, *vectors)
    kernel.words(text.text, *places, *words, occurs, *known, rows)
    lender.give_back(known_words)
    kernel.containment(*places, len(text), LONGEST, occurs, chosen, rows)
    kernel.document(occurs, title, body, background.documents, rows)
    return rows


def text_bounds(analysis: Analysis) -> tuple[int, int]:
    """The tokens at which the title ends, and the text before a list of references."""
    line, _ = layout.lines(analysis.text, analysis.start, analysis.end)
    body = body_end(analysis, line)
    return layout.title_end(line, analysis.sentences, body), body


def body_end(analysis: Analysis, line: "array[int]") -> int:
    """The token at which a list of references begins, or the number of tokens."""
    count = len(analysis)
    if count < LONG:
        return count
    wanted = {analysis.stems.index(stem) for stem in REFERENCE_HEADINGS if stem in analysis.stems}
    if not wanted:
        return count
    for i in range(count - 1, int(count * REFERENCES_AFTER), -1):
        if analysis.stem[i] in wanted:
            # A line that goes on beyond a heading's length is none, however long it is.
            first = last = i
            while first > 0 and line[first - 1] == line[i] and last - first < HEADING_TOKENS:
                first -= 1
            while last + 1 < count and line[last + 1] == line[i] and last - first < HEADING_TOKENS:
                last += 1
            if last - first < HEADING_TOKENS and analysis.text[analysis.end[last] - 1] not in ".,":
                return first
    return count
