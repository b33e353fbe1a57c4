"""Consensus: our own method for sets, the default.

Each document is read by an extractor of single documents: `method`, or by default the learned model in several styles
(`Panel`; `style` is `general` or `news`), or the encoder in these styles. A phrase then scores

    best score in any document  *  support ** a  *  specificity ** b

where support is the mean share of the set's documents that hold its words, and specificity how rare its words are in
a background collection (the mean inverse document frequency, 1 for a word never seen). Scores of extractors that
give probabilities (`scale`) are compared as they are, those of others by rank. In large sets a phrase must have been
found in several documents: in log10 of their number.

Wordings of one thing are consolidated (`concepts.py`; on request by meaning as well). Phrases are then
taken one by one; what repeats words that were taken before loses by `diversity`, and of phrases that hold each other's
words only one is taken: the better, or the longer if it scores at least `longer` times as much.

Parameters were chosen on sets made of other corpora, none of them MK-DUC-01; see `docs/evidence/sets.md`.
"""

import heapq
import math
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import Annotated, ClassVar
from zlib import crc32

from phrasemill.errors import ConfigError, UnknownName
from phrasemill.methods.learned.model import model_for, shipped_model
from phrasemill.methods.parameters import at_least, positive_share, share
from phrasemill.methods.styles import AUTHOR, EVERYDAY, GENERAL, INDEXER, NEWS, READER
from phrasemill.ranker import Ranker, build
from phrasemill.select import Selection
from phrasemill.sets.concepts import consolidate, merge_similar, tally
from phrasemill.sets.merge import document_frequencies, holders, phrase_score
from phrasemill.sets.reading import ReadDocument, Word, find, parts_of
from phrasemill.sets.results import ChosenPhrase, SetMethod
from phrasemill.specs import AtMost, OneOf
from phrasemill.statistics import load_frequencies
from phrasemill.text.analyse import analyse
from phrasemill.types import Analysis, Candidates, Method

LEARNED = "learned"
BY = ("encoder", LEARNED)
# Chosen on sets made of other corpora (docs/evidence/sets.md); GENERAL recognises which of them a text needs.
SCIENCE = "science"
PANELS = {
    SCIENCE: (AUTHOR, INDEXER, READER),
    NEWS: (INDEXER, NEWS),
}
CHOICES = (GENERAL, NEWS)
# Phrases that take part in consolidation: FOR_EACH for each that is wanted, at least LEAST; ALL where all are wanted.
FOR_EACH = 20
LEAST = 600
ALL = 5000
WORDS_KEPT = 200_000  # whose rarity is remembered
CLUSTERS = ("meaning", "wordings")
ALIKE = 0.8  # chosen on sets made of training data: docs/evidence/meaning.md
# `support` and `longer` by style: in news, what documents share counts for more, and longer phrases are liked better.
# Sets of `general` style whose documents are mostly prose count as news; SAMPLE of them are looked at.
BY_STYLE = {GENERAL: (1.0, 0.9), NEWS: (2.0, 0.5)}
SAMPLE = 20


@dataclass(frozen=True, slots=True, repr=False)
class Panel(Ranker):
    """A model in several styles at once: how likely a phrase is a keyphrase, whoever chooses.

    Who will read a set is not known. The score is the geometric mean of the probabilities in several styles: a phrase
    must be plausible in all of them. Which styles depends on the kind of each text, which is recognised. Of `learned`,
    the features are worked out once; `encoder` reads a text once for each style.
    """

    name: ClassVar[str] = "panel"
    scale: ClassVar[str] = "probability"

    style: str = GENERAL
    by: str = LEARNED

    def __post_init__(self) -> None:
        if self.style not in CHOICES:
            raise UnknownName("style", self.style, CHOICES)
        if self.by not in BY:
            raise UnknownName("by", self.by, BY)

    def propose(self, analysis: Analysis) -> Candidates:
        return model_for(analysis.language).shapes.propose(analysis)

    def score(self, candidates: Candidates) -> "array[float]":
        analysis = candidates.analysis
        # In English the styles of the text's kind judge it, elsewhere the recognised one.
        styles: Sequence[str] = (GENERAL,)
        if analysis.language == shipped_model().language:
            styles = PANELS[NEWS if self.style == NEWS or share_of_prose(analysis) >= 0.5 else SCIENCE]
        columns: list[Sequence[float]]
        if self.by == LEARNED:
            model = model_for(analysis.language)
            rows = model.rows(candidates)
            columns = [model.trees.probabilities(rows, model.mixture(analysis, style)) for style in styles]
        else:
            members = [build(f"{self.by}(style={style!r})") for style in styles]
            columns = [member.score(candidates) for member in members if isinstance(member, Ranker)]
        share = 1 / len(columns)
        return array("d", [math.prod(column) ** share for column in zip(*columns, strict=True)])


def share_of_prose(analysis: Analysis) -> float:
    """Return how likely a text is news or everyday prose rather than science."""
    kinds = model_for(analysis.language).mixture(analysis, GENERAL)
    return kinds.get(NEWS, 0.0) + kinds.get(EVERYDAY, 0.0)


@dataclass(frozen=True, slots=True, repr=False)
class Consensus(SetMethod):
    """Rank phrases by how many documents support them, how specific they are, and their best score; merge wordings.

    - `method`: the method that finds the phrases of each document; by default the learned model.
    - `style`: the style of the learned model.
    - `by`: the model that reads the documents if there is no `method`: `learned`, or `encoder`, which is much slower.
    - `keep`: how many phrases of each document count.
    - `support`: the exponent of the share of documents.
    - `specificity`: the exponent of the specificity.
    - `longer`: a longer phrase replaces a shorter one if it scores at least this many times as much.
    - `diversity`: how much score a phrase loses for repeating words of earlier ones.
    - `clusters`: `wordings`, or `meaning` to also merge phrases with similar embeddings.
    - `alike`: with `clusters='meaning'`, the lowest cosine at which phrases are merged.
    - `model`: with `clusters='meaning'`, the folder of another encoder.
    """

    name: ClassVar[str] = "consensus"
    paper: ClassVar[str] = ""

    method: Method | str | None = None
    style: str = GENERAL
    by: Annotated[str, OneOf("encoder", "learned")] = LEARNED
    keep: Annotated[int, AtMost(1_000)] = 15
    support: Annotated[float | None, AtMost(1_000)] = None
    specificity: Annotated[float, AtMost(1_000)] = 0.25
    longer: Annotated[float | None, AtMost(1_000)] = None
    diversity: Annotated[float, AtMost(1)] = 0.2
    clusters: Annotated[str, OneOf("meaning", "wordings")] = "wordings"
    alike: Annotated[float | None, AtMost(1)] = None
    model: str | None = None

    def __post_init__(self) -> None:
        at_least(1, keep=self.keep)
        at_least(0, support=self.support or 0, specificity=self.specificity, longer=self.longer or 0)
        share(diversity=self.diversity)
        if self.clusters not in CLUSTERS:
            raise UnknownName("clusters", str(self.clusters), CLUSTERS)
        if self.clusters != "meaning" and (self.alike, self.model) != (None, None):
            raise ConfigError("alike and model require clusters='meaning'")
        if self.alike is not None:
            positive_share(alike=self.alike)
        Panel(self.style, self.by)
        if self.method is not None:
            if self.by != LEARNED:
                raise ConfigError("by chooses the model that reads where there is no method; leave out one of the two")
            object.__setattr__(self, "method", build(self.method))

    def extractor(self, language: str) -> Method:
        return Panel(self.style, self.by) if self.method is None else build(self.method)

    def choose(self, readings: Sequence[ReadDocument], wanted: int | None, counting: Selection) -> list[ChosenPhrase]:
        comparable = all(
            getattr(self.extractor(language), "scale", "any") == "probability"
            for language in {reading.language for reading in readings}
        )
        least = math.floor(math.log10(len(readings))) if readings else 0
        tallies = {f: one for f, one in tally(readings, comparable=comparable).items() if one.documents >= least}
        support, longer = BY_STYLE[self._style(readings)]
        support = support if self.support is None else self.support
        supported = document_frequencies(reading.content_words for reading in readings)
        scores = {
            form: one.best
            * phrase_score(form, supported) ** support
            * (sum([_rarity(word) for word in form]) / len(form)) ** self.specificity
            for form, one in tallies.items()
        }
        most = ALL if wanted is None else max(LEAST, FOR_EACH * wanted)
        pool = {form: scores[form] for form in sorted(scores, key=lambda form: -scores[form])[:most]}
        concepts = consolidate(pool, tallies, find(pool, readings), readings)
        if self.clusters == "meaning":
            concepts = merge_similar(concepts, alike=ALIKE if self.alike is None else self.alike, model=self.model)
        longer = longer if self.longer is None else self.longer
        return list(_spread(concepts, wanted, diversity=self.diversity, longer=longer))

    def _style(self, readings: Sequence[ReadDocument]) -> str:
        """Return the style of a set: the given one, or what most of its documents are, whatever their order."""
        if self.style != GENERAL or self.method is not None or not readings:
            return self.style
        some = readings
        if len(readings) > SAMPLE:
            some = sorted(readings, key=lambda one: crc32(one.text.encode("utf-8", "surrogatepass")))[:SAMPLE]
        prose = sum(share_of_prose(analyse(one.text, language=one.language)) for one in some)
        return NEWS if 2 * prose >= len(some) else GENERAL


@lru_cache(WORDS_KEPT)
def _rarity(word: Word) -> float:
    """Return how rare a word is in the background: 1 for one never seen there, near 0 for one in every text; 1 where
    there is no background in the language."""
    table = load_frequencies()
    return table.idf(word.stem) / math.log(table.documents + 1) if table.language == word.language else 1.0


def _spread(
    concepts: Sequence[ChosenPhrase], wanted: int | None, *, diversity: float, longer: float
) -> Iterator[ChosenPhrase]:
    """Yield the concepts one by one, each worth less for every word that was taken before it."""
    bags = [frozenset(parts_of(concept.forms[0])) for concept in concepts]
    heads = [concept.forms[0][-1] for concept in concepts]
    having = holders(dict(enumerate(bags)))
    left = set(range(len(concepts)))
    heap = [(-concept.score, i) for i, concept in enumerate(concepts)]
    heapq.heapify(heap)
    covered: set[Word] = set()
    count = 0
    while heap and (wanted is None or count < wanted):
        value, i = heapq.heappop(heap)
        if i not in left:
            continue
        score = concepts[i].score
        now = score * (1 - diversity * len(bags[i] & covered) / len(bags[i]))
        # Words taken since then may have made it worth less; nothing ever becomes worth more.
        if -now > value and heap and -now > heap[0][0]:
            heapq.heappush(heap, (-now, i))
            continue
        rarest = min([having[word] for word in bags[i]], key=len)
        longest = [j for j in rarest if j in left and bags[i] < bags[j] and concepts[j].score >= longer * score]
        best = max(longest, key=lambda j: (concepts[j].score, -j), default=i)
        near = sorted(left.intersection(j for word in bags[best] for j in having[word]))
        closed = [j for j in near if bags[j] <= bags[best] or bags[best] <= bags[j]]
        left.difference_update(closed)
        covered |= bags[best]
        count += 1
        # A head of one word (`test`) is more general than the phrases that end with it.
        alike = [j for j in closed if j != best and heads[j] == heads[best] and len(bags[j] & bags[best]) > 1]
        taken = reduce(ChosenPhrase.joined, [concepts[j] for j in (best, *alike)])
        yield taken._replace(score=now, names=taken.names if len(taken.forms) > 1 else frozenset())
