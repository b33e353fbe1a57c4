"""Records with named fields (lines of JSON, rows of a table) as documents."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from phrasemill.errors import ConfigError, InputError
from phrasemill.types import Document

Report = Callable[[InputError], None]

# What people call the fields, best first. Case does not matter.
ID_FIELDS = ("id", "doc_id", "document_id", "docid", "_id", "pmid", "pmcid", "doi")
TITLE_FIELDS = ("title", "headline", "heading", "article_title")
TEXT_FIELDS = ("text", "body", "content", "fulltext", "full_text", "document", "abstract", "summary", "description")
LANGUAGE_FIELDS = ("language", "lang")
PARTS = ("id", "title", "text")


@dataclass(frozen=True, slots=True)
class Columns:
    """Which fields are the document's; where none is named, the first that has a usual name is taken.

    Several texts are joined by `+`: `Columns(text="abstract+body")`. The fields in `keep` go into the document's
    `metadata`, under these names and as they are; a record that lacks one is none the worse.
    """

    id: str | None = None
    title: str | None = None
    text: str | None = None
    keep: tuple[str, ...] = ()

    def wanted(self, names: Iterable[str]) -> list[str]:
        """Those of `names` that are read."""
        given = [*names]
        chosen = _chosen(given, self.id, ID_FIELDS) + _chosen(given, self.title, TITLE_FIELDS)
        chosen += _chosen(given, self.text, TEXT_FIELDS) + _chosen(given, None, LANGUAGE_FIELDS)
        chosen += [name for field in self.keep for name in _chosen(given, field, ())]
        return list(dict.fromkeys(chosen))


def parse_columns(text: str) -> Columns:
    """`text=abstract+body,title=name,id=key` as `Columns`."""
    found: dict[str, str] = {}
    for pair in text.split(","):
        part, mark, field = (side.strip() for side in pair.partition("="))
        if part not in PARTS or not mark or not field:
            raise ConfigError(f"columns are written text=NAME,title=NAME,id=NAME; got {text!r}")
        if part in found:
            raise ConfigError(f"columns name {part} twice: {text!r}")
        found[part] = field
    return Columns(found.get("id"), found.get("title"), found.get("text"))


def document(record: Mapping[str, object], *, where: str, fallback_id: str, columns: Columns) -> Document:
    """The document in `record`; `where` is the file and line, for the error."""
    names = [name for name in record if isinstance(name, str)]
    text = "\n".join(filter(None, [_text(record, name, where) for name in _text_fields(names, record, columns, where)]))
    title = next((_text(record, name, where) for name in _chosen(names, columns.title, TITLE_FIELDS)), "")
    if not text and not title:
        has = ", ".join(names[:8]) or "nothing"
        raise InputError(f"{where}: no text in it; it has {has}: name the field, as in --columns text=NAME")
    given = next((record[name] for name in _chosen(names, columns.id, ID_FIELDS)), None)
    id_ = str(given) if isinstance(given, str | int) and str(given) else fallback_id
    language = next((record[name] for name in _chosen(names, None, LANGUAGE_FIELDS)), None)
    code = language.lower()[:2] if isinstance(language, str) and _is_code(language) else "en"
    kept = {field: record[name] for field in columns.keep for name in _chosen(names, field, ())}
    return Document(id_, text, "" if text.startswith(f"{title}\n") else title, code, metadata=kept)


def _text_fields(names: list[str], record: Mapping[str, object], columns: Columns, where: str) -> list[str]:
    chosen = _chosen(names, columns.text, TEXT_FIELDS)
    if columns.text:
        missing = [field for field in columns.text.split("+") if not _chosen(names, field, ())]
        if missing:
            raise InputError(f"{where}: no field {missing[0]!r}; it has {', '.join(names[:8]) or 'nothing'}")
        return chosen
    return next(([name] for name in chosen if record[name]), [])


def _chosen(names: list[str], given: str | None, usual: tuple[str, ...]) -> list[str]:
    """The fields to read, best first: those named, or else all that have a usual name."""
    fields = [field.strip() for field in given.split("+")] if given else usual
    exact = set(names)
    folded = {name.strip().casefold(): name for name in reversed(names)}
    found = [field if field in exact else folded.get(field.casefold()) for field in fields]
    return [name for name in found if name is not None]


def _text(record: Mapping[str, object], name: str, where: str) -> str:
    value = record[name]
    if value is None:
        return ""
    if isinstance(value, str):
        return _sound(value)
    if isinstance(value, list | tuple) and all(isinstance(one, str) for one in value):
        return _sound("\n".join(value))
    raise InputError(f"{where}: {name!r} must be a text, got {type(value).__name__}")


def _sound(text: str) -> str:
    """`text` without the halves of characters that escapes in JSON can spell, and without NULs; as long as before."""
    text = text.replace("\0", " ")
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def _is_code(language: str) -> bool:
    return len(language.split("-")[0].split("_")[0]) == 2 and language[:2].isalpha()
