"""Concat (Shapira et al., "Multi-Document Keyphrase Extraction: Dataset, Baselines and Review", 2021).

All documents of the set as one text, in a random order that `seed` decides (None keeps the order given), for an
extractor of single documents. Titles stand before their texts; a blank line stands between documents. A set in several
languages is read in the language of most of its documents; a phrase counts in those of another where one of them writes
it letter by letter.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from phrasemill.options import DEFAULT_METHOD
from phrasemill.ranker import build
from phrasemill.sets.forms import Form
from phrasemill.sets.method import SetMethod
from phrasemill.sets.occurrences import ChosenPhrase
from phrasemill.sets.read_documents import Bounds, ReadDocument, SharedStrings, read_document
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

    def choose(self, readings: Sequence[ReadDocument], wanted: int | None, bounds: Bounds) -> list[ChosenPhrase]:
        if not readings:
            return []
        documents = [reading.document for reading in readings]
        if self.seed is not None:
            from random import Random

            Random(self.seed).shuffle(documents)
        languages = [code for code, _ in Counter(document.language for document in documents).most_common()]
        text = "\n\n".join(document.content for document in documents)
        pool = SharedStrings()
        joined = Document("", text, language=languages[0])
        whole = read_document(joined, build(self.method), keep=None, pool=pool, bounds=bounds)
        others = {other: [one.content for one in documents if one.language == other] for other in languages[1:]}
        chosen = []
        for found in whole.found:
            written = [other for other, texts in others.items() if any(found.text in text for text in texts)]
            forms = (found.form, *(Form.of(found.text, other) for other in written))
            chosen.append(ChosenPhrase(found.text, found.score, forms))
        return chosen
