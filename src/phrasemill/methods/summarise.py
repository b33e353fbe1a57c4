"""Summarise, then extract (Sheng, Gero and Ho, "PubMedAKE", CIKM 2022, section 3.3).

The document is summarised, and another method, MultipartiteRank as in the paper, finds the keyphrases of the summary.
Phrases that the document has come back with all their places in the document; scores are those of the method inside.

The paper's summaries, of 50 to 200 words, are a neural model's. Here they are made of the document's own sentences, so
that every phrase is present, by MEAD (Radev, Jing, Styś and Tam, "Centroid-based summarization of multiple documents",
Information Processing and Management 40, 2004). The centroid of a text is its words with a high count times inverse
document frequency. A sentence scores the sum of the centroid's values of its words; plus, for its position, as much as
the best sentence has for the first of all, falling evenly to the last; plus the words that it shares with the first
sentence, which is the title where there is one. The best are read in the order of the text.

MEAD is about clusters of documents. For one document the centroid keeps the words above the text's mean, and nothing is
taken off for sentences that repeat others; inverse document frequencies are those that `tfidf` has, and 1 in other
languages than English; sentences that would exceed the limit are passed over for shorter ones.
"""

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from phrasemill.errors import ConfigError
from phrasemill.methods.multipartiterank import MultipartiteRank
from phrasemill.methods.parameters import positive_share
from phrasemill.methods.phrase_matching import ground, phrases_of
from phrasemill.ranker import Ranked, Ranker, build
from phrasemill.specs import AtMost
from phrasemill.statistics import load_frequencies
from phrasemill.text.analyse import sentence_bounds
from phrasemill.types import NO_PLACES, NUMBER, STOPWORD, WORD, Analysis, Evidence, Method, Places

PAPERS_METHOD = MultipartiteRank()
Bag = Mapping[int, int]


@dataclass(frozen=True, slots=True, repr=False)
class Summarise(Ranker):
    """Run another method on a summary of the text: its best sentences.

    - `method`: the method to run.
    - `shortest`: the fewest words in the summary.
    - `longest`: the most words in the summary.
    - `share`: the share of the text's words in the summary, within these limits.
    """

    name: ClassVar[str] = "summarise"
    paper: ClassVar[str] = "Sheng et al., 2022"
    needs: ClassVar[str] = "English"
    absent: ClassVar[Evidence] = Evidence("summary", "stands in the summary, not in the text", 0.0)

    method: Method | str = PAPERS_METHOD
    shortest: Annotated[int, AtMost(10_000)] = 50
    longest: Annotated[int, AtMost(10_000)] = 200
    share: Annotated[float, AtMost(1)] = 0.5

    def __post_init__(self) -> None:
        object.__setattr__(self, "method", build(self.method))
        if not 1 <= self.shortest <= self.longest:
            raise ConfigError(f"shortest must be from 1 to longest, got {self.shortest} and {self.longest}")
        positive_share(share=self.share)

    @property
    def reads_tags(self) -> bool:  # type: ignore[override]
        return bool(getattr(self.method, "reads_tags", True))

    @property
    def redundancy(self) -> str:  # type: ignore[override]
        return str(getattr(self.method, "redundancy", "none"))

    def summary(self, analysis: Analysis) -> Analysis:
        """Return what the other method reads; its phrases that the text lacks are absent."""
        words = sum([1 for kind in analysis.kind if kind & (WORD | NUMBER)])
        return best_sentences(analysis, most=min(max(int(self.share * words), self.shortest), self.longest))

    def ranked(self, analysis: Analysis, extra: Places = NO_PLACES) -> Ranked:
        summary = self.summary(analysis)
        found = build(self.method).extract(summary, top=None, redundancy="none")
        return Ranked(*ground(phrases_of(found, summary), analysis))


def best_sentences(analysis: Analysis, *, most: int) -> Analysis:
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
    table, idfs = load_frequencies(), [1.0] * len(counts)
    if table.language == analysis.language:
        idfs = table.idfs([analysis.stems[stem] for stem in counts])
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
