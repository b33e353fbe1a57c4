"""Text that was tokenised and tagged elsewhere, in place of our own analysis.

    analysis = from_tagged([[("Neural", "JJ"), ("networks", "NNS"), ("learn", "VBP")]])
    pm.extract(analysis, method="textrank")

Tags are Penn's or Universal Dependencies' (`NOUN`, `ADJ`, `ADP` …). With tags the methods that need them work in any
language.
"""

from array import array
from collections.abc import Iterable, Sequence

from phrasemill.errors import InputError
from phrasemill.text.analyse import analyser
from phrasemill.text.tag import TAGS
from phrasemill.types import Analysis, Span

CODES = {tag: code for code, tag in enumerate(TAGS)}
UNIVERSAL = {
    "ADJ": "JJ",
    "ADP": "IN",
    "ADV": "RB",
    "AUX": "MD",
    "CCONJ": "CC",
    "DET": "DT",
    "INTJ": "UH",
    "NOUN": "NN",
    "NUM": "CD",
    "PART": "RP",
    "PRON": "PRP",
    "PROPN": "NNP",
    "PUNCT": ":",
    "SCONJ": "IN",
    "SYM": "SYM",
    "VERB": "VB",
    "X": "FW",
}
CODES |= {universal: CODES[penn] for universal, penn in UNIVERSAL.items()}


def from_tagged(sentences: Iterable[Sequence[tuple[str, str]]], *, language: str = "en") -> Analysis:
    """Return the analysis of sentences of (word, tag) pairs; its text is their words, one sentence per line."""
    lines, spans, tags, ends = [], [], [], array("i")
    position = 0
    for sentence in sentences:
        words = []
        for pair in sentence:
            word, tag = _pair(pair)
            spans.append(Span(position, position + len(word)))
            tags.append(tag)
            words.append(word)
            position += len(word) + 1
        if words:
            lines.append(" ".join(words))
            ends.append(len(spans))
    return from_tokens("\n".join(lines), spans, tags, ends, language=language)


def _pair(pair: object) -> tuple[str, str]:
    if not isinstance(pair, tuple | list) or len(pair) != 2 or not all(isinstance(part, str) for part in pair):
        raise InputError(f"expected a (word, tag) pair of texts, got {pair!r}")
    word, tag = pair
    if not word.strip():
        raise InputError(f"expected a word before the tag {tag!r}, got {word!r}")
    return word, tag


def from_tokens(
    text: str,
    spans: Sequence[tuple[int, int]],
    tags: Sequence[str],
    sentence_ends: Sequence[int],
    *,
    language: str = "en",
) -> Analysis:
    """Return the analysis of a text with tokens at `spans`, and these tags; sentences end before `sentence_ends`."""
    if len(spans) != len(tags):
        raise InputError(f"expected one tag for each of {len(spans)} tokens, got {len(tags)}")
    ends = array("i", sentence_ends)
    if list(ends) != sorted(set(ends)) or (ends[-1] if ends else 0) != len(spans) or (ends and ends[0] < 1):
        raise InputError(f"sentence ends must ascend to the number of tokens, {len(spans)}")
    position = 0
    for start, end in spans:
        if not position <= start < end <= len(text):
            raise InputError(f"tokens must follow each other within the text; {(start, end)} does not")
        position = end
    start_column = array("i", [start for start, _ in spans])
    end_column = array("i", [end for _, end in spans])
    codes = array("B", [CODES.get(tag, 0) for tag in tags])
    return analyser(language).adopt(text, start_column, end_column, ends, codes)
