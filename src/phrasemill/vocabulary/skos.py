"""SKOS concepts out of statements, whichever way these are written (https://www.w3.org/TR/skos-reference/).

Read are preferred, alternative and hidden labels, with their languages, and broader, narrower and related concepts.
Labels that are resources of their own (SKOS-XL) are not.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import urljoin

from phrasemill.vocabulary.concepts import HIDDEN, PREFERRED, SYNONYM, Concept, Label

SKOS = "http://www.w3.org/2004/02/skos/core#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
TYPE = RDF + "type"
CONCEPT = SKOS + "Concept"
ROLES = {SKOS + "prefLabel": PREFERRED, SKOS + "altLabel": SYNONYM, SKOS + "hiddenLabel": HIDDEN}
BROADER = {SKOS + "broader", SKOS + "broaderTransitive"}
NARROWER = SKOS + "narrower"
RELATED = SKOS + "related"
ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")


def resolved(base: str, written: str) -> str:
    """An address as seen from `base`; a whole one stays as it is, a `#` at its end included."""
    return written if not base or ABSOLUTE.match(written) else urljoin(base, written)


@dataclass(slots=True)
class Draft:
    """What is known of one resource so far."""

    concept: bool = False
    labels: list[Label] = field(default_factory=list)
    broader: dict[str, None] = field(default_factory=dict)
    related: dict[str, None] = field(default_factory=dict)


class Drafts:
    """Resources by id, in order of first mention; statements come in any order."""

    def __init__(self) -> None:
        self._found: dict[str, Draft] = {}

    def literal(self, subject: str, predicate: str, text: str, language: str) -> None:
        """`subject` has this label."""
        role = ROLES.get(predicate)
        words = " ".join(text.split())
        if role is not None and words:
            self._draft(subject).labels.append(Label(words, language, role))

    def link(self, subject: str, predicate: str, object_: str) -> None:
        """`subject` is of this type, or stands in this relation to another."""
        if predicate == TYPE and object_ == CONCEPT:
            self._draft(subject).concept = True
        elif predicate in BROADER:
            self._draft(subject).broader[object_] = None
        elif predicate == NARROWER:
            self._draft(object_).broader[subject] = None
        elif predicate == RELATED:
            self._draft(subject).related[object_] = None

    def concepts(self) -> list[Concept]:
        """Those that are called concepts and have a label; if none is called so, those that have a label."""
        labelled = {id_: draft for id_, draft in self._found.items() if draft.labels}
        named: Iterable[tuple[str, Draft]] = [(id_, draft) for id_, draft in labelled.items() if draft.concept]
        return [
            Concept(id_, tuple(draft.labels), tuple(draft.broader), tuple(draft.related))
            for id_, draft in named or labelled.items()
        ]

    def _draft(self, id_: str) -> Draft:
        return self._found.setdefault(id_, Draft())
