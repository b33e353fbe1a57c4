"""The layouts that can be read and written, by name; their modules are imported when first used."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import cast

from phrasemill.errors import ConfigError, DataError, UnknownName
from phrasemill.types import Document
from phrasemill_lab.datasets import files, records
from phrasemill_lab.datasets.problems import Problems
from phrasemill_lab.datasets.records import LayoutReading

FILE, FOLDER, ROOT = "file", "folder", "root"
PUBMEDAKE = "keywords_json.read_pubmedake"


@dataclass(frozen=True, slots=True)
class Layout:
    """A way to lay out documents in files, and the function here that reads it.

    `unit` is what is read at once: a file, its folder, or all of a root. A layout that can be `written` has a function
    beside its reader that is called `write` instead of `read`.
    """

    name: str
    summary: str
    reader: str
    unit: str = FILE
    written: bool = False

    def read(self, path: Path, reading: LayoutReading) -> Iterator[Document]:
        """Return the documents at `path`, a stream."""
        return cast(Iterator[Document], _function(self.reader)(path, reading))

    def write(self, documents: Iterable[Document], path: Path) -> int:
        """Write `documents` to `path`; return how many they were."""
        if not self.written:
            names = ", ".join(name for name, layout in LAYOUTS.items() if layout.written)
            raise ConfigError(f"layout {self.name} is only read; write {names}")
        return cast(int, _function(self.reader.replace("read", "write"))(documents, path))


def _function(name: str) -> Callable[..., object]:
    module, _, function = name.partition(".")
    return cast("Callable[..., object]", getattr(import_module(f"{__package__}.{module}"), function))


LAYOUTS = {
    layout.name: layout
    for layout in (
        Layout("jsonl", "Phrasemill's JSON lines: id, title, text, keyphrases", "jsonl.read", FILE, True),
        Layout("json", "title, abstract, keywords: lines, a list, or under ids", "keywords_json.read", FILE, True),
        Layout("pairs", "train_src.txt and train_trg.txt with <eos>, <peos>", "pairs.read", FILE, True),
        Layout("pubmedake", "title, abstract, keywords_in, keywords_not_in under ids", PUBMEDAKE, FILE, True),
        Layout("kptimes", "as json, with wordings between commas", "keywords_json.read_kptimes"),
        Layout("corenlp", "ake-datasets: CoreNLP's XML, references in JSON", "corenlp.read", FOLDER),
        Layout("text+key", "d1.txt and d1.key, one phrase per line", "text_and_key.read", FOLDER),
        Layout("semeval2010", "C-1.txt.final and the answer keys of the task", "semeval2010.read", FOLDER),
        Layout("inspec", "1.abstr, 1.uncontr and 1.contr", "text_and_key.read_inspec", FOLDER),
        Layout("krapivin", "267960.txt with --T, --A, --B, and 267960.key", "text_and_key.read_krapivin", FOLDER),
        Layout("500n_kpcrowd", "text+key, with the title on the first line", "text_and_key.read_kpcrowd", FOLDER),
        Layout("nus", "one folder per paper: 1.txt, 1.kwd, KEY/1.1.key", "text_and_key.read_nus", FOLDER),
        Layout("duc2001", "NIST's SGML, one folder per topic, and a file of keyphrases", "duc.read_duc2001", ROOT),
        Layout("mkduc01", "keyphrases of topics, wordings in lists", "duc.read_mkduc01"),
    )
}


def find_layout(name: str) -> Layout:
    """Return the layout called `name`."""
    if name not in LAYOUTS:
        raise UnknownName("layout", name, LAYOUTS)
    return LAYOUTS[name]


def guess(path: Path) -> str:
    """Return the layout of one file or folder, from its name and its first record."""
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
    raise DataError(f"{path}: its layout is not known; name one of {', '.join(LAYOUTS)}")


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
    raise DataError(f"{path}: its layout does not show in its first record; name it")
