"""The steps that workers perform for the server.

A step is a small frozen record that is pickled. The steps of a set go one after the other to the same worker, which
keeps what it has read until the last one; all others are independent. Steps call what the command calls. Results for
clients are returned as JSON, so that the server only has to join the pieces.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from phrasemill.pipeline import extract
from phrasemill.registry import parse
from phrasemill.service import bodies
from phrasemill.service.bodies import Body, Packed, encoded
from phrasemill.service.problems import Refusal, refusal_of
from phrasemill.service.specs import check_redundancy, checked, mentions
from phrasemill.types import Document

if TYPE_CHECKING:
    from phrasemill.service.task import WorkerState


@dataclass(frozen=True, slots=True)
class Parse:
    """Parse the body of a request with at most `documents` documents."""

    body: Body
    documents: int
    sets: bool = False

    def do(self, state: "WorkerState | None" = None) -> bodies.Asked:
        read = bodies.set_extraction if self.sets else bodies.extraction
        return read(self.body, self.documents)


@dataclass(frozen=True, slots=True)
class SplitForm:
    """Split a form into files and fields."""

    body: Body
    content_type: str
    files: int

    def do(self, state: "WorkerState") -> Any:
        from phrasemill.service.forms import form_of

        return form_of(self.body, self.content_type, self.files)


@dataclass(frozen=True, slots=True)
class Read:
    """Read the documents of an upload: at most `most`, with at most `room` bytes of text.

    A record that cannot be read becomes a `Refusal` in its place, and so does a file without records.
    """

    data: bytes
    name: str
    most: int
    room: int

    def do(self, state: "WorkerState") -> "list[Packed | Refusal]":
        from phrasemill.readers import read_all_bytes

        found: list[Packed | Refusal] = []

        def add(one: Packed | Refusal) -> None:
            found.append(one)
            bodies.check_count(len(found), self.most)

        size = 0
        for one in read_all_bytes(self.data, name=self.name, report=lambda error: add(refusal_of(error))):
            packed = Packed.of(Document(one.id, one.text, one.title, one.language))
            size += len(packed.data)
            if size > self.room:
                raise Refusal("too-much-text", f"{self.name}: more than {self.room:,} bytes of text in one file")
            add(packed)
        return found or [Refusal("unreadable-input", f"{self.name}: no document in it")]


@dataclass(frozen=True, slots=True)
class Show:
    """Return a document as JSON, as it was read from `file`."""

    document: Packed
    file: str

    def do(self, state: "WorkerState") -> bytes:
        return encoded(_head(self.document.unpacked(), self.file) | {"keyphrases": []})


@dataclass(frozen=True, slots=True)
class Extract:
    """Return a document with its keyphrases as JSON, and with its text if it comes from a file."""

    document: Packed
    method: str
    options: Mapping[str, Any]
    file: str | None = None

    def do(self, state: "WorkerState") -> bytes:
        document = self.document.unpacked()
        check_redundancy(self.options.get("redundancy"))
        found = extract(document, method=state.method(self.method), **self.options)
        keyphrases = [keyphrase.record() for keyphrase in found]
        return encoded(_head(document, self.file) | {"keyphrases": keyphrases})


def _head(document: Document, file: str | None) -> dict[str, object]:
    if file is None:
        return {"id": document.id}
    return {
        "id": document.id,
        "file": file,
        "title": document.title,
        "text": document.text,
        "language": document.language,
    }


@dataclass(frozen=True, slots=True)
class CheckMethod:
    """Return a spec from the network as the method itself writes it; raise an error if it is invalid or not allowed."""

    method: str
    sets: bool = False

    def do(self, state: "WorkerState") -> Any:
        spec = checked(self.method, state.offers, sets=self.sets)
        built = state.set_method(spec) if self.sets else state.method(spec)
        # What an offered name stands for is not disclosed.
        return spec if mentions(parse(spec), state.offers) else repr(built)


@dataclass(frozen=True, slots=True)
class List:
    """List `methods` or `metrics`, as JSON."""

    what: str

    def do(self, state: "WorkerState") -> bytes:
        if self.what == "methods":
            from phrasemill.service.listing import methods

            return encoded(methods(state.offers))
        from phrasemill.evaluation.report import choice_records

        return encoded(choice_records())


@dataclass(frozen=True, slots=True)
class AddToSet:
    """Add a document to a set; the first one begins a new set."""

    document: Packed
    method: str
    language: str | None
    first: bool
    compared: bool = False

    def do(self, state: "WorkerState") -> Any:
        from phrasemill.sets import GrowingSet

        document = self.document.unpacked()
        if self.first:
            method = state.set_method(self.method)
            state.sets[self.compared] = GrowingSet(method=method, language=self.language, compared=self.compared)
        state.sets[self.compared].add(document)


@dataclass(frozen=True, slots=True)
class FinishSet:
    """Return the answer for the set as JSON: its `head` and its keyphrases."""

    head: Mapping[str, object]
    options: Mapping[str, Any]
    compared: bool

    def do(self, state: "WorkerState") -> bytes:
        other = state.sets[True] if self.compared else None
        found = state.sets[False].extract(**self.options, against=other)
        state.sets = {}
        return encoded({**self.head, "keyphrases": [keyphrase.record() for keyphrase in found]})


@dataclass(frozen=True, slots=True)
class Evaluate:
    """Score systems against gold, and return the scores as JSON."""

    body: Body

    def do(self, state: "WorkerState") -> bytes:
        from phrasemill.service.scoring import scored

        return encoded(scored(self.body))


Step = Parse | SplitForm | Read | Show | Extract | CheckMethod | List | AddToSet | FinishSet | Evaluate
