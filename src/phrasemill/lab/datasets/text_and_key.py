"""A folder of texts with a list of keyphrases beside each: `d1.txt` and `d1.key`, a phrase a line.

This is how 500N-KPCrowd, Krapivin, CSTR and others are distributed.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from phrasemill.lab.datasets import files, records
from phrasemill.lab.datasets.problems import Malformed
from phrasemill.lab.datasets.records import Reading
from phrasemill.types import Document, Reference

TEXT, KEY = ".txt", ".key"
# Makes title, text and metadata of the content of a text file.
Parts = tuple[str, str, dict[str, object]]


def whole(content: str) -> Parts:
    """All of it is text; a title, if there is one, begins it."""
    return "", content.strip(), {}


def titled(content: str) -> Parts:
    """The first line is the title."""
    title, _, text = content.strip().partition("\n")
    return (title.strip(), text.strip(), {}) if text.strip() else whole(content)


def read(path: Path, reading: Reading, *, parts: Callable[[str], Parts] = whole) -> Iterator[Document]:
    """The documents of the folder `path`, by name."""
    for text_path in sorted(path.glob(f"*{TEXT}")):
        try:
            title, text, known = parts(files.text(text_path))
            if not text:
                raise Malformed("no text in it")
            references = phrases(text_path.with_suffix(KEY))
        except Malformed as error:
            reading.problems.add(text_path, str(error))
        else:
            yield Document(text_path.stem, text, title, references=references, metadata=known)


def phrases(path: Path) -> tuple[Reference, ...]:
    """The lines of a file of keyphrases."""
    if not path.is_file():
        raise Malformed(f"no {path.name} beside it")
    try:
        return records.references(files.text(path).splitlines(), name=path.name)
    except Malformed as error:
        raise Malformed(f"{path.name} beside it is {error}" if "not UTF" in str(error) else str(error)) from None
