"""Pairs of files for sequence models: one source per line in one, its keyphrases in the other.

    train_src.txt     a title <eos> the words of an abstract
    train_trg.txt     graph theory;trees;<peos>;graph drawing

Present keyphrases come before `<peos>`, absent ones after it (Chan et al., 2019); either mark may be missing. Words are
lower-cased and apart as a rule, numbers are `<digit>`: nothing of that is undone.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from phrasemill.errors import ConfigError
from phrasemill.evaluation.answers import clustered
from phrasemill.types import Document
from phrasemill_lab.datasets import files, records, writing
from phrasemill_lab.datasets.preparation import split_by_presence
from phrasemill_lab.datasets.problems import Malformed, Problems
from phrasemill_lab.datasets.records import LayoutReading

END_OF_TITLE, END_OF_PRESENT = "<eos>", "<peos>"
SOURCE, TARGET = "_src", "_trg"


def read(path: Path, reading: LayoutReading) -> Iterator[Document]:
    """Yield the documents of a pair; `path` is the source file, its name ends in `_src.txt` or the like."""
    if SOURCE not in path.name:
        raise ConfigError(f"{path}: the source file of a pair is called …{SOURCE}.txt, the other …{TARGET}.txt")
    before, _, after = path.name.rpartition(SOURCE)
    beside = path.with_name(before + TARGET + after)
    for number, source, target in _paired(path, beside, reading.problems):
        with reading.recording(path, number):
            yield _document(f"{before}-{number}", source, target)


def _paired(path: Path, beside: Path, problems: Problems) -> Iterator[tuple[int, str, str]]:
    """Yield lines of the same number; one that cannot be read in one file is skipped in the other."""
    sources, targets = files.lines(path, problems), files.lines(beside, problems)
    source, target = next(sources, None), next(targets, None)
    while source is not None and target is not None:
        if source[0] == target[0]:
            yield source[0], source[1], target[1]
        behind = min(source[0], target[0])
        if source[0] == behind:
            source, target = next(sources, None), target if target[0] > behind else next(targets, None)
        else:
            target = next(targets, None)
    left = source or target
    if left is not None:
        problems.add(path if source is None else beside, "ends before its partner does", left[0])


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
    gold = split_by_presence(document)
    present, absent = (";".join(map(_phrase, part)) for part in (gold.present, gold.absent))
    return ";".join(part for part in (present, END_OF_PRESENT, absent) if part)


def _phrase(reference: str | tuple[str, ...]) -> str:
    return " ".join(clustered(reference)[0].replace(";", " ").split())
