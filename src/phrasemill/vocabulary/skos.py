"""SKOS vocabularies in any form of RDF, streamed through Oxigraph's parser (https://www.w3.org/TR/skos-reference/).

Preferred, alternative and hidden labels are read with their languages, also where they are resources of their own
(SKOS-XL); so are broader, narrower and related concepts, and which concepts are deprecated and what replaced them.

Files from outside are not trusted. Oxigraph bounds the size of a statement and the depth of Turtle and JSON-LD, and it
fetches nothing. It expands the entities of XML and slows down in deep XML, so XML is checked before it gets there.
"""

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO, cast
from xml.parsers import expat

from phrasemill.errors import InputError, MissingExtra
from phrasemill.files.opening import brief
from phrasemill.files.streams import refuse_damage
from phrasemill.readers.safe_xml import RefusedXmlError, hardened_parser
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
LARGEST = 1 << 30  # bytes, decompressed
DEEPEST = 50  # elements of XML within each other
CHUNK = 64 << 10
ENCODING = re.compile(r"""(<\?xml[^>]{0,100}?\sencoding\s*=\s*["'])([\w.-]+)""")
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
POSITION = re.compile(r"^Parser error at line [^:]*: ")
GENERATED = re.compile(r"[0-9a-f]{30,32}")  # the random name of a blank node that has none


def read_skos(file: BinaryIO, source: str, format: str) -> tuple[list[Concept], list[str]]:
    """Return the concepts in `file`, which is in one of `FORMATS`, and the ids of those without a label; `source` names
    the file in errors."""
    drafts = _Drafts()
    guarded = _Guarded(file, source, xml=format == RDF_XML)
    try:
        for subject, predicate, object_ in _statements(guarded, format):
            drafts.add(subject, predicate, object_)
    except (SyntaxError, MemoryError, UnicodeError) as error:
        refuse_damage(file, name=source)
        message = POSITION.sub("", error.msg) if isinstance(error, SyntaxError) else str(error)
        line = getattr(error, "lineno", None) or guarded.line
        where = f"{source}, line {line}" if line else source
        raise InputError(f"{where}: not {format} ({brief(ValueError(message))})") from None
    refuse_damage(file, name=source)
    return drafts.concepts(), drafts.unlabelled()


def _statements(file: "_Guarded", format: str) -> Iterator[tuple[Any, Any, Any]]:
    try:
        import pyoxigraph
    except ImportError:
        raise MissingExtra("pyoxigraph", "skos", purpose="reading SKOS vocabularies") from None
    # Lenient about addresses alone: people leave them relative, or put spaces into them.
    chosen = getattr(pyoxigraph.RdfFormat, FORMATS[format])
    for statement in pyoxigraph.parse(cast(BinaryIO, file), format=chosen, lenient=True):
        yield statement.subject, statement.predicate, statement.object


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
        role = ROLES.get(property_)
        if role is not None:
            words = " ".join(object_.value.split())
            if hasattr(object_, "language") and words:
                self._draft(subject).labels.append(Label(words, object_.language or "", role))
        elif property_ in XL_ROLES:
            self._draft(subject)
            self._linked.append((self._id(subject), self._id(object_), XL_ROLES[property_]))
        elif property_ == LITERAL_FORM:
            words = " ".join(object_.value.split())
            if hasattr(object_, "language") and words:
                self._forms.setdefault(self._id(subject), []).append((words, object_.language or ""))
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


class _Guarded:
    """What the parser reads: bounded, without a byte order mark, and for XML in UTF-8, shallow and without entities."""

    def __init__(self, file: BinaryIO, source: str, *, xml: bool) -> None:
        self._file, self._source = file, source
        self._checker = hardened_parser(deepest=DEEPEST, encoding="utf-8") if xml else None
        self._decoder: codecs.IncrementalDecoder | None = None
        self._count = 0
        self._ready = memoryview(b"")

    @property
    def line(self) -> int | None:
        return self._checker.CurrentLineNumber if self._checker else None

    def read(self, size: int = -1) -> bytes:
        if not self._ready:
            self._ready = memoryview(self._next())
        piece = self._ready if size < 0 else self._ready[:size]
        self._ready = self._ready[len(piece) :]
        return bytes(piece)

    def _next(self) -> bytes:
        data = self._file.read(CHUNK)
        first = not self._count
        self._count += len(data)
        if self._count > LARGEST:
            raise InputError(f"{self._source}: larger than {LARGEST >> 20:,} MiB")
        if self._checker is None:
            return data.removeprefix(codecs.BOM_UTF8) if first else data
        text = self._decoded(data, first)
        try:
            self._checker.Parse(text, not data)
        except expat.ExpatError as error:
            refuse_damage(self._file, name=self._source)
            why = expat.errors.messages[error.code]
            raise InputError(f"{self._source}, line {error.lineno}: not XML ({why})") from None
        except RefusedXmlError as error:
            raise InputError(f"{self._source}, line {self.line}: {error}") from None
        return text

    def _decoded(self, data: bytes, first: bool) -> bytes:
        """Return XML as UTF-8, with a declaration that fits."""
        if first:
            declared = ENCODING.search(data[:200].decode("latin-1"))
            encoding = "utf-16" if data.startswith(UTF_16) else declared[2] if declared else "utf-8"
            try:
                self._decoder = codecs.getincrementaldecoder(encoding)()
            except LookupError:
                raise InputError(f"{self._source}: declares the unknown encoding {encoding!r}") from None
        assert self._decoder is not None
        text = self._decoder.decode(data, final=not data)
        if first:
            text = ENCODING.sub(r"\1utf-8", text.removeprefix("\ufeff"), count=1)
        return text.encode()
