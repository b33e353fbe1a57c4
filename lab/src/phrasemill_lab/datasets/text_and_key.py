"""Folders of texts with lists of keyphrases beside them, told apart by the endings of the texts.

| texts | keyphrases |
|---|---|
| `d1.txt` | `d1.key`, one per line |
| `1.abstr` (Inspec; Hulth, 2003): the abstract follows the title, from a line with a tab on | `1.uncontr`, `1.contr` |
| `C-1.txt.final` (SemEval-2010) | the answer keys of the task, see `semeval2010` |
"""

from collections.abc import Iterator
from pathlib import Path

from phrasemill.types import Document, Reference
from phrasemill_lab.datasets import files, records, semeval2010
from phrasemill_lab.datasets.problems import Malformed
from phrasemill_lab.datasets.records import LayoutReading

INSPEC_GOLDS = ("uncontr", "contr")
ENDINGS = OFFICIAL, INSPEC, _ = (f"*{semeval2010.TEXT}", "*.abstr", "*.key")


def read(path: Path, reading: LayoutReading) -> Iterator[Document]:
    """Yield the documents of the folder `path`, by name."""
    if any(path.glob(OFFICIAL)):
        yield from semeval2010.read(path, reading)
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
