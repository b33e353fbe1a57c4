"""Tokens, as people write words.

- Hyphens, slashes, ampersands and inner apostrophes stay: `property-casualty`, `TCP/IP`, `AT&T`, `O'Neill`.
- Possessives and contractions are split: `Bayes's` is `Bayes` `'s`, `don't` is `do` `n't`, as in the Penn Treebank.
- Full stops stay in abbreviations (`e.g.`, `Fig.`), initials and acronyms (`U.S.`), decimals and versions.
- Names with digits, Greek and signs stay: `IL-2`, `CO2`, `β-catenin`, `C++`, `.NET`, `CD4+`, `1,2-dichloroethane`.
- So do web and mail addresses, `@mentions`, `#tags`, amounts (`$1.5`, `20%`), times and thousands (`10:30`, `1,000`).
- Space is whatever Unicode calls space or control (NUL, tabs, CRLF). Zero-width characters count inside a word and
  vanish elsewhere; combining marks stay with their letter.
- Scripts without spaces have no dictionary here. Chinese characters form runs that are cut at punctuation and at
  common function characters, hiragana and katakana form runs of their own, and Thai, Lao, Khmer and Burmese text is
  cut at spaces, zero-width spaces and punctuation only. Phrases come out; single words inside a run do not. Texts in
  Chinese and Japanese are cut into words by `text/languages/segmentation.py`.
"""

import unicodedata

from phrasemill.kernels.tokens import Class

# Abbreviations that keep their full stop and always lead on to the next word; titles only with their capital …
TITLES = frozenset(
    "Adm Brig Capt Cmdr Col Cpl Cpt Dr Gen Gov Hon Lt Maj Messrs Mlle Mme Mr Mrs Ms Mt Prof Rep Rev Sen Sens Sgt Sr St"
    " Supt".split()
)
BOUND = frozenset(
    "approx assn cf dept dipl e.g eds eq eqs esp fig figs i.e ibid intl natl nr pp resp sect sects univ viz vol vols"
    " vs".split()
) | frozenset(title.lower() for title in TITLES)
# … those that are words of their own unless a number follows …
NUMBERED = frozenset("art ch ex mar min no nos p ref refs sec tab ver".split())
# … and those that may also end a sentence.
LOOSE = frozenset(
    "al apr aug ave bros co corp dec etc feb fri ft hr hrs inc jan jr jul jun lb lbs llc ltd nov oct oz sep sept thu"
    " thurs tue tues a.m b.a m.a m.d p.m ph.d u.k u.s".split()
)
# Chinese function characters: they stand alone, and so cut the run of a clause into its content words.
FUNCTION_CHARACTERS = frozenset("的了是和与及或被把在也就但而这那其们我你他她它很")
KEEPS, KEEPS_BEFORE_NUMBER = 1, 2  # the full stop
ABBREVIATIONS = dict.fromkeys((BOUND - {t.lower() for t in TITLES}) | TITLES | LOOSE | FUNCTION_CHARACTERS, KEEPS)
ABBREVIATIONS |= dict.fromkeys(NUMBERED, KEEPS_BEFORE_NUMBER)

# ZERO WIDTH SPACE marks a possible break where words are not spaced, and is noise elsewhere.
UNSPACED_SCRIPTS = ("THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN")
BY_CATEGORY = {
    **dict.fromkeys(("Lu", "Lt"), Class.UPPER),
    **dict.fromkeys(("Ll",), Class.LOWER),
    **dict.fromkeys(("Lm", "Lo", "Pc"), Class.LETTER),
    **dict.fromkeys(("Nd", "Nl", "No"), Class.DIGIT),
    **dict.fromkeys(("Mn", "Mc", "Me"), Class.MARK),
    **dict.fromkeys(("Sc",), Class.CURRENCY),
    **dict.fromkeys(("So", "Co"), Class.SYMBOL),
    **dict.fromkeys(("Cf",), Class.FORMAT),
    **dict.fromkeys(("Zs", "Zl", "Zp", "Cc", "Cs", "Cn"), Class.SPACE),
}
# One byte per code point, filled as characters are met: an untouched page of it costs nothing.
TABLE = memoryview(bytearray(0x110000))  # a view: without a GIL, threads would miscount the users of a bytearray


def classify(character: str) -> int:
    """Return the class of one character, for the kernel's table."""
    category = unicodedata.category(character)
    if category[0] in "LM":
        name = unicodedata.name(character, "")
        if name.startswith("CJK ") or character in "々〇":
            return Class.HAN
        if name.startswith("HIRAGANA"):
            return Class.KANA
        if name.startswith(UNSPACED_SCRIPTS):
            return Class.UNSPACED
        if name.startswith(("VARIATION SELECTOR", "COMBINING GRAPHEME JOINER")):
            return Class.FORMAT
    return BY_CATEGORY.get(category, Class.PUNCTUATION)


def sound(text: str) -> str:
    """Return the text without lone surrogates, which UTF-8 does not have; each becomes a question mark."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text
