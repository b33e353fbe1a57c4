"""Candidates: the phrases of a document that a method chooses among, grouped by stemmed form.

N-grams are runs of words that neither start nor end with a stopword. Noun phrases are runs of tokens whose
part-of-speech tags fit a pattern, a regular expression over tags. `(JJ.*)*(NN.*)+` reads as it looks: an atom is a Penn
tag, and `.*` after its letters stands for any ending, so `NN.*` is NN, NNS, NNP and NNPS. Atoms may stand in angle
brackets (`<JJ>*<NN.*>+`), which also hold alternatives (`<NN|JJ>`). Around atoms: `( ) | * + ? {m,n}`; spaces are
ignored. Patterns do not see words.

Languages other than English have the tags of Universal Dependencies. There, a Penn tag stands for the universal one
that it belongs to (`NN.*` is NOUN and PROPN), and the noun phrase is the language's own (text/languages), in which `OF`
is a preposition that joins nouns (French `de`).
"""

import re
from array import array
from collections.abc import Sequence
from functools import cache

from phrasemill.errors import ConfigError
from phrasemill.kernels import spans
from phrasemill.kernels.graph import Words
from phrasemill.text.languages import profile
from phrasemill.text.tag import TAGS
from phrasemill.types import STOPWORD, Analysis, Candidates, Places

NOUN_PHRASE = "(JJ.*)*(NN.*)+"
# Kim, Baldwin and Kan (2010), table 2: N-bars, and N-bars with a post-modifying prepositional phrase.
RULE_1 = "(NN.*|JJ.*)*(NN.*)"
RULE_2 = f"{RULE_1} IN {RULE_1}"

# The Penn tags that each universal tag stands for.
PENN = {
    "ADJ": "JJ JJR JJS",
    "ADP": "IN TO",
    "ADV": "RB RBR RBS WRB",
    "AUX": "MD",
    "CCONJ": "CC",
    "DET": "DT PDT WDT PRP$ WP$",
    "INTJ": "UH",
    "NOUN": "NN NNS",
    "NUM": "CD LS",
    "PART": "RP POS TO",
    "PRON": "PRP EX WP",
    "PROPN": "NNP NNPS",
    "PUNCT": "# '' `` , . : -LRB- -RRB-",
    "SCONJ": "IN",
    "SYM": "SYM $",
    "VERB": "VB VBD VBG VBN VBP VBZ",
    "X": "FW",
}
NOUNS_AND_ADJECTIVES = ("NN", "JJ", "NOUN", "PROPN", "ADJ", "X")  # X is for foreign words, names for the most part
PREPOSITIONS = ("IN", "ADP")
JOINING = "OF"
NO_STOPWORD = bytes([kind & ~STOPWORD for kind in range(256)])  # a table for `bytes.translate`

PIECE = re.compile(r"\s+|<(?P<bracketed>[^<>]*)>|(?P<tag>[A-Z]+\$?(?:\.\*)?|\.\*?)|(?P<operator>[()|*+?]|\{\d*,?\d*\})")


def forms(candidates: Candidates) -> list[str]:
    """Return what `Candidates.form` returns for each candidate, all at once."""
    text = candidates.analysis
    return spans.forms(candidates.first, candidates.start, candidates.end, text.stem, list(text.stems))


def including(candidates: Candidates, places: Places) -> Candidates:
    """Return the candidates and, in text order with them, those forms of `places` that are not among them."""
    if not places:
        return candidates
    known = set(forms(candidates))
    missing = [place for form, found in places.items() if form not in known for place in found]
    if not missing:
        return candidates
    every = sorted([*zip(candidates.start, candidates.end, strict=True), *missing])
    start, end = (array("i", column) for column in zip(*every, strict=True))
    return Candidates(candidates.analysis, *spans.group(candidates.analysis.stem, start, end))


def ngrams(
    analysis: Analysis,
    *,
    longest: int = 3,
    inner_stopwords: bool = True,
    numbers: bool = True,
    function_words: bool = False,
) -> Candidates:
    """Return runs of one to `longest` words within a sentence, no punctuation inside, no stopword at either end.

    Stopwords inside (`quality of service`) and numbers beside words (`area 51`) can be ruled out. With `function_words`
    stopwords are words like all others (`the coast`), and words of one letter break a run.
    """
    if longest < 1:
        raise ConfigError(f"the longest n-gram must have at least 1 word, got {longest}")
    kind = _every_word(analysis) if function_words else analysis.kind
    start, end = spans.ngrams(kind, analysis.sentences, min(longest, max(len(analysis), 1)), inner_stopwords, numbers)
    return Candidates(analysis, *spans.group(analysis.stem, start, end))


def _every_word(analysis: Analysis) -> "array[int]":
    """Return the kinds of the tokens with stopwords as ordinary words, and single letters as no words."""
    kinds = without_stopwords(analysis.kind)
    for i, (start, end) in enumerate(zip(analysis.start, analysis.end, strict=True)):
        if end - start == 1:
            kinds[i] = 0
    return kinds


def without_stopwords(kind: "array[int]") -> "array[int]":
    """Return the kinds of tokens with stopwords as ordinary words."""
    return array(kind.typecode, bytes(kind).translate(NO_STOPWORD))


def noun_phrases(analysis: Analysis, *, patterns: Sequence[str] = (NOUN_PHRASE,), longest: int = 8) -> Candidates:
    """Return the leftmost longest matches of each of `patterns` in each sentence, of at most `longest` tokens.

    With several patterns the matches of all are taken, overlaps included, so `(RULE_1, RULE_2)` gives both
    `performance of grid computing` and `grid computing`. Function words that are tagged as nouns or adjectives
    (`other`, `such`, `one`) and tokens without letters are in no noun phrase.
    """
    require_tags(analysis)
    if not len(analysis):
        return Candidates(analysis, array("i", [0]), array("i"), array("i"))
    language = profile(analysis.language)
    tags = spans.mask(analysis.tag, analysis.kind, nouns_and_adjectives(analysis))
    if analysis.tagset != TAGS:
        patterns = [language.noun_phrase or one if one == NOUN_PHRASE else one for one in patterns]
    tagset = analysis.tagset
    if any(JOINING in one for one in patterns):
        tagset = (*tagset, JOINING)
        _mark_joining(analysis, tags, language.joins)
    if list(patterns) == [NOUN_PHRASE]:
        places = spans.noun_phrases(tags, analysis.sentences, *_adjectives_and_nouns(tagset), min(longest, len(tags)))
        return Candidates(analysis, *spans.group(analysis.stem, *places))
    found: set[tuple[int, int]] = set()
    for pattern in patterns:
        matches = compile_pattern(pattern, tagset).finditer
        begin = 0
        for end in analysis.sentences:
            for match in matches(tags, begin, end):
                if match.end() - match.start() <= longest:
                    found.add(match.span())
            begin = end
    ordered = sorted(found)
    start = array("i", [occurrence[0] for occurrence in ordered])
    end_column = array("i", [occurrence[1] for occurrence in ordered])
    return Candidates(analysis, *spans.group(analysis.stem, start, end_column))


@cache
def _adjectives_and_nouns(tagset: tuple[str, ...]) -> tuple[bytes, bytes]:
    """Return the tags that the two atoms of NOUN_PHRASE name: 256 bytes each, 1 at their codes."""
    adjectives, nouns = (_matching(atom, NOUN_PHRASE, tagset) for atom in ("JJ.*", "NN.*"))
    return bytes(code in adjectives for code in range(256)), bytes(code in nouns for code in range(256))


def _mark_joining(analysis: Analysis, tags: "array[int]", joins: frozenset[str]) -> None:
    """Give prepositions that join nouns the code after those of the tag set."""
    words = {number for number, word in enumerate(analysis.words) if word in joins}
    prepositions = {code for code, tag in enumerate(analysis.tagset) if tag in PREPOSITIONS}
    for i, (word, tag) in enumerate(zip(analysis.word, analysis.tag, strict=True)):
        if word in words and tag in prepositions:
            tags[i] = len(analysis.tagset)


def noun_adjective_runs(analysis: Analysis) -> Candidates:
    """Return maximal runs of nouns and adjectives in any order, within sentences; function words end a run."""
    runs = Words(analysis.view, nouns_and_adjectives(analysis)).runs()
    return Candidates(analysis, *spans.group(analysis.stem, *runs))


def nouns_and_adjectives(analysis: Analysis) -> bytes:
    """Return 256 bytes, 1 at the codes of nouns and adjectives: the words that graph methods rank."""
    require_tags(analysis)
    return _allowed(analysis.tagset)


@cache
def _allowed(tagset: tuple[str, ...]) -> bytes:
    return bytes(int(code < len(tagset) and tagset[code].startswith(NOUNS_AND_ADJECTIVES)) for code in range(256))


def require_tags(analysis: Analysis) -> None:
    if not analysis.tagged and len(analysis):
        raise ConfigError(
            f"this method needs part-of-speech tags, and there is no tagger for {analysis.language!r}; try tfidf"
        )


@cache
def compile_pattern(pattern: str, tagset: tuple[str, ...]) -> "re.Pattern[bytes]":
    """Return the expression over tag codes, one byte per token, that `pattern` describes."""
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
        raise ConfigError(f"tag pattern {pattern!r} matches nothing at all; require at least one tag with +")
    return compiled


def _codes(atom: str, pattern: str, tagset: tuple[str, ...]) -> bytes:
    """Return a byte class of the tags that `atom` names."""
    return b"[" + b"".join(re.escape(bytes([code])) for code in _matching(atom, pattern, tagset)) + b"]"


def _matching(atom: str, pattern: str, tagset: tuple[str, ...]) -> list[int]:
    """Return the codes of the tags that `atom` names."""
    try:
        expression = re.compile(atom.replace("$", r"\$"))
    except re.error as error:
        raise ConfigError(f"tag pattern {pattern!r}: {atom!r}: {error.msg}") from None
    # Only a universal tag stands for Penn tags: SYM is in both sets, and means itself.
    names = [(tag, *(PENN.get(tag, "").split() if "NOUN" in tagset else ())) for tag in tagset]
    codes = [code for code, tags in enumerate(names) if tags[0] and any(map(expression.fullmatch, tags))]
    if not codes:
        raise ConfigError(f"tag pattern {pattern!r}: no tag is called {atom!r}; Penn tags are NN, NNS, JJ, VBG, IN …")
    return codes
