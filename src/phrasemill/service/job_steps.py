"""The steps of jobs in worker processes: unpack archives, read files, extract, and draw the pages of PDFs."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from phrasemill.readers import Columns
from phrasemill.readers.archives import Damaged, Member, is_archive, members_of
from phrasemill.readers.sniffing import BY_EXTENSION, RECORDS, extension_of, format_of
from phrasemill.service.answers import encoded
from phrasemill.service.problems import Refusal, refusal_of
from phrasemill.service.steps import WorkerState, extracted, record
from phrasemill.sources import as_document
from phrasemill.types import Document, Span

LONGEST_NAME = 1_000  # characters of a path or an id
HEAD = 4096  # bytes of a file that show its format
ROW_KEYPHRASES = 30  # in the row of a document
ROW_TITLE, ROW_PHRASE = 300, 200  # characters there
JUNK = frozenset(("thumbs.db", "desktop.ini"))  # what systems leave in folders, besides hidden files
MACINTOSH = "__macosx"


class StoredFile(NamedTuple):
    """A file of a job: the name that it was sent with, its name in the folder of the job, and its bytes."""

    name: str
    path: str
    size: int

    @property
    def holds_many(self) -> bool:
        """Whether it may hold several documents, by its name."""
        return is_archive(self.name) or BY_EXTENSION.get(extension_of(self.name)) in (*RECORDS, None)


class ReadDocument(NamedTuple):
    """A document that was read: its record without an id, its row, and how many pages it has if it is a PDF."""

    id: str
    text: bytes
    row: Mapping[str, Any]
    pages: int = 0


class Extracted(NamedTuple):
    """A document with its keyphrases: its record without an id, and its row."""

    record: bytes
    row: Mapping[str, Any]


def label(name: str) -> str:
    """Return the name of a file as it is shown, with its folders; it never names a file of the server."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    return "/".join(parts)[-LONGEST_NAME:] or "file"


def is_junk(name: str) -> bool:
    """Return whether a file is one that systems leave in folders, and no document of a person."""
    parts = name.lower().split("/")
    return any(part.startswith(".") or part == MACINTOSH for part in parts) or parts[-1] in JUNK


def unpack(_: object, *, file: StoredFile, folder: str, most: int, room: int) -> "list[StoredFile | Refusal]":
    """Write the documents in an archive into `folder`, at most `most` files and `room` bytes; a `Refusal` stands for
    one that cannot be read, and for what is lost where the archive is damaged."""
    found: list[StoredFile | Refusal] = []
    size = 0
    with _removed_on_failure(folder, found):
        try:
            for member in _members(Path(folder, file.path), file):
                if len(found) >= most:
                    raise Refusal("too-many-documents", f"{file.name}: at most {most:,} in one job")
                name = f"{file.name}/{label(member.name)}"[:LONGEST_NAME]
                if member.data is None:
                    found.append(Refusal("unreadable-input", f"{name}: {member.problem or 'too large'}"))
                    continue
                size += len(member.data)
                if size > room:
                    raise Refusal("too-much-text", f"{file.name}: unpacks to more than {room:,} bytes")
                path = f"{file.path}-{len(found)}"
                _write(Path(folder, path), member.data)
                found.append(StoredFile(name, path, len(member.data)))
        except Damaged as error:
            found.append(refusal_of(error))
    return found or [Refusal("unreadable-input", f"{file.name}: no document in it")]


@contextmanager
def _removed_on_failure(folder: str, written: "Sequence[StoredFile | Refusal]") -> Iterator[None]:
    """Delete what was written if the whole step fails: nobody would count it, or delete it before the job."""
    try:
        yield
    except BaseException:
        for one in written:
            if isinstance(one, StoredFile):
                Path(folder, one.path).unlink(missing_ok=True)
        raise


def _members(path: Path, file: StoredFile) -> Iterator[Member]:
    """Yield the documents in an archive, without what systems leave in them."""
    from phrasemill.engine.inputs import LARGEST_MEMBER, SUFFIXES

    with path.open("rb") as raw:
        for member in members_of(raw, SUFFIXES, name=file.name, size=file.size, largest=LARGEST_MEMBER):
            if not is_junk(label(member.name)):
                yield member


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except FileNotFoundError:
        raise Refusal("not-found", "the job was deleted") from None
    except OSError:
        path.unlink(missing_ok=True)
        raise Refusal("busy", "the disk of the server is full") from None


def read(
    _: object, *, file: StoredFile, folder: str, columns: Columns, most: int, room: int
) -> "list[ReadDocument | Refusal]":
    """Read the documents of a file, at most `most` with `room` bytes of text; a `Refusal` stands for a record that
    cannot be read."""
    from phrasemill.readers import read_all

    found: list[ReadDocument | Refusal] = []

    def add(one: ReadDocument | Refusal) -> None:
        if len(found) >= most:
            raise Refusal("too-many-documents", f"{file.name}: at most {most:,} at once")
        found.append(one)

    size, path = 0, Path(folder, file.path)
    with path.open("rb") as raw:
        head = raw.read(HEAD)
        is_pdf = format_of(file.name, head) == "pdf"
        raw.seek(0)
        for one in read_all(raw, name=file.name, columns=columns, report=lambda error: add(refusal_of(error))):
            if not one.content.strip():
                reason = "there is no text in it" if head.strip() else "the file is empty"
                add(Refusal("unreadable-input", f"{file.name}: {reason}"))
                continue
            pages = _page_count(path.read_bytes()) if is_pdf else 0
            made = record(one, file.name, []) | ({"pages": pages} if pages else {})
            text = _without_id(made)
            size += len(text)
            if size > room:
                raise Refusal("too-much-text", f"{file.name}: more than {room:,} bytes of text in one file")
            row = {"title": one.title[:ROW_TITLE], "language": one.language, "keyphrases": []}
            add(ReadDocument(one.id[:LONGEST_NAME], text, row | ({"pages": pages} if pages else {}), pages))
    return found or [Refusal("unreadable-input", f"{file.name}: no document in it")]


def _page_count(data: bytes) -> int:
    from phrasemill.readers.pdf import opened_pdf

    with opened_pdf(data, "the PDF") as pdf:
        return len(pdf)


def extract(
    state: WorkerState,
    *,
    text: bytes,
    id: str,
    file: str,
    pages: int,
    method: str,
    options: Mapping[str, Any] | None,
) -> Extracted:
    """Return the record of a document and its row; without `options` it is only read."""
    source = document_of(text, id)
    made = record(as_document(source), file, []) if options is None else extracted(state, source, method, options, file)
    made |= {"pages": pages} if pages else {}
    row: dict[str, Any] = {"title": made["title"][:ROW_TITLE], "language": made["language"]}
    row["found"] = len(made["keyphrases"])
    row |= {name: made[name] for name in ("kind", "pages") if name in made}
    shown = made["keyphrases"][:ROW_KEYPHRASES]
    row["keyphrases"] = [{"text": one["text"][:ROW_PHRASE], "score": one["score"]} for one in shown]
    return Extracted(_without_id(made), row)


def document_of(text: bytes, id: str) -> Document:
    """Return the document that a record without an id describes."""
    found = json.loads(text)
    return Document(id, found["text"], found["title"], found["language"])


def _without_id(made: Mapping[str, Any]) -> bytes:
    return encoded({name: value for name, value in made.items() if name != "id"})


def with_id(id: str, record: bytes) -> bytes:
    """Return a record as clients get it: ids are made unique where the jobs are."""
    return b'{"id":' + encoded(id) + b"," + record[1:]


def page_image(_: object, *, file: str, number: int, width: int) -> bytes:
    """Return a page of the PDF `file` as PNG."""
    from phrasemill.readers.pdf_pages import page_image

    return page_image(Path(file).read_bytes(), number, width=width)


def page_marks(_: object, *, file: str, id: str, record: bytes) -> bytes:
    """Return the pages of the PDF `file` with the boxes of the keyphrases in `record`, as JSON."""
    from phrasemill.readers.pdf_pages import page_marks

    spans = [[Span(*span) for span in one["spans"]] for one in json.loads(record)["keyphrases"]]
    pages = page_marks(Path(file).read_bytes(), document_of(record, id), spans)
    return encoded(
        [
            {
                "number": page.number,
                "width": page.width,
                "height": page.height,
                "marks": [{"keyphrase": index, "box": box} for index, *box in page.boxes],
            }
            for page in pages
        ]
    )
