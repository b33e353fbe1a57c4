"""Krapivin (Krapivin et al., 2009): full computer science papers of the ACM with their authors' keyphrases.

    267960.txt: lines --T, title, --A, abstract, --B, body, --R, bibliography      267960.key: a phrase a line

The text is abstract and body. This module is the catalog entry and the original layout.
"""

from collections.abc import Iterator
from pathlib import Path

from phrasemill.lab.datasets import text_and_key
from phrasemill.lab.datasets.catalog import CORENLP, Dataset, Form, KnownFile, Split, keyword_lines, own_lines
from phrasemill.lab.datasets.problems import Malformed
from phrasemill.lab.datasets.records import Reading
from phrasemill.types import Document

MARKS = {"--T": "title", "--A": "abstract", "--B": "body", "--R": "bibliography"}

DATASET = Dataset(
    name="krapivin",
    title="Krapivin: full papers of the ACM, 2003 to 2005, with their authors' keyphrases",
    published=(
        "https://disi.unitn.it/~krapivin/",
        "https://github.com/snkim/AutomaticKeyphraseExtraction",
        "https://github.com/boudinfl/ake-datasets",
    ),
    licence="not stated by its authors; the papers belong to the ACM",
    papers=("Krapivin et al., 2009: Large Dataset for Keyphrases Extraction (University of Trento)",),
    splits=(
        Split("all", 2_304),
        Split("train", 1_844, also=("valid", "validation"), part_of="all"),
        Split("test", 460, 2_641, also=("testing",), part_of="all"),
    ),
    forms=(
        Form("krapivin", ("*.txt", "all_docs_abstacts_refined/*.txt", "{split}/*.txt")),
        own_lines("krapivin_{split}"),
        CORENLP,
        keyword_lines("krapivin_{split}"),
    ),
    files=(KnownFile("krapivin_train.jsonl.gz", "51853addb103a17c12109b0632ad36263b21255d83a67e0ad98c6c9183db431b"),),
    note="The test split of 460 is Meng et al.'s (2017), who make the rest 1,844 for validation.",
)


def read(path: Path, reading: Reading) -> Iterator[Document]:
    """The documents of one folder."""
    return text_and_key.read(path, reading, parts=_parts)


def _parts(content: str) -> text_and_key.Parts:
    parts: dict[str, list[str]] = {name: [] for name in MARKS.values()}
    current: list[str] | None = None
    for line in content.splitlines():
        name = MARKS.get(line.strip())
        if name:
            current = parts[name]
        elif current is None and line.strip():
            raise Malformed("does not begin with --T")
        elif current is not None:
            current.append(line)
    whole = {name: "\n".join(lines).strip() for name, lines in parts.items()}
    text = "\n".join(filter(None, [whole["abstract"], whole["body"]]))
    return " ".join(whole["title"].split()), text, {"abstract": whole["abstract"]}
