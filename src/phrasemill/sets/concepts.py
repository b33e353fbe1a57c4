"""Phrases of a set consolidated into concepts: several wordings, one thing.

Forms become one concept when they have the same words in another order or with other function words (`use of
steroids`, `steroid use`), when they differ by spaces and hyphens alone (`data set`, `dataset`), when one is short for
the other, or when they are names of one bearer. Inflected forms are one form already.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from phrasemill.selection import form_of
from phrasemill.sets.abbreviations import definitions
from phrasemill.sets.names import Name, as_name, same_names
from phrasemill.sets.occurrences import Occurrence, capitalised
from phrasemill.sets.read_documents import ReadDocument
from phrasemill.text.stopwords import stopwords


@dataclass(frozen=True, slots=True)
class PhraseTally:
    """One form over all documents: its best score in any, and how they write it."""

    form: str
    best: float
    wording: str
    documents: int
    language: str


@dataclass(frozen=True, slots=True)
class SetConcept:
    """Forms for one thing, the preferred first, with the score of the best; `names` are those that are names."""

    forms: tuple[str, ...]
    score: float
    wording: str
    names: frozenset[str] = frozenset()

    @property
    def bag(self) -> frozenset[str]:
        """The words of the preferred form; words with hyphens in parts."""
        return frozenset(word_parts(self.forms[0]))


def word_parts(form: str) -> list[str]:
    """Return the words of `form`, those with hyphens in parts."""
    return [part for part in form.replace("-", " ").split() if part] or form.split()


def tally(readings: Iterable[ReadDocument], *, comparable: bool) -> dict[str, PhraseTally]:
    """Return the phrases found in any document; scores that cannot be compared are replaced by 1 / sqrt(rank)."""
    best: dict[str, float] = {}
    wordings: dict[str, Counter[str]] = {}
    languages: dict[str, str] = {}
    for reading in readings:
        for rank, found in enumerate(reading.found, start=1):
            score = found.score if comparable else rank**-0.5
            if score > best.get(found.form, 0.0):
                best[found.form] = score
            wordings.setdefault(found.form, Counter())[found.text] += 1
            languages.setdefault(found.form, reading.document.language)
    return {
        form: PhraseTally(form, best[form], _most_used(wordings[form]), wordings[form].total(), languages[form])
        for form in best
    }


def _most_used(wordings: Counter[str]) -> str:
    """Return the most frequent wording; one that headlines have in capitals only if there is no other."""
    return max(wordings, key=lambda text: (not _in_capitals(text), wordings[text], not text.isupper()))


def _in_capitals(text: str) -> bool:
    """Return whether it is several words in capitals: a part of a headline, and no acronym."""
    return text.isupper() and " " in text


def consolidate(
    scores: Mapping[str, float],
    tallies: Mapping[str, PhraseTally],
    places: Mapping[str, Sequence[Occurrence]],
    readings: Sequence[ReadDocument],
) -> list[SetConcept]:
    """Return the concepts that the forms in `scores` stand for, in their order."""
    written = {form: tallies[form].wording for form in scores}
    # In a headline every word has capitals, so they are no sign of a name.
    named = [as_name(f, written[f], tallies[f].language) for f in scores if not _in_capitals(written[f])]
    names = {name.form: name for name in named if name is not None}
    places = {form: capitalised(places[form], readings) if form in names else places[form] for form in scores}
    documents = {form: frozenset(place.reading for place in places[form]) for form in scores}
    short_forms = dict(_short_forms(scores, readings))
    groups = _DisjointSets()
    for one, other in (
        *_same_words(tallies[form] for form in scores),
        *short_forms.items(),
        *same_names(names, scores, documents),
    ):
        groups.join(one, other)
    members: dict[str, list[str]] = {}
    for form in scores:
        members.setdefault(groups.head(form), []).append(form)
    concepts = []
    for forms in members.values():
        spelled_out = [form for form in forms if form not in short_forms]
        first = max(spelled_out or forms, key=lambda form: _preference(form, names, documents, places))
        others = tuple(form for form in forms if form != first)
        score, own = max(scores[form] for form in forms), frozenset(form for form in forms if form in names)
        concepts.append(SetConcept((first, *others), score, tallies[first].wording, own))
    return concepts


def merge_similar(concepts: Sequence[SetConcept], *, alike: float, model: str | None = None) -> list[SetConcept]:
    """Return the concepts, best first; those whose wording has a sentence embedding that is `alike` to a better one's
    become wordings of that. Requires the extra `embed`."""
    from phrasemill.embeddings import load_encoder

    ordered = sorted(concepts, key=lambda concept: -concept.score)
    if len(ordered) < 2:
        return ordered
    vectors = load_encoder(model).encode([concept.wording for concept in ordered])
    cosines = vectors @ vectors.T
    kept: list[int] = []
    merged: dict[int, SetConcept] = {}
    for i, concept in enumerate(ordered):
        best = max(kept, key=lambda j: float(cosines[i, j]), default=None)
        if best is None or cosines[i, best] < alike:
            kept.append(i)
            merged[i] = concept
        else:
            other = merged[best]
            forms = tuple(dict.fromkeys((*other.forms, *concept.forms)))
            merged[best] = replace(other, forms=forms, names=other.names | concept.names)
    return list(merged.values())


def _preference(
    form: str,
    names: Mapping[str, Name],
    documents: Mapping[str, frozenset[int]],
    places: Mapping[str, Sequence[Occurrence]],
) -> tuple[bool, int, int]:
    """Return the sort key of preferred forms: full names without titles, then what most documents use, then the most
    frequent."""
    name = names.get(form)
    full = name is not None and len(name.core) > 1 and not name.titled
    return full, len(documents[form]), len(places[form])


def _same_words(tallies: Iterable[PhraseTally]) -> Iterable[tuple[str, str]]:
    """Yield forms that differ by order and function words alone, or by spaces and hyphens alone."""
    first: dict[tuple[str, ...], str] = {}
    for one in tallies:
        function_words = stopwords(one.language)
        words = tuple(sorted(word for word in word_parts(one.form) if word not in function_words))
        for key in (words, ("", "".join(word_parts(one.form)))):
            other = first.setdefault(key, one.form)
            if other != one.form:
                yield other, one.form


def _short_forms(scores: Mapping[str, float], readings: Sequence[ReadDocument]) -> Iterable[tuple[str, str]]:
    """Yield short forms with their long forms, where both are among the phrases."""
    by_language: dict[str, list[str]] = {}
    for reading in readings:
        by_language.setdefault(reading.document.language, []).append(reading.document.content)
    for language, texts in by_language.items():
        for short, long in definitions(texts).items():
            one = short.lower()
            if one not in scores:
                one = form_of(short, language)
            if one in scores:
                other = form_of(long, language)
                if other in scores and other != one:
                    yield one, other


class _DisjointSets:
    """Sets of forms that share none; the head of a set is the form that joined first."""

    def __init__(self) -> None:
        self._up: dict[str, str] = {}

    def head(self, form: str) -> str:
        while form in self._up:
            form = self._up[form]
        return form

    def join(self, one: str, other: str) -> None:
        one, other = self.head(one), self.head(other)
        if one != other:
            self._up[one] = other
