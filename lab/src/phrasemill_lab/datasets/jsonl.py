"""Phrasemill's own JSON lines: id, title, text, keyphrases, and whatever else is known.

    {"id": "d1", "title": "…", "text": "…", "keyphrases": ["graph theory", ["tree", "acyclic graph"]], "topic": "t4"}

A keyphrase may be a list of wordings. Where `clusters` or `combined` holds the wordings of the flat list `keyphrases`,
they are the gold; `gold` names another field. Stemmed gold (`combined_stem`) is marked in the metadata.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from phrasemill.errors import DataError
from phrasemill.types import Document, Reference
from phrasemill_lab.datasets import records, writing
from phrasemill_lab.datasets.problems import Malformed
from phrasemill_lab.datasets.records import STEMMED, LayoutReading

FLAT = "keyphrases"
WITH_WORDINGS = ("clusters", "combined")
STEM_ENDINGS = ("_stem", ".stem")
OWN = ("id", "title", "text", FLAT)


def read(path: Path, reading: LayoutReading) -> Iterator[Document]:
    """Return the documents of one file; raise a `DataError` if the first record lacks the chosen gold."""
    found = False

    def convert(record: Mapping[str, object], key: str | None, line: int) -> Document:
        nonlocal found
        try:
            document = _document(record, reading)
        except NoGold as error:
            if not found:
                raise DataError(f"{path}: {error}") from None
            raise
        found = True
        return document

    return records.documents(path, reading, convert)


class NoGold(Malformed):
    """A record lacks the chosen gold."""


def _document(record: Mapping[str, object], reading: LayoutReading) -> Document:
    wanted = reading.gold or reading.usual
    name = next((one for end in ("", *STEM_ENDINGS) if (one := f"{wanted}{end}") in record), None)
    if name is None and reading.gold:
        known = ", ".join(key for key, value in record.items() if isinstance(value, list)) or "no list at all"
        raise NoGold(f"no gold {reading.gold!r}; it has {known}")
    name = name or _richest(record)
    stemmed = name.endswith(STEM_ENDINGS)
    used = (*records.ID_FIELDS[:1], "title", "text", name)
    return Document(
        id=records.identity(record),
        title=records.string(record, "title", default=""),
        text=records.string(record, "text"),
        language=records.language_of(record),
        references=records.references(record.get(name, []), name=name),
        metadata=records.rest(record, used) | ({STEMMED: True} if stemmed else {}),
    )


def _richest(record: Mapping[str, object]) -> str:
    """Return the field with the wordings of the flat list, or the flat list itself."""
    flat = record.get(FLAT)
    for name in WITH_WORDINGS:
        groups = record.get(name)
        if isinstance(groups, list) and all(isinstance(group, list) and group for group in groups):
            firsts, every = [group[0] for group in groups], [one for group in groups for one in group]
            if flat is None or (_covers(flat, firsts) and _covers(every, flat)):
                return name
    return FLAT


def _covers(listed: object, part: object) -> bool:
    """Return whether both are lists, and the first has all that the second has."""
    return isinstance(listed, list) and isinstance(part, list) and all(one in listed for one in part)


def write(documents: Iterable[Document], path: Path) -> int:
    """Write `documents` to `path`, compressed if its name ends so; how many they were."""
    return writing.lines((json.dumps(record(document), ensure_ascii=False) for document in documents), path)


def record(document: Document) -> dict[str, object]:
    """Return one line. The metadata stands beside our own fields; what would hide one of those is left out."""
    made: dict[str, object] = {"id": document.id, "title": document.title, "text": document.text}
    if document.language != "en":
        made["language"] = document.language
    made[FLAT] = [_json(reference) for reference in document.references]
    hidden = {*OWN, *records.LANGUAGE_FIELDS}
    made |= {key: value for key, value in document.metadata.items() if key not in hidden}
    chosen = _richest(made)
    if chosen != FLAT and records.references(made[chosen], name=chosen) != document.references:
        del made[chosen]
    return made


def _json(reference: Reference) -> str | list[str]:
    return reference if isinstance(reference, str) else list(reference)
