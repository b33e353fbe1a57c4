"""Pairs of files for sequence models: one source per line in one, its keyphrases in the other.

    train_src.txt     a title <eos> the words of an abstract
    train_trg.txt     graph theory;trees;<peos>;graph drawing

Present keyphrases come before `<peos>`, absent ones after it (Chan et al., 2019); either mark may be missing. Words are
lower-cased and apart as a rule, numbers are `<digit>`: nothing of that is undone.
"""

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path

from phrasemill.errors import ConfigError
from phrasemill.evaluation.answers import clustered
from phrasemill.types import Document
from phrasemill_lab.datasets import files, records, writing
from phrasemill_lab.datasets.preparation import split_by_presence
from phrasemill_lab.datasets.problems import Malformed
from phrasemill_lab.datasets.records import LayoutReading

END_OF_TITLE, END_OF_PRESENT = "<eos>", "<peos>"
SOURCE, TARGET = "_src", "_trg"
ENDED = object()


def read(path: Path, reading: LayoutReading) -> Iterator[Document]:
    """Yield the documents of a pair; `path` is the source file, its name ends in `_src.txt` or the like."""
    if SOURCE not in path.name:
        raise ConfigError(f"{path}: the source file of a pair is called …{SOURCE}.txt, the other …{TARGET}.txt")
    before, _, after = path.name.rpartition(SOURCE)
    beside = path.with_name(before + TARGET + after)
    both = zip_longest(files.lines(path, reading.problems), files.lines(beside, reading.problems), fillvalue=ENDED)
    for number, (source, target) in enumerate(both, start=1):
        if source is ENDED or target is ENDED:
            reading.problems.add(path if source is ENDED else beside, "ends before its partner does", number)
            return
        with reading.recording(path, number):
            if isinstance(source, str) and isinstance(target, str):
                yield _document(f"{before}-{number}", source, target)


def _document(id_: str, source: str, target: str) -> Document:
    if not source.strip():
        raise Malformed("an empty source")
    title, mark, text = source.partition(END_OF_TITLE)
    if not mark:
        title, text = "", source
    present, mark, absent = target.partition(END_OF_PRESENT)
    first = records.references(present, name="the target")
    second = records.references(absent, name="the target")
    known = {"present": list(first), "absent": list(second)} if mark else {}
    return Document(id=id_, title=title.strip(), text=text.strip(), references=(*first, *second), metadata=known)


def names(path: Path) -> tuple[Path, Path]:
    """Return the two files that `path` stands for."""
    name, dot, ending = path.name.partition(".txt")
    source, target = (path.with_name(f"{name}{part}{dot or '.txt'}{ending}") for part in (SOURCE, TARGET))
    return source, target


def write(documents: Iterable[Document], path: Path) -> int:
    """Write a pair of files beside `path`: `train` gives `train_src.txt` and `train_trg.txt`.

    Keyphrases are put in order, present ones by first occurrence, and `<peos>` stands after the last of them.
    """
    source, target = names(path)
    count = 0
    with writing.written(source) as sources, writing.written(target) as targets:
        for document in documents:
            sources.write(f"{_source(document)}\n".encode("utf-8", errors="replace"))
            targets.write(f"{_target(document)}\n".encode("utf-8", errors="replace"))
            count += 1
    return count


def _source(document: Document) -> str:
    text = " ".join(document.text.split())
    return f"{' '.join(document.title.split())} {END_OF_TITLE} {text}" if document.title else text


def _target(document: Document) -> str:
    present, absent = (";".join(map(_phrase, part)) for part in split_by_presence(document))
    return ";".join(part for part in (present, END_OF_PRESENT, absent) if part)


def _phrase(reference: str | tuple[str, ...]) -> str:
    return " ".join(clustered(reference)[0].replace(";", " ").split())
