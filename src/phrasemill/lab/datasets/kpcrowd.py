"""500N-KPCrowd (Marujo et al., 2012): news, with the key phrases that people on Mechanical Turk marked.

    CorpusAndCrowdsourcingAnnotations/test/art_and_culture-20880868.txt, art_and_culture-20880868.key

The first line of a text is its title, and its topic begins its name. This module is the catalog entry and the layout.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from phrasemill.lab.datasets import text_and_key
from phrasemill.lab.datasets.catalog import CORENLP, Dataset, Form, KnownFile, Split, own_lines
from phrasemill.lab.datasets.records import Reading
from phrasemill.types import Document

DATASET = Dataset(
    name="500n_kpcrowd",
    title="500N-KPCrowd: broadcast news of ten topics, key phrases marked by a crowd",
    published=(
        "https://github.com/snkim/AutomaticKeyphraseExtraction",
        "https://github.com/boudinfl/ake-datasets",
    ),
    licence="for research and education, as its read-me says; the articles belong to their publishers",
    papers=("Marujo et al., 2012: Supervised Topical Key Phrase Extraction of News Stories (LREC)",),
    splits=(Split("train", 450), Split("test", 50)),
    forms=(
        Form("500n_kpcrowd", ("{split}/*.txt", "CorpusAndCrowdsourcingAnnotations/{split}/*.txt")),
        own_lines("500n_kpcrowd_{split}"),
        CORENLP,
    ),
    files=(
        KnownFile("500n_kpcrowd_train.jsonl.gz", "a6172ba3e9471d55863291c55cd0517f515bfab91f89055fb88dd62709aa9f1d"),
        KnownFile("500n_kpcrowd_test.jsonl.gz", "f3dd1fdcab9451a78ee14032e7096ca7f07a65c27089db6c34bcbf1ecc3da391"),
    ),
    note="Version 1.1 has titles instead of texts; take the texts from the versions before.",
)


def read(path: Path, reading: Reading) -> Iterator[Document]:
    """The documents of one folder."""
    for document in text_and_key.read(path, reading, parts=text_and_key.titled):
        topic, mark, _ = document.id.rpartition("-")
        yield replace(document, metadata={"topic": topic}) if mark else document
