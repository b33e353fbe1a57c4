"""DUC-2001 (Over, 2001; keyphrases by Wan and Xiao, 2008): news in topics, as NIST distributes it.

    docs/d04a/FT923-5089 … (SGML, a folder a topic)      keyphrases.txt: FT923-5089@first phrase;second phrase;…

The file of keyphrases is any `*.txt`, `*.json` or `*.jsonl` at the root. This module is the catalog entry and the
layout; the SGML is read by the builder of MK-DUC-01.
"""

from collections.abc import Iterator
from pathlib import Path

from phrasemill.errors import DataError, InputError
from phrasemill.lab.datasets.catalog import CORENLP, Dataset, Form, KnownFile, Split, keyword_lines, own_lines
from phrasemill.lab.datasets.records import Reading
from phrasemill.types import Document

ANNOTATIONS = ("*keyphrase*.txt", "*annotation*.txt", "*keyphrase*.json*", "*.txt")

DATASET = Dataset(
    name="duc2001",
    title="DUC-2001: news articles of 30 topics, keyphrases by two students",
    published=("https://duc.nist.gov/data.html", "https://github.com/boudinfl/ake-datasets"),
    licence="NIST's agreement for the documents",
    papers=("Over, 2001 (DUC)", "Wan and Xiao, 2008: Single Document Keyphrase Extraction (AAAI)"),
    splits=(Split("test", 308, 2_488, also=("all", "testing")),),
    forms=(
        Form("duc2001", tuple(f"{place}d[0-9][0-9]*/*[0-9]" for place in ("", "docs/", "*/docs/"))),
        own_lines("duc2001", "duc2001_{split}"),
        CORENLP,
        keyword_lines("duc_{split}", "duc2001_{split}"),
    ),
    files=(KnownFile("duc2001.jsonl.gz", "9432653d0d5b74a05a8cd81c34daff3cd6e34f1a8ae0f892f40f67b3e10898b2"),),
    note="Yuan et al. (2020) count 2,484 keyphrases: 4 stand twice in the list of their document.",
)


def read(path: Path, reading: Reading) -> Iterator[Document]:
    """The documents of the topic folders below `path`."""
    from phrasemill.lab.datasets.building.mkduc01 import read_keyphrases, read_nist

    found = [file for pattern in ANNOTATIONS for file in sorted(path.glob(pattern))]
    if not found:
        raise DataError(f"{path}: no file of keyphrases in it (looked for {', '.join(ANNOTATIONS)})")
    try:
        yield from read_nist(path, read_keyphrases(found[0]))
    except (DataError, InputError) as error:
        reading.problems.add(path, str(error).removeprefix(f"{path}: "))
