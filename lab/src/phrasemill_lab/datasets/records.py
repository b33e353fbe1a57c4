"""From a JSON record to a `Document`: which fields hold what, and how errors describe a field of the wrong kind."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from phrasemill.errors import DataError, InputError
from phrasemill.readers.json_records import JsonError, JsonRecord, json_records
from phrasemill.readers.values import as_language
from phrasemill.types import Document, Reference
from phrasemill_lab.datasets import files
from phrasemill_lab.datasets.problems import Malformed, Problems

ID_FIELDS = ("id", "doc_id", "document_id")
LANGUAGE_FIELDS = ("language", "lang")
STEMMED = "stemmed"  # in the metadata of documents whose gold is stems already


@dataclass(frozen=True, slots=True)
class LayoutReading:
    """How a layout is to be read: which gold, which split, and where problems go.

    `gold` must be there, `usual` is taken where it is.
    """

    problems: Problems = field(default_factory=Problems)
    gold: str | None = None
    split: str = ""
    usual: str | None = None

    def gold_of(self, choices: Sequence[str]) -> str:
        """Return the chosen gold, by default the first of `choices`."""
        if self.gold is not None and self.gold not in choices:
            raise DataError(f"no gold {self.gold!r} here; there is {', '.join(choices)}")
        return self.gold or choices[0]

    @contextmanager
    def recording(self, path: Path, line: int | None = None) -> Iterator[None]:
        """Turn a `Malformed` record into a problem of `path`, for the policy to decide about."""
        try:
            yield
        except Malformed as error:
            self.problems.add(path, str(error), line)


def json_values(path: Path, problems: Problems, *, keyed: bool = False) -> Iterator[JsonRecord]:
    """Yield the values of a JSON file with their lines and keys; what cannot be read goes to `problems`."""
    line = 0
    try:
        with files.opened(path) as file:
            try:
                for found in json_records(file, name=str(path), largest=files.LONGEST_RECORD, keyed=keyed):
                    line = found.line
                    if isinstance(found.value, InputError):
                        problems.add(path, str(found.value).removeprefix(f"{path}, line {line}: "), line)
                    else:
                        yield found
            except JsonError as error:
                problems.add(path, error.reason, error.line)
    except Malformed as error:
        problems.add(path, str(error), line + 1)


Convert = Callable[[Mapping[str, object], str | None, int], Document]


def documents(path: Path, reading: LayoutReading, convert: Convert) -> Iterator[Document]:
    """Yield what `convert` makes of each record of a JSON file, given the record, its key, and its line or number."""
    for line, key, record in json_values(path, reading.problems):
        with reading.recording(path, line):
            if not isinstance(record, dict):
                raise Malformed(f"{kind_of(record)} where a record should be")
            yield convert(record, key, line) if isinstance(key, str) else convert(record, None, line or key or 0)


def identity(record: Mapping[str, object], otherwise: str | None = None) -> str:
    """Return the record's id; without one, `otherwise`."""
    value = next((record[name] for name in ID_FIELDS if record.get(name) is not None), otherwise)
    if isinstance(value, bool) or not isinstance(value, str | int | float) or value == "":
        raise Malformed("no id" if value in (None, "") else f"the id is {kind_of(value)}")
    return str(value)


def string(record: Mapping[str, object], name: str, *, default: str | None = None) -> str:
    """Return the text in the field `name`; `default` where there is none."""
    value = default if record.get(name) is None else record[name]
    if value is None:
        raise Malformed(f"no field {name!r}")
    if not isinstance(value, str):
        raise Malformed(f"{name} is {kind_of(value)}, not a text")
    return value


def references(value: object, *, name: str) -> tuple[Reference, ...]:
    """Return gold keyphrases, each a text or a list of wordings, from a list or a text with `;` between them.

    Empty ones are left out, and each wording comes once.
    """
    if isinstance(value, str):
        value = value.split(";")
    if not isinstance(value, list | tuple):
        raise Malformed(f"{name} is {kind_of(value)}, not a list of keyphrases")
    found: list[Reference] = []
    for item in value:
        listed = [item] if isinstance(item, str) else item
        if not isinstance(listed, list | tuple) or not all(isinstance(one, str) for one in listed):
            raise Malformed(f"{name} has {kind_of(item)} where a keyphrase should be")
        kept = tuple(dict.fromkeys(" ".join(one.split()) for one in listed if one and not one.isspace()))
        found += [kept if len(kept) > 1 else kept[0]] if kept else []
    return tuple(found)


def language_of(record: Mapping[str, object]) -> str:
    """Return the code of a record's language: English where it has none, as in most published collections."""
    return as_language(next((record[name] for name in LANGUAGE_FIELDS if record.get(name) is not None), None)) or "en"


def rest(record: Mapping[str, object], used: Iterable[str]) -> dict[str, object]:
    """Return what a record holds besides the fields `used`."""
    dropped = {*used, *LANGUAGE_FIELDS}
    return {key: value for key, value in record.items() if key not in dropped}


KINDS = {dict: "a mapping", list: "a list", str: "a text", bool: "true or false", int: "a number", float: "a number"}


def kind_of(value: object) -> str:
    return "nothing" if value is None else KINDS.get(type(value), type(value).__name__)
