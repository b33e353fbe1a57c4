"""Noun-phrase candidates: maximal runs of tokens whose tags fit a pattern."""

from array import array
from collections.abc import Sequence
from functools import cache

from phrasemill.candidates.patterns import NOUN_PHRASE, compile_pattern
from phrasemill.errors import ConfigError
from phrasemill.kernels import graph, spans
from phrasemill.types import Analysis, Candidates


def noun_phrases(analysis: Analysis, *, patterns: Sequence[str] = (NOUN_PHRASE,), longest: int = 8) -> Candidates:
    """The leftmost longest matches of each of `patterns` in each sentence, of at most `longest` tokens.

    With several patterns the matches of all are taken, overlaps included, so `(RULE_1, RULE_2)` gives both
    `performance of grid computing` and `grid computing`. Function words that are tagged as nouns or adjectives
    (`other`, `such`, `one`) and tokens without letters are in no noun phrase.
    """
    require_tags(analysis)
    if not len(analysis):
        return Candidates(analysis, array("i", [0]), array("i"), array("i"))
    tags = spans.mask(analysis.tag, analysis.kind, nouns_and_adjectives(analysis))
    found: set[tuple[int, int]] = set()
    for pattern in patterns:
        matches = compile_pattern(pattern, analysis.tagset).finditer
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


def noun_adjective_runs(analysis: Analysis) -> Candidates:
    """Maximal runs of nouns and adjectives in any order, within sentences; function words end a run."""
    allowed = nouns_and_adjectives(analysis)
    node, nodes = graph.words(analysis.stem, analysis.kind, analysis.tag, allowed, len(analysis.stems))
    start, end = graph.runs(node, b"\1" * nodes, analysis.sentences)
    return Candidates(analysis, *spans.group(analysis.stem, start, end))


def nouns_and_adjectives(analysis: Analysis) -> bytes:
    """256 bytes, 1 at the codes of nouns and adjectives: the words that graph methods rank."""
    require_tags(analysis)
    return _allowed(analysis.tagset)


@cache
def _allowed(tagset: tuple[str, ...]) -> bytes:
    return bytes(int(code < len(tagset) and tagset[code].startswith(("NN", "JJ"))) for code in range(256))


def require_tags(analysis: Analysis) -> None:
    if not analysis.tagged and len(analysis):
        raise ConfigError(
            f"this method needs part-of-speech tags, which there are for English only, not for {analysis.language!r}; "
            "try tfidf"
        )
