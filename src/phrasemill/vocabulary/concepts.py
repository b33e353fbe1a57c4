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


class Label(NamedTuple):
    """One wording of a concept, in a language (`""` for any), preferred or not."""

    text: str
    language: str = ""
    role: int = PREFERRED


class Concept(NamedTuple):
    """What a vocabulary names; `broader` and `related` are ids of others."""

    id: str
    labels: tuple[Label, ...]
    broader: tuple[str, ...] = ()
    related: tuple[str, ...] = ()


class ConceptMatch(NamedTuple):
    """A place of a form, in tokens."""

    start: int
    end: int
    form: str


@dataclass(frozen=True, slots=True)
class Index:
    """A vocabulary in one language: `concept` has the number of the concept that each stemmed form stands for."""

    ids: tuple[str, ...]
    numbers: Mapping[str, int]  # the concept of each id
    labels: tuple[str, ...]  # the preferred ones
    concept: Mapping[str, int]
    beginnings: frozenset[str]  # of longer forms: `salt` and `salt water` of `salt water intrusion`
    neighbours: tuple["array[int]", ...]  # broader, narrower and related concepts

    def find(self, analysis: Analysis) -> Iterator[ConceptMatch]:
        """Yield every place within a sentence where the stems of a form stand, also within longer ones."""
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
    """Concepts in the order of their source, and the name of that source for messages."""

    concepts: tuple[Concept, ...]
    source: str = "the vocabulary"

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
        """Return a concept for each phrase, which is also its id."""
        if isinstance(phrases, str | Mapping):
            raise ConfigError(f"{source} must be a list of phrases, not {type(phrases).__name__}: ['new york']")
        concepts = []
        for phrase in dict.fromkeys(phrases):
            if not isinstance(phrase, str):
                raise ConfigError(f"{source} must be a list of phrases, got {phrase!r}")
            concepts.append(Concept(phrase, (Label(phrase),)))
        return cls(tuple(concepts), source)

    def languages(self) -> list[str]:
        """Return the languages that labels are marked with, `""` for none."""
        return sorted({label.language for concept in self.concepts for label in concept.labels})

    def index(self, language: str) -> Index:
        """Return the vocabulary for texts in `language`: labels in it, and those without a language. Made once."""
        return _index(self, language_code(language))


@lru_cache(maxsize=32)
def _index(vocabulary: Vocabulary, language: str) -> Index:
    ranked: list[tuple[int, int, str]] = []
    names: list[str] = []
    for number, concept in enumerate(vocabulary.concepts):
        fitting = sorted((one for one in concept.labels if _fits(one.language, language)), key=lambda one: one.role)
        names.append(fitting[0].text if fitting else concept.id)
        for label in fitting:
            ranked += [(label.role, number, form) for form in _forms(label.text, language)]
    known = vocabulary.languages()
    if known and not any(_fits(one, language) for one in known):
        raise InputError(f"{vocabulary.source}: no labels in {language!r}; there are some in {', '.join(known)}")
    concept_of: dict[str, int] = {}
    beginnings: set[str] = set()
    for _, number, form in sorted(ranked):
        concept_of.setdefault(form, number)
        stems = form.split(" ")
        beginnings.update(" ".join(stems[:end]) for end in range(1, len(stems)))
    numbers = {concept.id: number for number, concept in enumerate(vocabulary.concepts)}
    return Index(
        tuple(numbers),
        numbers,
        tuple(names),
        concept_of,
        frozenset(beginnings),
        _neighbours(vocabulary.concepts, numbers),
    )


def _fits(label: str, language: str) -> bool:
    """Return whether a label's language, such as `en-GB`, is that of a text."""
    return not label or label == language or known_language(label) == language


def _forms(text: str, language: str) -> set[str]:
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
