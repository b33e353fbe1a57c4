"""Random texts as people and machines write them: prose, lists, markup, other scripts, noise, and all of it mixed."""

import random
import string

import made_texts

SCRIPTS = [
    "机器学习是人工智能的一个分支，研究算法。",
    "機械学習は人工知能の一分野であり、アルゴリズムを研究する。",
    "المياه الجوفية على السهل الساحلي مالحة.",
    "Грунтовые воды прибрежной равнины становятся солёными.",
    "การเรียนรู้ของเครื่องเป็นสาขาหนึ่ง",
    "Die Grundwasserneubildung der Küstenebene nimmt ab.",
]
ODD = [
    *("\u200b", "\u200d", "\ufeff", "\u00ad", "\u0301", "\u202e", "\x00", "\x1b[31m", "\r\n", "\u2028", "\x85"),
    *("👩‍🔬", "🇪🇺", "\ud83d", "\udc00", "ﬁ", "ſ", "İ", "ß", "½", "²", "Ⅷ", "…", "—", "’", "“", "”", "«", "»"),
]
TOKENS = [
    *("e.g.", "i.e.", "U.S.", "Fig. 3", "Dr. No", "no. 5", "C++", "C#", ".NET", "AT&T", "TCP/IP", "IL-2", "β-catenin"),
    *(
        "1,000",
        "3.14",
        "10:30",
        "$5",
        "20%",
        "https://a.example/b?c=d",
        "x@y.example",
        "@name",
        "#tag",
        "don't",
        "O'Neill",
    ),
    *("<p>", "</div>", "&amp;", "```", "| a | b |", "* item", "1. item", "\\cite{a}", "{}", "[1]", "(ABC)", '"quoted"'),
]
SEPARATORS = [" "] * 12 + ["\n", "\n\n", "\t", "", ", ", ". ", "; ", "  ", "-", "/", ") ", " ("]


def text(seed: int) -> str:
    """Return a text that depends on the seed alone, of up to some hundred pieces."""
    rng = random.Random(seed)
    pieces = [_piece(rng) for _ in range(rng.choice((0, 1, 2, 5, 20, 60)))]
    made = "".join(piece + rng.choice(SEPARATORS) for piece in pieces)
    if rng.random() < 0.1:
        made = made.upper()
    return made * rng.choice((1, 1, 1, 1, 2, 5))


def _piece(rng: random.Random) -> str:
    match rng.randrange(12):
        case 0:
            return rng.choice(ODD)
        case 1:
            return rng.choice(TOKENS)
        case 2:
            return rng.choice(SCRIPTS)
        case 3:
            return "".join(rng.choices(string.printable, k=rng.randint(1, 12)))
        case 4:
            return "".join(chr(rng.randrange(0x20, 0x3000)) for _ in range(rng.randint(1, 6)))
        case 5:
            return made_texts.text(rng.randrange(1_000), sentences=1)
        case _:
            return made_texts.word(rng)
