"""Phrases that came from elsewhere (a summary, a generator), matched to the text as its candidates.

A phrase is present where its stems stand in a row within a sentence; where they do not, hyphens and slashes are read
as spaces (`real time` is in `a real-time system`). It has every place where it occurs, in the wording of the text. A
phrase that the text lacks is written below a copy of the text (`Candidates.absent`), so that limits, exclusion,
redundancy and vocabularies treat both alike.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from phrasemill.select import word_parts
from phrasemill.text.analyse import analyse, sentence_bounds
from phrasemill.types import Analysis, Candidates, Keyphrase

Place = tuple[int, int]


class Phrase(NamedTuple):
    """A phrase from elsewhere: its stems, its wording and its score."""

    stems: tuple[str, ...]
    text: str
    score: float


def phrase(text: str, score: float, language: str) -> Phrase:
    """Return a phrase with the stems that it has when analysed alone."""
    line = " ".join(text.split())
    analysis = analyse(line, language=language, tag=False)
    return Phrase(tuple([analysis.stems[stem] for stem in analysis.stem]), line, score)


def phrases_of(keyphrases: Iterable[Keyphrase], analysis: Analysis) -> Iterator[Phrase]:
    """Yield the keyphrases of an analysed text; the stems of those that occur in it are the ones they have there."""
    for one in keyphrases:
        if not one.spans:
            yield phrase(one.text, one.score, analysis.language)
            continue
        first, last = (bisect_left(analysis.start, place) for place in one.spans[0])
        yield Phrase(tuple([analysis.stems[stem] for stem in analysis.stem[first:last]]), one.text, one.score)


def ground(phrases: Iterable[Phrase], analysis: Analysis) -> "tuple[Candidates, array[float]]":
    """Return the phrases as candidates with their scores, in order, without those that repeat an earlier one.

    The candidates belong to an analysis that is longer than the one given if a phrase is absent.
    """
    text = _Row(analysis)
    seen: set[tuple[str, ...]] = set()
    kept: list[tuple[Phrase, list[Place]]] = []
    for one in phrases:
        places = text.find(one)
        stems = text.stems(*places[0]) if places else one.stems
        if stems not in seen and any(map(_has_word, stems)):
            seen.add(stems)
            kept.append((one, places))
    whole = _with(analysis, [one.text for one, places in kept if not places])
    first, start, end = array("i", [0]), array("i"), array("i")
    below = iter(sentence_bounds(whole)[len(analysis.sentences) :])
    for _, places in kept:
        for begin, stop in places or [next(below)]:
            start.append(begin)
            end.append(stop)
        first.append(len(start))
    return Candidates(whole, first, start, end, len(analysis)), array("d", [one.score for one, _ in kept])


def in_text(phrases: Iterable[Phrase], analysis: Analysis) -> list[bool]:
    """Return for each phrase whether the text contains it."""
    text = _Row(analysis)
    return [bool(text.find(one)) for one in phrases]


class _Row:
    """The tokens of a text, to be looked up by what they begin with."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis
        self._where: list[list[int]] = [[] for _ in analysis.stems]
        for i, stem in enumerate(analysis.stem):
            self._where[stem].append(i)
        self._number = {stem: number for number, stem in enumerate(analysis.stems)}
        self._sentence = [number for number, place in enumerate(sentence_bounds(analysis)) for _ in range(*place)]
        self._parts: _Parts | None = None

    def stems(self, begin: int, stop: int) -> tuple[str, ...]:
        return tuple([self._analysis.stems[stem] for stem in self._analysis.stem[begin:stop]])

    def find(self, one: Phrase) -> list[Place]:
        """Return every place of a phrase, all of one form; in parts where it is not there as a whole."""
        wanted = [self._number.get(stem, -1) for stem in one.stems]
        if wanted and -1 not in wanted:
            column, length = array("i", wanted), len(wanted)
            stem = self._analysis.stem
            places = [(i, i + length) for i in self._where[wanted[0]] if stem[i : i + length] == column]
            places = [place for place in places if self._in_one_sentence(place)]
            if places:
                return places
        if self._parts is None:
            self._parts = _Parts(self._analysis)
        return self._one_form([place for place in self._parts.find(one) if self._in_one_sentence(place)])

    def _in_one_sentence(self, place: Place) -> bool:
        return self._sentence[place[0]] == self._sentence[place[1] - 1]

    def _one_form(self, places: list[Place]) -> list[Place]:
        """Return the places of the most frequent form among them, of the earliest on a tie."""
        forms: dict[tuple[str, ...], list[Place]] = {}
        for place in places:
            forms.setdefault(self.stems(*place), []).append(place)
        return max(forms.values(), key=len, default=[])


class _Parts:
    """The tokens of a text in parts at hyphens and slashes."""

    def __init__(self, analysis: Analysis) -> None:
        self._language = analysis.language
        self._row: list[str] = []
        self._token: list[int] = []
        self._where: dict[str, list[int]] = {}
        for i, parts in enumerate(_parts_of(analysis)):
            for part in parts:
                self._where.setdefault(part, []).append(len(self._row))
                self._row.append(part)
                self._token.append(i)

    def find(self, one: Phrase) -> Iterator[Place]:
        """Yield the places where the parts of a phrase make up whole tokens."""
        alone = analyse(one.text, language=self._language, tag=False)
        wanted = [part for parts in _parts_of(alone) for part in parts]
        length, token = len(wanted), self._token
        for i in self._where.get(wanted[0], ()) if wanted else ():
            if self._row[i : i + length] == wanted:
                whole = i == 0 or token[i - 1] != token[i]
                after = i + length
                if whole and (after == len(token) or token[after] != token[after - 1]):
                    yield token[i], token[after - 1] + 1


def _parts_of(analysis: Analysis) -> Iterator[Sequence[str]]:
    for word, stem in zip(analysis.word, analysis.stem, strict=True):
        spelt = analysis.words[word]
        parts = word_parts(spelt, analysis.language) if "-" in spelt or "/" in spelt else ()
        yield parts or (analysis.stems[stem],)


def _has_word(stem: str) -> bool:
    return any(map(str.isalpha, stem))


def _with(analysis: Analysis, phrases: Sequence[str]) -> Analysis:
    """Return the analysis of the text with each of `phrases` below it, as a sentence of its own."""
    if not phrases:
        return analysis
    words, stems = _Numbers(analysis.words), _Numbers(analysis.stems)
    start, end, sentences = analysis.start[:], analysis.end[:], analysis.sentences[:]
    kind, tag, word, stem = analysis.kind[:], analysis.tag[:], analysis.word[:], analysis.stem[:]
    size = len(analysis.text)
    for one in phrases:
        added = analyse(one, language=analysis.language, tag=False)
        size += 1
        start.extend([size + place for place in added.start])
        end.extend([size + place for place in added.end])
        kind.extend(added.kind)
        tag.extend([0] * len(added))
        word.extend([words.of(added.words[number]) for number in added.word])
        stem.extend([stems.of(added.stems[number]) for number in added.stem])
        sentences.append(len(start))
        size += len(one)
    text, columns = "\n".join([analysis.text, *phrases]), (start, end, kind, tag, word, stem, sentences)
    return Analysis(text, analysis.language, *columns, words.strings, stems.strings, analysis.tagset)


class _Numbers:
    """Strings with the number that each has."""

    def __init__(self, strings: Sequence[str]) -> None:
        self.strings = list(strings)
        self._number = {one: number for number, one in enumerate(strings)}

    def of(self, one: str) -> int:
        number = self._number.setdefault(one, len(self.strings))
        if number == len(self.strings):
            self.strings.append(one)
        return number
