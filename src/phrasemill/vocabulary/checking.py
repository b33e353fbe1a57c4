"""What is in a vocabulary, and what is wrong with it.

Errors break what SKOS promises or make a concept useless: it has no label, two preferred labels in one language, or
none that a text could hold; relations go in circles, or to concepts that are not there; two concepts prefer the same
label. Warnings are for people to decide: a wording that several concepts share, a deprecated concept without a
successor.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from phrasemill.text.language_codes import known_language
from phrasemill.vocabulary.concepts import ENGLISH, HIDDEN, PREFERRED, SYNONYM, Concept, Vocabulary, label_forms

ERROR, WARNING = "error", "warning"
ROLES = {PREFERRED: "preferred labels", SYNONYM: "synonyms", HIDDEN: "hidden labels"}


class Problem(NamedTuple):
    """One thing that is wrong: how bad, of which kind, with which concepts, in words."""

    severity: str
    kind: str
    concepts: tuple[str, ...]
    words: str


@dataclass(frozen=True, slots=True)
class Checked:
    """The figures of a vocabulary, by name, and its problems, errors first."""

    figures: dict[str, int]
    languages: dict[str, int]  # labels in each; "" for those without a language
    problems: tuple[Problem, ...]

    @property
    def errors(self) -> int:
        return sum(problem.severity == ERROR for problem in self.problems)


def check(vocabulary: Vocabulary) -> Checked:
    """Return what is in a vocabulary and what is wrong with it."""
    concepts = vocabulary.concepts
    labels = [label for concept in concepts for label in concept.labels]
    roles = Counter(label.role for label in labels)
    circles, levels = _hierarchy({concept.id: concept.broader for concept in concepts})
    figures = {"concepts": len(concepts) + len(vocabulary.unlabelled)}
    figures |= {name: roles[role] for role, name in ROLES.items()}
    figures |= {
        "broader relations": sum(len(concept.broader) for concept in concepts),
        "related relations": sum(len(concept.related) for concept in concepts),
        "top concepts": sum(not concept.broader for concept in concepts),
        "levels": levels,
        "deprecated": sum(concept.deprecated for concept in concepts),
    }
    found = [
        *_unlabelled(vocabulary),
        *(problem for concept in concepts for problem in _labels(concept)),
        *map(_circular, circles),
        *_dangling(vocabulary),
        *_shared(concepts),
        *_deprecated(vocabulary),
    ]
    found.sort(key=lambda problem: problem.severity != ERROR)
    return Checked(figures, dict(Counter(label.language for label in labels).most_common()), tuple(found))


def _unlabelled(vocabulary: Vocabulary) -> Iterator[Problem]:
    for id_ in vocabulary.unlabelled:
        yield Problem(ERROR, "no label", (id_,), f"{id_} has no label")


def _labels(concept: Concept) -> Iterator[Problem]:
    """Yield what is wrong with the labels of one concept."""
    id_ = concept.id
    preferred = Counter(label.language for label in concept.labels if label.role == PREFERRED)
    if not preferred:
        yield Problem(WARNING, "no preferred label", (id_,), f"{id_} has no preferred label")
    for language, count in preferred.items():
        if count > 1:
            which = " and ".join(
                repr(one.text) for one in concept.labels if one.role == PREFERRED and one.language == language
            )
            where = f" in {language!r}" if language else ""
            yield Problem(
                ERROR, "several preferred labels", (id_,), f"{id_} has {count} preferred labels{where}: {which}"
            )
    seen: dict[tuple[str, str], int] = {}
    for label in concept.labels:
        key = label.text.casefold(), label.language
        if key in seen:
            yield Problem(WARNING, "label repeated", (id_,), f"{id_} has the label {label.text!r} twice")
        seen[key] = label.role
        if not label_forms(label.text, _language(label.language)):
            yield Problem(ERROR, "no words", (id_,), f"{id_} has the label {label.text!r}, which no text can match")


def _language(marked: str) -> str:
    """Return the language in which a label is stemmed."""
    return known_language(marked) or ENGLISH if marked else ENGLISH


def _hierarchy(parents: dict[str, tuple[str, ...]]) -> tuple[list[list[str]], int]:
    """Return the circles of broader concepts, each once, from where it is entered, and how many levels there are."""
    circles: list[list[str]] = []
    level: dict[str, int] = {}
    for start in parents:
        path = {start: iter(parents[start])} if start not in level else {}
        while path:
            last = next(reversed(path))
            above = next((one for one in path[last] if one in parents and one not in level), None)
            if above is None:
                level[last] = 1 + max((level[one] for one in parents[last] if one in level), default=0)
                del path[last]
            elif above in path:
                names = list(path)
                circles.append(names[names.index(above) :])
            else:
                path[above] = iter(parents[above])
    return circles, max(level.values(), default=0)


def _circular(circle: list[str]) -> Problem:
    words = " -> ".join([*circle, circle[0]])
    return Problem(ERROR, "circle", tuple(circle), f"broader concepts go in a circle: {words}")


def _dangling(vocabulary: Vocabulary) -> Iterator[Problem]:
    known = {concept.id for concept in vocabulary.concepts} | set(vocabulary.unlabelled)
    for concept in vocabulary.concepts:
        relations = (("broader", concept.broader), ("related", concept.related), ("replaced by", concept.replaced_by))
        for name, others in relations:
            for other in others:
                if other not in known:
                    words = f"{concept.id}: {name} {other}, which is not in the vocabulary"
                    yield Problem(ERROR, "dangling reference", (concept.id,), words)


def _shared(concepts: Iterable[Concept]) -> Iterator[Problem]:
    """Yield wordings that stand for several concepts, as texts are matched: by stemmed form."""
    holders: dict[tuple[str, str], dict[str, tuple[int, str]]] = {}
    for concept in concepts:
        if concept.deprecated:
            continue
        for label in concept.labels:
            for form in label_forms(label.text, _language(label.language)):
                of_form = holders.setdefault((_language(label.language), form), {})
                best = min(of_form.get(concept.id, (HIDDEN + 1, "")), (label.role, label.text))
                of_form[concept.id] = best
    reported: set[tuple[str, ...]] = set()
    for of_form in holders.values():
        key = (*sorted(of_form), *sorted(text for _, text in of_form.values()))
        if len(of_form) < 2 or key in reported:
            continue
        reported.add(key)
        preferring = sum(role == PREFERRED for role, _ in of_form.values())
        wordings = " and ".join(f"{text!r} of {id_}" for id_, (_, text) in of_form.items())
        severity, kind = (ERROR, "same preferred label") if preferring > 1 else (WARNING, "ambiguous label")
        yield Problem(severity, kind, tuple(of_form), f"the same words: {wordings}")


def _deprecated(vocabulary: Vocabulary) -> Iterator[Problem]:
    for id_, successor in vocabulary.successors().items():
        if not successor:
            yield Problem(WARNING, "no successor", (id_,), f"{id_} is deprecated, and nothing replaces it")
