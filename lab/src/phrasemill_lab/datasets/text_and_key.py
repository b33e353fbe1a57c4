"""Folders of texts with lists of keyphrases beside them, told apart by the endings of the texts.

| texts | keyphrases |
|---|---|
| `d1.txt` | `d1.key`, one per line |
| `1.abstr` (Inspec; Hulth, 2003): the abstract follows the title, from a line with a tab on | `1.uncontr`, `1.contr` |
| `C-1.txt.final` (SemEval-2010 task 5; Kim et al., 2010) | `train.author.final`, `train.combined.stem.final` … |

The answer keys of SemEval-2010 are in the folder of the texts, above or beside it, and are read by the scorer's own
reader. Those of its test set exist as stems only.
"""

from collections.abc import Iterator
from pathlib import Path

from phrasemill.errors import DataError, InputError
from phrasemill.evaluation.answers import Answers, read_answers
from phrasemill.types import Document, Reference
from phrasemill_lab.datasets import files, records
from phrasemill_lab.datasets.problems import Malformed
from phrasemill_lab.datasets.records import STEMMED, LayoutReading

SEMEVAL, ANNOTATORS = ".txt.final", ("combined", "author", "reader")
INSPEC_GOLDS = ("uncontr", "contr")
ENDINGS = OFFICIAL, INSPEC, _ = (f"*{SEMEVAL}", "*.abstr", "*.key")


def read(path: Path, reading: LayoutReading) -> Iterator[Document]:
    """Yield the documents of the folder `path`, by name."""
    if any(path.glob(OFFICIAL)):
        yield from _semeval2010(path, reading)
        return
    inspec = sorted(path.glob(INSPEC))
    wanted = reading.gold_of(INSPEC_GOLDS) if inspec else "key"
    for text in inspec or sorted(path.glob("*.txt")):
        with reading.recording(text):
            title, content = _inspec_parts(files.text(text)) if inspec else ("", files.text(text).strip())
            if not content:
                raise Malformed("no text in it")
            golds = {name: _phrases(text.with_suffix(f".{name}")) for name in (INSPEC_GOLDS if inspec else ("key",))}
            references = golds.pop(wanted)
            if references is None:
                raise Malformed(f"no {text.stem}.{wanted} beside it")
            known: dict[str, object] = {name: list(phrases) for name, phrases in golds.items() if phrases is not None}
            yield Document(text.stem, content, title, references=references, metadata=known)


def _inspec_parts(content: str) -> tuple[str, str]:
    lines = content.strip().splitlines()
    start = next((number for number, line in enumerate(lines) if number and line.startswith("\t")), 1)
    title, abstract = (" ".join(" ".join(part).split()) for part in (lines[:start], lines[start:]))
    if not abstract:
        raise Malformed("no abstract below its title")
    return title, abstract


def _phrases(path: Path) -> tuple[Reference, ...] | None:
    """Return the keyphrases in a file: lines, or Inspec's terms with semicolons between them."""
    if not path.is_file():
        return None
    try:
        content = files.text(path)
    except Malformed as error:
        raise Malformed(f"{path.name} beside it is {error}") from None
    return records.references(content.splitlines() if path.suffix == ".key" else content, name=path.name)


def _semeval2010(path: Path, reading: LayoutReading) -> Iterator[Document]:
    """Yield the documents of one folder of texts, named after its split; the keys are in, above or beside it."""
    split = reading.split or path.name
    wanted = reading.gold_of(ANNOTATORS)
    keys = {name: answers for name in ANNOTATORS if (answers := _keys(path, split, name, reading)) is not None}
    if wanted not in keys:
        raise DataError(f"{path}: no answer key {split}.{wanted}.final or {split}.{wanted}.stem.final in or beside it")
    texts = sorted(path.glob(f"*{SEMEVAL}"))
    for missing in sorted(set(keys[wanted].phrases) - {_id(text) for text in texts}):
        reading.problems.add(path, f"no text {missing}{SEMEVAL}, which the answer key {wanted} names")
    for text in texts:
        with reading.recording(text):
            yield _semeval2010_document(text, keys, wanted)


def _semeval2010_document(path: Path, keys: dict[str, Answers], wanted: str) -> Document:
    id_ = _id(path)
    if id_ not in keys[wanted].phrases:
        raise Malformed(f"the answer key {wanted} does not name it")
    others = {name: list(answers.phrases.get(id_, ())) for name, answers in keys.items() if name != wanted}
    known: dict[str, object] = {**others}
    if keys[wanted].stemmed:
        known[STEMMED] = True
    return Document(id_, files.text(path).strip(), references=keys[wanted].phrases[id_], metadata=known)


def _id(path: Path) -> str:
    return path.name.removesuffix(SEMEVAL)


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
