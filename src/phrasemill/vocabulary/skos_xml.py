"""SKOS as RDF/XML, read as a stream.

Files from outside are not trusted: entities of their own and external ones are refused, as is absurd depth.
"""

from xml.parsers import expat

from phrasemill.errors import InputError
from phrasemill.vocabulary.concepts import Concept
from phrasemill.vocabulary.skos import RDF, TYPE, Drafts, resolved

XML = "http://www.w3.org/XML/1998/namespace"
ROOT = RDF + "RDF"
DESCRIPTION = RDF + "Description"
SEPARATOR = "\n"  # cannot stand in a namespace
DEEPEST = 50
CHUNK = 1 << 20


class _RefusedError(Exception):
    """The file is well-formed, but not what we read."""


def read_skos_xml(data: bytes, source: str) -> list[Concept]:
    """The concepts of an RDF/XML file."""
    reader = _Reader()
    try:
        for start in range(0, len(data), CHUNK):
            reader.parser.Parse(data[start : start + CHUNK], False)
        reader.parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise InputError(f"{source}, line {error.lineno}: not XML ({expat.errors.messages[error.code]})") from None
    except (_RefusedError, ValueError) as error:
        raise InputError(f"{source}, line {reader.parser.CurrentLineNumber}: {error}") from None
    return reader.drafts.concepts()


class _Reader:
    """Resources and properties take turns from the root inwards: a concept, its property, a concept within that."""

    def __init__(self) -> None:
        self.drafts = Drafts()
        self.parser = expat.ParserCreate(namespace_separator=SEPARATOR)
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.EntityDeclHandler = self._entity
        self.parser.ExternalEntityRefHandler = self._external
        self.parser.buffer_text = True
        self._open: list[str] = []  # resources and properties, in turn
        self._language: list[str] = []
        self._base: list[str] = []
        self._text: list[str] = []
        self._in_root = False
        self._unnamed = 0

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.replace(SEPARATOR, "")
        if not self._in_root:
            if name != ROOT:
                raise _RefusedError("not RDF/XML: it does not begin with rdf:RDF")
            self._in_root = True
            self._base.append(attributes.get(XML + SEPARATOR + "base", ""))
            self._language.append(attributes.get(XML + SEPARATOR + "lang", ""))
            return
        if len(self._open) >= DEEPEST:
            raise _RefusedError(f"nested more than {DEEPEST} deep")
        self._base.append(attributes.get(XML + SEPARATOR + "base", self._base[-1]))
        self._language.append(attributes.get(XML + SEPARATOR + "lang", self._language[-1]))
        if len(self._open) % 2 == 0:
            self._resource(name, attributes)
        else:
            self._property(name, attributes)

    def _resource(self, name: str, attributes: dict[str, str]) -> None:
        id_ = self._id(attributes)
        if self._open:
            self.drafts.link(self._open[-2], self._open[-1], id_)
        if name != DESCRIPTION:
            self.drafts.link(id_, TYPE, name)
        for key, value in attributes.items():
            self.drafts.literal(id_, key.replace(SEPARATOR, ""), value, self._language[-1])
        self._open.append(id_)

    def _property(self, name: str, attributes: dict[str, str]) -> None:
        target = attributes.get(RDF + SEPARATOR + "resource")
        if target is not None:
            self.drafts.link(self._open[-1], name, resolved(self._base[-1], target))
        self._open.append(name)
        self._text.clear()

    def _end(self, tag: str) -> None:
        if self._open:
            if len(self._open) % 2 == 0:
                subject, predicate = self._open[-2:]
                self.drafts.literal(subject, predicate, "".join(self._text), self._language[-1])
            self._open.pop()
            self._text.clear()
        self._base.pop()
        self._language.pop()

    def _characters(self, text: str) -> None:
        if len(self._open) % 2 == 0:
            self._text.append(text)

    def _id(self, attributes: dict[str, str]) -> str:
        about = attributes.get(RDF + SEPARATOR + "about")
        if about is not None:
            return resolved(self._base[-1], about)
        name = attributes.get(RDF + SEPARATOR + "ID")
        if name is not None:
            return resolved(self._base[-1], f"#{name}")
        self._unnamed += 1
        return f"_:{attributes.get(RDF + SEPARATOR + 'nodeID', self._unnamed)}"

    def _entity(self, *declaration: object) -> None:
        raise _RefusedError("entities of its own are refused; write the characters themselves")

    def _external(self, *reference: object) -> int:
        raise _RefusedError("external entities are refused")
