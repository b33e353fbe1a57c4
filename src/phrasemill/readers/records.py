"""Records with named fields (lines of JSON, rows of a table) as documents."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from phrasemill.errors import ConfigError, InputError
from phrasemill.files.streams import too_large
from phrasemill.readers.guessing import MOST_CHARACTERS, SAMPLE, Ahead, only_text
from phrasemill.readers.values import as_language, as_text, is_nothing, shown, without_nul
from phrasemill.types import Document

Report = Callable[[InputError], None]

# What people call the fields, best first. Case does not matter.
ID_FIELDS = ("id", "doc_id", "document_id", "docid", "_id", "pmid", "pmcid", "doi")
TITLE_FIELDS = ("title", "headline", "heading", "article_title")
TEXT_FIELDS = (
    *("text", "body", "content", "contents", "fulltext", "full_text", "document", "article"),
    *("article_text", "article_body", "articlebody", "body_text", "main_text", "maintext", "plain_text", "raw_text"),
    *("abstract", "abstract_text", "abstracttext", "summary", "description"),
)
LANGUAGE_FIELDS = ("language", "lang")
PARTS = ("id", "title", "text")
PAIRS = re.compile(rf",(?=\s*(?:{'|'.join(PARTS)})\s*=)")
MOST_REMEMBERED, LONGEST_REMEMBERED = 200, 4096  # fields, and characters of their names
MOST_MAPPINGS = 100  # of one file that are reported
MOST_NAMED = 12  # fields of a record in an error
HOW_TO_NAME = "name one with --columns text=NAME"
GUESSED = " (the only one that reads like a text; --columns text=NAME names another)"


class Fields(NamedTuple):
    """The fields of a record and what they are read as, best first. As a string, it is a line for people to check.

    Texts are `joined` if the caller named them; otherwise the first that is not empty is read. `missing` are texts that
    the caller named but the record lacks. `kept` are pairs of a name and its field. The text is `guessed` if its field
    has no usual name, but is the only one that reads like a text.
    """

    id: tuple[str, ...]
    title: tuple[str, ...]
    text: tuple[str, ...]
    language: tuple[str, ...]
    kept: tuple[tuple[str, str], ...] = ()
    joined: bool = False
    missing: tuple[str, ...] = ()
    guessed: bool = False

    def __str__(self) -> str:
        parts = [f"id ← {_else(self.id) or 'file and line'}"]
        if self.title:
            parts.append(f"title ← {_else(self.title)}")
        if self.text:
            parts.append(f"text ← {' + '.join(self.text) if self.joined else _else(self.text)}{self.guessed * GUESSED}")
        if self.language:
            parts.append(f"language ← {_else(self.language)}")
        return ", ".join(parts)

    @property
    def read(self) -> list[str]:
        """The fields that are read, each once."""
        kept = (field for _, field in self.kept)
        return list(dict.fromkeys((*self.id, *self.title, *self.text, *self.language, *kept)))

    def identity(self, record: Mapping[str, object]) -> str:
        """Return the id of a record as text; empty if it has none."""
        return _first(as_text(record[name]) for name in self.id)


def _else(fields: tuple[str, ...]) -> str:
    return f"{fields[0]} (else {' or '.join(fields[1:])})" if len(fields) > 1 else "".join(fields)


Mapped = Callable[[Fields], object]
# A record, or what is wrong with it, with its place for errors and the id it has if it has none of its own.
Located = tuple[str, str, object]


@dataclass(frozen=True, slots=True)
class Columns:
    """The names of the fields to read. For a field that is not named, the first one with a usual name is read.

    Join several texts with `+`: `Columns(text="abstract+body")`. The fields in `keep` are copied into the `metadata` of
    the document, unchanged and under the same names; a record may lack them.
    """

    id: str | None = None
    title: str | None = None
    text: str | None = None
    keep: tuple[str, ...] = ()

    def mapping(self, names: Iterable[str], guess: str = "") -> Fields:
        """Return which of the fields `names` are read as id, title, text and language; `guess` is a text if none is."""
        names = tuple(names)
        # Records usually have the same fields; those of absurd ones are not worth keeping.
        kept = len(names) <= MOST_REMEMBERED and len("".join(names)) <= LONGEST_REMEMBERED
        fields = (_remembered if kept else _mapping)(self, names)
        if guess in names and not fields.text and not fields.missing:
            return fields._replace(text=(guess,), guessed=True)
        return fields

    def of_table(self, names: Iterable[str], *, name: str, guess: str = "") -> Fields:
        """Return the same for the columns of a table. Raise an `InputError` if one is missing or not unique."""
        names = [*names]
        fields = self.mapping(names, guess)
        has = f"its columns are {_listed(names)}"
        for part, given in (("text", fields.missing), ("id", (self.id,)), ("title", (self.title,))):
            absent = [one for one in given if one and (part == "text" or not getattr(fields, part))]
            if absent:
                raise InputError(
                    f"{name}: no column {absent[0]!r} for --columns {part}={absent[0]}; {has}",
                    choices=names if part == "text" else (),
                )
        if not fields.text:
            raise InputError(f"{name}: no text column; {has}; {HOW_TO_NAME}", choices=names)
        twice = next((one for one in fields.read if names.count(one) > 1), None)
        if twice is not None:
            raise InputError(f"{name}: {names.count(twice)} columns are called {twice!r}; rename all but one")
        return fields


def _mapping(columns: Columns, names: tuple[str, ...]) -> Fields:
    text = _chosen(names, columns.text, TEXT_FIELDS)
    missing = [field for field in _several(columns.text, names) if not _chosen(names, field, ())]
    # A field that is named as the text is not the title or the id as well, unless that is named, too.
    taken = text if columns.text else ()
    kept = [(field, name) for field in columns.keep for name in _exact(names, [field])]
    return Fields(
        id=tuple(one for one in _chosen(names, columns.id, ID_FIELDS) if columns.id or one not in taken),
        title=tuple(one for one in _chosen(names, columns.title, TITLE_FIELDS) if columns.title or one not in taken),
        text=tuple(text),
        language=tuple(_chosen(names, None, LANGUAGE_FIELDS)),
        kept=tuple(kept),
        joined=columns.text is not None,
        missing=tuple(missing),
    )


_remembered = lru_cache(maxsize=1024)(_mapping)


def _chosen(names: tuple[str, ...], given: str | None, usual: tuple[str, ...]) -> list[str]:
    """Return the fields to read, best first: those named, or else all that have a usual name."""
    return list(dict.fromkeys(_exact(names, _several(given, names) if given else usual)))


def _several(given: str | None, names: tuple[str, ...]) -> list[str]:
    """Return the fields that `abstract+body` names, unless a field is called just that."""
    if not given:
        return []
    return [given] if given in names else [field.strip() for field in given.split("+")]


def _exact(names: tuple[str, ...], fields: Iterable[str]) -> list[str]:
    exact = set(names)
    folded = {name.strip().casefold(): name for name in reversed(names)}
    found = [field if field in exact else folded.get(field.casefold()) for field in fields]
    return [name for name in found if name is not None]


def parse_columns(text: str) -> Columns:
    """Parse `text=abstract+body,title=name,id=key`."""
    found: dict[str, str] = {}
    for pair in PAIRS.split(text):  # names of columns, which may be questions, may have commas in them
        part, mark, field = (side.strip() for side in pair.partition("="))
        if part not in PARTS or not mark or not field:
            raise ConfigError(f"columns are written text=NAME,title=NAME,id=NAME; got {text!r}")
        if part in found:
            raise ConfigError(f"columns name {part} twice: {text!r}")
        found[part] = field
    return Columns(found.get("id"), found.get("title"), found.get("text"))


@dataclass(frozen=True, slots=True)
class RecordReading:
    """How the records of the file `name` are read.

    What is wrong with one goes to `report`; `mapped` is called with each mapping of fields, when the first record that
    has it is read; a record of more than `largest` bytes is refused.
    """

    name: str
    columns: Columns
    report: Report
    mapped: Mapped
    largest: int

    def guess(self, records: "Ahead[Located]") -> str:
        """Return the field of the first `records` that is the text where none has a usual name; empty if none is."""
        if self.columns.text is not None:
            return ""
        sample: list[dict[str, object]] = []
        taken: set[str] = set()
        characters = 0
        for _, _, record in islice(records.look(), SAMPLE):
            if not isinstance(record, dict):
                continue
            fields = self.columns.mapping(name for name in record if isinstance(name, str))
            if fields.text:
                return ""
            taken.update(fields.read)
            sample.append(record)
            characters += sum(len(value) for value in record.values() if isinstance(value, str))
            if characters > MOST_CHARACTERS:
                break
        return only_text(sample, taken)

    def documents(self, records: Iterable[Located], *, guess: str = "") -> Iterator[Document]:
        """Yield the documents in `records`; what is wrong with one is reported, and the next one follows."""
        reported: set[Fields] = set()
        for where, fallback, record in records:
            try:
                if isinstance(record, InputError):
                    raise record
                if not isinstance(record, dict):
                    raise InputError(f'{where}: a record is written {{"id": "…", "title": "…", "text": "…"}}')
                fields = self.columns.mapping((name for name in record if isinstance(name, str)), guess)
                found = converted(record, fields, where=where, fallback_id=fallback)
                if len(found.text) > self.largest:
                    raise InputError(f"{where}: {too_large(self.largest)}")
            except InputError as error:
                self.report(error)
                continue
            if fields not in reported and len(reported) < MOST_MAPPINGS:
                reported.add(fields)
                self.mapped(fields)
            yield found


def converted(record: Mapping[str, object], fields: Fields, *, where: str, fallback_id: str) -> Document:
    """Return the document in `record`; `where` is the file and line, for the error."""
    text = _body(record, fields, where)
    title = _first(_title(record, name, where) for name in fields.title)
    if not text and not title:
        raise InputError(f"{where}: no text in it: {' and '.join(map(repr, fields.text))} {_are(fields.text)} empty")
    return Document(
        id=fields.identity(record) or fallback_id,
        text=text,
        title="" if text.startswith(f"{title}\n") else title,
        language=as_language(_first(as_text(record[name]) for name in fields.language)),
        metadata={name: record[field] for name, field in fields.kept},
    )


def _first(values: Iterable[str]) -> str:
    return next(filter(None, values), "")


def _title(record: Mapping[str, object], name: str, where: str) -> str:
    """Return a title, which may be a number, as that of 1984 is."""
    value = record[name]
    return _text(record, name, where) if isinstance(value, list | tuple | dict) else as_text(value)


def _body(record: Mapping[str, object], fields: Fields, where: str) -> str:
    if fields.missing or not fields.text:
        names = [name for name in record if isinstance(name, str)]
        lacks = f"no field {fields.missing[0]!r}" if fields.missing else "no text field"
        raise InputError(f"{where}: {lacks}; it has {_listed(names)}; {HOW_TO_NAME}", choices=names)
    if fields.joined:
        return "\n".join(filter(None, [_text(record, name, where) for name in fields.text]))
    full = [name for name in fields.text if record[name] and not is_nothing(record[name])]
    chosen = next((name for name in full if _is_text(record[name])), full[0] if full else None)
    return _text(record, chosen, where) if chosen is not None else ""


def _is_text(value: object) -> bool:
    return isinstance(value, str | bytes) or (
        isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)
    )


def _text(record: Mapping[str, object], name: str, where: str) -> str:
    value = record[name]
    if is_nothing(value):
        return ""
    if isinstance(value, str):
        return without_nul(value)
    if isinstance(value, bytes):  # a column of Parquet that is not declared as text
        return without_nul(value.decode("utf-8", "replace"))
    if _is_text(value):
        return without_nul("\n".join(value))  # type: ignore[arg-type]
    raise InputError(f"{where}: {name!r} must be a text, got {type(value).__name__}")


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return (", ".join(map(shown, names[:MOST_NAMED])) or "none") + more


def _are(fields: tuple[str, ...]) -> str:
    return "is" if len(fields) == 1 else "are"
