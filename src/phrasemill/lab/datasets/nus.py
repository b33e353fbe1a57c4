"""NUS (Nguyen and Kan, 2007): scientific papers with the keyphrases of their authors and of student readers.

    1/1.txt, 1/1.kwd (authors), 1/KEY/1.1.key … (readers), a folder a paper, a phrase a line

This module is the catalog entry and the original layout.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from phrasemill.lab.datasets import files, text_and_key
from phrasemill.lab.datasets.catalog import CORENLP, Dataset, Form, Split, keyword_lines, own_lines
from phrasemill.lab.datasets.problems import Malformed
from phrasemill.lab.datasets.records import Reading, first_wording
from phrasemill.types import Document, Reference

GOLDS = ("combined", "author", "reader")

DATASET = Dataset(
    name="nus",
    title="NUS: scientific conference papers, keyphrases by authors and student readers",
    published=(
        "https://github.com/snkim/AutomaticKeyphraseExtraction",
        "https://github.com/boudinfl/ake-datasets",
    ),
    licence="not stated by its authors; the papers belong to their publishers",
    papers=("Nguyen and Kan, 2007: Keyphrase Extraction in Scientific Publications (ICADL)",),
    splits=(Split("test", 211, 2_461, also=("testing", "all")),),
    forms=(
        Form("nus", ("*/*.kwd", "data/*/*.kwd")),
        own_lines("nus_{split}", "nus"),
        CORENLP,
        keyword_lines("nus_{split}"),
    ),
    gold=GOLDS,
)


def read(path: Path, reading: Reading) -> Iterator[Document]:
    """The document of one folder."""
    wanted = reading.gold_of(GOLDS)
    text = path / f"{path.name}.txt"
    try:
        if not text.is_file():
            raise Malformed(f"no {text.name} in it")
        content = files.text(text).strip()
        author = text_and_key.phrases(path / f"{path.name}.kwd")
        reader = _united(text_and_key.phrases(key) for key in sorted(path.glob("KEY/*.key")))
        golds = {"author": author, "reader": reader, "combined": _united([author, reader])}
    except Malformed as error:
        reading.problems.add(path, str(error))
        return
    references = golds.pop(wanted)
    known = {name: list(phrases) for name, phrases in golds.items()}
    yield Document(path.name, content, references=references, metadata=known)


def _united(lists: Iterable[tuple[Reference, ...]]) -> tuple[Reference, ...]:
    """All phrases, each once; case makes no difference."""
    found: dict[str, Reference] = {}
    for phrases in lists:
        for phrase in phrases:
            found.setdefault(first_wording(phrase).lower(), phrase)
    return tuple(found.values())
