"""Inspec (Hulth, 2003): abstracts with the terms of professional indexers, free and from a thesaurus.

    Training/1.abstr, 1.uncontr, 1.contr … Validation/… Test/…

The abstract begins at the first line that starts with a tab; the lines before it are the title. This module is the
catalog entry and the original layout.
"""

from collections.abc import Iterator
from pathlib import Path

from phrasemill.lab.datasets import files, records
from phrasemill.lab.datasets.catalog import CORENLP, Dataset, Form, KnownFile, Split, keyword_lines, own_lines
from phrasemill.lab.datasets.problems import Malformed
from phrasemill.lab.datasets.records import Reading
from phrasemill.types import Document, Reference

TEXT = ".abstr"
GOLDS = ("uncontr", "contr")

DATASET = Dataset(
    name="inspec",
    title="Inspec: abstracts of computer science and information technology, terms of professional indexers",
    published=(
        "https://github.com/snkim/AutomaticKeyphraseExtraction",
        "https://github.com/boudinfl/ake-datasets",
        "https://github.com/boudinfl/hulth-2003-pre",
    ),
    licence="not stated; the abstracts are the Institution of Engineering and Technology's",
    papers=("Hulth, 2003: Improved Automatic Keyword Extraction Given More Linguistic Knowledge (EMNLP)",),
    splits=(
        Split("train", 1_000, also=("training", "Training")),
        Split("dev", 500, also=("valid", "validation", "Validation")),
        Split("test", 500, 4_913, also=("Test", "testing")),
    ),
    forms=(
        Form("inspec", (f"{{split}}/*{TEXT}", f"*/{{split}}/*{TEXT}")),
        own_lines("inspec_{split}"),
        CORENLP,
        keyword_lines("inspec_{split}"),
    ),
    gold=GOLDS,
    files=(
        KnownFile("inspec_train.jsonl.gz", "8dff58b60e619d91293b063217c03c473f1d954c0a2be35f39eb0c54304a1e2d"),
        KnownFile("inspec_dev.jsonl.gz", "fcc8b5e44b2f75b5305b3215b9645dd3a0bc3281c5932aa895a3a6a224d6ebb1"),
        KnownFile("inspec_test.jsonl.gz", "be67974a8c8d749db13f6e8aa39712e797257d8939c518534053168287a6c65b"),
    ),
)


def read(path: Path, reading: Reading) -> Iterator[Document]:
    """The documents of one folder."""
    wanted = reading.gold_of(GOLDS)
    for text in sorted(path.glob(f"*{TEXT}")):
        try:
            title, abstract = _parts(files.text(text))
            golds = {name: _terms(text.with_suffix(f".{name}")) for name in GOLDS}
            references = golds.pop(wanted)
            if references is None:
                raise Malformed(f"no {text.stem}.{wanted} beside it")
        except Malformed as error:
            reading.problems.add(text, str(error))
        else:
            known: dict[str, object] = {name: list(terms) for name, terms in golds.items() if terms is not None}
            yield Document(text.stem, abstract, title, references=references, metadata=known)


def _parts(content: str) -> tuple[str, str]:
    lines = content.strip().splitlines()
    start = next((number for number, line in enumerate(lines) if number and line.startswith("\t")), 1)
    title, abstract = (" ".join(" ".join(part).split()) for part in (lines[:start], lines[start:]))
    if not abstract:
        raise Malformed("no abstract below its title")
    return title, abstract


def _terms(path: Path) -> tuple[Reference, ...] | None:
    if not path.is_file():
        return None
    return records.references(files.text(path), name=path.name)
