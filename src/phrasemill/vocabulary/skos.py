"""SKOS vocabularies in any form of RDF, read by Oxigraph's parser (https://www.w3.org/TR/skos-reference/).

Preferred, alternative and hidden labels are read with their languages, also where they are resources of their own
(SKOS-XL); so are broader, narrower and related concepts, and which concepts are deprecated and what replaced them.

Files from outside are not trusted. Oxigraph bounds the size of a statement and the depth of Turtle and JSON-LD, and it
fetches nothing. It expands the entities of XML and slows down in deep XML, so XML is checked before it gets there.
"""

import codecs
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from phrasemill.errors import InputError, MissingExtra
from phrasemill.files.opening import brief
from phrasemill.vocabulary.concepts import HIDDEN, PREFERRED, SYNONYM, Concept, Label

RDF_XML = "RDF/XML"
FORMATS = {
    RDF_XML: "RDF_XML",
    "Turtle": "TURTLE",
    "N-Triples": "N_TRIPLES",
    "N-Quads": "N_QUADS",
    "TriG": "TRIG",
    "JSON-LD": "JSON_LD",
}  # by the names in `pyoxigraph.RdfFormat`
SKOS = "http://www.w3.org/2004/02/skos/core#"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
CONCEPT = SKOS + "Concept"
ROLES = {SKOS + "prefLabel": PREFERRED, SKOS + "altLabel": SYNONYM, SKOS + "hiddenLabel": HIDDEN}
BROADER = {SKOS + "broader", SKOS + "broaderTransitive"}
NARROWER = SKOS + "narrower"
RELATED = SKOS + "related"
XL = "http://www.w3.org/2008/05/skos-xl#"
XL_ROLES = {XL + "prefLabel": PREFERRED, XL + "altLabel": SYNONYM, XL + "hiddenLabel": HIDDEN}
LITERAL_FORM = XL + "literalForm"
DEPRECATED = "http://www.w3.org/2002/07/owl#deprecated"
TERMS = "http://purl.org/dc/terms/"
REPLACED_BY, REPLACES = TERMS + "isReplacedBy", TERMS + "replaces"
DEEPEST = 50  # elements of XML within each other
ENCODING = re.compile(r"""(<\?xml[^>]{0,100}?\sencoding\s*=\s*["'])([\w.-]+)""")
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
POSITION = re.compile(r"^Parser error at line [^:]*: ")
GENERATED = re.compile(r"[0-9a-f]{30,32}")  # the random name of a blank node that has none


def read_skos(data: bytes, source: str, format: str) -> tuple[list[Concept], list[str]]:
    """Return the concepts in `data`, which is in one of `FORMATS`, and the ids of those without a label; `source` names
    the file in errors."""
    try:
        import pyoxigraph
    except ImportError:
        raise MissingExtra("pyoxigraph", "skos", purpose="reading SKOS vocabularies") from None
    data = _checked_xml(data, source) if format == RDF_XML else data.removeprefix(codecs.BOM_UTF8)
    chosen = getattr(pyoxigraph.RdfFormat, FORMATS[format])
    drafts = _Drafts()
    try:
        # Lenient about addresses alone: people leave them relative, or put spaces into them.
        for statement in pyoxigraph.parse(data, format=chosen, lenient=True):
            drafts.add(statement.subject, statement.predicate, statement.object)
    except (SyntaxError, MemoryError, UnicodeError) as error:
        message = POSITION.sub("", error.msg) if isinstance(error, SyntaxError) else str(error)
        line = getattr(error, "lineno", None)
        where = f"{source}, line {line}" if line else source
        raise InputError(f"{where}: not {format} ({brief(ValueError(message))})") from None
    return drafts.concepts(), drafts.unlabelled()


def _checked_xml(data: bytes, source: str) -> bytes:
    """Return XML in UTF-8. Raise an `InputError` if it declares entities or is nested beyond measure."""
    declared = ENCODING.search(data[:200].decode("latin-1"))
    encoding = "utf-16" if data.startswith(UTF_16) else declared[2] if declared else "utf-8"
    try:
        text = data.decode(encoding).removeprefix("\ufeff")
    except LookupError:
        raise InputError(f"{source}: declares the unknown encoding {encoding!r}") from None
    except UnicodeError as error:
        raise InputError(f"{source}: not {encoding} ({brief(error)})") from None
    data = ENCODING.sub(r"\1utf-8", text, count=1).encode()
    parser = expat.ParserCreate("utf-8")
    depth = 0

    def refuse(what: str) -> None:
        raise InputError(f"{source}, line {parser.CurrentLineNumber}: {what}")

    def enter(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            refuse(f"nested more than {DEEPEST} deep")

    def leave(name: str) -> None:
        nonlocal depth
        depth -= 1

    def declare(name: str, *rest: object) -> None:
        refuse(f"it declares the entity {name[:40]!r}; write the characters themselves")

    parser.StartElementHandler, parser.EndElementHandler, parser.EntityDeclHandler = enter, leave, declare
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        why = expat.errors.messages[error.code]
        raise InputError(f"{source}, line {error.lineno}: not XML ({why})") from None
    return data


@dataclass(slots=True)
class _Draft:
    """What is known of one resource so far."""

    concept: bool = False
    labels: list[Label] = field(default_factory=list)
    broader: dict[str, None] = field(default_factory=dict)
    related: dict[str, None] = field(default_factory=dict)
    deprecated: bool = False
    replaced_by: dict[str, None] = field(default_factory=dict)


class _Drafts:
    """Resources by id, in order of first mention; statements come in any order."""

    def __init__(self) -> None:
        self._found: dict[str, _Draft] = {}
        self._unnamed: dict[str, str] = {}
        self._linked: list[tuple[str, str, int]] = []  # concept, label that is a resource, role
        self._forms: dict[str, list[tuple[str, str]]] = {}  # wordings of such labels, with their languages

    def add(self, subject: Any, predicate: Any, object_: Any) -> None:
        """Take a label, a type or a relation from one statement; the others mean nothing here."""
        property_ = predicate.value
        if property_ in ROLES:
            for words, language in _wordings(object_):
                self._draft(subject).labels.append(Label(words, language, ROLES[property_]))
        elif property_ in XL_ROLES:
            self._draft(subject)
            self._linked.append((self._id(subject), self._id(object_), XL_ROLES[property_]))
        elif property_ == LITERAL_FORM:
            self._forms.setdefault(self._id(subject), []).extend(_wordings(object_))
        elif property_ == TYPE and object_.value == CONCEPT:
            self._draft(subject).concept = True
        elif property_ in BROADER:
            self._draft(subject).broader[self._id(object_)] = None
        elif property_ == NARROWER:
            self._draft(object_).broader[self._id(subject)] = None
        elif property_ == RELATED:
            self._draft(subject).related[self._id(object_)] = None
        elif property_ == DEPRECATED:
            self._draft(subject).deprecated = object_.value.lower() in ("true", "1")
        elif property_ == REPLACED_BY:
            self._draft(subject).replaced_by[self._id(object_)] = None
        elif property_ == REPLACES:
            self._draft(object_).replaced_by[self._id(subject)] = None

    def concepts(self) -> list[Concept]:
        """Return the labelled resources of type concept; if none has that type, all labelled ones."""
        for concept, label, role in self._linked:
            self._found[concept].labels += [Label(words, code, role) for words, code in self._forms.get(label, ())]
        self._linked = []
        labelled = {id_: draft for id_, draft in self._found.items() if draft.labels}
        typed: Iterable[tuple[str, _Draft]] = [(id_, draft) for id_, draft in labelled.items() if draft.concept]
        return [
            Concept(
                id_,
                tuple(dict.fromkeys(draft.labels)),
                tuple(draft.broader),
                tuple(draft.related),
                draft.deprecated,
                tuple(draft.replaced_by),
            )
            for id_, draft in typed or labelled.items()
        ]

    def unlabelled(self) -> list[str]:
        """Return the resources of type concept that have no label."""
        return [id_ for id_, draft in self._found.items() if draft.concept and not draft.labels]

    def _draft(self, node: Any) -> _Draft:
        return self._found.setdefault(self._id(node), _Draft())

    def _id(self, node: Any) -> str:
        """Return an address as it is, and a blank node by its name or by a number that is the same every time."""
        if not str(node).startswith("_:"):
            return str(node.value)
        name = str(node.value)
        if GENERATED.fullmatch(name):
            name = self._unnamed.setdefault(name, str(len(self._unnamed) + 1))
        return f"_:{name}"


def _wordings(node: Any) -> list[tuple[str, str]]:
    """Return the words of a literal and their language; nothing for what is none, or is empty."""
    words = " ".join(node.value.split())
    return [(words, node.language or "")] if hasattr(node, "language") and words else []
