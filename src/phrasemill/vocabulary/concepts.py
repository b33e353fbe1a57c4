"""Concepts with their labels, and the index that finds them in a text by stemmed form."""

from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from phrasemill.errors import ConfigError, InputError
from phrasemill.text.analyse import analyse
from phrasemill.text.language_codes import known_language, language_code
from phrasemill.types import Analysis

# What a label is to its concept; where two concepts share a form, the lower one wins, then the earlier concept.
PREFERRED, SYNONYM, HIDDEN = 0, 1, 2
ENGLISH = "en"


class Label(NamedTuple):
    """One wording of a concept, in a language (`""` for any), preferred or not."""

    text: str
    language: str = ""
    role: int = PREFERRED


class Concept(NamedTuple):
    """One concept of a vocabulary; `broader`, `related` and `replaced_by` are ids of other concepts.

    A deprecated concept is not returned. A text that names it gets the concept that replaced it, if there is one.
    """

    id: str
    labels: tuple[Label, ...]
    broader: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    deprecated: bool = False
    replaced_by: tuple[str, ...] = ()


class ConceptMatch(NamedTuple):
    """A place of a form, in tokens."""

    start: int
    end: int
    form: str


@dataclass(frozen=True, slots=True)
class Index:
    """A vocabulary in one language; `concept` maps each stemmed form to the number of its concept."""

    ids: tuple[str, ...]
    numbers: Mapping[str, int]  # the concept of each id
    labels: tuple[str, ...]  # to show, in the language that was asked for
    concept: Mapping[str, int]
    beginnings: frozenset[str]  # of longer forms: `salt` and `salt water` of `salt water intrusion`
    neighbours: tuple["array[int]", ...]  # broader, narrower and related concepts

    def named(self, number: int) -> tuple[str, str]:
        """Return the id and the label of a concept."""
        return self.ids[number], self.labels[number]

    def find(self, analysis: Analysis) -> Iterator[ConceptMatch]:
        """Yield every place within a sentence where the stems of a form occur, also inside longer forms."""
        stems, stem, concept, beginnings = analysis.stems, analysis.stem, self.concept, self.beginnings
        known = [one in concept or one in beginnings for one in stems]
        i = 0
        for limit in analysis.sentences:
            for start in range(i, limit):
                if not known[stem[start]]:
                    continue
                form, end = stems[stem[start]], start + 1
                while True:
                    if form in concept:
                        yield ConceptMatch(start, end, form)
                    if end == limit or form not in beginnings:
                        break
                    form = f"{form} {stems[stem[end]]}"
                    end += 1
            i = limit


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """Concepts in the order of their source. `source` is its name for messages, and `unlabelled` are the ids of
    concepts without a label.
    """

    concepts: tuple[Concept, ...]
    source: str = "the vocabulary"
    unlabelled: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for concept in self.concepts:
            if concept.id in seen:
                raise InputError(f"{self.source}: the id {concept.id!r} stands for two concepts")
            seen.add(concept.id)

    def __len__(self) -> int:
        return len(self.concepts)

    @classmethod
    def of(cls, phrases: Iterable[str], *, source: str = "the list of phrases") -> "Vocabulary":
        """Return a vocabulary with one concept per phrase; the phrase is also its id."""
        if isinstance(phrases, str | Mapping):
            raise ConfigError(f"{source} must be a list of phrases, not {type(phrases).__name__}: ['new york']")
        concepts = []
        for phrase in dict.fromkeys(phrases):
            if not isinstance(phrase, str):
                raise ConfigError(f"{source} must be a list of phrases, got {phrase!r}")
            concepts.append(Concept(phrase, (Label(phrase),)))
        return cls(tuple(concepts), source)

    def languages(self) -> list[str]:
        """Return the languages of the labels; `""` for labels without one."""
        return sorted({label.language for concept in self.concepts for label in concept.labels})

    def index(self, language: str, *, label_language: str | None = None) -> Index:
        """Return the vocabulary for texts in `language`: labels in it, and those without a language. Made once.

        Labels to show are in `label_language`, else in the language of the text, else in English, else in any.
        """
        return _index(self, language_code(language), None if label_language is None else language_code(label_language))

    def successors(self) -> dict[str, str]:
        """Return the replacement of each deprecated concept, itself not deprecated; an empty id if there is none."""
        known = {concept.id: concept for concept in self.concepts}
        return {one.id: _successor(one, known) for one in self.concepts if one.deprecated}


def _successor(concept: Concept, known: Mapping[str, Concept]) -> str:
    waiting, seen = list(concept.replaced_by), {concept.id}
    while waiting:
        other = known.get(waiting.pop(0))
        if other is None or other.id in seen:
            continue
        if not other.deprecated:
            return other.id
        seen.add(other.id)
        waiting += other.replaced_by
    return ""


@lru_cache(maxsize=32)
def _index(vocabulary: Vocabulary, language: str, label_language: str | None) -> Index:
    ranked: list[tuple[int, int, str]] = []
    names: list[str] = []
    numbers = {concept.id: number for number, concept in enumerate(vocabulary.concepts)}
    successors = vocabulary.successors()
    for number, concept in enumerate(vocabulary.concepts):
        names.append(_shown(concept, language, label_language))
        target = numbers.get(successors[concept.id], -1) if concept.deprecated else number
        for label in concept.labels:
            if target >= 0 and _fits(label.language, language):
                role = HIDDEN if concept.deprecated else label.role
                ranked += [(role, target, form) for form in label_forms(label.text, language)]
    known = vocabulary.languages()
    if known and not any(_fits(one, language) for one in known):
        raise InputError(f"{vocabulary.source}: no labels in {language!r}; there are some in {', '.join(known)}")
    concept_of: dict[str, int] = {}
    beginnings: set[str] = set()
    for _, number, form in sorted(ranked):
        concept_of.setdefault(form, number)
        stems = form.split(" ")
        beginnings.update(" ".join(stems[:end]) for end in range(1, len(stems)))
    return Index(
        tuple(numbers),
        numbers,
        tuple(names),
        concept_of,
        frozenset(beginnings),
        _neighbours(vocabulary.concepts, numbers),
    )


def _shown(concept: Concept, language: str, label_language: str | None) -> str:
    """Return the label to show; preferred ones first, as far as the language allows the choice."""
    wanted = [language, ENGLISH] if label_language is None else [label_language, language, ENGLISH]
    by_role = sorted(concept.labels, key=lambda one: one.role)
    for code in wanted:
        # A label of just this language comes before one that is for all.
        for label in sorted(by_role, key=lambda one: (one.role, not one.language)):
            if _fits(label.language, code):
                return label.text
    return by_role[0].text if by_role else concept.id


def _fits(label: str, language: str) -> bool:
    """Return whether a label's language, such as `en-GB`, is that of a text."""
    return not label or label == language or known_language(label) == language


def label_forms(text: str, language: str) -> set[str]:
    """Return the stemmed form of a label, also with its hyphens read as spaces; none where it has no word."""
    found = {_form(one, language) for one in {text, text.replace("-", " ")}}
    return {form for form in found if any(character.isalnum() for character in form)}


def _form(text: str, language: str) -> str:
    analysis = analyse(text, language=language, tag=False)
    return " ".join([analysis.stems[stem] for stem in analysis.stem])


def _neighbours(concepts: tuple[Concept, ...], number: Mapping[str, int]) -> tuple["array[int]", ...]:
    found: list[set[int]] = [set() for _ in concepts]
    for i, concept in enumerate(concepts):
        for other in (*concept.broader, *concept.related):
            j = number.get(other)
            if j is not None and j != i:
                found[i].add(j)
                found[j].add(i)
    return tuple(array("i", sorted(one)) for one in found)
