"""Porter's stemmer with NLTK's extensions, word for word what `nltk.stem.PorterStemmer().stem` returns.

Written from Porter's paper ("An algorithm for suffix stripping", 1980) and NLTK's list of its departures from it;
a test holds it to NLTK itself. Departures are marked NLTK below.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

IRREGULAR = dict.fromkeys(("skies", "sky"), "sky") | {"dying": "die", "lying": "lie", "tying": "tie"}  # NLTK
IRREGULAR |= {word + s: word for word in ("inning", "outing", "canning") for s in ("", "s")}
IRREGULAR |= {word: word for word in ("news", "howe", "proceed", "exceed", "succeed")}
Rule = tuple[str, str, Callable[[str], bool] | None]


def _consonant(word: str, i: int) -> bool:
    if word[i] in "aeiou":
        return False
    # A y is a consonant at the start and after a vowel; walking back over a run of them keeps this linear.
    if word[i] != "y":
        return True
    run = i
    while run > 0 and word[run] == "y":
        run -= 1
    first = word[run] == "y" or word[run] in "aeiou"
    if word[run] != "y":
        run += 1
    return first == ((i - run) % 2 == 0)


def _measure(stem: str) -> int:
    """Return how many times a vowel is followed by a consonant: m in the paper."""
    shape = [_consonant(stem, i) for i in range(len(stem))]
    return sum(1 for before, after in pairwise(shape) if after and not before)


def _positive(stem: str) -> bool:
    return _measure(stem) > 0


def _above_one(stem: str) -> bool:
    return _measure(stem) > 1


def _has_vowel(stem: str) -> bool:
    return any(not _consonant(stem, i) for i in range(len(stem)))


def _double_consonant(word: str) -> bool:
    return len(word) >= 2 and word[-1] == word[-2] and _consonant(word, len(word) - 1)


def _cvc(word: str) -> bool:
    """Return whether a word ends consonant, vowel, consonant, the last not w, x or y: *o in the paper."""
    last = len(word) - 1
    if last == 1:  # NLTK
        return not _consonant(word, 0) and _consonant(word, 1)
    return (
        last >= 2
        and _consonant(word, last - 2)
        and not _consonant(word, last - 1)
        and _consonant(word, last)
        and word[last] not in "wxy"
    )


def _apply(word: str, rules: Sequence[Rule]) -> str:
    """Apply the first rule whose suffix fits; where its condition does not hold, nothing changes."""
    for suffix, replacement, condition in rules:
        if word.endswith(suffix):
            stem = word[: len(word) - len(suffix)]
            return stem + replacement if condition is None or condition(stem) else word
    return word


def _step1a(word: str) -> str:
    if word.endswith("ies") and len(word) == 4:  # NLTK: dies, not flies
        return word[:-3] + "ie"
    return _apply(word, (("sses", "ss", None), ("ies", "i", None), ("ss", "ss", None), ("s", "", None)))


def _step1b(word: str) -> str:
    if word.endswith("ied"):  # NLTK
        return word[:-3] + ("ie" if len(word) == 4 else "i")
    if word.endswith("eed"):
        return word[:-1] if _positive(word[:-3]) else word
    for suffix in ("ed", "ing"):
        if word.endswith(suffix) and _has_vowel(word[: -len(suffix)]):
            stem = word[: -len(suffix)]
            break
    else:
        return word
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if _double_consonant(stem):
        return stem if stem[-1] in "lsz" else stem[:-1]
    return stem + "e" if _measure(stem) == 1 and _cvc(stem) else stem


def _step1c(word: str) -> str:
    if word.endswith("y") and len(word) > 2 and _consonant(word, len(word) - 2):  # NLTK: not after a vowel
        return word[:-1] + "i"
    return word


def _rules(table: str, condition: Callable[[str], bool]) -> tuple[Rule, ...]:
    """Return rules out of suffixes with their replacements, if any, after a colon."""
    parts = [entry.partition(":") for entry in table.split()]
    return tuple([(suffix, replacement, condition) for suffix, _, replacement in parts])


STEP2 = (
    *_rules(
        "ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e ousli:ous ization:ize"
        " ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble fulli:ful",
        _positive,
    ),  # NLTK: bli for abli, and fulli
    ("logi", "log", lambda stem: _positive(stem + "l")),  # NLTK
)
STEP3 = _rules("icate:ic ative alize:al iciti:ic ical:ic ful ness", _positive)
STEP4 = (
    *_rules("al ance ence er ic able ible ant ement ment ent", _above_one),
    ("ion", "", lambda stem: _above_one(stem) and stem[-1] in "st"),
    *_rules("ou ism ate iti ous ive ize", _above_one),
)


def _step2(word: str) -> str:
    if word.endswith("alli") and _positive(word[:-4]):  # NLTK: and look again
        return _step2(word[:-2])
    return _apply(word, STEP2)


def _step5(word: str) -> str:
    if word.endswith("e"):
        stem = word[:-1]
        measure = _measure(stem)
        if measure > 1 or (measure == 1 and not _cvc(stem)):
            word = stem
    if word.endswith("ll") and _above_one(word[:-1]):
        word = word[:-1]
    return word


def stem(word: str) -> str:
    """Return the stem of a lower-case word."""
    if word in IRREGULAR:
        return IRREGULAR[word]
    if len(word) <= 2:  # NLTK
        return word
    word = _step2(_step1c(_step1b(_step1a(word))))
    return _step5(_apply(_apply(word, STEP3), STEP4))
