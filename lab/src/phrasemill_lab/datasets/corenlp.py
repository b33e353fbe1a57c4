"""The layout of ake-datasets: documents as Stanford CoreNLP's XML, references in JSON beside them.

    test/193.xml …     references/test.uncontr.json: {"193": [["number of sensors", "sensor number"], …]}

The text is put together from the words and their offsets; sentences marked `section="title"` make the title, else it
begins the text. Tags and lemmas are not kept. Entities that the XML declares are refused.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.parsers import expat

from phrasemill.errors import DataError
from phrasemill.readers.safe_xml import RefusedXmlError, hardened_parser
from phrasemill.types import Document, Reference
from phrasemill_lab.datasets import files, records
from phrasemill_lab.datasets.problems import Malformed
from phrasemill_lab.datasets.records import STEMMED, LayoutReading

ANNOTATORS = ("combined", "uncontr", "author", "reader", "editor", "contr")
ESCAPES = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"',
}  # fmt: skip
WORD, BEGIN, END = "word", "CharacterOffsetBegin", "CharacterOffsetEnd"


def read(path: Path, reading: LayoutReading) -> Iterator[Document]:
    """Yield the documents of one folder (`train`, `dev` or `test`); the folder `references` is beside it."""
    split = reading.split or path.name
    gold, stemmed = _references(path, split, reading)
    for file in sorted(path.glob("*.xml*")):
        id_ = file.name.removesuffix(".gz").removesuffix(".xml")
        with reading.recording(file):
            if id_ not in gold:
                raise Malformed(f"no references for {id_!r}")
            title, text = parse(file)
            known: dict[str, object] = {STEMMED: True} if stemmed else {}
            yield Document(id_, text, title, references=gold[id_], metadata=known)


def _references(path: Path, split: str, reading: LayoutReading) -> tuple[dict[str, tuple[Reference, ...]], bool]:
    """Return the references by id from the first file of the chosen annotator: in words, else in stems."""
    folder = path.parent / "references"
    wanted: Sequence[str] = (reading.gold,) if reading.gold else ANNOTATORS
    names = dict.fromkeys((path.name, split))
    looked_for = [f"{name}.{one}{end}" for end in (".json", ".stem.json") for one in wanted for name in names]
    file = next((folder / name for name in looked_for if (folder / name).is_file()), None)
    if file is None:
        raise DataError(f"{folder}: no references for {split}; looked for {', '.join(looked_for)}")
    found: dict[str, tuple[Reference, ...]] = {}
    for line, id_, listed in records.json_values(file, reading.problems, keyed=True):
        with reading.recording(file, line):
            if not isinstance(id_, str):
                raise Malformed("a list of keyphrases without an id")
            found[id_] = records.references(listed, name=id_)
    return found, file.name.endswith(".stem.json")


def parse(path: Path) -> tuple[str, str]:
    """Return the title and text of one file."""
    words = _Words()
    parser = hardened_parser(words.start, words.end, words.data)
    try:
        parser.Parse(files.data(path), True)
    except expat.ExpatError as error:
        raise Malformed(f"not well-formed XML at line {error.lineno} ({expat.ErrorString(error.code)})") from None
    except RefusedXmlError as error:
        raise Malformed(str(error)) from None
    if not words.text:
        raise Malformed("no words in it; is it CoreNLP's XML?")
    return words.parts()


class _Words:
    """What has been read so far, piece by piece."""

    def __init__(self) -> None:
        self.title: list[str] = []
        self.text: list[str] = []
        self._fields: dict[str, str] = {}
        self._field: str | None = None
        self._ended: int | None = None
        self._in_title, self._new_sentence = False, False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "sentence":
            self._in_title = attributes.get("section") == "title"
            self._new_sentence = True
        elif name == "token":
            self._fields = {}
        self._field = name if name in (WORD, BEGIN, END) else None

    def data(self, data: str) -> None:
        if self._field:
            self._fields[self._field] = self._fields.get(self._field, "") + data

    def end(self, name: str) -> None:
        self._field = None
        if name == "token" and self._fields.get(WORD):
            self._add(self._fields[WORD])

    def _add(self, word: str) -> None:
        begin = self._offset(BEGIN)
        pieces = self.title if self._in_title else self.text
        apart = self._ended is None or begin is None or begin > self._ended
        if pieces and (apart or self._new_sentence):
            pieces.append("\n" if self._new_sentence else " ")
        pieces.append(ESCAPES.get(word, word))
        self._ended, self._new_sentence = self._offset(END), False

    def _offset(self, name: str) -> int | None:
        value = self._fields.get(name, "").strip()
        return int(value) if value.isascii() and value.isdigit() and len(value) < 12 else None

    def parts(self) -> tuple[str, str]:
        return " ".join("".join(self.title).split()), "".join(self.text)
