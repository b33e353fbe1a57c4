"""Where phrases stand in the documents of a set, and from that the results with all that supports them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from phrasemill.sets.method import ChosenPhrase
from phrasemill.sets.reading import NOTHING, Form, ReadDocument, Word
from phrasemill.sets.results import Mention, SetKeyphrase
from phrasemill.types import STOPWORD


class Place(NamedTuple):
    """Tokens `first` to before `last` of reading number `reading`."""

    reading: int
    first: int
    last: int


def find(forms: Iterable[Form], readings: Sequence[ReadDocument]) -> dict[Form, list[Place]]:
    """Return every place at which the words of each form stand in a row, with no stopword at either end."""
    places: dict[Form, list[Place]] = {form: [] for form in forms}
    beginning: dict[Word, list[tuple[Form, list[Place]]]] = {}
    for form, found in places.items():
        beginning.setdefault(form[0], []).append((form, found))
    for number, reading in enumerate(readings):
        tokens, kind = reading.tokens, reading.kind
        for i, word in enumerate(tokens):
            if word not in beginning or kind[i] & STOPWORD:
                continue
            for form, found in beginning[word]:
                last = i + len(form)
                if tokens[i:last] == form and not kind[last - 1] & STOPWORD:
                    found.append(Place(number, i, last))
    return places


def without(reading: ReadDocument, ranges: Iterable[tuple[int, int]]) -> ReadDocument:
    """Return a reading in which the tokens from one number up to another count for nothing."""
    tokens, text = list(reading.tokens), reading.text
    for first, last in ranges:
        if first < last:
            tokens[first:last] = [NOTHING] * (last - first)
            start, end = reading.span(first, last)
            text = text[:start] + " " * (end - start) + text[end:]
    left = replace(reading, tokens=tuple(tokens), text=text)
    places = find({phrase.form for phrase in reading.found}, [left])
    return replace(left, found=tuple([phrase for phrase in reading.found if places[phrase.form]]))


def capitalised(places: Iterable[Place], readings: Sequence[ReadDocument]) -> list[Place]:
    """Return those of `places` that begin with a capital letter."""
    return [p for p in places if readings[p.reading].content[readings[p.reading].start[p.first]].isupper()]


def places_of(one: ChosenPhrase, places: Mapping[Form, list[Place]], readings: Sequence[ReadDocument]) -> list[Place]:
    """Return every place that mentions the phrase, in order, without those inside a longer wording of it."""
    every = [
        place
        for form in one.forms
        for place in (capitalised(places[form], readings) if form in one.names else places[form])
    ]
    outer: list[Place] = []
    for place in sorted(every, key=lambda p: (p.reading, p.first, p.first - p.last)):
        if not outer or place.reading != outer[-1].reading or place.first >= outer[-1].last:
            outer.append(place)
    return outer


def results(chosen: Sequence[ChosenPhrase], readings: Sequence[ReadDocument]) -> list[SetKeyphrase]:
    """Return the chosen phrases with their wordings and the places that mention them.

    A phrase without any is left out: read in the wrong language, function words look like phrases.
    """
    found = []
    places = find(dict.fromkeys(form for one in chosen for form in one.forms), readings)
    for one in chosen:
        own = places_of(one, places, readings)
        spans: dict[str, list[Place]] = {}
        for place in own:
            spans.setdefault(readings[place.reading].id, []).append(place)
        mentions = [
            Mention(id_, tuple([readings[p.reading].span(p.first, p.last) for p in inside]))
            for id_, inside in spans.items()
        ]
        preferred = set(places[one.forms[0]])
        first = _wordings([place for place in own if place in preferred], readings)
        variants = dict.fromkeys([*(first[:1] or [one.text]), *_wordings(own, readings)])
        if mentions:
            text = next(iter(variants))
            found.append(SetKeyphrase(text, one.score, tuple(variants), tuple(mentions), len(readings), one.contrast))
    return found


def _wordings(places: Iterable[Place], readings: Sequence[ReadDocument]) -> list[str]:
    """Return what stands at these places, the most used first; what only lines in capitals have comes last."""
    written: Counter[str] = Counter()
    in_capitals: Counter[str] = Counter()
    for place in places:
        reading = readings[place.reading]
        start, end = reading.span(place.first, place.last)
        counts = in_capitals if in_capital_line(reading.content, start, end) else written
        counts[" ".join(reading.content[start:end].split())] += 1
    return list(dict.fromkeys(text for counts in (written, in_capitals) for text, _ in counts.most_common()))


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
