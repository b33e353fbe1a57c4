"""Predictions and gold from files, plain or compressed by gzip, xz or zstd.

| format | looks like |
|---|---|
| JSON lines | `{"id": "d1", "keyphrases": [{"text": "graph theory", "score": 0.4}]}`, as `extract` prints |
| gold lines | `{"id": "d1", "title": "…", "text": "…", "keyphrases": ["graph theory", ["tree", "acyclic graph"]]}` |
| JSON | `{"d1": ["graph theory"]}`, also MK-DUC-01's outputs; or a list of records as above |
| SemEval-2010 | `C-1 : grid computing,quality of service+service quality` |

The format is recognised by the first characters. A gold keyphrase may be a list of wordings; a prediction may be a
text, a record with `text` and `score`, or a pair of both.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from phrasemill.errors import InputError
from phrasemill.evaluation.answers import Answers
from phrasemill.files.streams import decompressed, read_file
from phrasemill.readers.guessing import SAMPLE, Ahead
from phrasemill.readers.json_records import located_records
from phrasemill.readers.values import as_language
from phrasemill.types import Reference

# Gold with wordings is richer than the flat list beside it.
GOLD_FIELDS = ("clusters", "keyphrases")
ID_FIELDS = ("id", "doc_id", "document_id")
SEMEVAL = re.compile(r"(?P<id>\S+)\s*:(?:\s+|$)(?P<phrases>.*)")
# More than this is no list of keyphrases.
LARGEST = 4 << 30


class Entry(NamedTuple):
    """Where a document stands in its file, its id, its phrases as they were found there, and its text and language if
    they are known."""

    where: str
    id: str
    listed: object
    text: str | None = None
    language: str = ""


def read_answers(
    path: str | Path, *, field: str | None = None, top: int | None = None, name: str | None = None
) -> Answers:
    """Read predictions or gold from `path`.

    `field` is the key of the phrases in each record (`combined`, `present` …; by default `clusters` if there is one,
    else `keyphrases`, else the only field with lists of strings, which is `guessed`). `top` keeps only that many
    phrases. Phrases count as stemmed if the field ends in `_stem` or the file name contains `.stem.`, as in
    SemEval-2010's keys.
    """
    path = Path(path)
    data = read_file(path, largest=LARGEST)
    answers = parse_answers(data, name=str(path), field=field, top=top, stemmed=".stem." in path.name)
    return replace(answers, name=name or stem_of(path))


def parse_answers(
    data: bytes, *, name: str, field: str | None = None, top: int | None = None, stemmed: bool = False
) -> Answers:
    """Parse predictions or gold from the bytes of a file; `name` is for error messages."""
    phrases: dict[str, tuple[Reference, ...]] = {}
    scores: dict[str, tuple[float, ...]] = {}
    texts: dict[str, str] = {}
    languages: dict[str, str] = {}
    guess = ""
    in_json = data[:200].removeprefix(BOM_UTF8).lstrip()[:1] in (b"{", b"[")
    if in_json:
        records = Ahead(json_mappings(data, name))
        guess = "" if field else _only_list(records)
        entries = _from_json(records, (field,) if field else (*GOLD_FIELDS, *([guess] if guess else [])))
    else:
        entries = _from_semeval(data, name)
    for where, id_, listed, text, language in entries:
        if not isinstance(listed, list):
            raise InputError(f"{where}: not a list of phrases")
        if id_ in phrases:
            raise InputError(f"{where}: repeats the id {id_!r}")
        found = [_phrase(one, where) for one in listed][:top]
        phrases[id_] = tuple([phrase for phrase, _ in found])
        given = [score for _, score in found if score is not None]
        if found and len(given) == len(found):
            scores[id_] = tuple(given)
        if text is not None:
            texts[id_] = text
        if language:
            languages[id_] = language
    if not phrases:
        raise InputError(f"{name}: no documents in it")
    return Answers(name, phrases, scores, texts, stemmed or (field or guess).endswith("_stem"), languages, guess)


def stem_of(path: Path) -> str:
    """Return the file's name without the endings of formats."""
    name = path.name
    for suffix in (".gz", ".xz", ".jsonl", ".json", ".txt", ".final"):
        name = name.removesuffix(suffix)
    return name or path.name


def decode_strictly(data: bytes, name: str) -> str:
    """Return UTF-8 as text; other encodings are refused, as a guess would change phrases."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: not UTF-8 at byte {error.start}") from None


def json_mappings(data: bytes, name: str) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield the records of lines, a list or a mapping, with where they stand; raise what is wrong with one."""
    with decompressed(BytesIO(data)) as file:
        for where, _, record in located_records(file, name=name, largest=LARGEST, longest=LARGEST):
            if isinstance(record, InputError):
                raise record
            if not isinstance(record, dict):
                raise InputError(f"{where}: not a record")
            yield where, record


def _only_list(records: Ahead[tuple[str, dict[str, object]]]) -> str:
    """Return the only field with lists of strings in the first records; "" if one has a usual name, or several do."""
    are_phrases: dict[str, bool] = {}
    for _, record in islice(records.look(), SAMPLE):
        if any(key in record for key in GOLD_FIELDS) or not any(key in record for key in ID_FIELDS):
            return ""
        for key, value in record.items():
            if value and isinstance(value, list):
                are_phrases[key] = are_phrases.get(key, True) and all(isinstance(one, str) for one in value)
    found = [key for key, holds in are_phrases.items() if holds]
    return found[0] if len(found) == 1 else ""


def _from_json(records: Iterator[tuple[str, dict[str, object]]], fields: Sequence[str]) -> Iterator[Entry]:
    for where, record in records:
        id_ = next((record[key] for key in ID_FIELDS if key in record), None)
        listed = next((record[key] for key in fields if key in record), None)
        if listed is None and (id_ is None or all(isinstance(value, list) for value in record.values())):
            yield from (Entry(f"{where}, the entry {key!r}", key, value) for key, value in record.items())
            continue
        if not isinstance(id_, str | int | float):
            raise InputError(f"{where}: has no id")
        if listed is None:
            lists = [key for key, value in record.items() if isinstance(value, list)]
            known = ", ".join(lists) or "none"
            raise InputError(f"{where}: no field {fields[-1]!r}; fields with lists: {known}", choices=lists)
        title, text = record.get("title") or "", record.get("text")
        content = (f"{title}\n{text}" if title else text) if isinstance(text, str) else None
        yield Entry(where, str(id_), listed, content, as_language(record.get("language")))


def _from_semeval(data: bytes, name: str) -> Iterator[Entry]:
    for number, line in enumerate(decode_strictly(data, name).splitlines(), start=1):
        where = f"{name}, line {number}"
        if not line.strip():
            continue
        parts = SEMEVAL.fullmatch(line.strip())
        if not parts:
            raise InputError(f"{where}: neither JSON nor 'id : phrase,phrase'")
        phrases = [one.strip() for one in parts["phrases"].split(",")]
        listed = [[wording.strip() for wording in one.split("+")] if "+" in one else one for one in phrases if one]
        yield Entry(where, parts["id"], listed)


def _phrase(value: object, where: str) -> tuple[Reference, float | None]:
    """Return a phrase, or its wordings, and its score if it has one."""
    if isinstance(value, str):
        return value, None
    if isinstance(value, dict) and isinstance(value.get("text"), str):
        score = value.get("score")
        return value["text"], float(score) if isinstance(score, int | float) else None
    if isinstance(value, list) and value:
        if all(isinstance(one, str) for one in value):
            wordings = [one for one in value if one] or value[:1]
            return (tuple(wordings) if len(wordings) > 1 else wordings[0]), None
        if len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], int | float):
            return value[0], float(value[1])
    raise InputError(f"{where}: {str(value)[:40]!r} where a phrase should be")
