"""DUC-2001 as NIST distributes it, and MK-DUC-01, the keyphrases of its topics.

DUC-2001 (Over, 2001; keyphrases by Wan and Xiao, 2008) is SGML in one folder per topic, `docs/d04a/FT923-5089`, with a
file of keyphrases at the root: any `*.txt`, `*.json` or `*.jsonl`, such as lines `FT923-5089@first phrase;second`.

A document of MK-DUC-01 (Shapira et al., 2021) stands for a topic: it has no text of its own, `doc_ids` in its metadata
name the documents of DUC-2001 that it is about, and its references are substitute clusters, most salient first.
`load_topics` gives each topic with its documents. `MKDUC01_keyphrases.json` is the file that its authors publish;
`doc_ids` need our JSON lines or their `MKDUC01.json`.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from phrasemill.errors import DataError, InputError
from phrasemill.types import Document
from phrasemill_lab.datasets import records
from phrasemill_lab.datasets.records import LayoutReading

ANNOTATIONS = ("*keyphrase*.txt", "*annotation*.txt", "*keyphrase*.json*", "*.txt")
DOCUMENTS = "doc_ids"


def read_duc2001(path: Path, reading: LayoutReading) -> Iterator[Document]:
    """Yield the documents of the topic folders below `path`."""
    from phrasemill_lab.datasets.building.mkduc01 import read_keyphrases, read_nist

    found = [file for pattern in ANNOTATIONS for file in sorted(path.glob(pattern))]
    if not found:
        raise DataError(f"{path}: no file of keyphrases in it (looked for {', '.join(ANNOTATIONS)})")
    try:
        yield from read_nist(path, read_keyphrases(found[0]))
    except (DataError, InputError) as error:
        reading.problems.add(path, str(error).removeprefix(f"{path}: "))


def read_mkduc01(path: Path, reading: LayoutReading) -> Iterator[Document]:
    """Yield the topics of one file of `{topic: [[wording, …], …]}`, or of records under their topics."""
    for line, key, value in records.json_values(path, reading.problems, keyed=True):
        with reading.recording(path, line):
            yield _topic(str(key), value)


def _topic(key: str, value: object) -> Document:
    known: dict[str, object] = {}
    if isinstance(value, Mapping):
        documents = value.get("documents", value.get(DOCUMENTS, ()))
        known[DOCUMENTS] = list(documents) if isinstance(documents, Mapping | list | tuple) else []
        value = value.get("keyphrases", value.get("clusters"))
    return Document(key, "", references=records.references(value, name=key), metadata=known)
