"""Concepts that mean the same in other words, by sentence embeddings: an option, with the extra `embed`."""

from collections.abc import Sequence
from dataclasses import replace

from phrasemill.embeddings import load_encoder
from phrasemill.sets.concepts import Concept


def merge_similar(concepts: Sequence[Concept], *, alike: float, model: str | None = None) -> list[Concept]:
    """The concepts, best first; one whose wording is that close to a better one's becomes wordings of that."""
    ordered = sorted(concepts, key=lambda concept: -concept.score)
    if len(ordered) < 2:
        return ordered
    vectors = load_encoder(model).encode([concept.wording for concept in ordered])
    cosines = vectors @ vectors.T
    kept: list[int] = []
    merged: dict[int, Concept] = {}
    for i, concept in enumerate(ordered):
        best = max(kept, key=lambda j: float(cosines[i, j]), default=None)
        if best is None or cosines[i, best] < alike:
            kept.append(i)
            merged[i] = concept
        else:
            other = merged[best]
            forms = tuple(dict.fromkeys((*other.forms, *concept.forms)))
            merged[best] = replace(other, forms=forms, names=other.names | concept.names)
    return list(merged.values())
