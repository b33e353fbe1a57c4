"""Words broken across lines: which characters to take out so that they are whole again.

Whether the hyphen itself goes is decided by the text first: if it writes `algorithm` elsewhere, or `on-line`, so be
it. Without such evidence a break is the typesetter's (`algo-rithm`) unless it looks like a compound that happened to
end its line: `X-ray`, `DNA-binding`, `Cook-Torrance`, `keyphrase-based`.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from phrasemill.types import Span

SOFT_HYPHEN = "\u00ad"
# What stands at the end of a line in the middle of a word; ¬ is what some converters make of a soft hyphen.
BREAK = re.compile(r"[-\u2010\u00ad\u00ac][^\S\n]*+\n\s*+(?=\w)")
WORD = re.compile(r"[^\W_]+(?:[-\u2010][^\W_]+)*")
LETTERS = re.compile(r"[^\W\d_]+")
LONGEST = 60  # no half of a word is longer; bounds the work for a text without spaces

# Halves of real words, which need more than having been seen alone to count as parts of a compound …
CLOSED_FIRST = frozenset(
    "after anti back counter data every fire frame hand hard head here home hyper inter life macro micro more multi"
    " news over super soft some there through time trans type under where with work".split()
)
CLOSED_LAST = frozenset(
    "able base bases body ever fold fore form forms ground hand head hood land less like line lines long mark mate"
    " ment ness over paper place point ship side some stand term thing things time times wards ware ways where wise"
    " word words work works".split()
)
# … and those that nearly always are.
COMPOUND_FIRST = frozenset("cross quasi self well".split())
COMPOUND_LAST = frozenset(
    "agnostic aware based centered centric defined driven free guided known level oriented related rich scale specific"
    " trained world".split()
)


def broken_words(text: str, *, seams: Sequence[int] = ()) -> list[Span]:
    """What to cut. `seams` are places where a header or footer was taken out: a word may go on across them."""
    breaks = [found for found in BREAK.finditer(text) if _adjoins(text, found, seams)]
    known: Counter[str] = Counter(WORD.findall(text.replace("\u2010", "-").lower())) if breaks else Counter()
    cuts = []
    for found in breaks:
        cut = _cut(text, found, known)
        if cut:
            cuts.append(cut)
    if SOFT_HYPHEN in text:
        cuts += [Span(i, i + 1) for i in _loose_soft_hyphens(text, cuts)]
    return sorted(cuts)


def _adjoins(text: str, found: re.Match[str], seams: Sequence[int]) -> bool:
    """Whether nothing but a line end, or a page end, lies between the two halves."""
    if found.start() == 0 or not text[found.start() - 1].isalpha():
        return False
    gap = found[0]
    if gap.count("\n") == 1 or "\f" in gap:
        return True
    # An empty line parts two paragraphs, unless it was left by a header or footer.
    seam = bisect_left(seams, found.start() + 1)
    return seam < len(seams) and seams[seam] <= found.end()


def _cut(text: str, found: re.Match[str], known: Counter[str]) -> Span | None:
    start, end = found.span()
    head = re.search(r"[^\W_]*\Z", text[max(0, start - LONGEST) : start])
    tail = re.compile(r"[^\W_]+").match(text, end, end + LONGEST)
    left, right = head[0] if head else "", tail[0] if tail else ""
    if text[start] in "\u00ad\u00ac":
        return Span(start, end) if right[:1].isalpha() else None
    if not left or not right:
        return None
    joined, compound = known[(left + right).lower()], known[f"{left}-{right}".lower()]
    if not (LETTERS.fullmatch(left) and LETTERS.fullmatch(right)):
        return Span(start + 1, end) if compound else None  # COVID-19, but not 2010-2012
    if _is_compound(left, right, joined, compound, known):
        return Span(start + 1, end)
    return Span(start, end)


def _is_compound(left: str, right: str, joined: int, compound: int, known: Counter[str]) -> bool:
    """Whether the hyphen belongs to the word."""
    if len(left) == 1 or (left.isupper() and right.islower()):
        return True
    if joined != compound:
        return compound > joined
    if not right[0].islower():
        return not (left.isupper() and right.isupper())
    left, right = left.lower(), right.lower()
    if left in COMPOUND_FIRST and len(right) > 4:
        return True
    if len(left) < 4 or left in CLOSED_FIRST or not known[left]:
        return False
    return right in COMPOUND_LAST or (len(right) > 3 and right not in CLOSED_LAST and known[right] > 0)


def _loose_soft_hyphens(text: str, cuts: list[Span]) -> list[int]:
    """The soft hyphens that no cut covers yet; they are invisible, and split words for whoever counts letters."""
    covered = {cut.start for cut in cuts}
    return [i.start() for i in re.finditer(SOFT_HYPHEN, text) if i.start() not in covered]
