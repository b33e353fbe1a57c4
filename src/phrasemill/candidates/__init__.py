"""Candidates: the phrases of a document that a method chooses among, grouped by stemmed form."""

from phrasemill.candidates.forms import forms, including
from phrasemill.candidates.ngrams import ngrams
from phrasemill.candidates.noun_phrases import noun_adjective_runs, noun_phrases, nouns_and_adjectives, require_tags
from phrasemill.candidates.patterns import NOUN_PHRASE, RULE_1, RULE_2

__all__ = [
    "NOUN_PHRASE",
    "RULE_1",
    "RULE_2",
    "forms",
    "including",
    "ngrams",
    "noun_adjective_runs",
    "noun_phrases",
    "nouns_and_adjectives",
    "require_tags",
]
