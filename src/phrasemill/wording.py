"""How a phrase is written: as the text writes it most often, whole where a line end broke it, in small letters.

A phrase that stands in lines of capitals only is put into small letters where that is safe: each of its words stands
elsewhere in other lines, and is written as there, or is too long for an acronym. A text in capitals stays so.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from phrasemill.kernels import choice, columns
from phrasemill.types import STOPWORD, Analysis, Span

NEARBY = 80  # characters before and after a phrase that tell whether its line is in capitals
NO_ACRONYM = 7  # letters
OPENING = 2000  # characters that tell whether a text is written in capitals
MOST_PLACES = 50  # of a word that are looked at
BROKEN = r"(\S+)[-\u2010\u00ad\u00ac] (\S+)"


def wording(text: str, spans: Sequence[Span]) -> str:
    """Return the most frequent wording of a phrase in the text, the earliest on a tie, on one line."""
    return choice.wording([text[start:end] for start, end in spans])


def best_wording(analysis: Analysis, phrase: str, spans: Sequence[Span]) -> str:
    """Return `phrase`, the most frequent wording of what stands at `spans`, or a better one."""
    phrase = re.sub(BROKEN, lambda halves: _whole(analysis, *halves.groups()), phrase)
    if not phrase.isupper() or not _has_small_letters(analysis.text):
        return phrase
    calm = [span for span in spans if not _in_capitals(analysis.text, span)]
    if calm:
        return wording(analysis.text, calm) if len(calm) < len(spans) else phrase
    return _in_small_letters(analysis, spans[0]) or phrase


def _whole(analysis: Analysis, left: str, right: str) -> str:
    """Return the word that was broken in two, with a hyphen unless the analysis took it for the line's."""
    return left + right if (left + right).lower() in analysis.words else f"{left}-{right}"


def _has_small_letters(text: str) -> bool:
    """Return whether most letters are small."""
    opening = text[:OPENING]
    return sum(map(str.islower, opening)) > sum(map(str.isupper, opening))


def _in_capitals(text: str, span: Span) -> bool:
    """Return whether the line around a span has no small letters."""
    begin = max(text.rfind("\n", 0, span.start) + 1, span.start - NEARBY)
    end = text.find("\n", span.end, span.end + NEARBY)
    return text[begin : end if end >= 0 else span.end + NEARBY].isupper()


def _in_small_letters(analysis: Analysis, span: Span) -> str:
    """Return the phrase at `span` in small letters, names with a capital; nothing where a word may be an acronym."""
    text, start, end = analysis.text, analysis.start, analysis.end
    written: list[str] = []
    at = span.start
    for i in range(bisect_left(start, span.start), bisect_left(start, span.end)):
        surface = text[start[i] : end[i]]
        if analysis.kind[i] & STOPWORD:
            surface = surface.lower()
        elif surface.isupper():
            places = (Span(start[j], end[j]) for j in columns.places(analysis.word, analysis.word[i], MOST_PLACES))
            forms = Counter(text[one.start : one.end] for one in places if not _in_capitals(text, one))
            if forms:
                surface = max(forms, key=lambda form: (forms[form], form.islower()))
            if surface.isupper() and len(surface) >= NO_ACRONYM:
                surface = surface.capitalize()
            elif not forms:
                return ""
        written += text[at : start[i]], surface
        at = end[i]
    return " ".join("".join(written).split())
