"""Controlled vocabularies: phrases, with their synonyms, that stand for concepts."""

from phrasemill.vocabulary.concepts import Concept, Index, Label, Vocabulary
from phrasemill.vocabulary.guide import Guide, guide
from phrasemill.vocabulary.reading import read_vocabulary

__all__ = ["Concept", "Guide", "Index", "Label", "Vocabulary", "guide", "read_vocabulary"]
