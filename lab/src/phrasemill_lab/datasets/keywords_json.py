"""The JSON of the generation literature: title, abstract and keywords, as lines, a list, or under ids.

    {"title": "…", "abstract": "…", "keyword": "graph theory;trees"}        kp20k_training.json (Meng et al., 2017)
    {"id": "7", "title": "…", "abstract": "…", "keywords": ["…", "…"]}      OpenNMT-kpg
    {"title": "…", "question": "…", "tags": "java;linux"}                   its StackExchange files
    {"PMC1": {"title": "…", "abstract": "…", "keywords_in": ["…"], "keywords_not_in": ["…"]}}       PubMedAKE

Records without an id are numbered by their line. Commas inside a keyword are part of it. The gold of PubMedAKE is both
of its lists, or one of them.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from phrasemill.types import Document
from phrasemill_lab.datasets import records
from phrasemill_lab.datasets.records import LayoutReading

TEXT_FIELDS = ("abstract", "text", "question", "body")
KEYWORD_FIELDS = ("keywords", "keyword", "keyphrases", "tags")
IN, NOT_IN = "keywords_in", "keywords_not_in"
GOLDS = {"all": (IN, NOT_IN), "present": (IN,), "absent": (NOT_IN,)}


def read(path: Path, reading: LayoutReading) -> Iterator[Document]:
    """Return the documents of one file."""
    name = path.name.partition(".json")[0]

    def convert(record: Mapping[str, object], key: str | None, line: int) -> Document:
        text = next((field for field in TEXT_FIELDS if record.get(field) is not None), TEXT_FIELDS[0])
        known: dict[str, object] = {}
        if IN in record or NOT_IN in record:
            used = GOLDS[reading.gold_of(tuple(GOLDS))]
            lists = {name: records.references(record.get(name, []), name=name) for name in (IN, NOT_IN)}
            references = tuple(reference for name in used for reference in lists[name])
            used = (IN, NOT_IN)
            known = {"present": list(lists[IN]), "absent": list(lists[NOT_IN])}
        else:
            used = (reading.gold or next((field for field in KEYWORD_FIELDS if field in record), KEYWORD_FIELDS[0]),)
            references = records.references(record.get(used[0]), name=used[0])
        return Document(
            id=records.identity(record, key or f"{name}-{line}"),
            title=records.string(record, "title", default=""),
            text=records.string(record, text),
            language=records.language_of(record),
            references=references,
            metadata=records.rest(record, ["id", "title", text, *used]) | known,
        )

    return records.documents(path, reading, convert)
