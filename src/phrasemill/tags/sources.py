"""Documents with the tags that people gave them, out of whatever they keep them in.

| file | tags |
|---|---|
| Markdown, text | `tags` in the front matter, and `#tags` in the text |
| CSV, JSON lines, Parquet | a column `tags`, `keywords`, `labels` … or the one that is named |
| BibTeX, RIS | `keywords`, `KW` |
| bookmark files | the attribute `tags` |
| vocabularies: SKOS, CSV with a column `label` | every concept is a tag, its other labels are synonyms |
| everything else that is read | none |
"""

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from phrasemill.errors import InputError, MissingExtra
from phrasemill.files.folders import files_below
from phrasemill.files.streams import LARGEST, SNIFFED, opened, read_file
from phrasemill.readers import STDIN, Columns, Report, read_all, read_all_bytes
from phrasemill.readers.decoding import decode
from phrasemill.readers.markdown import blank
from phrasemill.readers.records import TEXT_FIELDS
from phrasemill.readers.sniffing import BY_EXTENSION, RECORDS, extension_of, format_of
from phrasemill.tags.bibliographies import bibtex_entries, ris_entries
from phrasemill.tags.bookmarks import bookmarks, is_bookmark_file
from phrasemill.tags.front_matter import KEYS, UnsupportedError, body_start, clean_tag, tags_of
from phrasemill.types import Document
from phrasemill.vocabulary import Concept, read_vocabulary
from phrasemill.vocabulary.concepts import PREFERRED

NOTE, TABLE, BIBTEX, RIS, BOOKMARKS, VOCABULARY, OTHER = (
    *("notes", "records", "BibTeX", "RIS", "bookmarks", "vocabulary", "documents"),
)
KINDS = {
    **dict.fromkeys(("md", "markdown", "mdown", "mkd", "txt", "text"), NOTE),
    **dict.fromkeys(("csv", "tsv", "jsonl", "ndjson", "json", "parquet", "pq"), TABLE),
    **dict.fromkeys(("bib", "bibtex"), BIBTEX),
    **dict.fromkeys(("rdf", "ttl", "nt", "nq", "trig", "jsonld"), VOCABULARY),
    "ris": RIS,
}
TAG_FIELDS = (
    *("tags", "tag", "keywords", "keyword", "labels", "categories", "category", "subjects", "subject"),
    *("manual tags", "automatic tags", "tag_list", "taglist"),
)
LABEL = "label"  # the column of a vocabulary
# Columns that hold a text where none has a usual name: Zotero, Raindrop, Pocket.
OTHER_TEXTS = ("abstract note", "excerpt", "notes", "note", "selection", "comment", "comments")
TITLES = ("title", "name", "headline", "url", "link")
# A word, with slashes for tags within tags, and at least one character that is no digit; as Obsidian reads it.
INLINE = re.compile(r"(?<!\S)#(?=[\w/-]*[^\W\d])([\w/-]+)")
CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
LONGEST_TAG = 100  # characters
SEPARATORS = (";", "|", ",")


class Tagged(NamedTuple):
    """A document, its tags, and the file that it comes from; `inline` are tags that stand in the text alone."""

    document: Document
    tags: tuple[str, ...]
    path: str
    kind: str
    inline: tuple[str, ...] = ()


@dataclass(slots=True)
class TagReader:
    """Reads files and folders. `tags_field` names the column or the front-matter key of the tags, `columns` the others.

    What cannot be read goes to `report`, and the rest goes on. `files` and `documents` count what was read, by kind.
    """

    report: Callable[[Exception], None]
    tags_field: str | None = None
    columns: Columns = field(default_factory=Columns)
    largest: int = LARGEST
    files: Counter[str] = field(default_factory=Counter)
    documents: Counter[str] = field(default_factory=Counter)
    untagged: int = 0
    failures: int = 0
    concepts: list[Concept] = field(default_factory=list)

    @property
    def keys(self) -> Sequence[str]:
        return (self.tags_field,) if self.tags_field else KEYS

    def read(self, names: Iterable[str | Path]) -> Iterator[Tagged]:
        """Yield the documents in files and below folders; concepts of vocabularies go to `concepts`.

        A single file that cannot be read is an error, not a failure among others.
        """
        names = list(map(str, names))
        alone = len(names) == 1 and not Path(names[0]).is_dir()
        for path in self.paths(names):
            try:
                for one in self.file(path):
                    self.documents[one.kind] += 1
                    self.untagged += not one.tags
                    yield one
            except (InputError, MissingExtra) as error:
                if alone:
                    raise
                self.failed(error)

    def paths(self, names: Iterable[str | Path]) -> Iterator[str]:
        """Yield the files that `names` stand for: of a folder, all of a kind that is read."""
        for name in map(str, names):
            if not Path(name).is_dir():
                yield name
                continue
            for found in files_below(name, wanted=lambda one: extension_of(one) in KINDS.keys() | BY_EXTENSION.keys()):
                if found.problem:
                    self.failed(InputError(f"{found.path}: {found.problem}"))
                else:
                    yield found.path

    def failed(self, error: Exception) -> None:
        self.failures += 1
        self.report(error)

    def file(self, path: str) -> Iterator[Tagged]:
        """Yield the documents in one file."""
        kind = kind_of(path)
        self.files[kind] += 1
        if kind == NOTE:
            yield note(read_file(path, largest=self.largest), path, keys=self.keys, report=self.failed)
        elif kind == TABLE:
            yield from self._records(path)
        elif kind == VOCABULARY:
            self.concepts += read_vocabulary(path).concepts
        elif kind == OTHER:
            for document in read_all(path, report=self.failed, largest=self.largest):
                yield Tagged(document, (), path, kind)
        else:
            text = decode(read_file(path, largest=self.largest), name=path)
            if kind == BOOKMARKS:
                found = bookmarks(text, name=path)
            else:
                found = (bibtex_entries if kind == BIBTEX else ris_entries)(text, name=path, report=self.failed)
            for document, tags in found:
                yield Tagged(document, cleaned(tags), path, kind)

    def piped(self, data: bytes) -> Iterator[Tagged]:
        """Yield the documents that were piped in: a text, read as a note, or records of JSON, a PDF …"""
        if not data.strip():
            raise InputError("standard input: nothing in it")
        format_ = format_of(STDIN, data[:SNIFFED])
        if format_ == "plain":
            yield note(data, STDIN, keys=self.keys, report=self.failed)
        elif format_ in RECORDS:
            yield from self._records(STDIN, data)
        else:
            for document in read_all_bytes(data, name=STDIN, report=self.failed, largest=self.largest):
                yield Tagged(document, (), STDIN, OTHER)

    def _records(self, path: str, data: bytes | None = None) -> Iterator[Tagged]:
        wanted = (self.tags_field,) if self.tags_field else TAG_FIELDS
        columns = replace(self.columns, keep=wanted)
        if columns.text is None and extension_of(path) in ("csv", "tsv"):
            columns = replace(columns, text=_text_columns(_header(path)))
        source, seen = path if data is None else BytesIO(data), False
        for document in read_all(source, name=path, columns=columns, report=self.failed, largest=self.largest):
            values = [value for name, value in document.metadata.items() if name in wanted]
            seen = seen or bool(values)
            yield Tagged(document, cleaned(tag for value in values for tag in split_tags(value)), path, TABLE)
        if self.tags_field and not seen:
            raise InputError(f"{path}: no column {self.tags_field!r} for --tags-field")


def kind_of(path: str) -> str:
    """Return what kind of file `path` is, by its extension; of HTML, JSON and tables, by how they begin."""
    extension = extension_of(path)
    kind = KINDS.get(extension, OTHER)
    if extension in ("csv", "tsv"):
        names = _header(path)
        return VOCABULARY if LABEL in names and not {*names} & {*TEXT_FIELDS, *OTHER_TEXTS, *TITLES} else kind
    if extension in ("html", "htm", "json", ""):
        with opened(path, name=path) as file:
            return BOOKMARKS if is_bookmark_file(file.peek(SNIFFED)[:1000]) else kind
    return kind


def _header(path: str) -> list[str]:
    """Return the names of a table's columns in small letters."""
    with opened(path, name=path) as file:
        head = file.readline(SNIFFED).decode("utf-8-sig", "replace")
    names = next(csv.reader([head], delimiter=max("\t,;|", key=head.count)), [])
    return [name.strip().casefold() for name in names]


def _text_columns(names: Sequence[str]) -> str | None:
    """Return the columns to take as text where none has a usual name."""
    if any(name in TEXT_FIELDS for name in names):
        return None
    found = [name for name in OTHER_TEXTS if name in names] or [name for name in TITLES if name in names][:1]
    return "+".join(found) or None


def note(data: bytes, path: str, *, keys: Sequence[str] = KEYS, report: Report | None = None) -> Tagged:
    """Return a note with the tags of its front matter and of its text; the text is without them."""
    text = decode(data, name=path)
    try:
        tags = tags_of(text, keys=keys)
    except UnsupportedError as error:
        if report is None:
            raise
        report(InputError(f"{path}, {error}"))
        tags = []
    plain = blank(text)
    without_code = CODE.sub(lambda code: " " * len(code[0]), text)
    inline = []
    for found in INLINE.finditer(plain, body_start(text)):
        if without_code[found.start() : found.end()] == found[0]:
            inline.append(found[1].strip("/"))
            plain = plain[: found.start()] + " " * len(found[0]) + plain[found.end() :]
    own = cleaned(tags)
    in_text = tuple(tag for tag in cleaned(inline) if tag not in own)
    return Tagged(Document(path, plain), own + in_text, path, NOTE, in_text)


def cleaned(tags: Iterable[str]) -> tuple[str, ...]:
    """Return tags without hashes and spaces around them, each once; absurdly long ones are left out."""
    found = dict.fromkeys(map(clean_tag, tags))
    return tuple(tag for tag in found if tag and len(tag) <= LONGEST_TAG)


def split_tags(value: object) -> list[str]:
    """Return the tags in a value: a list, a list of records with a name, or a string with separators."""
    if isinstance(value, str):
        text = value.strip()
        if text.startswith("[") and text.endswith("]"):
            text = text[1:-1].replace('"', "").replace("'", "")
        mark = next((mark for mark in SEPARATORS if mark in text), ",")
        return text.split(mark)
    if isinstance(value, Mapping):
        return [str(value[key]) for key in ("name", "tag", "label") if isinstance(value.get(key), str)][:1]
    if isinstance(value, Iterable):
        return [tag for one in value for tag in ([one] if isinstance(one, str) else split_tags(one))]
    return [str(value)] if isinstance(value, int) and not isinstance(value, bool) else []


def labels_of(concept: Concept) -> tuple[str, tuple[str, ...]]:
    """Return the tag that a concept is, and its synonyms: the preferred label in English or the first, and the rest."""
    preferred = [one for one in concept.labels if one.role == PREFERRED] or list(concept.labels)
    chosen = next((one for one in preferred if one.language in ("", "en")), preferred[0])
    others = dict.fromkeys(one.text for one in concept.labels if one.language in ("", chosen.language))
    return chosen.text, tuple(text for text in others if text != chosen.text)
