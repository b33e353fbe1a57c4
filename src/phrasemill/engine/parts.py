"""The parts of a run, what is recorded about each, and `verify`.

A part is the same bytes whoever makes it, and is there or not. Its length, digest and counts are in a file of its own
during the run, and in a line of `parts.jsonl` afterwards.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from errno import EIO
from hashlib import blake2b
from typing import Any, BinaryIO, NamedTuple

from phrasemill.engine.store import WORK, Store
from phrasemill.errors import InputError

PARTS = "parts.jsonl"
PART = "part-"  # what names of parts begin with
BLOCK = 1 << 20
MISSING, DAMAGED, FOREIGN = "missing", "damaged", "not part of this run"


class FileContent(NamedTuple):
    """The length of a file and a digest of its bytes."""

    bytes: int
    digest: str


class PartRecord(NamedTuple):
    """A part: its file, its counts, and a digest of the items that it was made from; `errors` by the id of the
    document, where its rows have no place for them."""

    name: str
    content: FileContent
    documents: int
    failed: int
    keyphrases: int
    records: str
    errors: tuple[tuple[str, str], ...] = ()

    def line(self) -> bytes:
        """Return the record as JSON, without a line feed."""
        record: dict[str, Any] = {"name": self.name, **self.content._asdict()}
        record |= {name: getattr(self, name) for name in ("documents", "failed", "keyphrases", "records")}
        if self.errors:
            record["errors"] = self.errors
        return json.dumps(record, ensure_ascii=False).encode()


def parsed(data: bytes) -> PartRecord | None:
    """Return the record in `data`; None if it is damaged."""
    try:
        found = json.loads(data)
        content = FileContent(int(found["bytes"]), str(found["digest"]))
        documents, failed, keyphrases = (int(found[name]) for name in ("documents", "failed", "keyphrases"))
        errors = tuple((str(id_), str(why)) for id_, why in found.get("errors", ()))
        name, records = str(found["name"]), str(found["records"])
        return PartRecord(name, content, documents, failed, keyphrases, records, errors)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def part_name(number: int, format: str) -> str:
    return f"{PART}{number:06}.{format}"


def record_name(number: int) -> str:
    return f"{WORK}/{PART}{number:06}.json"


def numbers(store: Store) -> set[int]:
    """Return the numbers of the parts that have a record."""
    found = [name.removeprefix(PART).removesuffix(".json") for name in store.sizes(WORK) if name.startswith(PART)]
    return {int(number) for number in found if number.isdecimal()}


def content_of(file: BinaryIO) -> FileContent:
    """Return length and digest of what is left of `file`."""
    digest, size = blake2b(digest_size=16), 0
    while block := file.read(BLOCK):
        digest.update(block)
        size += len(block)
    return FileContent(size, digest.hexdigest())


def stored(store: Store, number: int) -> PartRecord | None:
    """Return the record of a part; None if it is lost or damaged."""
    try:
        with store.open(record_name(number)) as file:
            return parsed(file.read())
    except OSError:
        return None


def listed(store: Store) -> Iterator[PartRecord]:
    """Yield the records in `parts.jsonl`, whose digest has been checked."""
    with store.open(PARTS) as file:
        for line in file:
            record = parsed(line)
            assert record is not None
            yield record


class Flaw(NamedTuple):
    """A file that has changed, and how."""

    name: str
    what: str


@dataclass(slots=True)
class RunCounts:
    """Each document of the input has a row. Some have failed; duplicates are those whose id an earlier one has."""

    documents: int = 0
    failed: int = 0
    keyphrases: int = 0
    parts: int = 0
    duplicates: int = 0

    def add(self, record: PartRecord) -> None:
        self.documents += record.documents
        self.failed += record.failed
        self.keyphrases += record.keyphrases
        self.parts += 1


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of checking a complete run: its counts and its flaws."""

    output: str
    counts: RunCounts
    flaws: tuple[Flaw, ...]

    @property
    def intact(self) -> bool:
        """Whether nothing is missing or damaged."""
        return not self.flaws


def flaws(store: Store, files: Mapping[str, FileContent]) -> Iterator[Flaw]:
    """Yield what is wrong with the files of a complete run; `files` are those that the manifest names."""
    sizes = store.sizes()
    if what := flaw(store, PARTS, files.get(PARTS), sizes):  # the parts are unknown
        yield Flaw(PARTS, what)
        return
    expected = set()
    for record in listed(store):
        expected.add(record.name)
        if what := flaw(store, record.name, record.content, sizes):
            yield Flaw(record.name, what)
    yield from (Flaw(name, FOREIGN) for name in sorted(sizes) if name.startswith(PART) and name not in expected)


def flaw(store: Store, name: str, content: FileContent | None, sizes: Mapping[str, int]) -> str:
    """Return what is wrong with a file, by its length and then by its digest, or ""."""
    if name not in sizes:
        return MISSING
    if content is None or sizes[name] != content.bytes:
        return DAMAGED
    try:
        with store.open(name) as file:
            return "" if content_of(file) == content else DAMAGED
    except FileNotFoundError:
        return MISSING
    except OSError as error:
        if error.errno == EIO:  # the disk has lost it
            return DAMAGED
        raise InputError(f"{store.name}/{name}: {error.strerror or error}") from error
