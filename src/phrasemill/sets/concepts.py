"""Phrases of a set consolidated into concepts: several wordings, one thing.

Forms become one concept when they have the same words in another order or with other function words (`use of
steroids`, `steroid use`), when they differ by spaces and hyphens alone (`data set`, `dataset`), when one is short for
the other, or when they are names of one bearer. Inflected forms are one form already. Forms of different languages are
never one concept.

A name is a wording whose words all begin with a capital, in languages in which nouns as such do not. Titles before it,
which are known in English alone, do not count as part of it. A phrase that ends with a full name of at least two words
is that name with something before it (`sprinter Ben Johnson`); initials in the middle make no other name (`John F.
Kennedy`). A last word with a title stands for the most common full name that ends with it, and one without a title does
so if at least half of its documents hold the full name as well. It stands for none with function words: the `Banque de
France` is not France.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from phrasemill.sets.abbreviations import definitions
from phrasemill.sets.reading import Form, Place, ReadDocument, Word, capitalised, form_of, parts_of
from phrasemill.sets.results import ChosenPhrase
from phrasemill.text.languages import profile
from phrasemill.text.stopwords import stopwords
from phrasemill.types import STOPWORD

# English forms of address, and offices that newspapers put before names.
TITLES = frozenset(
    "acting admiral ambassador archbishop bishop brig capt captain cardinal chairman chairwoman chancellor chief coach "
    "col colonel commander commissioner congressman congresswoman councilman deputy detective director dr emperor "
    "empress father first former gen general gov governor judge justice king lady lieut lieutenant lord lt maj major "
    "marshal mayor minister miss mr mrs ms officer pope president premier prime prince princess prof professor queen "
    "rep representative rev reverend saint secretary sen senator sergeant sgt sheriff sir sister vice".split()
)
TOGETHER = 0.5  # share of the short name's documents that must hold the full one


class PhraseTally(NamedTuple):
    """One form over all documents: its best score in any, how they write it, and how many found it."""

    best: float
    wording: str
    documents: int


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
    return {form: PhraseTally(best[form], _most_used(wordings[form]), wordings[form].total()) for form in best}


def _most_used(wordings: Counter[str]) -> str:
    """Return the most frequent wording; one that headlines have in capitals only if there is no other."""
    return max(wordings, key=lambda text: (not _in_capitals(text), wordings[text], not text.isupper()))


def _in_capitals(text: str) -> bool:
    """Return whether it is several words in capitals: a part of a headline, and no acronym."""
    return text.isupper() and " " in text


def consolidate(
    scores: Mapping[Form, float],
    tallies: Mapping[Form, PhraseTally],
    places: Mapping[Form, Sequence[Place]],
    readings: Sequence[ReadDocument],
) -> list[ChosenPhrase]:
    """Return the concepts that the forms in `scores` stand for, in their order, with the preferred form first and the
    score of the best; `names` are the forms that are names."""
    # In a headline every word has capitals, so they are no sign of a name.
    written = ((form, tallies[form].wording) for form in scores)
    named = (as_name(form, wording) for form, wording in written if not _in_capitals(wording))
    names = {name.form: name for name in named if name is not None}
    function_words = {form: _function_words(form, places[form], readings) for form in scores}
    places = {form: capitalised(places[form], readings) if form in names else places[form] for form in scores}
    documents = {form: frozenset(place.reading for place in places[form]) for form in scores}
    short_forms = dict(_short_forms(scores, readings))
    groups = _joined(
        scores, (*_same_words(function_words), *short_forms.items(), *same_names(names, function_words, documents))
    )

    def preference(form: Form) -> tuple[bool, bool, int, int]:
        """Put long forms first, full names without titles, then what most documents use, then the most frequent."""
        full = form in names and names[form].full
        return form not in short_forms, full, len(documents[form]), len(places[form])

    concepts = []
    for forms in groups:
        first = max(forms, key=preference)
        others = (form for form in forms if form != first)
        score, own = max(scores[form] for form in forms), frozenset(form for form in forms if form in names)
        concepts.append(ChosenPhrase(tallies[first].wording, score, (first, *others), own))
    return concepts


def merge_similar(concepts: Sequence[ChosenPhrase], *, alike: float, model: str | None = None) -> list[ChosenPhrase]:
    """Return the concepts, best first; those whose wording has a sentence embedding that is `alike` to a better one's
    become wordings of that. Requires the extra `embed`."""
    from phrasemill.embeddings import load_encoder

    ordered = sorted(concepts, key=lambda concept: -concept.score)
    if len(ordered) < 2:
        return ordered
    vectors = load_encoder(model).encode([concept.text for concept in ordered])
    cosines = vectors @ vectors.T
    merged: dict[int, ChosenPhrase] = {}
    for i, concept in enumerate(ordered):
        best = max(merged, key=lambda j: float(cosines[i, j]), default=None)
        if best is None or cosines[i, best] < alike:
            merged[i] = concept
        else:
            merged[best] = merged[best].joined(concept)
    return list(merged.values())


def _function_words(form: Form, places: Sequence[Place], readings: Sequence[ReadDocument]) -> list[bool]:
    """Return of each word of `form` whether it is a function word wherever the phrase stands.

    Stems do not tell: that of `evening` is `even`, and that of `apartment` is `apart`. The first and the last
    word never are, as `find` leaves out such places.
    """
    if len(form) < 3 or not places:
        return [False] * len(form)
    kinds = [readings[number].kind[first:last] for number, first, last in places]
    return [all(kind & STOPWORD for kind in column) for column in zip(*kinds, strict=True)]


def _same_words(forms: Mapping[Form, Sequence[bool]]) -> Iterator[tuple[Form, Form]]:
    """Yield forms that differ by order and function words alone, or by spaces and hyphens alone; `forms` says of each
    word whether it is a function word."""
    first: dict[tuple[str, ...], Form] = {}
    for form, function_words in forms.items():
        language = form[0].language
        content = [word for word, is_function in zip(form, function_words, strict=True) if not is_function]
        for key in (
            (language, *sorted(_content_parts(content))),
            (language, "", "".join(part.stem for part in parts_of(form))),
        ):
            other = first.setdefault(key, form)
            if other != form:
                yield other, form


def _content_parts(words: Iterable[Word]) -> Iterator[str]:
    """Yield stems, those with hyphens in parts, without function words; of a word only the last part is stemmed."""
    for word in words:
        *parts, last = parts_of((word,))
        yield from (part.stem for part in parts if part.stem not in stopwords(word.language))
        yield last.stem


def _short_forms(scores: Mapping[Form, float], readings: Sequence[ReadDocument]) -> Iterator[tuple[Form, Form]]:
    """Yield short forms with their long forms, where both are among the phrases."""
    for language in sorted({reading.language for reading in readings}):
        texts = (reading.text for reading in readings if reading.language == language)
        for short, long in definitions(texts).items():
            lower: Form = (Word(language, short.lower()),)
            one, other = lower if lower in scores else form_of(short, language), form_of(long, language)
            if one in scores and other in scores and other != one:
                yield one, other


def _joined(forms: Iterable[Form], pairs: Iterable[tuple[Form, Form]]) -> list[list[Form]]:
    """Return the forms in groups, so that those of a pair are in one; groups and their forms in the order given."""
    groups = {form: [form] for form in forms}
    for one, other in pairs:
        if groups[one] is not groups[other]:
            groups[one] += groups[other]
            for form in groups[other]:
                groups[form] = groups[one]
    rank = {form: number for number, form in enumerate(groups)}
    distinct = {id(group): group for group in groups.values()}
    return [sorted(group, key=rank.__getitem__) for group in distinct.values()]


class Name(NamedTuple):
    """A form that is a name: its words without titles, and whether a title was there."""

    form: Form
    core: Form
    titled: bool

    @property
    def full(self) -> bool:
        """Whether it is a first and a last name, without a title."""
        return len(self.core) > 1 and not self.titled


def as_name(form: Form, wording: str) -> Name | None:
    """Return `form`, written as `wording`, as a name; None where it is not one."""
    words, language = wording.replace(".", "").split(), form[0].language
    if profile(language).noun_capitals or len(form) != len(words):
        return None
    inner = [word for word in words if word.lower() not in stopwords(language)]
    if words[-1] not in inner or not all(word[:1].isupper() for word in inner):
        return None
    at = 0
    while language == "en" and at < len(words) and words[at].lower() in TITLES:
        at += 1
    return Name(form, form[at:], at > 0) if at < len(words) else None


def same_names(
    names: Mapping[Form, Name],
    forms: Mapping[Form, Sequence[bool]],
    documents: Mapping[Form, AbstractSet[int]],
) -> Iterator[tuple[Form, Form]]:
    """Yield pairs of a form and the full name that it stands for.

    `forms` says of each word of a form whether it is a function word; `documents` has the documents of each form.
    """
    full = {name.core: name for name in names.values() if name.full}
    by_last: dict[Word, list[Name]] = {}
    for name in full.values():
        if not any(forms[name.form]):
            by_last.setdefault(name.core[-1], []).append(name)
    for form in forms:
        known = names.get(form)
        if known is not None and len(known.core) == 1:
            target = _bearer(known, by_last.get(known.core[0], []), documents)
        else:
            core = form if known is None else known.core
            endings = (full[core[at:]] for at in range(len(core) - 2, -1, -1) if core[at:] in full)
            middle = (word for word in core[1:-1] if len(word.stem.strip(".")) > 1)  # without initials
            target = next(endings, None) or full.get((core[0], *middle, core[-1]))
        if target is not None and target.form != form:
            yield form, target.form


def _bearer(name: Name, full: Sequence[Name], documents: Mapping[Form, AbstractSet[int]]) -> Name | None:
    """Return the one of `full` that most documents of the short `name`, or else most documents at all, hold."""
    held = documents[name.form]
    if not full or not held:
        return None
    best = max(full, key=lambda other: (len(held & documents[other.form]), len(documents[other.form])))
    return best if name.titled or len(held & documents[best.form]) >= TOGETHER * len(held) else None
