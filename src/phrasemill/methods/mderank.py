"""MDERank (Zhang et al., "MDERank: A Masked Document Embedding Rank Approach", Findings of ACL 2022).

A phrase matters if the document's meaning changes without it: each candidate in turn is replaced by mask tokens
everywhere, and the score is one minus the cosine between the embeddings of the document and of the masked document.

The paper pools the tokens of BERT by their maximum; this takes their mean, by any BERT of sentence-transformers, by
default MiniLM. Each candidate costs one pass over the document. Of documents longer than 512 pieces only the
beginning is embedded, and candidates that first occur after it score 0.
"""

from array import array
from dataclasses import dataclass
from typing import ClassVar

from phrasemill.candidates import noun_phrases
from phrasemill.ranker import Ranker
from phrasemill.types import Analysis, Candidates

MASK = "[MASK]"  # BERT's


@dataclass(frozen=True, slots=True, repr=False)
class MDERank(Ranker):
    """Rank phrases by how much the document's embedding changes when they are masked.

    - `model`: the folder of a sentence encoder, instead of the MiniLM of the extra `embed`.
    """

    name: ClassVar[str] = "mderank"
    paper: ClassVar[str] = "Zhang et al., 2022"
    needs: ClassVar[str] = "English"

    model: str | None = None

    def propose(self, analysis: Analysis) -> Candidates:
        return noun_phrases(analysis)

    def score(self, candidates: Candidates) -> "array[float]":
        if not len(candidates):
            return array("d")
        from phrasemill.embeddings import load_encoder

        masked = [_masked(candidates, c) for c in range(len(candidates))]
        vectors = load_encoder(self.model).encode([candidates.analysis.text, *masked])
        return array("d", (1 - vectors[1:] @ vectors[0]).tolist())


def _masked(candidates: Candidates, c: int) -> str:
    """Return the text with one mask per word of candidate `c`, wherever it occurs."""
    text = candidates.analysis.text
    mask = " ".join([MASK] * len(candidates.stem_ids(c)))
    parts, position = [], 0
    for start, end in candidates.spans(c):
        parts += [text[position:start], mask]
        position = end
    return "".join([*parts, text[position:]])
