"""The layouts that can be read, and those that can be written."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from phrasemill.errors import ConfigError, DataError, UnknownName
from phrasemill.types import Document
from phrasemill_lab.datasets import corenlp, duc, files, jsonl, keywords_json, pairs, records, text_and_key
from phrasemill_lab.datasets.problems import Problems
from phrasemill_lab.datasets.records import LayoutReading

FILE, FOLDER, EITHER = "file", "folder", "either"


@dataclass(frozen=True, slots=True)
class Layout:
    """A way to lay out documents in files; `unit` is what is read at once."""

    name: str
    read: Callable[[Path, LayoutReading], Iterator[Document]]
    unit: str = FILE
    writer: Callable[[Iterable[Document], Path], int] | None = None

    def write(self, documents: Iterable[Document], path: Path) -> int:
        """Write `documents` to `path`; return how many they were."""
        if self.writer is None:
            names = ", ".join(name for name, layout in LAYOUTS.items() if layout.writer)
            raise ConfigError(f"layout {self.name} is only read; write {names}")
        return self.writer(documents, path)


LAYOUTS = {
    layout.name: layout
    for layout in (
        Layout("jsonl", jsonl.read, writer=jsonl.write),
        Layout("json", keywords_json.read),
        Layout("pairs", pairs.read, writer=pairs.write),
        Layout("corenlp", corenlp.read, FOLDER),
        Layout("text+key", text_and_key.read, FOLDER),
        Layout("duc", duc.read, EITHER),
    )
}


def find_layout(name: str) -> Layout:
    """Return the layout called `name`."""
    if name not in LAYOUTS:
        raise UnknownName("layout", name, LAYOUTS)
    return LAYOUTS[name]


def guess(path: Path) -> str:
    """Return the layout of one file or folder, from its name and its first record."""
    if not path.exists():
        raise DataError(f"{path}: no such file or folder")
    if path.is_dir():
        kinds = {"corenlp": ("*.xml", "*.xml.gz"), "text+key": text_and_key.ENDINGS, "duc": duc.ANNOTATIONS}
        for name, patterns in kinds.items():
            if any(any(path.glob(pattern)) for pattern in patterns):
                return name
        raise DataError(f"{path}: its layout is not known; name one of {', '.join(LAYOUTS)}")
    if duc.TAR.search(path.name):
        return "duc"
    return "pairs" if "_src" in path.name else _guess_file(path)


def _guess_file(path: Path) -> str:
    with files.opened(path) as file:
        start = file.read(1).lstrip()
    if start and start not in (b"{", b"[", b"\xef"):
        raise DataError(f"{path}: neither JSON nor the source file of a pair; name its layout")
    first = next(records.json_values(path, Problems("skip")), None)
    if first and isinstance(first.value, dict):
        return "jsonl" if "text" in first.value and "id" in first.value else "json"
    raise DataError(f"{path}: its layout does not show in its first record; name it")
