"""Lines of JSON, one document each; also a JSON file that is one record, a list of them, or records by id.

{"id": "d1", "title": "Salt in wells", "text": "Pumps draw too much groundwater."}
"""

from collections.abc import Iterator
from typing import BinaryIO

from phrasemill.readers.guessing import Ahead
from phrasemill.readers.json_records import located_records
from phrasemill.readers.records import RecordReading
from phrasemill.types import Document


def read_all(file: BinaryIO, reading: RecordReading) -> Iterator[Document]:
    """Return the documents in `file`; what is wrong with a record is reported, and the next one follows."""
    records = Ahead(located_records(file, name=reading.name, largest=reading.largest))
    return reading.documents(records, guess=reading.guess(records))
