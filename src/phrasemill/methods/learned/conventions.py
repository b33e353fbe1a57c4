"""What the kind of a text decides about its list of keyphrases, besides their scores.

Editors of prose list a thing once and, in English, people by their full names; authors and indexers of papers list a
phrase and a longer one that contains it.
"""

from array import array
from collections.abc import Mapping

from phrasemill.methods.learned.names import with_full_names
from phrasemill.methods.styles import AUTHOR, EVERYDAY, NEWS, READER, TAGS
from phrasemill.ranker import Ranked
from phrasemill.types import Candidates

NAMED_IN_FULL = "en"  # tags of news in other languages have last names, and names there were not looked at
EDITED = (EVERYDAY, NEWS, TAGS)  # styles of editors
# What a phrase of `top="auto"` costs: with 1, lists of prose and of full papers were longer than those of people.
# Chosen on development splits (docs/evidence/quality.md).
PRICES = {EVERYDAY: 1.5, READER: 1.25, AUTHOR: 2.0}
PAPER = 1500  # tokens, from which a text by authors is a full paper


def ranked(
    candidates: Candidates,
    scores: "array[float]",
    shares: Mapping[str, float],
    prices: Mapping[str, float] = PRICES,
) -> Ranked:
    """Return scored candidates by the conventions of a text of these styles."""
    text = candidates.view.text
    if sum([shares.get(style, 0.0) for style in EDITED]) > 0.5:  # editors would choose, not authors or indexers
        if candidates.analysis.language == NAMED_IN_FULL:
            scores = with_full_names(candidates, scores)
        return Ranked(candidates, scores, "nested", prices[EVERYDAY])
    price = 1.0
    if shares.get(READER, 0.0) > 0.5:
        price = prices[READER]
    elif text.count >= PAPER and shares.get(AUTHOR, 0.0) > 0.5:
        price = prices[AUTHOR]
    return Ranked(candidates, scores, "variants", price)
