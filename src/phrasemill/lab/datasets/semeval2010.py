"""SemEval-2010 task 5 (Kim et al., 2010): papers of the ACM Digital Library, keyphrases of authors and readers.

    train/C-41.txt.final … train/train.author.final, train.reader.final, train.combined.final (and .stem.final)
    test/C-1.txt.final …   test_answer/test.combined.stem.final …

The texts are what pdftotext made of the papers. The answer keys of the test set exist as stems only. This module is
the catalog entry and the official layout; the keys are read by the scorer's own reader.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from phrasemill.errors import DataError, InputError
from phrasemill.evaluation.answers import Answers
from phrasemill.evaluation.formats import read_answers
from phrasemill.lab.datasets import files
from phrasemill.lab.datasets.catalog import CORENLP, Dataset, Form, KnownFile, Split, own_lines
from phrasemill.lab.datasets.problems import Malformed
from phrasemill.lab.datasets.records import STEMMED, Reading
from phrasemill.types import Document

TEXT = ".txt.final"
ANNOTATORS = ("combined", "author", "reader")

DATASET = Dataset(
    name="semeval2010",
    title="SemEval-2010 task 5: full papers from four ACM classes, keyphrases by authors and readers",
    published=(
        "https://semeval2.fbk.eu/semeval2.php?location=tasks&taskid=6",
        "https://github.com/snkim/AutomaticKeyphraseExtraction",
        "https://github.com/boudinfl/semeval-2010-pre",
    ),
    licence="not stated by its authors; the papers belong to their publishers",
    papers=("Kim et al., 2010: SemEval-2010 Task 5 (SemEval)", "Boudin et al., 2016 (WNUT), for the cleaned texts"),
    splits=(
        Split("trial", 40, 621, part_of="train"),
        Split("train", 144, 2_223, also=("training",)),
        Split("test", 100, 1_466),
    ),
    forms=(
        Form("semeval2010", (f"{{split}}/*{TEXT}", f"*/{{split}}/*{TEXT}")),
        own_lines("semeval2010_{split}", "semeval2010_official_{split}"),
        CORENLP,
    ),
    gold=ANNOTATORS,
    files=tuple(
        KnownFile(name, digest)
        for name, digest in (
            ("test.author.stem.final", "2b9c6b21437f5f652d9f4cacfa63523975fbf9ee6824b71e4afde2ebaa5379b8"),
            ("test.combined.stem.final", "1cef6030759b06dffa90208d3556460f2843332d428ad7a39baa937be72da3fb"),
            ("test.reader.stem.final", "e744075349ed74d479fb9929dbc107601d58ebe846a979eb1ab2878f20f0941d"),
            ("train.author.final", "a3502715be5764e4c03b496b387cd241c5b4fd440b03e1709447e658fbc01512"),
            ("train.author.stem.final", "487c5c63a36f504f9e9f81c913a70ecc114ae735fa18acd998380a556a9b9662"),
            ("train.combined.final", "7c05edfddfff8a8d2a3370ecd97b80ae0c6cdccfd1b946d152081aff621bd8ab"),
            ("train.combined.stem.final", "0f5596bfee241446cfbc7920e31dc6e08128d3a810233e72433b7a5ba942c752"),
            ("train.reader.final", "6e589f1ac634be711dc43d04bc4ff20fcb0b426b0dc07a2a05432b6306547756"),
            ("train.reader.stem.final", "600f9380c210e4dc9a40f5ba06aa29ce033a572add131ce20859ca124e02836b"),
            ("trial.author.final", "10650a158cd8bf20cde5feb454deaf8d9cfab4aa4fb594153642c940e4a2b9db"),
            ("trial.author.stem.final", "70ed8db03c685f3724ad21e13a8040d050a1c010b3b6ec4c5c82a8e2a4f98481"),
            ("trial.combined.final", "526d41cf7b874affb93b6a907b21abc3a270a6e6d15274d8a8bb2614063344bd"),
            ("trial.combined.stem.final", "5d4e51b13b157762850f6eec8e900c38e4e696f1f1ac8a0a9fe0b2caf71f2c6f"),
            ("trial.reader.final", "9aa83fd835d828f41696c0a99d01540b5b3b780b598a3a7d23f1e01081402e18"),
            ("trial.reader.stem.final", "48cda889e46c9d2cbd79399d72299248a0e35dd99268a5f2ae8964244bc3e5fb"),
            ("semeval2010_train.jsonl.gz", "39db71bbf70bd4589ac3f587ff7eead3b8c9732e97ad9e29d49c7e00a9994810"),
            ("semeval2010_test.jsonl.gz", "416d360c9e70a3261aeac542d23947e0823f06c8a2ce26780f34782f5e4cef82"),
            ("semeval2010_official_trial.jsonl.gz", "c61ab380665c29c6e597e02cc8bd5e794672f494443138f219bba4b319da3104"),
            ("semeval2010_official_train.jsonl.gz", "289f8e372623444c0654334ae20011ace1e780a03785e561cc7b2d29a84e141c"),
            ("semeval2010_official_test.jsonl.gz", "c4332b76f7c00ebffca6280833bf5b7bbfa12cffcc1332468d94ff26f9d9ae90"),
        )
    ),
    note="Trial is part of train. The paper counts 1,482 keyphrases in test, the distributed keys hold 1,466.",
)


def read(path: Path, reading: Reading) -> Iterator[Document]:
    """The documents of one folder of texts, whose name is the split's; the keys are in it, above it or beside it."""
    split = reading.split or path.name
    wanted = reading.gold_of(ANNOTATORS)
    keys = {name: answers for name in ANNOTATORS if (answers := _keys(path, split, name, reading)) is not None}
    if wanted not in keys:
        raise DataError(f"{path}: no answer key {split}.{wanted}.final or {split}.{wanted}.stem.final in or beside it")
    texts = sorted(path.glob(f"*{TEXT}"))
    for missing in sorted(set(keys[wanted].phrases) - {_id(text) for text in texts}):
        reading.problems.add(path, f"no text {missing}{TEXT}, which the answer key {wanted} names")
    for text in texts:
        try:
            yield _document(text, keys, wanted)
        except Malformed as error:
            reading.problems.add(text, str(error))


def category(id_: str) -> str:
    """Return the ACM category of a document: `C` of `C-41`."""
    return id_.partition("-")[0]


def complete(document: Document) -> Document:
    """With the ACM class that the first letter of the id stands for."""
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


def _keys(folder: Path, split: str, annotator: str, reading: Reading) -> Answers | None:
    """The answer key of one annotator, in words if there is one, else in stems."""
    for name in (f"{split}.{annotator}.final", f"{split}.{annotator}.stem.final"):
        for place in (folder / name, folder.parent / name, *sorted(folder.parent.glob(f"*/{name}"))):
            if place.is_file():
                try:
                    return read_answers(place)
                except InputError as error:
                    reading.problems.add(place, str(error).removeprefix(f"{place}: "))
                    return None
    return None
