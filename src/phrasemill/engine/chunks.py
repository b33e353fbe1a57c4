"""Records in numbered chunks: the unit of work, of restart and of output.

Where a chunk begins and ends depends on the records and on the `Plan` alone, so chunk 17 is the same however often a
run was killed. A chunk is full when it has so many documents, or so many characters: long documents come in small
company, and no chunk takes much longer than another. Its documents travel to the workers as one Arrow record batch.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from phrasemill.errors import ConfigError, MissingExtra
from phrasemill.types import Document

if TYPE_CHECKING:
    import pyarrow

FIELDS = ("id", "title", "text", "language")


@dataclass(frozen=True, slots=True)
class Plan:
    """How many documents or characters fill a chunk."""

    documents: int = 1_000
    characters: int = 1_000_000

    def __post_init__(self) -> None:
        for what in ("documents", "characters"):
            if getattr(self, what) < 1:
                raise ConfigError(f"{what} of a part must be at least 1, got {getattr(self, what)}")


class Record(NamedTuple):
    """One record of the input: a document, or why there is none. `number` counts the records of `input` from 1."""

    input: str
    number: int
    document: Document | None
    reason: str = ""


class Failure(NamedTuple):
    """A document that gave no keyphrases because something went wrong."""

    id: str
    input: str
    record: int
    reason: str


@dataclass(frozen=True, slots=True)
class Chunk:
    """`payload` holds the documents, unless it is `bare`; `records` says where each comes from.

    `weight` is in bytes of the inputs.
    """

    number: int
    payload: bytes
    records: tuple[tuple[str, str, int], ...]  # id, input, number in it
    unreadable: tuple[tuple[int, Failure], ...]  # each with the number of documents before it
    digest: str
    weight: int
    bare: bool = False

    def __len__(self) -> int:
        return len(self.records) + len(self.unreadable)

    def alone(self) -> list[bytes]:
        """A payload for each document."""
        batch = unpacked(self.payload)
        return [packed(batch.slice(i, 1)) for i in range(batch.num_rows)]

    def outcomes(self, failed: Iterable[tuple[int, str]]) -> Iterator[Failure | None]:
        """For each record in the order of the input, why it failed, or None; `failed` are documents and reasons."""
        reasons, unreadable = dict(failed), deque(self.unreadable)
        for index, record in enumerate((*self.records, None)):
            while unreadable and unreadable[0][0] == index:
                yield unreadable.popleft()[1]
            if record is not None:
                yield Failure(*record, one_line(reasons[index])) if index in reasons else None

    @property
    def first_input(self) -> str:
        return self.records[0][1] if self.records else self.unreadable[0][1].input


class Group:
    """The records of one chunk, as they come."""

    def __init__(self, plan: Plan, records: Iterable[Record] = ()) -> None:
        self._plan, self._characters = plan, 0
        self.records: list[Record] = []
        for record in records:
            self.add(record)

    def add(self, record: Record) -> None:
        self.records.append(record)
        if record.document is not None:
            self._characters += len(record.document.text) + len(record.document.title)

    @property
    def full(self) -> bool:
        return len(self.records) >= self._plan.documents or self._characters >= self._plan.characters


def chunk_of(number: int, records: Sequence[Record], *, weight: int = 0, bare: bool = False) -> Chunk:
    """A chunk of these records; a `bare` one has no payload, only what tells whether it is the same as before."""
    digest = blake2b(digest_size=16)
    documents: list[Document] = []
    places, unreadable = [], []
    for record in records:
        document = record.document
        if document is None:
            failure = Failure(f"{record.input}:{record.number}", *record[:2], one_line(record.reason))
            unreadable.append((len(documents), failure))
            digest.update(f"{record.input}\0{record.number}\0".encode())
            continue
        documents.append(document)
        places.append((document.id, record.input, record.number))
        # Lengths, too, lest a text that moves from one field or document to the next go unseen.
        head = f"{len(document.id)} {len(document.title)} {len(document.text)} {document.language} {document.id}"
        digest.update(head.encode() + document.title.encode() + document.text.encode())
    payload = b"" if bare else packed(batch_of(documents))
    return Chunk(number, payload, tuple(places), tuple(unreadable), digest.hexdigest(), weight, bare)


def batch_of(documents: Sequence[Document]) -> "pyarrow.RecordBatch":
    """Documents as an Arrow record batch; references and metadata stay behind."""
    arrow = pyarrow_module()
    columns = [[getattr(document, field) for document in documents] for field in FIELDS]
    return arrow.record_batch([arrow.array(column, arrow.string()) for column in columns], names=list(FIELDS))


def documents_of(payload: bytes) -> list[Document]:
    """The documents of a payload."""
    columns = [column.to_pylist() for column in unpacked(payload).columns]
    return [Document(id_, text, title, language) for id_, title, text, language in zip(*columns, strict=True)]


def packed(batch: "pyarrow.RecordBatch") -> bytes:
    """A record batch as bytes."""
    arrow = pyarrow_module()
    sink = arrow.BufferOutputStream()
    with arrow.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return bytes(sink.getvalue())


def unpacked(data: bytes) -> "pyarrow.RecordBatch":
    """The record batch in `data`."""
    return pyarrow_module().ipc.open_stream(data).read_next_batch()


def sound(text: str) -> str:
    """`text` without halves of characters, which ids and names of files may have; as `extract` prints it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def one_line(text: str) -> str:
    return sound(" ".join(text.split()))


def pyarrow_module() -> Any:
    """PyArrow, or what to install."""
    try:
        import pyarrow
    except ImportError:
        raise MissingExtra("pyarrow", "parquet", purpose="working on a corpus") from None
    return pyarrow
