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

from phrasemill.evaluation.answers import clustered
from phrasemill.types import Document
from phrasemill_lab.datasets import files, records, writing
from phrasemill_lab.datasets.preparation import split_by_presence
from phrasemill_lab.datasets.records import LayoutReading

TEXT_FIELDS = ("abstract", "text", "question", "body")
KEYWORD_FIELDS = ("keywords", "keyword", "keyphrases", "tags")
IN, NOT_IN = "keywords_in", "keywords_not_in"
GOLDS = {"all": (IN, NOT_IN), "present": (IN,), "absent": (NOT_IN,)}


def read(path: Path, reading: LayoutReading, *, variants: str | None = None) -> Iterator[Document]:
    """Return the documents of one file; `variants` stands between the wordings of a keyword."""
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


def read_kptimes(path: Path, reading: LayoutReading) -> Iterator[Document]:
    """Return the documents of one file of KPTimes; wordings between commas become one reference."""
    return read(path, reading, variants=",")


def write(documents: Iterable[Document], path: Path) -> int:
    """Write lines of `id`, `title`, `abstract` and `keywords`, a list of first wordings; how many they were."""
    return writing.lines((json.dumps(_record(document), ensure_ascii=False) for document in documents), path)


def _record(document: Document) -> dict[str, object]:
    return {
        "id": document.id,
        "title": document.title,
        "abstract": document.text,
        "keywords": [clustered(reference)[0] for reference in document.references],
    }


def read_pubmedake(path: Path, reading: LayoutReading) -> Iterator[Document]:
    """Return the documents of one file; the gold is both lists, or one of them."""
    wanted = GOLDS[reading.gold_of(tuple(GOLDS))]

    def convert(record: Mapping[str, object], key: str | None, line: int) -> Document:
        lists = {name: records.references(record.get(name, []), name=name) for name in (IN, NOT_IN)}
        return Document(
            id=records.identity(record, key or f"{files.name_without_endings(path)}-{line}"),
            title=records.string(record, ["title"], default=""),
            text=records.string(record, ["abstract"]),
            references=tuple(reference for name in wanted for reference in lists[name]),
            metadata=records.rest(record, ["id", "title", "abstract", IN, NOT_IN])
            | {"present": list(lists[IN]), "absent": list(lists[NOT_IN])},
        )

    return records.documents(path, reading, convert)


def write_pubmedake(documents: Iterable[Document], path: Path) -> int:
    """Write `documents` as the paper's authors do, under their ids; return how many they were."""
    count = 0
    with writing.json_object(path) as write:
        for document in documents:
            record = json.dumps(_pubmedake_record(document), ensure_ascii=False)
            write(document.id, record.encode("utf-8", errors="replace"))
            count += 1
    return count


def _pubmedake_record(document: Document) -> dict[str, object]:
    gold = split_by_presence(document)
    present, absent = ([clustered(one)[0] for one in part] for part in (gold.present, gold.absent))
    return {"title": document.title, "abstract": document.text, IN: present, NOT_IN: absent}
