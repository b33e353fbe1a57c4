"""Phrases of a set consolidated into concepts: several wordings, one thing.

Forms become one concept when they have the same words in another order or with other function words (`use of
steroids`, `steroid use`), when they differ by spaces and hyphens alone (`data set`, `dataset`), when one is short for
the other, or when they are names of one bearer. Inflected forms are one form already. Forms of different languages are
never one concept.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from phrasemill.sets.abbreviations import definitions
from phrasemill.sets.forms import Form, Word
from phrasemill.sets.names import Name, as_name, same_names
from phrasemill.sets.occurrences import Occurrence, capitalised
from phrasemill.sets.read_documents import ReadDocument
from phrasemill.text.stopwords import stopwords
from phrasemill.types import STOPWORD


@dataclass(frozen=True, slots=True)
class PhraseTally:
    """One form over all documents: its best score in any, and how they write it."""

    form: Form
    best: float
    wording: str
    documents: int


@dataclass(frozen=True, slots=True)
class SetConcept:
    """Forms for one thing, the preferred first, with the score of the best; `names` are those that are names."""

    forms: tuple[Form, ...]
    score: float
    wording: str
    names: frozenset[Form] = frozenset()

    @property
    def bag(self) -> frozenset[Word]:
        """The words of the preferred form; words with hyphens in parts."""
        return frozenset(self.forms[0].parts)


def tally(readings: Iterable[ReadDocument], *, comparable: bool) -> dict[Form, PhraseTally]:
    """Return the phrases found in any document; scores that cannot be compared are replaced by 1 / sqrt(rank)."""
    best: dict[Form, float] = {}
    wordings: dict[Form, Counter[str]] = {}
    for reading in readings:
        for rank, found in enumerate(reading.found, start=1):
            score = found.score if comparable else rank**-0.5
            if score > best.get(found.form, 0.0):
                best[found.form] = score
            wordings.setdefault(found.form, Counter())[found.text] += 1
    return {form: PhraseTally(form, best[form], _most_used(wordings[form]), wordings[form].total()) for form in best}


def _most_used(wordings: Counter[str]) -> str:
    """Return the most frequent wording; one that headlines have in capitals only if there is no other."""
    return max(wordings, key=lambda text: (not _in_capitals(text), wordings[text], not text.isupper()))


def _in_capitals(text: str) -> bool:
    """Return whether it is several words in capitals: a part of a headline, and no acronym."""
    return text.isupper() and " " in text


def consolidate(
    scores: Mapping[Form, float],
    tallies: Mapping[Form, PhraseTally],
    places: Mapping[Form, Sequence[Occurrence]],
    readings: Sequence[ReadDocument],
) -> list[SetConcept]:
    """Return the concepts that the forms in `scores` stand for, in their order."""
    written = {form: tallies[form].wording for form in scores}
    # In a headline every word has capitals, so they are no sign of a name.
    named = [as_name(form, written[form]) for form in scores if not _in_capitals(written[form])]
    names = {name.form: name for name in named if name is not None}
    function_words = {form: _function_words(form, places[form], readings) for form in scores}
    places = {form: capitalised(places[form], readings) if form in names else places[form] for form in scores}
    documents = {form: frozenset(place.reading for place in places[form]) for form in scores}
    short_forms = dict(_short_forms(scores, readings))
    groups = _DisjointSets()
    for one, other in (
        *_same_words(function_words),
        *short_forms.items(),
        *same_names(names, function_words, documents),
    ):
        groups.join(one, other)
    members: dict[Form, list[Form]] = {}
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
    form: Form,
    names: Mapping[Form, Name],
    documents: Mapping[Form, frozenset[int]],
    places: Mapping[Form, Sequence[Occurrence]],
) -> tuple[bool, int, int]:
    """Return the sort key of preferred forms: full names without titles, then what most documents use, then the most
    frequent."""
    name = names.get(form)
    full = name is not None and len(name.core) > 1 and not name.titled
    return full, len(documents[form]), len(places[form])


def _function_words(form: Form, places: Sequence[Occurrence], readings: Sequence[ReadDocument]) -> list[bool]:
    """Return of each word of `form` whether it is a function word, as its first place shows.

    Stems do not tell: that of `evening` is `even`, and that of `apartment` is `apart`. The first and the last
    word never are, as `find` leaves out such places.
    """
    if not places:
        return [False] * len(form.stems)
    number, first, last = places[0]
    return [bool(kind & STOPWORD) for kind in readings[number].kind[first:last]]


def _same_words(forms: Mapping[Form, Sequence[bool]]) -> Iterable[tuple[Form, Form]]:
    """Yield forms that differ by order and function words alone, or by spaces and hyphens alone; `forms` says of each
    word whether it is a function word."""
    first: dict[tuple[str, tuple[str, ...]], Form] = {}
    for form, function_words in forms.items():
        parts = [part for _, part in form.parts]
        content = [stem for stem, is_function in zip(form.stems, function_words, strict=True) if not is_function]
        words = sorted(_content_parts(content, form.language))
        for key in (tuple(words), ("", "".join(parts))):
            other = first.setdefault((form.language, key), form)
            if other != form:
                yield other, form


def _content_parts(stems: Iterable[str], language: str) -> Iterable[str]:
    """Yield words, those with hyphens in parts, without function words; of a word only the last part is stemmed."""
    for stem in stems:
        *parts, last = [part for part in stem.split("-") if part] or [stem]
        yield from (part for part in parts if part not in stopwords(language))
        yield last


def _short_forms(scores: Mapping[Form, float], readings: Sequence[ReadDocument]) -> Iterable[tuple[Form, Form]]:
    """Yield short forms with their long forms, where both are among the phrases."""
    by_language: dict[str, list[str]] = {}
    for reading in readings:
        by_language.setdefault(reading.language, []).append(reading.document.content)
    for language, texts in by_language.items():
        for short, long in definitions(texts).items():
            one = Form(language, (short.lower(),))
            if one not in scores:
                one = Form.of(short, language)
            if one in scores:
                other = Form.of(long, language)
                if other in scores and other != one:
                    yield one, other


class _DisjointSets:
    """Sets of forms that share none; the head of a set is the form that joined first."""

    def __init__(self) -> None:
        self._up: dict[Form, Form] = {}

    def head(self, form: Form) -> Form:
        while form in self._up:
            form = self._up[form]
        return form

    def join(self, one: Form, other: Form) -> None:
        one, other = self.head(one), self.head(other)
        if one != other:
            self._up[one] = other
