"""A BERT of one's own, in any language: a Transformers folder whose network was not trained on keyphrases.

The features of `learned` know nothing of meaning, and such a network knows nothing of keyphrases; together they do
better than either. The best candidates of `learned` are embedded beside the text, and their log-odds move by how much
closer to the text they are than the others. Long texts are embedded in parts. The scores rank as probabilities do but
are not calibrated: the network is unknown here.
"""

import math
from array import array

import numpy as np

from phrasemill.embeddings import load_encoder
from phrasemill.methods.pieces import cut
from phrasemill.select import wording
from phrasemill.types import Analysis, Candidates

WEIGHT = 0.25  # log-odds per standard deviation of similarity
EMBEDDED = 60  # candidates that are embedded, the best by `learned`; the others lie far below
PART = 1200  # characters of a part of the text: within 512 pieces in most languages
PARTS = 16  # parts of the text that are embedded, from its beginning
CERTAIN = 1e-6  # probabilities stay this far from 0 and 1


def moved(candidates: Candidates, scores: "array[float]", folder: str, weight: float = WEIGHT) -> "array[float]":
    """Return `scores`, which are probabilities, moved by the similarity of each candidate to the whole text."""
    best = sorted(range(len(scores)), key=lambda c: (-scores[c], c))[:EMBEDDED]
    if len(best) < 2:
        return scores
    text = candidates.analysis.text
    parts = parts_of(candidates.analysis)
    vectors = load_encoder(folder).encode([*parts, *[wording(text, candidates.spans(c)) for c in best]])
    similarity = (vectors[len(parts) :] @ vectors[: len(parts)].T).mean(axis=1)
    similarity -= similarity.mean()
    spread = float(similarity.std()) or 1.0
    result = scores[:]
    for c, value in zip(best, similarity.tolist(), strict=True):
        result[c] = _shifted(scores[c], weight * value / spread)
    return result


def _shifted(probability: float, by: float) -> float:
    inside = min(max(probability, CERTAIN), 1 - CERTAIN)
    return 1 / (1 + math.exp(-math.log(inside / (1 - inside)) - by))


def parts_of(analysis: Analysis) -> list[str]:
    """Return the text in parts of at most `PART` characters, each of whole tokens; of a longer token its beginning."""
    starts = np.array([0, *analysis.start[1:], len(analysis.text)])
    found = cut(starts, PART, lambda first, last: last)[:PARTS]
    return [analysis.text[starts[first] : starts[last]][:PART] for first, last in found]
