"""Concat (Shapira et al., "Multi-Document Keyphrase Extraction: Dataset, Baselines and Review", 2021).

All documents of the set as one text, in a random order that `seed` decides (None keeps the order given), for an
extractor of single documents. Titles stand before their texts; a blank line stands between documents. A set in several
languages is read in the language of most of its documents.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from phrasemill.options import DEFAULT_METHOD
from phrasemill.pipeline import build
from phrasemill.selection import form_of
from phrasemill.sets.method import SetMethod
from phrasemill.sets.occurrences import ChosenPhrase
from phrasemill.sets.read_documents import DocumentPhrase, ReadDocument, SharedStrings, read_document
from phrasemill.types import Document, Method


@dataclass(frozen=True, slots=True, repr=False)
class Concat(SetMethod):
    """Run a method on all documents as one text.

    - `method`: the method for single documents.
    - `seed`: the seed of the random order of the documents; None keeps the given order.
    """

    name: ClassVar[str] = "concat"
    paper: ClassVar[str] = "Shapira et al., 2021"

    method: Method | str = DEFAULT_METHOD
    seed: int | None = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "method", build(self.method))

    def choose(self, readings: Sequence[ReadDocument], wanted: int | None) -> list[ChosenPhrase]:
        if not readings:
            return []
        documents = [reading.document for reading in readings]
        if self.seed is not None:
            from random import Random

            Random(self.seed).shuffle(documents)
        language = Counter(document.language for document in documents).most_common(1)[0][0]
        text = "\n\n".join(document.content for document in documents)
        whole = read_document(
            Document("", text, language=language), build(self.method), keep=None, pool=SharedStrings()
        )
        others = sorted({document.language for document in documents} - {language})
        return [ChosenPhrase(found.text, found.score, _forms(found, others)) for found in whole.found]


def _forms(found: DocumentPhrase, others: Sequence[str]) -> tuple[str, ...]:
    """Return the form of a phrase, and those that documents in other languages have it under."""
    return tuple(dict.fromkeys((found.form, *(form_of(found.text, language) for language in others))))
