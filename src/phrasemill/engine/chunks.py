"""Records in numbered chunks: the unit of work, of resuming and of output.

Where a chunk begins and ends depends on the records and on the `Plan` alone, so chunk 17 is the same however often a
run was killed. A chunk is full when it has a number of documents, or a number of characters, so no chunk takes much
longer than another. Its documents are pickled where they are read, and unpickled by the worker.
"""

import pickle
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import count
from typing import Any, NamedTuple

from phrasemill.errors import ConfigError, MissingExtra
from phrasemill.text.tokenise import sound
from phrasemill.types import Document

RESUME = "nothing is lost, run again to resume"


@dataclass(frozen=True, slots=True)
class Plan:
    """How many documents or characters fill a chunk."""

    documents: int = 1_000
    characters: int = 1_000_000

    def __post_init__(self) -> None:
        for what in ("documents", "characters"):
            if getattr(self, what) < 1:
                raise ConfigError(f"{what} of a part must be at least 1, got {getattr(self, what)}")


class InputRecord(NamedTuple):
    """One record of the input: a document, or why there is none. `number` counts the records of `input` from 1."""

    input: str
    number: int
    document: Document | None
    reason: str = ""


class RecordOutcome(NamedTuple):
    """A record by its id, its input and its number there; `reason` is why it gave no keyphrases, or ""."""

    id: str
    input: str
    record: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Chunk:
    """`payload` is the pickled documents, empty if the chunk is `bare`; `records` that could not be read have a reason.

    `weight` is in bytes of the inputs.
    """

    number: int
    payload: bytes
    records: tuple[RecordOutcome, ...] = ()
    digest: str = ""
    weight: int = 0
    bare: bool = False

    def __len__(self) -> int:
        return len(self.records)

    def alone(self) -> list[bytes]:
        """Return a payload for each document."""
        return [pickle.dumps([document]) for document in pickle.loads(self.payload)]

    def outcomes(self, failed: Iterable[tuple[int, str]]) -> list[RecordOutcome]:
        """Return the outcome of each record, in the order of the input.

        `failed` are the documents that failed, by number, and the reasons.
        """
        reasons, numbers = dict(failed), count()
        return [
            record if record.reason else record._replace(reason=one_line(reasons.get(next(numbers), "")))
            for record in self.records
        ]


class ChunkRecords:
    """The records of one chunk, as they come."""

    def __init__(self, plan: Plan, records: Iterable[InputRecord] = ()) -> None:
        self._plan, self._characters = plan, 0
        self.records: list[InputRecord] = []
        for record in records:
            self.add(record)

    def add(self, record: InputRecord) -> None:
        self.records.append(record)
        if record.document is not None:
            self._characters += len(record.document.text) + len(record.document.title)

    @property
    def full(self) -> bool:
        return len(self.records) >= self._plan.documents or self._characters >= self._plan.characters


def chunk_of(number: int, records: Sequence[InputRecord], *, weight: int = 0, bare: bool = False) -> Chunk:
    """Return a chunk of these records; a `bare` one has no payload, only the digest that identifies it."""
    digest = blake2b(digest_size=16)
    documents: list[Document] = []
    outcomes: list[RecordOutcome] = []
    for record in records:
        document = record.document
        if document is None:
            reason = one_line(record.reason) or "unreadable"
            outcomes.append(RecordOutcome(f"{record.input}:{record.number}", *record[:2], reason))
            digest.update(f"{record.input}\0{record.number}\0".encode())
            continue
        documents.append(document)
        outcomes.append(RecordOutcome(document.id, *record[:2]))
        # With lengths, so that text that moves from one field or document to the next changes the digest.
        head = f"{len(document.id)} {len(document.title)} {len(document.text)} {document.language} {document.id}"
        digest.update(head.encode() + document.title.encode() + document.text.encode())
    payload = b"" if bare else pickle.dumps(documents)
    return Chunk(number, payload, tuple(outcomes), digest.hexdigest(), weight, bare)


def one_line(text: str) -> str:
    return sound(" ".join(text.split()))


def pyarrow_module(purpose: str = "working on Arrow tables", *, instead: str = "") -> Any:
    """Return PyArrow; a `MissingExtra` names what needs it, what to install, and what to do instead."""
    try:
        import pyarrow
    except ImportError:
        raise MissingExtra("pyarrow", "parquet", purpose=purpose, instead=instead) from None
    return pyarrow
