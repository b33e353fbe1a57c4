"""CorePhrase (Hammouda, Matute and Kamel, "CorePhrase: Keyphrase Extraction for Document Clustering", 2005).

Candidates are the word sequences that at least two documents share, neither beginning nor ending with a stopword. The
score multiplies how often a phrase occurs against the words of its document, how early it first occurs (squared),
both averaged over the documents that hold it, and the weight of its document frequency, -log(1 - df).

The review in Shapira et al. (2021) says no more than "word-sequences, common to all documents, with lexical
features"; features and formula are ours after the published description of CorePhrase. Its weight for HTML structure
has no counterpart here. Candidates are limited to `longest` words, and df is over one document more than there are,
as -log(1 - df) has no value where all documents hold a phrase.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from phrasemill.candidates import ngrams
from phrasemill.methods.parameters import at_least
from phrasemill.sets.merge import drop_contained
from phrasemill.sets.method import SetMethod
from phrasemill.sets.occurrences import ChosenPhrase
from phrasemill.sets.read_documents import ReadDocument
from phrasemill.text.analyse import analyse


@dataclass(frozen=True, slots=True, repr=False)
class CorePhrase(SetMethod):
    """Word sequences that documents share, ranked by frequency, position and document frequency.

    - `longest`: the most words in a phrase.
    """

    name: ClassVar[str] = "corephrase"
    paper: ClassVar[str] = "Hammouda et al., 2005"

    longest: int = 5

    def __post_init__(self) -> None:
        at_least(1, longest=self.longest)

    def choose(self, readings: Sequence[ReadDocument], wanted: int | None) -> list[ChosenPhrase]:
        holding: dict[str, list[tuple[float, float]]] = {}
        wordings: dict[str, str] = {}
        for reading in readings:
            document = reading.document
            analysis = analyse(document.content, language=document.language, tag=False)
            candidates = ngrams(analysis, longest=self.longest)
            for c in range(len(candidates)):
                form = candidates.form(c)
                depth = 1 - candidates.start[candidates.first[c]] / len(analysis)
                holding.setdefault(form, []).append((candidates.count(c) / len(analysis), depth))
                begin, end = candidates.spans(c)[0]
                wordings.setdefault(form, " ".join(analysis.text[begin:end].split()))
        scores = {form: _score(held, len(readings)) for form, held in holding.items() if len(held) > 1}
        ranked = sorted(scores, key=lambda form: -scores[form])
        return [ChosenPhrase(wordings[form], scores[form], (form,)) for form in drop_contained(ranked)]


def _score(held: Sequence[tuple[float, float]], documents: int) -> float:
    frequency = sum(one for one, _ in held) / len(held)
    depth = sum(one for _, one in held) / len(held)
    return frequency * depth * depth * -math.log(1 - len(held) / (documents + 1))
