"""Document sets: the keyphrases of many documents at once."""

from phrasemill.multidoc.documents import DEFAULT_SET_METHOD, GrowingSet, build_set_method, extract_set
from phrasemill.multidoc.method import SetMethod
from phrasemill.multidoc.results import Contrast, Mention, SetKeyphrase

__all__ = [
    "DEFAULT_SET_METHOD",
    "Contrast",
    "GrowingSet",
    "Mention",
    "SetKeyphrase",
    "SetMethod",
    "build_set_method",
    "extract_set",
]
