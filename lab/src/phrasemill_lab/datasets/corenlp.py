"""The layout of ake-datasets: documents as Stanford CoreNLP's XML, references in JSON beside them.

    test/193.xml …     references/test.uncontr.json: {"193": [["number of sensors", "sensor number"], …]}

The text is put together from the words and their offsets; sentences marked `section="title"` make the title, else it
begins the text. Tags and lemmas are not kept. Entities that the XML declares are refused.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree.ElementTree import Element

from phrasemill.errors import DataError
from phrasemill.readers.safe_xml import BROKEN, RefusedXmlError, tree
from phrasemill.types import Document, Reference
from phrasemill_lab.datasets import files, records
from phrasemill_lab.datasets.problems import Malformed
from phrasemill_lab.datasets.records import STEMMED, LayoutReading

ANNOTATORS = ("combined", "uncontr", "author", "reader", "editor", "contr")
ESCAPES = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"',
}  # fmt: skip


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
    try:
        root = tree(files.data(path))
    except RefusedXmlError as error:
        raise Malformed(f"not well-formed XML ({error})" if error.reason == BROKEN else str(error)) from None
    title: list[str] = []
    text: list[str] = []
    ended: int | None = None
    for sentence in root.iter("sentence"):
        pieces = title if sentence.get("section") == "title" else text
        gap = "\n"
        for token in sentence.iter("token"):
            word, begin = token.findtext("word"), _offset(token, "CharacterOffsetBegin")
            if not word:
                continue
            if pieces and (gap or ended is None or begin is None or begin > ended):
                pieces.append(gap or " ")
            pieces.append(ESCAPES.get(word, word))
            ended, gap = _offset(token, "CharacterOffsetEnd"), ""
    if not text:
        raise Malformed("no words in it; is it CoreNLP's XML?")
    return " ".join("".join(title).split()), "".join(text)


def _offset(token: Element, name: str) -> int | None:
    value = token.findtext(name, "").strip()
    return int(value) if value.isascii() and value.isdigit() and len(value) < 12 else None
