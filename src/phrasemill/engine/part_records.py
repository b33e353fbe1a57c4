"""What is recorded about each part: in a file of its own during the run, in a line of `parts.jsonl` afterwards."""

import json
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any, BinaryIO, NamedTuple

from phrasemill.engine.chunks import RecordOutcome
from phrasemill.engine.store import WORK, Store

PARTS = "parts.jsonl"
PART = "part-"  # what names of parts begin with
BLOCK = 1 << 20


class FileContent(NamedTuple):
    """The length of a file and a digest of its bytes."""

    bytes: int
    digest: str


class PartRecord(NamedTuple):
    """A part: its file, its counts, a digest of the records that it was made from, and which of them failed."""

    name: str
    content: FileContent
    documents: int
    keyphrases: int
    records: str
    failures: tuple[RecordOutcome, ...] = ()

    def line(self) -> bytes:
        """Return the record as JSON, without a line feed."""
        record: dict[str, Any] = {
            "name": self.name,
            **self.content._asdict(),
            "documents": self.documents,
            "failed": len(self.failures),
            "keyphrases": self.keyphrases,
            "records": self.records,
        }
        if self.failures:
            record["failures"] = [failure._asdict() for failure in self.failures]
        return json.dumps(record, ensure_ascii=False).encode()


def parsed(data: bytes) -> PartRecord | None:
    """Return the record in `data`; None if it is damaged."""
    try:
        found = json.loads(data)
        failures = tuple(RecordOutcome(**one) for one in found.get("failures", ()))
        content = FileContent(int(found["bytes"]), str(found["digest"]))
        counts = int(found["documents"]), int(found["keyphrases"])
        return PartRecord(str(found["name"]), content, *counts, str(found["records"]), failures)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def part_name(number: int, format: str) -> str:
    return f"{PART}{number:06}.{format}"


def record_name(number: int) -> str:
    return f"{WORK}/{PART}{number:06}.json"


def numbers(store: Store) -> set[int]:
    """Return the numbers of the parts that have a record."""
    found = [name.removeprefix(PART).removesuffix(".json") for name in store.names(WORK) if name.startswith(PART)]
    return {int(number) for number in found if number.isdecimal()}


def content_of(file: BinaryIO) -> FileContent:
    """Return length and digest of what is left of `file`."""
    digest, size = blake2b(digest_size=16), 0
    while block := file.read(BLOCK):
        digest.update(block)
        size += len(block)
    return FileContent(size, digest.hexdigest())


def write(store: Store, name: str, data: bytes) -> None:
    with store.writing(name) as file:
        file.write(data)


def content(store: Store, name: str) -> FileContent:
    """Return length and digest of a file of the store."""
    with store.open(name) as file:
        return content_of(file)


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
