"""Names of people and things, and which of them are one: `President Clinton`, `Bill Clinton` and `Clinton`.

A name is a wording whose words all begin with a capital, in languages in which nouns as such do not. Titles before it,
which are known in English alone, do not count as part of it. A phrase that
ends with a full name of at least two words is that name with something before it (`sprinter Ben Johnson`); initials in
the middle make no other name (`John F. Kennedy`). A last word with a title stands for the most common full name that
ends with it, and one without a title does so if at least half of its documents hold the full name as well. It stands
for none with function words: the `Banque de France` is not France.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from phrasemill.sets.reading import Form, Word
from phrasemill.text.languages import profile
from phrasemill.text.stopwords import stopwords

# English forms of address, and offices that newspapers put before names.
TITLES = frozenset(
    "acting admiral ambassador archbishop bishop brig capt captain cardinal chairman chairwoman chancellor chief coach "
    "col colonel commander commissioner congressman congresswoman councilman deputy detective director dr emperor "
    "empress father first former gen general gov governor judge justice king lady lieut lieutenant lord lt maj major "
    "marshal mayor minister miss mr mrs ms officer pope president premier prime prince princess prof professor queen "
    "rep representative rev reverend saint secretary sen senator sergeant sgt sheriff sir sister vice".split()
)
TOGETHER = 0.5  # share of the short name's documents that must hold the full one


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
            target = next(endings, None) or full.get(_without_initials(core))
        if target is not None and target.form != form:
            yield form, target.form


def _without_initials(core: Form) -> Form:
    return (core[0], *(word for word in core[1:-1] if len(word.stem.strip(".")) > 1), core[-1])


def _bearer(name: Name, full: Sequence[Name], documents: Mapping[Form, AbstractSet[int]]) -> Name | None:
    """Return the one of `full` that most documents of the short `name`, or else most documents at all, hold."""
    held = documents[name.form]
    if not full or not held:
        return None
    best = max(full, key=lambda other: (len(held & documents[other.form]), len(documents[other.form])))
    return best if name.titled or len(held & documents[best.form]) >= TOGETHER * len(held) else None
