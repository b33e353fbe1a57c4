"""Text about the text: what stands around the prose of a document and gives it no keyphrases.

Bylines, datelines, mail headers, salutations, signatures, speakers' labels and lists of those present are found by
where they stand: on lines of their own, at the beginning of a text or of a turn. A stock phrase makes its whole
sentence a notice: of rights, licences, cookies, confidentiality or newsletters. The same words elsewhere in the text
are not affected. And words that stand for somebody in one text only: the parties of a contract, who attended a meeting.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeAlias, TypeVar

from phrasemill.kernels import paratext as kernel
from phrasemill.text import paratext_patterns as patterns
from phrasemill.text.paratext_patterns import compiled
from phrasemill.types import Analysis, Span

MOST = 0.8  # the share of a text that can be paratext; beyond, it is what the text is about
HEAD = 1000  # characters within which bylines and datelines stand …
HEAD_LINES = 6  # … and lines
SIGNATURE_LINES = 8
ENDING = 150  # the last characters of a text, in which it may close as a letter
# Characters: longer lines are running text, and what is wider than these is no such thing.
LONGEST_LINE = 200
DATELINE_WIDTH = 80
CLOSING_WIDTH = 30
HEADER_WIDTH = 16
SIGNATURE_WIDTH = 60
LABEL_WIDTH = 40
FEWEST_LABELS = 3  # in a text with speakers, and in a form
FORM_WIDTH = 80
LETTERHEAD_LINES = 15
# A text is about a topic that it mentions more often than this both in its notices and outside of them, or about a word
# of notices that occurs more often.
MENTIONS = 3
OCCURRENCES = 10
BEFORE = 60  # characters in which a bracket opens, or the text says that a name follows

DASH = re.compile(r"[-–—_]\s")
SENTENCE_GAP = re.compile(r"[.!?…)][ \t]+")
NONE: frozenset[str] = frozenset()
Place: TypeAlias = tuple[int, int]
T = TypeVar("T")


def paratext(analysis: Analysis) -> list[Span]:
    """Return the places in a text that are about it, in order; they may overlap."""
    text = analysis.text
    lines, colons, special = kernel.lines(text, patterns.PREFIXES)
    found: list[Span] = []
    for start, end in lines[:HEAD_LINES]:
        begins = text.startswith(patterns.BYLINES, start) or DASH.search(text, start, start + DATELINE_WIDTH)
        if begins and start <= HEAD:
            found += _opening(text, start, end)
    if len(lines) > 2:
        found += _headers(text, lines, colons) if colons else ()
        alone = compiled(patterns.ALONE).match
        short = [(i, text[slice(*lines[i])]) for i in special if lines[i][1] - lines[i][0] <= LONGEST_LINE]
        special = [i for i, line in short if len(line) <= CLOSING_WIDTH or alone(line)]
        found += _alone(text, lines, special) if special else ()
    gaps = SENTENCE_GAP.finditer(text, max(0, len(text) - ENDING))
    closes = [text[at : at + CLOSING_WIDTH].lower().startswith(patterns.CLOSED) for at in [gap.end() for gap in gaps]]
    if text[:3].lower() in patterns.GREETED or any(closes):
        found += _letter(text)
    if text.count(":") >= FEWEST_LABELS:
        found += _speakers(text)
        found += _form_labels(text, lines, colons)
    if not patterns.NOTICED.isdisjoint(analysis.words):
        found += _notices(analysis)
    found.sort()
    covered = at = 0
    for start, end in found:
        covered += max(end - max(start, at), 0)
        at = max(at, end)
    return found if covered <= MOST * len(text) else []


def parts_of_letters(text: str) -> list[Span]:
    """Return the salutations, signatures and credits in a text, in order; they may overlap."""
    lines, _, special = kernel.lines(text, patterns.PREFIXES)
    return sorted([*_alone(text, lines, special if len(lines) > 2 else []), *_letter(text)])


def _opening(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the byline or the dateline that a line near the beginning begins with.

    A dateline has a date or an agency, or at least its place stands nowhere else in capitals.
    """
    if end - start <= LONGEST_LINE and compiled(patterns.BYLINE).fullmatch(text, start, end):
        yield Span(start, end)
    elif found := compiled(patterns.DATELINE).match(text, start, end):
        place, when = found["place"], found["when"]
        once = not found[0].lstrip().startswith(when) if when else place is not None and text.count(place) == 1
        if found["agency"] or once:
            yield Span(*found.span())


def _headers(text: str, lines: list[Place], colons: list[int]) -> Iterator[Span]:
    """Yield blocks of a mail's headers, less the subject itself."""
    found = ((i, (name, *lines[i])) for i in colons if (name := _header(text, *lines[i])))
    for block in _blocks(text, lines, found):
        names = {name for name, *_ in block}
        opens = len(block) == 1 and block[0][1:] == lines[0] and names <= patterns.SUBJECTS
        if opens or (len(names) > 1 and names & patterns.ENDS):
            for name, start, end in block:
                yield Span(start, start + len(name) if name in patterns.SUBJECTS else end)


def _header(text: str, start: int, end: int) -> str:
    """Return the name of a header that a line begins with, in small letters; nothing where it is none."""
    label, colon, _ = text[start : min(end, start + HEADER_WIDTH)].partition(":")
    name = label.rstrip().lower()
    return name if colon and name in patterns.HEADERS else ""


def _blocks(text: str, lines: list[Place], labelled: Iterable[tuple[int, T]]) -> Iterator[list[T]]:
    """Yield what is known of some lines by their numbers, together where neither another nor an empty one is between
    them."""
    block: list[T] = []
    last = -1
    for i, one in labelled:
        if block and i != last + 1:
            yield block
            block = []
        block.append(one)
        last = i
        after = lines[i + 1][0] if i + 1 < len(lines) else len(text)
        if text.count("\n", lines[i][1], after) != 1:
            yield block
            block = []
    if block and last + 1 < len(lines):
        yield block


def _alone(text: str, lines: list[Place], special: list[int]) -> Iterator[Span]:
    """Yield salutations with what stands above them, signatures and credits: lines of their own."""
    done = 0
    for i in special:
        start, end = lines[i]
        if i < done or end - start > LONGEST_LINE:
            continue
        line = text[start:end]
        if len(line) <= CLOSING_WIDTH and not patterns.CLOSINGS.isdisjoint((line.lower(), line.lower().rstrip(",.!"))):
            done = _signature_end(text, lines, i + 1)
            yield Span(start, lines[done - 1][1])
        elif compiled(patterns.ALONE).match(line):
            yield Span(start, end)
            if i < LETTERHEAD_LINES and compiled(patterns.SALUTATION).match(line):
                yield from _letterhead(text, lines[:i])


def _letter(text: str) -> Iterator[Span]:
    """Yield the salutation and the closing of a letter that is not broken into lines."""
    if opening := compiled(patterns.OPENING).match(text):
        yield Span(0, opening.end())
    for gap in SENTENCE_GAP.finditer(text, max(0, len(text) - ENDING)):
        if compiled(patterns.ENDING).match(text, gap.end()):
            yield Span(gap.end(), len(text))
            return


def _signature_end(text: str, lines: list[Place], first: int) -> int:
    """Return the line at which a signature ends whose closing stands before line `first`."""
    i = first
    while i < min(len(lines), first + SIGNATURE_LINES):
        start, end = lines[i]
        line = text[start:end]
        runs_on = len(line) > SIGNATURE_WIDTH or (
            len(line.split()) > 4 and compiled(patterns.SENTENCE_END).search(line)
        )
        if runs_on or line.lower().startswith(("ps", "p.s.")) or compiled(patterns.SALUTATION).match(line):
            break
        if _header(text, start, end) or (i > first and text.count("\n", lines[i - 1][1], start) > 2):
            break
        i += 1
    return i


def _letterhead(text: str, above: list[Place]) -> Iterator[Span]:
    """Yield the lines above a salutation that have addresses and dates, unless the text begins before."""
    if all(end - start <= SIGNATURE_WIDTH for start, end in above):
        for start, end in above:
            if compiled(r"\d").search(text, start, end) and _header(text, start, end) not in patterns.SUBJECTS:
                yield Span(start, end)


def _speakers(text: str) -> Iterator[Span]:
    """Yield the labels of those who speak in turn, and lists of those present.

    A full name in small letters stays: readers look for who was interviewed.
    """
    places: list[tuple[str, Span]] = []
    for at in kernel.places(text, ":"):
        if at + 1 == len(text) or text[at + 1].isspace():
            begin = max(0, at - LABEL_WIDTH)
            found = compiled(patterns.LABEL).search(text[begin:at])
            if found and (begin == 0 or found.start() > 0):
                places.append((found["label"], Span(begin + found.start("label"), at)))
    times = Counter(label for label, _ in places)
    if len(times) < 2 or sum(times.values()) < FEWEST_LABELS or max(times.values()) < 2:
        return
    for label, span in places:
        words = label.split()
        is_no_name = len(words) == 1 or label.isupper() or words[0].lower() in patterns.ROLES
        if is_no_name and (times[label] > 1 or label.isupper()):
            yield span


def _form_labels(text: str, lines: list[Place], colons: list[int]) -> Iterator[Span]:
    """Yield the labels of a form or a data sheet: lines one after the other with a label and a short value each."""
    label = compiled(patterns.FORM_LABEL).fullmatch
    narrow = ((i, *lines[i]) for i in colons if lines[i][1] - lines[i][0] <= FORM_WIDTH)
    found = ((i, Span(*one.span("label"))) for i, start, end in narrow if (one := label(text, start, end)))
    for block in _blocks(text, lines, found):
        if len({text[one.start : one.end] for one in block}) == len(block) >= FEWEST_LABELS:
            yield from block


def _notices(analysis: Analysis) -> Iterator[Span]:
    """Yield identifiers such as ISBNs, and the sentences that are notices.

    Where a text goes on and on about the topic of its notices, as a cookie policy does, they are what it says, and no
    notices.
    """
    text, topic = analysis.text, compiled(patterns.TOPIC).finditer
    for start, end in _sentences_with(patterns.IDENTIFIERS, analysis):
        yield from (Span(*one.span()) for one in compiled(patterns.IDENTIFIER).finditer(text, start, end))
    found = [
        Span(start, end)
        for start, end in _sentences_with(patterns.TRIGGERS, analysis)
        if compiled(patterns.NOTICE).search(text, start, end) or compiled(patterns.LINK).fullmatch(text, start, end)
    ]
    if not found:
        return
    everywhere = Counter(one[0].lower() for one in topic(text))
    topics = [Counter(one[0].lower() for one in topic(text, *sentence)) for sentence in found]
    noticed: Counter[str] = sum(topics, Counter())
    for sentence, own in zip(found, topics, strict=True):
        if not any(min(noticed[one], everywhere[one] - noticed[one]) > MENTIONS for one in own):
            yield sentence


def _sentences_with(some: frozenset[str], analysis: Analysis) -> list[Place]:
    """Return where the sentences stand that have one of these words, in order."""
    numbers = [i for i, word in enumerate(analysis.words) if word in some]
    found: list[Place] = kernel.sentences_with(analysis.view, numbers, OCCURRENCES) if numbers else []
    return found


def defined_words(analysis: Analysis) -> frozenset[str]:
    """Return the stems of words that stand for a party of a contract, or for somebody who attended a meeting.

    A contract that says `Northfield Glass Ltd (the "Supplier")` goes on with `the Supplier`, and minutes that list
    `Present: Malik Osei` with `Malik`. Such a word alone is no keyphrase; it may be part of one (`Supplier Code`).
    """
    text = analysis.text
    named: list[str] = []
    if '"' in text or "\N{LEFT DOUBLE QUOTATION MARK}" in text:
        named += _parties(text)
    if "(" in text:
        named += compiled(patterns.BRACKETED).findall(text)
    if ":" in text:
        present = compiled(patterns.ATTENDANCE).findall(f"\n{text}")
        if present and compiled(patterns.MINUTES).search(text):
            named += compiled(patterns.FORENAME).findall("\n".join(present))
    if not named:
        return NONE
    wanted = {one.lower() for one in named}
    numbers = (i for i, word in enumerate(analysis.words) if word in wanted)
    return frozenset({analysis.stems[analysis.stem[analysis.word.index(i)]] for i in numbers})


def _parties(text: str) -> Iterator[str]:
    """Yield the words in quotes that the text says is how somebody is called."""
    done = 0
    for at in kernel.places(text, patterns.QUOTES):
        if at >= done and (role := compiled(patterns.QUOTED).match(text, at)):
            done = role.end()
            before = text[max(at - BEFORE, 0) : at]
            if before.endswith(patterns.ARTICLES):
                named = before.rstrip().rpartition(" ")[0] + " "
                if before.rfind("(") > before.rfind(")") or named.endswith(patterns.FOLLOWS):
                    yield role[1]
