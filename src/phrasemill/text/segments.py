"""Words and punctuation as the generation literature reads them, with the place of each.

As in the files of Meng et al. (2017): a hyphen, a slash or a bracket of another kind is a space, other punctuation
stands alone, and a number is `<digit>`.
"""

import re
from collections.abc import Sequence

from phrasemill.types import Span

DIGIT = "<digit>"
SEGMENTS = re.compile(r"<digit>|\w+|[.,()%'<>]")
NUMBER = re.compile(r"(?<!\w)\d+(?!\w)")


def segment(text: str) -> str:
    return " ".join(SEGMENTS.findall(text))


def mask_digits(text: str) -> str:
    """Replace words of digits by `<digit>`, so that `3.5` is `<digit>.<digit>`; digits among letters stay (`b2b`)."""
    return NUMBER.sub(DIGIT, text)


def masked_words(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words with each number as `<digit>`."""
    return tuple([DIGIT if word.isdecimal() else word for word in words])


def segmented(text: str, most: int | None = None) -> tuple[tuple[str, ...], tuple[Span, ...]]:
    """Return the words of a text in lower case, `most` of them at most, and where each stands."""
    words: list[str] = []
    spans: list[Span] = []
    for match in SEGMENTS.finditer(text):
        if len(words) == most:
            break
        words.append(match.group().lower())
        spans.append(Span(*match.span()))
    return tuple(words), tuple(spans)
