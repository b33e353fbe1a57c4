"""SKOS as Turtle, of which N-Triples is a part (https://www.w3.org/TR/turtle/).

A reader of our own, of all of the grammar that vocabularies use: prefixes, bases, literals of four kinds of quotes with
languages and types, numbers, lists of objects and predicates, blank nodes in brackets and collections (read over, for
SKOS puts no labels there).
"""

import re

from phrasemill.errors import InputError
from phrasemill.vocabulary.concepts import Concept
from phrasemill.vocabulary.skos import TYPE, Drafts, resolved

BETWEEN = r"(?:[ \t\r\n]++|\#[^\n]*+)*+"
TOKEN = re.compile(
    BETWEEN
    + r"""(?:
      <(?P<iri>[^\x00-\x20<>"{}|^`]*)>
    | (?P<long>\"\"\"(?:\"{0,2}(?:[^"\\]|\\.))*\"\"\"|'''(?:'{0,2}(?:[^'\\]|\\.))*''')
    | (?P<short>"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*')
    | @(?P<at>[A-Za-z]+(?:-[A-Za-z0-9]+)*)
    | (?P<type>\^\^)
    | (?P<number>[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)(?<!\.))
    | (?P<blank>_:[\w.\-]*[\w\-])
    | (?P<name>[^\W\d_]?[\w.\-]*:(?:(?:[\w:%\-]|\\.|\.(?=[\w:%\-\\.]))*))
    | (?P<word>[A-Za-z]+)
    | (?P<mark>[;,.\[\]()])
    | (?P<end>\Z)
    )""",
    re.VERBOSE | re.DOTALL,
)
SKIPPED = re.compile(BETWEEN)
ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
ESCAPED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
DEEPEST = 50


def read_skos_turtle(text: str, source: str) -> list[Concept]:
    """The concepts of a Turtle file."""
    reader = _Reader(text, source)
    reader.read()
    return reader.drafts.concepts()


class _Reader:
    def __init__(self, text: str, source: str) -> None:
        self.drafts = Drafts()
        self._text, self._source = text, source
        self._prefixes: dict[str, str] = {}
        self._base = ""
        self._unnamed = 0
        self._depth = 0
        self._place = 0  # of the token at hand
        self._after = 0
        self._next()

    def read(self) -> None:
        while self.kind != "end":
            if self.kind == "at" or (self.kind == "word" and self.value.lower() in ("prefix", "base")):
                self._directive()
                continue
            subject = self._subject()
            if not (self.kind == "mark" and self.value == "."):
                self._predicates(subject, "")
            self._expect(".")

    def _next(self) -> None:
        token = TOKEN.match(self._text, self._after)
        if token is None or token.lastgroup is None:
            between = SKIPPED.match(self._text, self._after)
            self._place = between.end() if between else self._after
            raise self._error()
        self.kind, self.value = token.lastgroup, token[token.lastgroup]
        self._place, self._after = token.start(token.lastgroup), token.end()

    def _error(self) -> InputError:
        line = self._text.count("\n", 0, self._place) + 1
        rest = self._text[self._place : self._place + 40].strip().split("\n")[0][:30]
        return InputError(
            f"{self._source}, line {line}: not Turtle at {rest!r}" if rest else f"{self._source}: cut off"
        )

    def _take(self, mark: str) -> bool:
        if self.kind == "mark" and self.value == mark:
            self._next()
            return True
        return False

    def _expect(self, mark: str) -> None:
        if not self._take(mark):
            raise self._error()

    def _directive(self) -> None:
        dotted, what = self.kind == "at", self.value.lower()
        self._next()
        if what == "prefix" and self.kind == "name" and self.value.endswith(":"):
            prefix = self.value[:-1]
            self._next()
            if self.kind != "iri":
                raise self._error()
            self._prefixes[prefix] = self._iri(self.value)
        elif what == "base" and self.kind == "iri":
            self._base = self._iri(self.value)
        else:
            raise self._error()
        self._next()
        if dotted:
            self._expect(".")

    def _subject(self) -> str:
        if self.kind == "mark" and self.value in "[(":
            return self._nested()
        return self._resource()

    def _predicates(self, subject: str, close: str) -> None:
        while True:
            if self.kind == "word" and self.value == "a":
                predicate = TYPE
                self._next()
            else:
                predicate = self._resource()
            self._object(subject, predicate)
            while self._take(","):
                self._object(subject, predicate)
            if not self._take(";"):
                return
            while self._take(";"):
                pass
            if self.kind == "mark" and self.value in (".", close):
                return

    def _object(self, subject: str, predicate: str) -> None:
        if self.kind in ("long", "short"):
            quotes = 3 if self.kind == "long" else 1
            text = self._unescaped(self.value[quotes:-quotes])
            self._next()
            language = ""
            if self.kind == "at":
                language = self.value
                self._next()
            elif self.kind == "type":
                self._next()
                self._resource()
            self.drafts.literal(subject, predicate, text, language)
        elif self.kind == "number" or (self.kind == "word" and self.value in ("true", "false")):
            self._next()
        elif self.kind == "mark" and self.value in "[(":
            self.drafts.link(subject, predicate, self._nested())
        else:
            self.drafts.link(subject, predicate, self._resource())

    def _nested(self) -> str:
        """A blank node with its statements, or a collection, whose members are read over."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise InputError(f"{self._source}: nested more than {DEEPEST} deep")
        self._unnamed += 1
        node = f"_:{self._unnamed}"
        if self._take("["):
            if not self._take("]"):
                self._predicates(node, "]")
                self._expect("]")
        else:
            self._expect("(")
            while not self._take(")"):
                self._object(node, "")
        self._depth -= 1
        return node

    def _resource(self) -> str:
        if self.kind == "iri":
            found = self._iri(self.value)
        elif self.kind == "blank":
            found = self.value
        elif self.kind == "name":
            prefix, _, rest = self.value.partition(":")
            if prefix not in self._prefixes:
                raise InputError(f"{self._source}: the prefix {prefix}: is not declared")
            found = self._prefixes[prefix] + re.sub(r"\\(.)", r"\1", rest)
        else:
            raise self._error()
        self._next()
        return found

    def _iri(self, written: str) -> str:
        try:
            return resolved(self._base, self._unescaped(written))
        except ValueError:
            raise self._error() from None

    def _unescaped(self, text: str) -> str:
        if "\\" not in text:
            return text
        try:
            return ESCAPE.sub(_character, text)
        except (ValueError, OverflowError):
            raise self._error() from None


def _character(found: "re.Match[str]") -> str:
    if found[3] is None:
        return chr(int(found[1] or found[2], 16))
    return ESCAPED.get(found[3], found[3])
