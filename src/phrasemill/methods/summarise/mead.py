"""A summary made of the text's own sentences: MEAD (Radev, Jing, Styś and Tam, "Centroid-based summarization of
multiple documents", Information Processing and Management 40, 2004), for one document.

The centroid of a text is its words with a high count times inverse document frequency. A sentence scores the sum of
the centroid's values of its words; plus, for its position, as much as the best sentence has for the first of all,
falling evenly to the last; plus the words that it shares with the first sentence, which is the title where there is
one. The best are returned in the order of the text.

The paper is about clusters of documents. For one document the centroid keeps the words above the text's mean, and
nothing is taken off for sentences that repeat others; inverse document frequencies are those that `tfidf` has, and 1 in
other languages than English; sentences that would exceed the limit are passed over for shorter ones.
"""

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence

from phrasemill.statistics import load_frequencies
from phrasemill.text.analyse import sentence_bounds
from phrasemill.types import NUMBER, STOPWORD, WORD, Analysis

Bag = Mapping[int, int]


def summary(analysis: Analysis, *, most: int) -> Analysis:
    """Return the best sentences, of `most` words together, or the best one if even that is longer; the analysis has the
    tokens that they have in the whole text."""
    bounds = sentence_bounds(analysis)
    words = [sum([1 for i in range(*place) if analysis.kind[i] & (WORD | NUMBER)]) for place in bounds]
    if sum(words) <= most:
        return analysis
    scores = sentence_scores(analysis)
    best, *others = sorted(range(len(bounds)), key=lambda s: (-scores[s], s))
    chosen, room = [best], most - words[best]
    for s in others:
        if words[s] <= room:
            chosen.append(s)
            room -= words[s]
    return _only(analysis, [bounds[s] for s in sorted(chosen)])


def sentence_scores(analysis: Analysis) -> list[float]:
    """Return a score for each sentence of a text that has some."""
    bags, centroid = [_bag(analysis, *place) for place in sentence_bounds(analysis)], _centroid(analysis)
    central = [sum([times * centroid.get(stem, 0.0) for stem, times in bag.items()]) for bag in bags]
    highest, count = max(central), len(bags)
    return [
        central[s] + highest * (count - s) / count + sum([times * bags[0].get(stem, 0) for stem, times in bag.items()])
        for s, bag in enumerate(bags)
    ]


def _bag(analysis: Analysis, begin: int, end: int) -> Bag:
    """Return the stems of a sentence's content words, counted."""
    kind, stem = analysis.kind, analysis.stem
    return Counter([stem[i] for i in range(begin, end) if kind[i] & WORD and not kind[i] & STOPWORD])


def _centroid(analysis: Analysis) -> Mapping[int, float]:
    """Return count times inverse document frequency of the content words, those above the mean."""
    counts = _bag(analysis, 0, len(analysis))
    table = load_frequencies()
    if table.language == analysis.language:
        idfs = table.idfs([analysis.stems[stem] for stem in counts])
    else:
        idfs = [1.0] * len(counts)
    values = {stem: counts[stem] * idf for stem, idf in zip(counts, idfs, strict=True)}
    mean = sum(values.values()) / len(values) if values else 0.0
    return {stem: value for stem, value in values.items() if value >= mean}


def _only(analysis: Analysis, sentences: Sequence[tuple[int, int]]) -> Analysis:
    """Return these sentences as a text of their own, each with the space behind it."""
    start, end, ends = array("i"), array("i"), array("i")
    kept: list[int] = []
    parts: list[str] = []
    size = 0
    for first, last in sentences:
        begin = analysis.start[first]
        stop = analysis.start[last] if last < len(analysis) else len(analysis.text)
        start.extend([size + place - begin for place in analysis.start[first:last]])
        end.extend([size + place - begin for place in analysis.end[first:last]])
        kept += range(first, last)
        ends.append(len(kept))
        parts.append(analysis.text[begin:stop])
        size += stop - begin
    word, words = _numbered(analysis.word, analysis.words, kept)
    stem, stems = _numbered(analysis.stem, analysis.stems, kept)
    kind, tag = (array("B", [column[i] for i in kept]) for column in (analysis.kind, analysis.tag))
    columns = (start, end, kind, tag, word, stem, ends)
    return Analysis("".join(parts), analysis.language, *columns, words, stems, analysis.tagset)


def _numbered(column: "array[int]", strings: Sequence[str], kept: Sequence[int]) -> "tuple[array[int], list[str]]":
    """Return the kept entries, numbered anew by first occurrence."""
    number: dict[int, int] = {}
    values = array("i", [number.setdefault(column[i], len(number)) for i in kept])
    return values, [strings[old] for old in number]
