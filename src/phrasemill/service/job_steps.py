"""The steps of jobs in worker processes: split the upload, unpack archives, read files, extract.

Files stay on disk, in the folder of the job; what goes to and from the server is names, sizes and short rows.
"""

import json
import pickle
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from phrasemill.readers import Columns
from phrasemill.readers.archives import Damaged, Member, is_archive, members_of
from phrasemill.readers.sniffing import BY_EXTENSION, RECORDS, extension_of, format_of
from phrasemill.service import multipart
from phrasemill.service.bodies import encoded
from phrasemill.service.forms import FormOptions, asked_of
from phrasemill.service.problems import Refusal, refusal_of
from phrasemill.service.schemas import LONGEST_NAME
from phrasemill.service.steps import WorkerState, extracted, record, without_text
from phrasemill.types import Document

PIECE = 1 << 20  # bytes of a body that are parsed at a time
HEAD = 4096  # bytes of a file that show its format
ROW_KEYPHRASES = 30  # in the row of a document
ROW_TITLE, ROW_PHRASE = 300, 200  # characters there
JUNK = frozenset(("thumbs.db", "desktop.ini"))  # what systems leave in folders, besides hidden files
MACINTOSH = "__macosx"


class StoredFile(NamedTuple):
    """A file of a job on disk, under the name that it was sent with."""

    name: str
    path: str
    size: int

    @property
    def holds_many(self) -> bool:
        """Whether it may hold several documents, by its name."""
        return is_archive(self.name) or BY_EXTENSION.get(extension_of(self.name)) in (*RECORDS, None)


class StoredDocument(NamedTuple):
    """A document that was read and is stored on disk; `pages` is that of a PDF, else 0."""

    id: str
    title: str
    language: str
    path: str
    size: int
    pages: int = 0


class Extracted(NamedTuple):
    """A document whose record is on disk: its short row, and the size of the record."""

    row: dict[str, Any]
    size: int


def split(_: object, *, body: str, folder: str, content_type: str, files: int) -> tuple[list[StoredFile], FormOptions]:
    """Write the files of a form into `folder`, hidden ones left out, and return them with the options."""

    def opened(number: int) -> BinaryIO:
        return (Path(folder) / f"upload-{number}").open("wb")

    found = multipart.parts(_pieces(body), content_type, files=files, opened=opened, ended=lambda file: file.close())
    asked = asked_of(found)
    stored = []
    for part in found.files:
        path, name = Path(part.file.name), label(part.name)
        if is_junk(name) and len(found.files) > 1:
            path.unlink()
        else:
            stored.append(StoredFile(name, str(path), path.stat().st_size))
    if not stored:
        raise Refusal("unreadable-input", "there are only hidden files in it")
    return stored, asked


def _pieces(path: str) -> Iterator[bytes]:
    with Path(path).open("rb") as file:
        while piece := file.read(PIECE):
            yield piece


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
    with _removed_on_failure(found):
        try:
            for member in _members(file):
                if len(found) >= most:
                    raise Refusal("too-many-documents", f"{file.name}: at most {most:,} in one job")
                name = f"{file.name}/{label(member.name)}"[:LONGEST_NAME]
                if member.data is None:
                    found.append(Refusal("unreadable-input", f"{name}: {member.problem or 'too large'}"))
                    continue
                size += len(member.data)
                if size > room:
                    raise Refusal("too-much-text", f"{file.name}: unpacks to more than {room:,} bytes")
                path = Path(folder) / f"{Path(file.path).name}-{len(found)}"
                _write(path, member.data)
                found.append(StoredFile(name, str(path), len(member.data)))
        except Damaged as error:
            found.append(refusal_of(error))
    return found or [Refusal("unreadable-input", f"{file.name}: no document in it")]


@contextmanager
def _removed_on_failure(written: "Sequence[StoredFile | StoredDocument | Refusal]") -> Iterator[None]:
    """Delete what was written if the whole step fails: nobody would count it, or delete it before the job."""
    try:
        yield
    except BaseException:
        for one in written:
            if not isinstance(one, Refusal):
                Path(one.path).unlink(missing_ok=True)
        raise


def _members(file: StoredFile) -> Iterator[Member]:
    """Yield the documents in an archive, without what systems leave in them."""
    from phrasemill.engine.inputs import LARGEST_MEMBER, SUFFIXES

    with Path(file.path).open("rb") as raw:
        for member in members_of(raw, SUFFIXES, name=file.name, size=file.size, largest=LARGEST_MEMBER):
            if not is_junk(label(member.name)):
                yield member


def read(_: object, *, file: StoredFile, columns: Columns, most: int, room: int) -> "list[StoredDocument | Refusal]":
    """Read the documents of a file, at most `most` with `room` bytes of text, and store each on disk; a `Refusal`
    stands for a record that cannot be read."""
    from phrasemill.readers import read_all

    found: list[StoredDocument | Refusal] = []

    def add(one: StoredDocument | Refusal) -> None:
        if len(found) >= most:
            raise Refusal("too-many-documents", f"{file.name}: at most {most:,} in one job")
        found.append(one)

    size = 0
    with _removed_on_failure(found), Path(file.path).open("rb") as raw:
        head = raw.read(HEAD)
        is_pdf = format_of(file.name, head) == "pdf"
        raw.seek(0)
        for one in read_all(raw, name=file.name, columns=columns, report=lambda error: add(refusal_of(error))):
            if not one.content.strip():
                add(without_text(file.name, head))
                continue
            data = pickle.dumps(Document(one.id, one.text, one.title, one.language, metadata=dict(one.metadata)))
            size += len(data)
            if size > room:
                raise Refusal("too-much-text", f"{file.name}: more than {room:,} bytes of text in one file")
            path = f"{file.path}.{len(found)}.document"
            _write(Path(path), data)
            pages = page_count(file.path) if is_pdf else 0
            add(StoredDocument(one.id[:LONGEST_NAME], one.title[:ROW_TITLE], one.language, path, len(data), pages))
    return found or [Refusal("unreadable-input", f"{file.name}: no document in it")]


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except FileNotFoundError:
        raise Refusal("not-found", "the job was deleted") from None
    except OSError:
        path.unlink(missing_ok=True)
        raise Refusal("busy", "the disk of the server is full") from None


def page_count(path: str) -> int:
    """Return the number of pages of a PDF."""
    from phrasemill.readers.pdf import opened_pdf

    with opened_pdf(Path(path).read_bytes(), "the PDF") as pdf:
        return len(pdf)


def extract(
    state: WorkerState,
    *,
    document: StoredDocument,
    id: str,
    file: str,
    target: str,
    method: str,
    options: Mapping[str, Any] | None,
    largest: int,
) -> Extracted:
    """Write the record of a document to `target`, and return its row; without `options` it is only read."""
    source = stored(document, id)
    made = record(source, file, []) if options is None else extracted(state, source, method, options, file)
    if document.pages:
        made["pages"] = document.pages
    data = encoded(made)
    if len(data) > largest:
        raise Refusal("answer-too-large", f"more than {largest:,} bytes; ask for fewer keyphrases")
    _write(Path(target), data)
    return Extracted(row_of(made), len(data))


def stored(document: StoredDocument, id: str) -> Document:
    """Return the document that is stored, under another id."""
    found: Document = pickle.loads(Path(document.path).read_bytes())
    return Document(id, found.text, found.title, found.language, metadata=found.metadata)


def row_of(made: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a table shows of a record."""
    row: dict[str, Any] = {"title": made["title"][:ROW_TITLE], "language": made["language"]}
    row["found"] = len(made["keyphrases"])
    row |= {name: made[name] for name in ("kind", "pages") if name in made}
    shown = made["keyphrases"][:ROW_KEYPHRASES]
    return row | {"keyphrases": [{"text": one["text"][:ROW_PHRASE], "score": one["score"]} for one in shown]}


def show(_: object, *, document: StoredDocument, id: str, file: str) -> bytes:
    """Return a document that has no keyphrases yet, as JSON."""
    made = record(stored(document, id), file, [])
    return encoded(made | ({"pages": document.pages} if document.pages else {}))


def spans_of(path: str) -> Sequence[Sequence[tuple[int, int]]]:
    """Return the spans of the keyphrases in the record at `path`."""
    found = json.loads(Path(path).read_bytes())
    return [[(start, end) for start, end in one["spans"]] for one in found["keyphrases"]]
