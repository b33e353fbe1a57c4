"""Notices in a text: of rights, licences, cookies, confidentiality and newsletters; and identifiers such as ISBNs.

A stock phrase makes its whole sentence a notice. Where a text goes on and on about the topic of its notices, as a
cookie policy does, they are what it says, and no notices.
"""

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator

from phrasemill.kernels import columns
from phrasemill.text.patterns import compiled
from phrasemill.types import Analysis, Span

# A text is about a topic that it mentions more often than this both in its notices and outside of them, or about one of
# the triggers where that occurs more often.
MENTIONS = 3
OCCURRENCES = 10
# Each notice and each identifier has one of these words.
TRIGGERS = frozenset(
    "addressee confidential cookie cookies copyright downloaded licence licenced license licensed newsletter permission"
    " privacy privileged recipient redistributed reserved unrestricted unsubscribe ©".split()
)
IDENTIFIERS = frozenset("arxiv doi isbn isbn-10 isbn-13 issn pmcid pmid".split())
EITHER = TRIGGERS | IDENTIFIERS
TOPIC = r"(?i)cookie|copyright|creative commons|licen[cs]e|newsletter"
NOTICE = r"""(?xi)
    \b(?:all|some|no)\ rights\ reserved
    | (?:©|\(c\)|\bcopyright)\s*(?:©|\(c\))?\s*(?:(?:19|20)\d\d|by\b|the\ authors?\b) | (?:\A|\n)\s*©
    | \b(?:accept|allow|decline|manage|reject)\ (?:all\ |our\ |the\ )?cookies?\b
    | \bcookie\ (?:notice|policy|preferences|settings)\b
    | \b(?:app|page|service|site|we|website)\ (?:also\ |may\ )?uses?\ cookies\b
    | \b(?:agree|accept|consent)\ to\ (?:\w+\ )?use\ of\ cookies\b
    | \bopen[\s-]access\ (?:article|book|chapter|paper|work)\b[^.]{0,200}\b(?:distributed|licen[cs]ed?|terms|under)\b
    | \b(?:all|content|except|text|these|this|unless)\b[^.]{0,200}
      \b(?:available|distributed|licen[cs]ed|published|released)\ under\ (?:the\ terms\ of\ )?(?:an?\ |the\ )?
      (?:creative\ commons|cc[\s-]by)
    | \bunrestricted\ (?:non-?commercial\ )?use,\ distribution
    | \boriginal\ (?:work|authors?)\b[^.]{0,40}\b(?:is|are)\ (?:properly\ |appropriately\ )?(?:cited|credited)
    | \bpermission\ to\ (?:copy|make|reprint)\b[^.]{0,200}\b(?:copies|granted)\b
    | \bpermission\ is\ (?:hereby\ )?granted | \bpersonal\ use\ of\ this\ material\b
    | \bno\ part\ of\ this\ (?:\w+\ )?(?:book|document|publication|report|site|website|work)\b
    | \bmay\ not\ be\ (?:broadcast|copied|published|redistributed|reproduced)\b[^.]{0,200}
      \b(?:permission|redistributed)\b
    | \bdownloaded\ from\ (?:https?|www)\b
    | \b(?:subscribe\ to|sign\ up\ (?:for|to))\ (?:my|our|the)\ (?:\w+\ ){0,2}newsletter\b
    | (?-i:\bTo\ unsubscribe)\b | \bunsubscribe\ (?:at|by|here)\b
    | \bthis\ (?:communication|e-?mail|message)\b[^.]{0,200}\b(?:confidential|intended\ (?:only|solely)|privileged)\b
    | \bintended\ (?:only|solely)\ for\ (?:the\ )?(?:use\ of\ )?(?:the\ )?(?:named\ |intended\ )?(?:addressee|recipient)
    """
IDENTIFIER = (
    r"(?i)\b(?:ISBN(?:-1[03])?|ISSN|doi|arXiv|PMC?ID)\b:?\s*[\w./:()–-]*\d(?:[\w./:()–-]*\w)?(?:\s+\d[\dX–-]*)*"
)
# A sentence that is no more than the links of a page's footer.
LINK = r"(?i)(?:(?:cookies|privacy(?: notice| policy)?|terms(?: of (?:service|use))?)[ .|·&]*)+"


def notices(analysis: Analysis) -> Iterator[Span]:
    """Yield the places of notices and identifiers."""
    if EITHER.isdisjoint(analysis.words):
        return
    text = analysis.text
    for sentence in _sentences_with(IDENTIFIERS, analysis):
        yield from (Span(*one.span()) for one in compiled(IDENTIFIER).finditer(text, *sentence))
    found = [one for one in _sentences_with(TRIGGERS, analysis) if _is_notice(text, one)]
    if not found:
        return
    everywhere = Counter(one[0].lower() for one in compiled(TOPIC).finditer(text))
    topics = [Counter(one[0].lower() for one in compiled(TOPIC).finditer(text, *sentence)) for sentence in found]
    noticed: Counter[str] = sum(topics, Counter())
    for sentence, own in zip(found, topics, strict=True):
        if not any(min(noticed[topic], everywhere[topic] - noticed[topic]) > MENTIONS for topic in own):
            yield sentence


def _is_notice(text: str, sentence: Span) -> bool:
    return compiled(NOTICE).search(text, *sentence) is not None or compiled(LINK).fullmatch(text, *sentence) is not None


def _sentences_with(some: frozenset[str], analysis: Analysis) -> Iterator[Span]:
    """Yield the sentences that have one of these words, in order."""
    found = some.intersection(analysis.words)
    if not found:
        return
    words, sentences = list(analysis.words), analysis.sentences
    places = [i for word in found for i in _places(analysis.word, words.index(word))]
    for one in sorted({bisect_right(sentences, i) for i in places}):
        first = sentences[one - 1] if one else 0
        yield Span(analysis.start[first], analysis.end[sentences[one] - 1])


def _places(column: "array[int]", number: int) -> list[int]:
    """Return where `number` stands in a column, unless it stands there too often."""
    found: list[int] = columns.places(column, number, OCCURRENCES + 1)
    return found if len(found) <= OCCURRENCES else []
