"""Features: what is known of each candidate of one document, as a row of numbers."""

from array import array

from phrasemill.kernels import features as kernel
from phrasemill.kernels import hashing
from phrasemill.ranking.background import Background, phrase_keys
from phrasemill.ranking.shapes import LONGEST, Shapes, word_classes
from phrasemill.types import Analysis, Candidates

FEATURES = kernel.FEATURES
# A list of references is looked for in texts of at least so many tokens, in their later part.
LONG = 1500
REFERENCES_AFTER = 0.4
REFERENCE_HEADINGS = ("refer", "bibliographi")
HEADING_TOKENS = 4


def features(candidates: Candidates, shapes: Shapes, background: Background) -> "array[float]":
    """The rows of all candidates, one after the other; zeros for what stands in the list of references only."""
    analysis = candidates.analysis
    stem_hashes = hashing.stem_hashes(list(analysis.stems))
    phrase_df, phrase_chosen = background.phrases.look_up(phrase_keys(candidates, stem_hashes))
    word_df, word_chosen, word_head, word_first = background.words.look_up(stem_hashes)
    vectors = background.vectors.look_up(stem_hashes)
    line, heading = kernel.lines(analysis.text, analysis.start, analysis.end)
    body = body_end(analysis, line)
    rows = array("f", bytes(4 * len(FEATURES) * len(candidates)))
    kernel.table(
        analysis.text,
        candidates.first,
        candidates.start,
        candidates.end,
        analysis.start,
        analysis.end,
        analysis.kind,
        analysis.stem,
        word_classes(analysis),
        analysis.sentences,
        line,
        heading,
        body,
        LONGEST,
        shapes.odds,
        shapes.known,
        phrase_df,
        phrase_chosen,
        word_df,
        word_chosen,
        word_head,
        word_first,
        background.documents,
        vectors,
        background.vectors.dimensions,
        rows,
    )
    return rows


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
            first = i
            while first > 0 and line[first - 1] == line[i]:
                first -= 1
            last = i
            while last + 1 < count and line[last + 1] == line[i]:
                last += 1
            if last - first < HEADING_TOKENS and analysis.text[analysis.end[last] - 1] not in ".,":
                return first
    return count
