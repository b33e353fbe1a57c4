"""Whether a keyphrase occurs in its document: the line between extraction and generation.

Papers draw it differently, and the share of "absent" gold moves by several points with the definition.
"""

from collections.abc import Callable

from phrasemill.evaluation.phrases import normaliser
from phrasemill.evaluation.policies import Policy

# Both take a phrase, and whether it is stemmed already.
Present = Callable[[str, bool], bool]
Place = Callable[[str, bool], int]
ABSENT = -1


def occurs_in(text: str, policy: Policy) -> Present:
    """The test that `policy.presence` asks of a phrase for a document with this text."""
    place = place_in(text, policy)
    return lambda phrase, stemmed: place(phrase, stemmed) != ABSENT


def place_in(text: str, policy: Policy) -> Place:
    """Where a phrase first occurs in this text, as a number to sort by, or `ABSENT`.

    By words (`stem`, `exact`) a phrase is present if its words stand in a row, with whatever punctuation between; a
    phrase without a word is absent. `substring` looks at characters, so `art` is present in `party`.
    """
    if policy.presence == "substring":
        lower = " ".join(text.lower().split())
        return lambda phrase, stemmed: lower.find(" ".join(phrase.lower().split()))
    stem = policy.stemmer if policy.presence == "stem" else "none"
    normal, plain = normaliser(stem, True, policy.digits), normaliser("none", True, policy.digits)
    row = f" {' '.join(normal.words(text))} "

    def place(phrase: str, stemmed: bool) -> int:
        words = (plain if stemmed else normal).words(phrase)
        return row.find(f" {' '.join(words)} ") if words else ABSENT

    return place
