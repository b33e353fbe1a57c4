"""MK-DUC-01 (Shapira et al., 2021): the 30 topics of DUC-2001 as sets, with the keyphrases of each set.

A document of this dataset stands for a topic: it has no text of its own, `doc_ids` in its metadata name the documents
of DUC-2001 that it is about, and its references are substitute clusters, most salient first. `load_topics` gives each
topic with its documents. `MKDUC01_keyphrases.json` is the file that its authors publish; `doc_ids` need our JSON lines
or their `MKDUC01.json`. This module is the catalog entry and that layout.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from phrasemill.lab.datasets import records
from phrasemill.lab.datasets.catalog import Dataset, Form, KnownFile, Split, own_lines
from phrasemill.lab.datasets.problems import Malformed
from phrasemill.lab.datasets.records import Reading
from phrasemill.types import Document

DOCUMENTS = "doc_ids"

DATASET = Dataset(
    name="mkduc01",
    title="MK-DUC-01: the topics of DUC-2001 as document sets, keyphrases with substitute clusters",
    published=("https://github.com/OriShapira/MkDUC-01",),
    licence="keyphrases as its authors publish them; the documents under NIST's agreement",
    papers=("Shapira et al., 2021: Multi-Document Keyphrase Extraction (arXiv 2110.01073)",),
    splits=(Split("test", 30, 1_314, also=("all",)),),
    forms=(
        own_lines("mkduc01", "mkduc01_{split}"),
        Form("mkduc01", ("MKDUC01.json", "MKDUC01_keyphrases.json", "data/MKDUC01*.json")),
    ),
    files=(KnownFile("mkduc01.jsonl.gz", "5bd9ee4eb8afb5296f5c476c4714cbaf626fff7765387a44c034f53e035ebee1"),),
    note="The paper recommends the first 20 keyphrases of each topic: 599 in all.",
)


def read(path: Path, reading: Reading) -> Iterator[Document]:
    """The topics of one file of `{topic: [[wording, …], …]}`, or of records under their topics."""
    for line, key, value in records.json_values(path, reading.problems, keyed=True):
        try:
            if not isinstance(key, str):
                raise Malformed("no topic to which it belongs")
            yield topic(key, value)
        except Malformed as error:
            reading.problems.add(path, str(error), line)


def topic(key: str, value: object) -> Document:
    known: dict[str, object] = {}
    if isinstance(value, Mapping):
        documents = value.get("documents", value.get(DOCUMENTS, ()))
        known[DOCUMENTS] = list(documents) if isinstance(documents, Mapping | list | tuple) else []
        value = value.get("keyphrases", value.get("clusters"))
    return Document(key, "", references=records.references(value, name=key), metadata=known)
