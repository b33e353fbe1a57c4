"""Whether a keyphrase occurs in its document: the line between extraction and generation.

Papers draw it differently, and the share of "absent" gold moves by several points with the definition.
"""

from collections.abc import Callable

from phrasemill.evaluation.phrases import normaliser
from phrasemill.evaluation.policies import Policy

# Takes a phrase, and whether it is stemmed already.
Present = Callable[[str, bool], bool]


def occurs_in(text: str, policy: Policy) -> Present:
    """The test that `policy.presence` asks of a phrase for a document with this text.

    By words (`stem`, `exact`) a phrase is present if its words stand in a row, with whatever punctuation between; a
    phrase without a word is absent. `substring` looks at characters, so `art` is present in `party`.
    """
    if policy.presence == "substring":
        lower = " ".join(text.lower().split())
        return lambda phrase, stemmed: " ".join(phrase.lower().split()) in lower
    stem = policy.stemmer if policy.presence == "stem" else "none"
    normal, plain = normaliser(stem, True, policy.digits), normaliser("none", True, policy.digits)
    row = f" {' '.join(normal.words(text))} "

    def present(phrase: str, stemmed: bool) -> bool:
        words = (plain if stemmed else normal).words(phrase)
        return bool(words) and f" {' '.join(words)} " in row

    return present
