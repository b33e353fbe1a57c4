"""Where phrases stand in the documents of a set, by stem, and from that the results with all that supports them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from phrasemill.sets.forms import Form
from phrasemill.sets.read_documents import ReadDocument
from phrasemill.sets.results import Contrast, Mention, SetKeyphrase
from phrasemill.types import STOPWORD


class Occurrence(NamedTuple):
    """Tokens `first` to before `last` of reading number `reading`."""

    reading: int
    first: int
    last: int


class ChosenPhrase(NamedTuple):
    """A phrase to return: its wording, its score and all forms that count as mentions of it, the preferred one first.

    Those in `capital` are names, and count only where they begin with a capital letter. `contrast` is how two sets
    differ in the phrase, where they are compared.
    """

    text: str
    score: float
    forms: tuple[Form, ...]
    capital: frozenset[Form] = frozenset()
    contrast: Contrast | None = None


def find(forms: Iterable[Form], readings: Sequence[ReadDocument]) -> dict[Form, list[Occurrence]]:
    """Return every place at which the stems of each form stand in a row, with no stopword at either end, in documents
    in its language."""
    places: dict[Form, list[Occurrence]] = {form: [] for form in forms}
    by_first: dict[str, dict[str, list[tuple[tuple[str, ...], list[Occurrence]]]]] = {}
    for form, found in places.items():
        by_first.setdefault(form.language, {}).setdefault(form.stems[0], []).append((form.stems, found))
    for number, reading in enumerate(readings):
        stems, kind, beginning = reading.stems, reading.kind, by_first.get(reading.language, {})
        for i, stem in enumerate(stems):
            if stem not in beginning or kind[i] & STOPWORD:
                continue
            for words, found in beginning[stem]:
                last = i + len(words)
                if stems[i:last] == words and not kind[last - 1] & STOPWORD:
                    found.append(Occurrence(number, i, last))
    return places


def capitalised(places: Iterable[Occurrence], readings: Sequence[ReadDocument]) -> list[Occurrence]:
    """Return those of `places` that begin with a capital letter."""
    return [p for p in places if _initial(readings[p.reading], p.first).isupper()]


def _initial(reading: ReadDocument, token: int) -> str:
    document, at = reading.document, reading.start[token]
    if document.title and at > len(document.title):
        return document.text[at - len(document.title) - 1]
    return document.title[at] if document.title else document.text[at]


def places_of(
    one: ChosenPhrase, places: Mapping[Form, list[Occurrence]], readings: Sequence[ReadDocument]
) -> list[Occurrence]:
    """Return every place that mentions the phrase, in order, the longest first where several begin."""
    every = [
        place
        for form in one.forms
        for place in (capitalised(places[form], readings) if form in one.capital else places[form])
    ]
    return sorted(every, key=lambda p: (p.reading, p.first, p.first - p.last))


def results(chosen: Sequence[ChosenPhrase], readings: Sequence[ReadDocument]) -> list[SetKeyphrase]:
    """Return the chosen phrases with their wordings and the places that mention them.

    A phrase without any is left out: read in the wrong language, function words look like phrases.
    """
    places = find(dict.fromkeys(form for one in chosen for form in one.forms), readings)
    found = [_result(one, places, readings) for one in chosen]
    return [one for one in found if one.mentions]


def _result(
    one: ChosenPhrase, places: Mapping[Form, list[Occurrence]], readings: Sequence[ReadDocument]
) -> SetKeyphrase:
    wordings, preferred = Wordings(), Wordings()
    spans: dict[int, list[tuple[int, int]]] = {}
    own = set(places[one.forms[0]])
    contents: dict[int, str] = {}
    for place in places_of(one, places, readings):
        within = spans.setdefault(place.reading, [])
        if within and place.first < within[-1][1]:
            continue  # inside a longer wording of the same phrase
        within.append((place.first, place.last))
        reading = readings[place.reading]
        if place.reading not in contents:
            contents[place.reading] = reading.document.content
        for counted in (wordings, preferred) if place in own else (wordings,):
            counted.add(contents[place.reading], *reading.span(place.first, place.last))
    mentions = tuple(
        Mention(readings[number].document.id, tuple(readings[number].span(*bounds) for bounds in within))
        for number, within in spans.items()
    )
    text = next(iter(preferred.ranked()), one.text)
    variants = [text, *(other for other in wordings.ranked() if other != text)]
    return SetKeyphrase(text, one.score, tuple(variants), mentions, len(readings), one.contrast)


class Wordings:
    """How a phrase is written at the places that mention it, the capitals of headlines counted last."""

    def __init__(self) -> None:
        self._written: Counter[str] = Counter()
        self._in_capitals: Counter[str] = Counter()

    def add(self, content: str, start: int, end: int) -> None:
        text = " ".join(content[start:end].split())
        counts = self._in_capitals if in_capital_line(content, start, end) else self._written
        counts[text] += 1

    def ranked(self) -> list[str]:
        """Return the wordings, the most used first; those that occur in capitals only come last."""
        both = [text for text, _ in self._written.most_common()]
        return both + [text for text, _ in self._in_capitals.most_common() if text not in self._written]


def in_capital_line(content: str, start: int, end: int) -> bool:
    """Return whether a phrase is in capitals because its line is, as in a headline, and not because it is written so.

    Several words in capitals are a headline by themselves; one may be an acronym, unless the words around it are in
    capitals, too.
    """
    text = content[start:end]
    if not text.isupper():
        return False
    if len(text.split()) > 1:
        return True
    begin, stop = content.rfind("\n", 0, start) + 1, content.find("\n", end)
    line = content[begin:start] + " " + content[end : None if stop < 0 else stop]
    return line.isupper() and sum(character.isalpha() for character in line) > 1
