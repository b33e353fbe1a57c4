"""EmbedRank (Bennani-Smires et al., "Simple Unsupervised Keyphrase Extraction using Sentence Embeddings", CoNLL 2018).

Candidates are noun phrases; the score is the cosine between the embedding of the candidate and that of the document,
of which only nouns and adjectives are embedded, as in the paper. With `diversity` above 0 phrases are chosen one
after the other by maximal marginal relevance (EmbedRank++, 0.5 in the paper): the score of a phrase then falls by its
similarity to the ones chosen before it.

The paper standardises cosines before it weighs relevance against similarity, and embeds with Sent2Vec; here cosines are
used as they are, and the model is any BERT of sentence-transformers, by default MiniLM. Of documents longer than 512
pieces only the beginning is embedded.
"""

from array import array
from dataclasses import dataclass
from typing import Annotated, ClassVar

from phrasemill.candidates import noun_phrases, nouns_and_adjectives
from phrasemill.errors import ConfigError
from phrasemill.ranker import Ranker
from phrasemill.select import marginal, wording
from phrasemill.specs import AtMost
from phrasemill.types import Analysis, Candidates


@dataclass(frozen=True, slots=True, repr=False)
class EmbedRank(Ranker):
    """Rank phrases by the cosine between the embeddings of phrase and document.

    - `diversity`: how strongly to prefer phrases unlike the earlier ones (EmbedRank++), from 0 to below 1.
    - `model`: the folder of a sentence encoder, instead of the MiniLM of the extra `embed`.
    """

    name: ClassVar[str] = "embedrank"
    paper: ClassVar[str] = "Bennani-Smires et al., 2018"
    needs: ClassVar[str] = "English"

    diversity: Annotated[float, AtMost(1)] = 0.0
    model: str | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.diversity < 1:
            raise ConfigError(f"diversity must be at least 0 and below 1, got {self.diversity}")

    def propose(self, analysis: Analysis) -> Candidates:
        return noun_phrases(analysis)

    def score(self, candidates: Candidates) -> "array[float]":
        if not len(candidates):
            return array("d")
        from phrasemill.embeddings import load_encoder

        text = candidates.analysis
        phrases = [wording(text.text, candidates.spans(c)) for c in range(len(candidates))]
        vectors = load_encoder(self.model).encode([_content(text), *phrases])
        relevance = vectors[1:] @ vectors[0]
        if self.diversity == 0:
            return array("d", relevance.tolist())
        alike = vectors[1:] @ vectors[1:].T
        taken = marginal(relevance.tolist(), lambda i, others: alike[i, others].tolist(), balance=1 - self.diversity)
        scores = array("d", bytes(8 * len(candidates)))
        for i, worth in taken:
            scores[i] = worth
        return scores


def _content(analysis: Analysis) -> str:
    """Return the nouns and adjectives of the text, in order."""
    allowed = nouns_and_adjectives(analysis)
    spans = zip(analysis.start, analysis.end, analysis.tag, strict=True)
    return " ".join([analysis.text[start:end] for start, end, tag in spans if allowed[tag]])
