"""The layouts that can be read and written, by name; each is a module here, imported when first used."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import cast

from phrasemill.errors import ConfigError, DataError, UnknownName
from phrasemill.lab.datasets import files, records
from phrasemill.lab.datasets.problems import Problems
from phrasemill.lab.datasets.records import Reading
from phrasemill.types import Document

FILE, FOLDER, ROOT = "file", "folder", "root"


@dataclass(frozen=True, slots=True)
class Layout:
    """A way to lay out documents in files. `unit` is what is read at once: a file, its folder, or all of a root."""

    name: str
    module: str
    summary: str
    unit: str = FILE
    writable: bool = False

    def read(self, path: Path, reading: Reading) -> Iterator[Document]:
        """The documents at `path`, a stream."""
        return cast(Iterator[Document], self._function("read")(path, reading))

    def write(self, documents: Iterable[Document], path: Path) -> int:
        """Write `documents` to `path`; how many they were."""
        if not self.writable:
            names = ", ".join(name for name, layout in LAYOUTS.items() if layout.writable)
            raise ConfigError(f"layout {self.name} is only read; write {names}")
        return cast(int, self._function("write")(documents, path))

    def _function(self, name: str) -> Callable[..., object]:
        return cast("Callable[..., object]", getattr(import_module(f"phrasemill.lab.datasets.{self.module}"), name))


LAYOUTS = {
    layout.name: layout
    for layout in (
        Layout("jsonl", "jsonl", "Phrasemill's JSON lines: id, title, text, keyphrases", writable=True),
        Layout("json", "keywords_json", "title, abstract, keywords: lines, a list, or under ids", writable=True),
        Layout("pairs", "pairs", "train_src.txt and train_trg.txt with <eos>, <peos>", writable=True),
        Layout("pubmedake", "pubmedake", "title, abstract, keywords_in, keywords_not_in under ids", writable=True),
        Layout("kptimes", "kptimes", "as json, with wordings between commas"),
        Layout("corenlp", "corenlp", "ake-datasets: CoreNLP's XML, references in JSON", FOLDER),
        Layout("text+key", "text_and_key", "d1.txt and d1.key, a phrase a line", FOLDER),
        Layout("semeval2010", "semeval2010", "C-1.txt.final and the answer keys of the task", FOLDER),
        Layout("inspec", "inspec", "1.abstr, 1.uncontr and 1.contr", FOLDER),
        Layout("krapivin", "krapivin", "267960.txt with --T, --A, --B, and 267960.key", FOLDER),
        Layout("500n_kpcrowd", "kpcrowd", "text+key, with the title on the first line", FOLDER),
        Layout("nus", "nus", "a folder a paper: 1.txt, 1.kwd, KEY/1.1.key", FOLDER),
        Layout("duc2001", "duc2001", "NIST's SGML, a folder a topic, and a file of keyphrases", ROOT),
        Layout("mkduc01", "mkduc01", "keyphrases of topics, wordings in lists"),
    )
}


def layout(name: str) -> Layout:
    """The layout called `name`."""
    if name not in LAYOUTS:
        raise UnknownName("layout", name, LAYOUTS)
    return LAYOUTS[name]


def guess(path: Path) -> str:
    """The layout of one file or folder, from its name and its first record."""
    if path.is_dir():
        return _guess_folder(path)
    if not path.exists():
        raise DataError(f"{path}: no such file or folder")
    if "_src" in path.name:
        return "pairs"
    return _guess_file(path)


def _guess_folder(path: Path) -> str:
    endings = {".txt.final": "semeval2010", ".abstr": "inspec", ".xml": "corenlp", ".xml.gz": "corenlp", ".kwd": "nus"}
    for ending, name in endings.items():
        if any(path.glob(f"*{ending}")):
            return name
    if any(path.glob("*.key")):
        return "text+key"
    raise DataError(f"{path}: no layout is known for this folder; name one of {', '.join(LAYOUTS)}")


def _guess_file(path: Path) -> str:
    with files.opened(path) as file:
        start = file.read(1).lstrip()
    if start and start not in (b"{", b"[", b"\xef"):
        raise DataError(f"{path}: neither JSON nor the source file of a pair; name its layout")
    first = next(records.json_values(path, Problems("skip")), None)
    record = first[2] if first else None
    if isinstance(record, dict):
        if "keywords_in" in record:
            return "pubmedake"
        return "jsonl" if "text" in record and "id" in record else "json"
    raise DataError(f"{path}: its first record does not tell its layout; name it")
