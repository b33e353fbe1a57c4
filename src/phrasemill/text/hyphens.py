"""Words broken across lines: which characters to take out so that they are whole again.

Whether the hyphen itself goes is decided by the text first, where it has `algorithm` elsewhere, or `on-line`. Without
such evidence a break is the typesetter's (`algo-rithm`) unless it looks like a compound that happened to end its line:
`X-ray`, `DNA-binding`, `Cook-Torrance`, `keyphrase-based`.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from phrasemill.kernels import mending
from phrasemill.types import Span

SOFT_HYPHEN = "\u00ad"
# What stands at the end of a line in the middle of a word; ¬ is what some converters make of a soft hyphen.
BREAK = re.compile(r"[-\u2010\u00ad\u00ac][^\S\n]*+\n\s*+(?=\w)")
WORD = re.compile(r"[^\W_]+(?:[-\u2010][^\W_]+)*")
LETTERS = re.compile(r"[^\W\d_]+")
NOTE_MARK = re.compile(r"(?<=[a-zß-ÿ]{3})\d{1,2}\Z")  # the number of a note, raised on the page
HYPHEN = re.compile(r"[-\u2010]")
GUTTER = re.compile(r"\S {3,}\S")
WIDEST = 300  # characters of a line to look at
LONGEST = 60  # no half of a word is longer; bounds the work for a text without spaces

# Halves of real words, which need more than having been seen alone to count as parts of a compound …
CLOSED_FIRST = frozenset(
    "after anti back counter data every fire frame hand hard head here home hyper inter life macro mean micro more"
    " multi news over super soft some there through time trans type under where with work".split()
)
CLOSED_LAST = frozenset(
    "able base bases body ever fold fore form forms ground hand head hood land less like line lines long mark mate"
    " ment ness over paper place point ship side some stand term thing things time times wards ware ways where"
    " while wise word words work works".split()
)
# … and those that nearly always are.
COMPOUND_FIRST = frozenset("cross quasi self well".split())
COMPOUND_LAST = frozenset(
    "agnostic aware based centered centric defined driven free guided known level oriented related rich scale specific"
    " trained weighted world".split()
)
LINKING = frozenset("and by in of the to".split())  # state-of-the-art
CONJUNCTIONS = frozenset("and bzw oder or och og sowie und".split())  # short- and long-term
BEFORE_NAMES = frozenset("anti mid non post pre pro".split())  # non-Euclidean


class Break(NamedTuple):
    """A line that ends within a word, and the two halves: with whatever hyphens tie to them, and without."""

    start: int  # where the hyphen is …
    end: int  # … and where the second half begins
    chained_left: str  # state-of-the
    chained_right: str  # art-inspired
    left: str  # the
    right: str  # art

    def forms(self, joint: str) -> set[str]:
        """Return the two halves as one word, with `joint` between them: with what hyphens tie to them, and without."""
        chained = f"{self.chained_left}{joint}{self.chained_right}".lower()
        return {chained, f"{self.left}{joint}{self.right}".lower()}


def broken_words(text: str, *, seams: Sequence[int] = (), narrowest: int = 0) -> list[Span]:
    """Return what to cut. `seams` are places where a header or footer was taken out: a word may go on across them.

    Lines of fewer than `narrowest` characters, such as verses and code, are taken to end where their author meant.
    """
    breaks = [
        _break(text, *found.span())
        for at in mending.hyphens(text)
        if (found := BREAK.match(text, at))
        and _adjoins(text, found, seams)
        and at - text.rfind("\n", 0, at) > narrowest
    ]
    known = _known(text, breaks)
    cuts = [cut for one in breaks if (cut := _cut(text[one.start], one, known))]
    if SOFT_HYPHEN in text:  # they are invisible, and would split words
        covered = {cut.start for cut in cuts}
        cuts += [Span(at, at + 1) for at, sign in enumerate(text) if sign == SOFT_HYPHEN and at not in covered]
    return sorted(cuts)


def _adjoins(text: str, found: re.Match[str], seams: Sequence[int]) -> bool:
    """Return whether nothing but a line end, or a page end, lies between the two halves."""
    if found.start() == 0 or not text[found.start() - 1].isalpha():
        return False
    gap = found[0]
    if gap.count("\n") == 1 or "\f" in gap:
        # Two columns side by side: what follows is the other column.
        line = text[max(0, text.rfind("\n", 0, found.start()), found.start() - WIDEST) : found.start()]
        return GUTTER.search(line) is None
    # An empty line parts two paragraphs, unless it was left by a header or footer.
    seam = bisect_left(seams, found.start() + 1)
    return seam < len(seams) and seams[seam] <= found.end()


def _break(text: str, start: int, end: int) -> Break:
    head = WORD.match(text[max(0, start - LONGEST) : start][::-1])
    tail = WORD.match(text, end, end + LONGEST)
    left, right = head[0][::-1] if head else "", tail[0] if tail else ""
    return Break(start, end, left, right, HYPHEN.split(left)[-1], HYPHEN.split(right)[0])


def _known(text: str, breaks: list[Break]) -> dict[str, int]:
    """Return how often the text has each word that decides about a break, broken ones left out."""
    if not breaks:
        return {}
    words: set[str] = set()
    whole, done = [], 0
    for one in breaks:
        whole.append(text[done : one.start - len(one.chained_left)])
        done = one.end + len(one.chained_right)
        words |= one.forms("") | one.forms("-") | {one.left.lower(), one.right.lower()}
    found: dict[str, int] = mending.count_words(" ".join([*whole, text[done:]]).replace("\u2010", "-").lower(), words)
    return found


def _cut(sign: str, one: Break, known: dict[str, int]) -> Span | None:
    """Return what to take out so that the word is whole again: all that `sign` begins, or less, or nothing."""
    left, right = one.left, one.right
    if sign in "\u00ad\u00ac":
        return Span(one.start, one.end) if right[:1].isalpha() else None
    if not left or not right:
        return None
    joined, compound = (sum([known[form] for form in one.forms(joint)]) for joint in ("", "-"))
    if not (LETTERS.fullmatch(left) and LETTERS.fullmatch(NOTE_MARK.sub("", right))) or _is_loose(left, right):
        # COVID-19 where the text says so elsewhere; never 2010-2012.
        return Span(one.start + 1, one.end) if compound else None
    if right.lower() in CONJUNCTIONS and not joined:
        return None
    is_compound = compound > joined if compound != joined else _is_compound(one, known)
    if len(left) == 1 or (left.isupper() and right.islower()):
        is_compound = True
    return Span(one.start + is_compound, one.end)


def _is_loose(left: str, right: str) -> bool:
    """Return whether the second half looks like the start of something else: a heading, a caption, another column."""
    if len(right) > 1 and right.isupper() and not left.isupper():
        return True
    return right[0].isupper() and left[0].islower() and left not in BEFORE_NAMES


def _is_compound(one: Break, known: dict[str, int]) -> bool:
    """Return whether the hyphen belongs to the word, as far as the two halves tell."""
    if not one.right[0].islower():
        return not (one.left.isupper() and one.right.isupper())
    left, right = one.left.lower(), one.right.lower()
    if left in COMPOUND_FIRST and len(right) > 4:
        return True
    if (right in LINKING and right != one.chained_right) or (left in LINKING and left != one.chained_left):
        return True
    if not known[left] or left in CLOSED_FIRST:
        return False
    if right in COMPOUND_LAST or known[right] == 0 or right in CLOSED_LAST:
        return right in COMPOUND_LAST and len(left) > 3
    chained = left != one.chained_left.lower() or right != one.chained_right.lower()
    return chained or (len(left) > 3 and len(right) > 3)
