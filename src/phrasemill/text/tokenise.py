"""Tokens, as people write words.

- Hyphens, slashes, ampersands and inner apostrophes stay: `property-casualty`, `TCP/IP`, `AT&T`, `O'Neill`.
- Possessives and contractions are split: `Bayes's` is `Bayes` `'s`, `don't` is `do` `n't`, as in the Penn Treebank.
- Full stops stay in abbreviations (`e.g.`, `Fig.`), initials and acronyms (`U.S.`), decimals and versions.
- Names with digits, Greek and signs stay whole: `IL-2`, `CO2`, `β-catenin`, `C++`, `C#`, `.NET`, `CD4+`, `1,2-dichloroethane`.
- So do web and mail addresses, `@mentions`, `#tags`, amounts (`$1.5`, `20%`), times and thousands (`10:30`, `1,000`).
- Space is whatever Unicode calls space or control (NUL, tabs, CRLF). Zero-width characters count inside a word and
  vanish elsewhere; combining marks stay with their letter.
- Scripts without spaces have no dictionary here. Chinese characters form runs that are cut at punctuation and at
  common function characters, hiragana and katakana form runs of their own, and Thai, Lao, Khmer and Burmese text is
  cut at spaces, zero-width spaces and punctuation only. Phrases come out; single words inside a run do not.
"""

import unicodedata

from phrasemill.kernels import tokens as kernel
from phrasemill.types import Span

CLASS = kernel.CLASSES

# Abbreviations that keep their full stop and always lead on to the next word …
BOUND = frozenset(
    "adm adv approx assn brig capt cf ch cmdr col cpl cpt dept dipl dist dr eds eq eqs esp ex exs fig figs gen gov hon"
    " i.e e.g ibid lt maj messrs mlle mme mr mrs ms mt nat no nos op pp prof ref refs rep rev resp sec sect sects sen"
    " sens sgt sr st supt tab univ viz vol vols vs ver nr art ed trans natl intl proc".split()
)
# … and those that may also end a sentence.
LOOSE = frozenset(
    "al ave bros co corp et etc ft inc jr llc ltd oz lb lbs hr hrs min sec a.m p.m ph.d m.d b.a m.a ph.ds"
    " jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thurs fri u.s u.k".split()
)
# Chinese function characters: they stand alone, and so cut the run of a clause into its content words.
FUNCTION_CHARACTERS = frozenset("的了是和与及或被把在也就但而这那其们我你他她它很")
ABBREVIATIONS = BOUND | LOOSE | FUNCTION_CHARACTERS

# ZERO WIDTH SPACE marks a possible break where words are not spaced, and is noise elsewhere.
UNSPACED_SCRIPTS = ("THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN")
BY_CATEGORY = {
    "Lu": "upper",
    "Lt": "upper",
    "Ll": "lower",
    "Lm": "letter",
    "Lo": "letter",
    "Nd": "digit",
    "Nl": "digit",
    "No": "digit",
    "Mn": "mark",
    "Mc": "mark",
    "Me": "mark",
    "Pc": "letter",
    "Sc": "currency",
    "So": "symbol",
    "Cf": "format",
    "Zs": "space",
    "Zl": "space",
    "Zp": "space",
    "Cc": "space",
    "Cs": "space",
    "Cn": "space",
    "Co": "symbol",
}
# One byte a code point, filled as characters are met: an untouched page of it costs nothing.
TABLE = bytearray(0x110000)


def classify(character: str) -> int:
    """The class of one character, for the kernel's table."""
    category = unicodedata.category(character)
    if category[0] in "LM":
        name = unicodedata.name(character, "")
        if name.startswith("CJK ") or character in "々〇":
            return CLASS["han"]
        if name.startswith("HIRAGANA"):
            return CLASS["kana"]
        if name.startswith(UNSPACED_SCRIPTS):
            return CLASS["unspaced"]
        if name.startswith(("VARIATION SELECTOR", "COMBINING GRAPHEME JOINER")):
            return CLASS["format"]
    return CLASS[BY_CATEGORY.get(category, "punctuation")]


def tokenise(text: str) -> list[Span]:
    """The span of each token of `text`; for whole analyses see `analyse`."""
    start, end, _ = kernel.tokenise(text, TABLE, classify, ABBREVIATIONS)
    return list(map(Span, start, end))
