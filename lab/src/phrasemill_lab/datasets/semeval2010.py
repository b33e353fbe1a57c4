"""SemEval-2010 task 5 (Kim et al., 2010): papers of the ACM Digital Library, keyphrases of authors and readers.

    train/C-41.txt.final … train/train.author.final, train.reader.final, train.combined.final (and .stem.final)
    test/C-1.txt.final …   test_answer/test.combined.stem.final …

The texts are what pdftotext made of the papers. The answer keys of the test set exist as stems only; all keys are read
by the scorer's own reader.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from phrasemill.errors import DataError, InputError
from phrasemill.evaluation.answers import Answers
from phrasemill.evaluation.formats import read_answers
from phrasemill.types import Document
from phrasemill_lab.datasets import files
from phrasemill_lab.datasets.problems import Malformed
from phrasemill_lab.datasets.records import STEMMED, LayoutReading

TEXT = ".txt.final"
ANNOTATORS = ("combined", "author", "reader")


def read(path: Path, reading: LayoutReading) -> Iterator[Document]:
    """Yield the documents of one folder of texts, named after its split; the keys are in, above or beside it."""
    split = reading.split or path.name
    wanted = reading.gold_of(ANNOTATORS)
    keys = {name: answers for name in ANNOTATORS if (answers := _keys(path, split, name, reading)) is not None}
    if wanted not in keys:
        raise DataError(f"{path}: no answer key {split}.{wanted}.final or {split}.{wanted}.stem.final in or beside it")
    texts = sorted(path.glob(f"*{TEXT}"))
    for missing in sorted(set(keys[wanted].phrases) - {_id(text) for text in texts}):
        reading.problems.add(path, f"no text {missing}{TEXT}, which the answer key {wanted} names")
    for text in texts:
        with reading.recording(text):
            yield _document(text, keys, wanted)


def category(id_: str) -> str:
    """Return the ACM category of a document: `C` of `C-41`."""
    return id_.partition("-")[0]


def with_category(document: Document) -> Document:
    """Return the document with the ACM class that the first letter of its id stands for."""
    return replace(document, metadata={"category": category(document.id), **document.metadata})


def _document(path: Path, keys: dict[str, Answers], wanted: str) -> Document:
    id_ = _id(path)
    if id_ not in keys[wanted].phrases:
        raise Malformed(f"the answer key {wanted} does not name it")
    known: dict[str, object] = {
        name: list(answers.phrases.get(id_, ())) for name, answers in keys.items() if name != wanted
    }
    if keys[wanted].stemmed:
        known[STEMMED] = True
    return Document(id_, files.text(path).strip(), references=keys[wanted].phrases[id_], metadata=known)


def _id(path: Path) -> str:
    return path.name.removesuffix(TEXT)


def _keys(folder: Path, split: str, annotator: str, reading: LayoutReading) -> Answers | None:
    """Return the answer key of one annotator, in words if there is one, else in stems."""
    for name in (f"{split}.{annotator}.final", f"{split}.{annotator}.stem.final"):
        for place in (folder / name, folder.parent / name, *sorted(folder.parent.glob(f"*/{name}"))):
            if place.is_file():
                try:
                    return read_answers(place)
                except InputError as error:
                    reading.problems.add(place, str(error).removeprefix(str(place)).lstrip(":, "))
                    return None
    return None
