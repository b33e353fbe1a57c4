"""Lines of JSON, one document each; also a JSON file that is one record, a list of them, or records by id.

{"id": "d1", "title": "Salt in wells", "text": "Pumps draw too much groundwater."}
"""

from collections.abc import Iterator
from typing import BinaryIO

from phrasemill.readers.json_records import json_records
from phrasemill.readers.records import Located, RecordReading
from phrasemill.readers.values import shown
from phrasemill.types import Document


def read_all(file: BinaryIO, reading: RecordReading) -> Iterator[Document]:
    """Return the documents in `file`; what is wrong with a record is reported, and the next one follows."""
    return reading.documents(_located(file, reading))


def _located(file: BinaryIO, reading: RecordReading) -> Iterator[Located]:
    name = reading.name
    for line, key, value in json_records(file, name=name, largest=reading.largest):
        where = f"{name}, line {line}"
        if isinstance(key, str):
            yield f"{where}, record {shown(key)!r}", key, value
        elif isinstance(key, int):
            yield f"{where}, record {key}", f"{name}:1:{key}", value
        elif isinstance(value, list):  # on a line among records
            for number, one in enumerate(value, start=1):
                yield f"{where}, record {number}", f"{name}:{line}:{number}", one
        else:
            yield where, f"{name}:{line}", value
