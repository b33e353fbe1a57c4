"""Tag patterns: regular expressions over part-of-speech tags.

`(JJ.*)*(NN.*)+` reads as it looks: an atom is a Penn tag, and `.*` after its letters stands for any ending, so `NN.*`
is NN, NNS, NNP and NNPS. Atoms may stand in angle brackets (`<JJ>*<NN.*>+`), which also hold alternatives
(`<NN|JJ>`). Around atoms: `( ) | * + ? {m,n}`; spaces are ignored. A word in single quotes is not supported: patterns
see tags only.
"""

import re
from functools import cache

from phrasemill.errors import ConfigError

NOUN_PHRASE = "(JJ.*)*(NN.*)+"
# Kim, Baldwin and Kan (2010), table 2: N-bars, and N-bars with a post-modifying prepositional phrase.
RULE_1 = "(NN.*|JJ.*)*(NN.*)"
RULE_2 = f"{RULE_1} IN {RULE_1}"

PIECE = re.compile(r"\s+|<(?P<bracketed>[^<>]*)>|(?P<tag>[A-Z]+\$?(?:\.\*)?|\.\*?)|(?P<operator>[()|*+?]|\{\d*,?\d*\})")


@cache
def compile_pattern(pattern: str, tagset: tuple[str, ...]) -> "re.Pattern[bytes]":
    """The expression over tag codes, one byte a token, that `pattern` describes."""
    result, position = b"", 0
    while position < len(pattern):
        piece = PIECE.match(pattern, position)
        if piece is None:
            raise ConfigError(f"tag pattern {pattern!r}: cannot read {pattern[position:]!r}")
        if piece["bracketed"] is not None or piece["tag"] is not None:
            result += _codes(piece["bracketed"] or piece["tag"], pattern, tagset)
        elif piece["operator"] is not None:
            result += piece["operator"].replace("(", "(?:").encode()
        position = piece.end()
    try:
        compiled = re.compile(result, re.DOTALL)
    except re.error as error:
        raise ConfigError(f"tag pattern {pattern!r}: {error.msg}") from None
    if compiled.fullmatch(b""):
        raise ConfigError(f"tag pattern {pattern!r} matches nothing at all; let it ask for at least one tag")
    return compiled


def _codes(atom: str, pattern: str, tagset: tuple[str, ...]) -> bytes:
    """A byte class of the tags that `atom` names."""
    try:
        expression = re.compile(atom.replace("$", r"\$"))
    except re.error as error:
        raise ConfigError(f"tag pattern {pattern!r}: {atom!r}: {error.msg}") from None
    codes = [code for code, tag in enumerate(tagset) if tag and expression.fullmatch(tag)]
    if not codes:
        raise ConfigError(f"tag pattern {pattern!r}: no tag is called {atom!r}; Penn tags are NN, NNS, JJ, VBG, IN …")
    return b"[" + b"".join(re.escape(bytes([code])) for code in codes) + b"]"
