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

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from phrasemill.errors import InputError
from phrasemill.evaluation.answers import Answers
from phrasemill.files.streams import read_file
from phrasemill.types import Reference

# Gold with wordings is richer than the flat list beside it.
GOLD_FIELDS = ("clusters", "keyphrases")
ID_FIELDS = ("id", "doc_id", "document_id")
SEMEVAL = re.compile(r"(?P<id>\S+)\s*:(?:\s+|$)(?P<phrases>.*)")
# More than this is no list of keyphrases.
LARGEST = 4 << 30
Phrase = tuple[Reference, float | None]


def read_answers(
    path: str | Path, *, field: str | None = None, top: int | None = None, name: str | None = None
) -> Answers:
    """Read predictions or gold from `path`.

    `field` is the key of the phrases in each record (`combined`, `present` …; by default `clusters` where there is one,
    else `keyphrases`), `top` keeps only that many. Phrases are taken to be stems already if the field ends in
    `_stem` or the file's name contains `.stem.`, as in SemEval-2010's keys.
    """
    path = Path(path)
    answers = parse_answers(read_text(path), name=str(path), field=field, top=top, stemmed=".stem." in path.name)
    return replace(answers, name=name or stem_of(path))


def parse_answers(
    text: str, *, name: str, field: str | None = None, top: int | None = None, stemmed: bool = False
) -> Answers:
    """Parse predictions or gold from the text of a file; `name` is for error messages."""
    found = _AnswerFile(name, field)
    if text[:200].lstrip()[:1] in ("{", "["):
        found.json(text)
    else:
        found.semeval(text)
    if not found.phrases:
        raise InputError(f"{name}: no documents in it")
    return found.answers(name=name, top=top, stemmed=stemmed or (field or "").endswith("_stem"))


def stem_of(path: Path) -> str:
    """Return the file's name without the endings of formats."""
    name = path.name
    for suffix in (".gz", ".xz", ".jsonl", ".json", ".txt", ".final"):
        name = name.removesuffix(suffix)
    return name or path.name


def read_text(path: Path) -> str:
    """Return the text of a file, decompressed if it is compressed."""
    try:
        return read_file(path, largest=LARGEST).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 at byte {error.start}") from None


def json_lines(text: str, name: str) -> Iterator[tuple[str, object]]:
    """Yield the value of each line that is not blank, with `line N`; `name` is for error messages."""
    for number, line in enumerate(text.split("\n"), start=1):  # strings of JSON may hold other ends of lines
        if line.strip():
            try:
                yield f"line {number}", json.loads(line)
            except ValueError as error:
                raise InputError(f"{name}: line {number} is not JSON ({error})") from None
            except RecursionError:
                raise InputError(f"{name}: line {number} is nested too deeply") from None


class _AnswerFile:
    """What has been read of a file of answers so far."""

    def __init__(self, path: str, field: str | None) -> None:
        self.path, self.field = path, field
        self.phrases: dict[str, list[Phrase]] = {}
        self.texts: dict[str, str] = {}

    def answers(self, *, name: str, top: int | None, stemmed: bool) -> Answers:
        kept = {id_: listed[:top] for id_, listed in self.phrases.items()}
        return Answers(
            name=name,
            phrases={id_: tuple([phrase for phrase, _ in listed]) for id_, listed in kept.items()},
            scores={
                id_: tuple([score for _, score in listed if score is not None])
                for id_, listed in kept.items()
                if listed and all(score is not None for _, score in listed)
            },
            texts=self.texts,
            stemmed=stemmed,
        )

    def json(self, text: str) -> None:
        for place, record in self._records(text):
            if not isinstance(record, dict):
                raise InputError(f"{self.path}: {place} is not a record with an id")
            id_ = next((record[key] for key in ID_FIELDS if key in record), None)
            if not isinstance(id_, str | int | float):
                raise InputError(f"{self.path}: {place} has no id")
            self._add(str(id_), self._listed(record, place), place)
            if isinstance(record.get("text"), str):
                title = record.get("title") or ""
                self.texts[str(id_)] = f"{title}\n{record['text']}" if title else record["text"]

    def _records(self, text: str) -> Iterator[tuple[str, object]]:
        """Yield each record with its position; a mapping of ids is read here and yields none."""
        try:
            whole = json.loads(text)
        except (ValueError, RecursionError):
            yield from json_lines(text, self.path)
            return
        if isinstance(whole, list):
            for number, record in enumerate(whole, start=1):
                yield f"record {number}", record
        elif any(key in whole for key in ID_FIELDS) and not all(isinstance(v, list) for v in whole.values()):
            yield "the record", whole
        else:
            for id_, listed in whole.items():
                self._add(id_, listed, f"the entry {id_!r}")

    def _listed(self, record: Mapping[str, object], place: str) -> object:
        fields = (self.field,) if self.field else GOLD_FIELDS
        for field in fields:
            if field in record:
                return record[field]
        known = ", ".join(key for key, value in record.items() if isinstance(value, list)) or "no list at all"
        raise InputError(f"{self.path}: {place} has no field {fields[-1]!r}; it has {known}")

    def semeval(self, text: str) -> None:
        for number, line in enumerate(text.splitlines(), start=1):
            if not line.strip():
                continue
            parts = SEMEVAL.fullmatch(line.strip())
            if not parts:
                raise InputError(f"{self.path}: line {number} is neither JSON nor 'id : phrase,phrase'")
            phrases = [one.strip() for one in parts["phrases"].split(",")]
            listed = [[wording.strip() for wording in one.split("+")] if "+" in one else one for one in phrases if one]
            self._add(parts["id"], listed, f"line {number}")

    def _add(self, id_: str, listed: object, place: str) -> None:
        if not isinstance(listed, list):
            raise InputError(f"{self.path}: {place} is not a list of phrases")
        if id_ in self.phrases:
            raise InputError(f"{self.path}: {place} repeats the id {id_!r}")
        self.phrases[id_] = [self._phrase(one, place) for one in listed]

    def _phrase(self, value: object, place: str) -> Phrase:
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
        raise InputError(f"{self.path}: {place} has {str(value)[:40]!r} where a phrase should be")
