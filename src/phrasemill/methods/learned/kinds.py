"""Recognise the kind of a text, that is whose choice of keyphrases to expect: a linear model over its words and form.

Abstracts, full papers, news and everyday prose have different keyphrases. Where no style is given, the trees of
all styles are mixed, each by its probability and none below a least share: the kind may be mistaken.
"""

import math
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from phrasemill.kernels import hashing, shapes
from phrasemill.methods.learned.shapes import word_classes
from phrasemill.methods.styles import AUTHOR, EVERYDAY, INDEXER, NEWS, READER, TAGS
from phrasemill.text.languages import profile
from phrasemill.types import Analysis

SCALE = 16.0  # the weights of words are whole numbers, in these parts
LEAST = 0.2  # styles less likely than this are left out, where a model gives every style as much
FORM = 21  # numbers that describe the form of a text
# The trees of everyday prose in other languages learned from texts of up to PROSE tokens. In longer ones the share of
# the trees of tags grows evenly, from 0 at PROSE to what would be 1 at LONG, but ends at MOST: with tags alone, lists
# have single words only.
PROSE, LONG, MOST = 400, 800, 0.7
# The kinds by name: what text it is that people choose keyphrases for in each style.
NAMES = {AUTHOR: "abstract", INDEXER: "abstract", READER: "paper", NEWS: "news", EVERYDAY: "everyday", TAGS: "everyday"}


def likeliest(shares: Mapping[str, float]) -> str:
    """Return the name of the likeliest kind of a text in which styles have these shares; "" if none has a name."""
    totals = dict.fromkeys(NAMES.values(), 0.0)
    for style, share in shares.items():
        if style in NAMES:
            totals[NAMES[style]] += share
    best = max(totals, key=totals.__getitem__)
    return best if totals[best] else ""


def tags_share(analysis: Analysis) -> float:
    """Return which part of the share of everyday prose is due to tags, from 0 to 1.

    Tags are single words and names. Editors choose them for long news, and in a language of compounds most terms are
    such. Where words are found by segmentation, single ones say too little.
    """
    language = profile(analysis.language)
    if language.segment:
        return 0.0
    return 1.0 if language.compounds else min(max((len(analysis) - PROSE) / (LONG - PROSE), 0.0), MOST)


@dataclass(frozen=True, slots=True, eq=False)
class KindModel:
    """The weights of words, in a hash table, and of the form; one weight for each of `styles`."""

    styles: tuple[str, ...]
    fingerprints: Any  # an array or a memoryview, as are the weights
    words: Any
    form: Any  # one row per style: FORM weights and the offset
    smoothing: float = 0.0  # the share of every style before that of the kind is added

    def shares(self, analysis: Analysis, *, tags: bool = False) -> dict[str, float]:
        """Return the share of each style, the likeliest first; with `tags`, part of that of everyday prose goes to
        them, where that is the likelier kind."""
        form = shapes.form(analysis.view, word_classes(analysis))
        odds = shapes.odds(analysis.view, self.fingerprints, self.words, SCALE, form, self.form)
        most = max(odds)
        chances = [math.exp(one - most) for one in odds]
        part = tags_share(analysis) if tags else 0.0
        smoothing = self.smoothing * (1 - part)
        rest = (1 - smoothing * len(chances)) / sum(chances)
        shares = [(smoothing + rest * one, style) for one, style in zip(chances, self.styles, strict=True)]
        prose = sum([p for p, style in shares if style == EVERYDAY])
        if part and prose > 0.5:
            shares = [(p * (1 - part) if style == EVERYDAY else p, style) for p, style in shares]
            shares.append((prose * part, TAGS))
        least = min(LEAST, self.smoothing)
        likely = [(p, style) for p, style in shares if p >= least]
        if len(likely) == 1:
            return {likely[0][1]: 1.0}
        total = sum([p for p, _ in likely])
        return {style: p / total for p, style in sorted(likely, reverse=True)}

    @classmethod
    def read(cls, stored: Mapping[str, Any], styles: Sequence[str]) -> "KindModel | None":
        """Return what the `stored` columns describe, None without styles; a ValueError where they do not fit."""
        if not styles:
            return None
        fingerprints, words, form = (stored[f"kinds.{name}"] for name in ("fingerprints", "words", "form"))
        (smoothing,) = stored["kinds.smoothing"]
        fit = len(words) == len(fingerprints) * len(styles) and len(form) == len(styles) * (FORM + 1)
        if not fit or memoryview(words).format != "h" or not hashing.has_room(fingerprints):
            raise ValueError("its weights of kinds do not fit together")
        return cls(tuple(styles), fingerprints, words, form, smoothing)

    def columns(self) -> Mapping[str, "array[Any]"]:
        """Return the columns of a file."""
        return {
            "kinds.fingerprints": array("I", bytes(memoryview(self.fingerprints).cast("B"))),
            "kinds.words": array("h", bytes(memoryview(self.words).cast("B"))),
            "kinds.form": array("d", self.form),
            "kinds.smoothing": array("d", [self.smoothing]),
        }
