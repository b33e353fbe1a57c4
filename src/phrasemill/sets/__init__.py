"""Document sets: the keyphrases of many documents at once."""

from phrasemill.sets.extract import DEFAULT_SET_METHOD, GrowingSet, build_set_method, extract_set
from phrasemill.sets.results import Contrast, Mention, SetKeyphrase, SetKeyphrases, SetMethod

__all__ = [
    "DEFAULT_SET_METHOD",
    "Contrast",
    "GrowingSet",
    "Mention",
    "SetKeyphrase",
    "SetKeyphrases",
    "SetMethod",
    "build_set_method",
    "extract_set",
]
