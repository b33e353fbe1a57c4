"""Folders of texts with lists of keyphrases beside them, as Krapivin, 500N-KPCrowd, NUS, Inspec and others have them.

| layout | files |
|---|---|
| `text+key` | `d1.txt` and `d1.key`, one phrase per line |
| `krapivin` | the same; lines `--T`, `--A`, `--B`, `--R` stand before title, abstract, body and bibliography |
| `500n_kpcrowd` | the same; the first line is the title, and the topic begins the name: `art_and_culture-2088.txt` |
| `nus` | one folder per paper: `1/1.txt`, `1/1.kwd` (authors), `1/KEY/1.1.key` … (readers), one phrase per line |
| `inspec` | `1.abstr`, `1.uncontr`, `1.contr`; the abstract begins at the first line with a tab, after the title |
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from phrasemill.evaluation.answers import clustered
from phrasemill.types import Document, Reference
from phrasemill_lab.datasets import files, records
from phrasemill_lab.datasets.problems import Malformed
from phrasemill_lab.datasets.records import LayoutReading

TEXT, KEY = ".txt", ".key"
KRAPIVIN_MARKS = {"--T": "title", "--A": "abstract", "--B": "body", "--R": "bibliography"}
INSPEC_TEXT, INSPEC_GOLDS = ".abstr", ("uncontr", "contr")
NUS_GOLDS = ("combined", "author", "reader")
# Title, text and metadata out of the content of a text file.
TextParts = tuple[str, str, dict[str, object]]


def _untitled(content: str) -> TextParts:
    """Return all of it as text; a title, if there is one, begins it."""
    return "", content.strip(), {}


def read(path: Path, reading: LayoutReading, *, parts: Callable[[str], TextParts] = _untitled) -> Iterator[Document]:
    """Yield the documents of the folder `path`, by name."""
    for text_path in sorted(path.glob(f"*{TEXT}")):
        with reading.recording(text_path):
            title, text, known = parts(files.text(text_path))
            if not text:
                raise Malformed("no text in it")
            references = _phrases(text_path.with_suffix(KEY))
            yield Document(text_path.stem, text, title, references=references, metadata=known)


def _phrases(path: Path) -> tuple[Reference, ...]:
    """Return the lines of a file of keyphrases."""
    if not path.is_file():
        raise Malformed(f"no {path.name} beside it")
    try:
        return records.references(files.text(path).splitlines(), name=path.name)
    except Malformed as error:
        raise Malformed(f"{path.name} beside it is {error}" if "not UTF" in str(error) else str(error)) from None


def read_kpcrowd(path: Path, reading: LayoutReading) -> Iterator[Document]:
    """Yield the documents of one folder."""
    for document in read(path, reading, parts=_kpcrowd_parts):
        topic, mark, _ = document.id.rpartition("-")
        yield replace(document, metadata={"topic": topic}) if mark else document


def _kpcrowd_parts(content: str) -> TextParts:
    title, _, text = content.strip().partition("\n")
    return (title.strip(), text.strip(), {}) if text.strip() else _untitled(content)


def read_krapivin(path: Path, reading: LayoutReading) -> Iterator[Document]:
    """Return the documents of one folder; the text is abstract and body."""
    return read(path, reading, parts=_krapivin_parts)


def _krapivin_parts(content: str) -> TextParts:
    parts: dict[str, list[str]] = {name: [] for name in KRAPIVIN_MARKS.values()}
    current: list[str] | None = None
    for line in content.splitlines():
        name = KRAPIVIN_MARKS.get(line.strip())
        if name:
            current = parts[name]
        elif current is None and line.strip():
            raise Malformed("does not begin with --T")
        elif current is not None:
            current.append(line)
    whole = {name: "\n".join(lines).strip() for name, lines in parts.items()}
    text = "\n".join(filter(None, [whole["abstract"], whole["body"]]))
    return " ".join(whole["title"].split()), text, {"abstract": whole["abstract"]}


def read_nus(path: Path, reading: LayoutReading) -> Iterator[Document]:
    """Yield the document of one folder."""
    wanted = reading.gold_of(NUS_GOLDS)
    text = path / f"{path.name}.txt"
    with reading.recording(path):
        if not text.is_file():
            raise Malformed(f"no {text.name} in it")
        content = files.text(text).strip()
        author = _phrases(path / f"{path.name}.kwd")
        reader = _united(_phrases(key) for key in sorted(path.glob("KEY/*.key")))
        golds = {"author": author, "reader": reader, "combined": _united([author, reader])}
        references = golds.pop(wanted)
        known = {name: list(phrases) for name, phrases in golds.items()}
        yield Document(path.name, content, references=references, metadata=known)


def _united(lists: Iterable[tuple[Reference, ...]]) -> tuple[Reference, ...]:
    """Return all phrases, each once whatever its case."""
    found: dict[str, Reference] = {}
    for phrases in lists:
        for phrase in phrases:
            found.setdefault(clustered(phrase)[0].lower(), phrase)
    return tuple(found.values())


def read_inspec(path: Path, reading: LayoutReading) -> Iterator[Document]:
    """Yield the documents of one folder."""
    wanted = reading.gold_of(INSPEC_GOLDS)
    for text in sorted(path.glob(f"*{INSPEC_TEXT}")):
        with reading.recording(text):
            title, abstract = _inspec_parts(files.text(text))
            golds = {name: _inspec_terms(text.with_suffix(f".{name}")) for name in INSPEC_GOLDS}
            references = golds.pop(wanted)
            if references is None:
                raise Malformed(f"no {text.stem}.{wanted} beside it")
            known: dict[str, object] = {name: list(terms) for name, terms in golds.items() if terms is not None}
            yield Document(text.stem, abstract, title, references=references, metadata=known)


def _inspec_parts(content: str) -> tuple[str, str]:
    lines = content.strip().splitlines()
    start = next((number for number, line in enumerate(lines) if number and line.startswith("\t")), 1)
    title, abstract = (" ".join(" ".join(part).split()) for part in (lines[:start], lines[start:]))
    if not abstract:
        raise Malformed("no abstract below its title")
    return title, abstract


def _inspec_terms(path: Path) -> tuple[Reference, ...] | None:
    if not path.is_file():
        return None
    return records.references(files.text(path), name=path.name)
