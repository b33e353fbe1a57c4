"""The JSON of the generation literature: title, abstract and keywords, as lines, a list, or under ids.

    {"title": "…", "abstract": "…", "keyword": "graph theory;trees"}        kp20k_training.json (Meng et al., 2017)
    {"id": "7", "title": "…", "abstract": "…", "keywords": ["…", "…"]}      OpenNMT-kpg
    {"title": "…", "question": "…", "tags": "java;linux"}                   its StackExchange files

Records without an id are numbered by their line. Commas inside a keyword are part of it, unless the dataset is known
to put wordings between them (KPTimes).
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from phrasemill.lab.datasets import files, records, writing
from phrasemill.lab.datasets.records import Reading
from phrasemill.types import Document

TEXT_FIELDS = ("abstract", "text", "question", "body")
KEYWORD_FIELDS = ("keywords", "keyword", "keyphrases", "tags")


def read(path: Path, reading: Reading, *, variants: str | None = None) -> Iterator[Document]:
    """The documents of one file; `variants` stands between the wordings of a keyword."""
    name = files.name_without_endings(path)

    def convert(record: Mapping[str, object], key: str | None, line: int) -> Document:
        gold = reading.gold or next((field for field in KEYWORD_FIELDS if field in record), KEYWORD_FIELDS[0])
        text = next((field for field in TEXT_FIELDS if record.get(field) is not None), TEXT_FIELDS[0])
        return Document(
            id=records.identity(record, key or f"{name}-{line}"),
            title=records.string(record, ["title"], default=""),
            text=records.string(record, [text]),
            language=records.language_of(record),
            references=records.references(record.get(gold), name=gold, variants=variants),
            metadata=records.rest(record, ["id", "title", text, gold]),
        )

    return records.documents(path, reading, convert)


def write(documents: Iterable[Document], path: Path) -> int:
    """Write lines of `id`, `title`, `abstract` and `keywords`, a list of first wordings; how many they were."""
    return writing.lines((json.dumps(_record(document), ensure_ascii=False) for document in documents), path)


def _record(document: Document) -> dict[str, object]:
    return {
        "id": document.id,
        "title": document.title,
        "abstract": document.text,
        "keywords": [records.first_wording(reference) for reference in document.references],
    }
