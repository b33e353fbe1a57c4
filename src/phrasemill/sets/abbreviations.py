"""Short forms and what they stand for, from the texts themselves (Schwartz and Hearst, "A Simple Algorithm for
Identifying Abbreviation Definitions in Biomedical Text", 2003).

A definition reads `long form (SHORT)`. The long form is the shortest run of words before the bracket in which the
characters of the short form stand in order, the first of them at the start of a word. Of the paper's two directions
only this one is taken, as the other (`SHORT (long form)`) mistakes many remarks for definitions.
"""

import re
from collections import Counter
from collections.abc import Iterable

# Two to ten characters, beginning with a letter or digit, at least one capital; a plural s may follow.
SHORT = re.compile(r"\(\s?((?=[^()\s]*[A-Z])[A-Za-z0-9][A-Za-z0-9&./-]{1,9}?)s?\s?[);,]")
# Words before the bracket that may belong to the long form, as the paper has it: min(|A| + 5, 2 |A|).
BEYOND = 5
STOP = re.compile(r"[.;:!?()\n]\s")


def definitions(texts: Iterable[str]) -> dict[str, str]:
    """Return each short form with the long form that most of `texts` give it, the first on a tie."""
    counts: dict[str, Counter[str]] = {}
    for text in texts:
        if "(" not in text:
            continue
        for short, long in dict(defined(text)).items():
            counts.setdefault(short, Counter())[long] += 1
    return {short: longs.most_common(1)[0][0] for short, longs in counts.items()}


def defined(text: str) -> Iterable[tuple[str, str]]:
    """Yield the definitions in one text, as they stand there."""
    for match in SHORT.finditer(text):
        short = match[1]
        before = text[max(0, match.start() - 200) : match.start()]
        words = STOP.split(before)[-1].split()
        most = min(len(short) + BEYOND, 2 * len(short))
        long = long_form(short, " ".join(words[-most:]))
        if long:
            yield short, long


def long_form(short: str, before: str) -> str:
    """Return the end of `before` that spells `short`, or nothing."""
    at = len(before)
    for number in range(len(short) - 1, -1, -1):
        letter = short[number].lower()
        if not letter.isalnum():
            continue
        at -= 1
        while at >= 0 and (before[at].lower() != letter or (number == 0 and at > 0 and before[at - 1].isalnum())):
            at -= 1
        if at < 0:
            return ""
    found = before[at:].strip()
    # A long form that holds its short form, or is not longer, defines nothing.
    return found if len(found) > len(short) and short not in found.split() else ""
