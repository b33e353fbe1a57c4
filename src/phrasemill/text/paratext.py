"""Text about the text: what stands around the prose of a document and gives it no keyphrases.

Bylines, datelines, mail headers, salutations, signatures, speakers' labels and lists of those present are found by
where they stand: on lines of their own, at the beginning of a text or of a turn. Notices are in `notices.py`. The same
words elsewhere in the text are not affected.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from math import inf
from typing import TypeAlias, TypeVar

from phrasemill.kernels import layout
from phrasemill.text.notices import notices
from phrasemill.text.patterns import compiled
from phrasemill.types import Analysis, Span

MOST = 0.8  # the share of a text that can be paratext; beyond, it is what the text is about
HEAD = 1000  # characters within which bylines and datelines stand …
HEAD_LINES = 6  # … and lines
SIGNATURE_LINES = 8
# Characters: longer lines are running text, and what is wider than these is no such thing.
LONGEST_LINE = 200
BYLINE_WIDTH = 30
DATELINE_WIDTH = 80
CLOSING_WIDTH = 30
HEADER_WIDTH = 16
SIGNATURE_WIDTH = 60
LABEL_WIDTH = 40
FEWEST_LABELS = 3  # in a text with speakers, and in a form
FORM_WIDTH = 80
LETTERHEAD_LINES = 15

Place: TypeAlias = tuple[int, int]
T = TypeVar("T")

UPPER = "A-ZÀ-ÖØ-Þ"
NAME = rf"[{UPPER}][\w.'’-]*"
AGENCIES = (
    "AAP|AFP|AFX|ANI|ANSA|AP|Associated Press|BBC|Bloomberg|Business ?Wire|CNN|dpa|EFE|Globe ?Newswire|IANS|IPS|Kyodo"
    "|PA|PR ?Newswire|PTI|Reuters|RIA Novosti|TASS|UPI|Xinhua"
)
MONTHS = (
    "Jan(?:uary|\\.)?|Feb(?:ruary|\\.)?|Mar(?:ch|\\.)?|Apr(?:il|\\.)?|May|June?|July?|Aug(?:ust|\\.)?|Sept?(?:ember|\\.)?"
    "|Oct(?:ober|\\.)?|Nov(?:ember|\\.)?|Dec(?:ember|\\.)?"
)
DATE = rf"(?:{MONTHS})[ ]\d{{1,2}}|\d{{1,2}}\.?[ ](?:{MONTHS})"

AUTHORS = rf"{NAME}(?:[,;]?[ \t]+(?:{NAME}|and|by|de|van|von)){{1,9}}"
BYLINE = rf"(?:(?:Posted|Words|Written)[ ])?[Bb]y[ \t]+{AUTHORS}"
CREDIT = (
    r"\(?(?:Additional\ |Medically\ )?"
    r"(?:Compiled|Edited|Editing|Photos?|Photographs?|Reporting|[Rr]eviewed|Text|Writing)\ by\ "
    rf"{AUTHORS}\)?$"
)
DASH = re.compile(r"[-–—_]\s")
DATELINE = rf"""(?x)(?:
        (?P<place>[{UPPER}]{{2}}[{UPPER}.'’-]*(?:[ ][{UPPER}][{UPPER}.'’-]+){{0,3}}) | {NAME}(?:[ ]{NAME}){{0,3}}
    )?
    (?:,[ ]{NAME}(?:[ ]{NAME})?(?<!\d))??
    (?P<when>,?[ ](?:{DATE})(?:,?[ ]\d{{4}})?)?
    \s*[-–—]*\s*(?P<agency>(?i:\((?:{AGENCIES})\)|/(?:{AGENCIES})/))?
    \s*(?:[-–—_]{{1,2}})(?=\s)"""
HEADERS = frozenset(
    "an asunto attachments bcc betreff cc content-type data date datum de fecha from gesendet importance message-id"
    " mime-version objet oggetto para re received reply-to return-path sent subject to von à".split()
)
SUBJECTS = frozenset("asunto betreff objet oggetto re subject".split())
ENDS = frozenset("an de from para sent to von à".split())  # those who write and read; data sheets have none
# With a comma or without; those of one common word only with it.
CLOSINGS = frozenset(
    (
        "--|all the best|best,|best regards|best wishes|cheers,|kind regards|kindest regards|many thanks|regards"
        "|respectfully submitted|respectfully yours|sincerely|sincerely yours|thank you,|thank you.|thanks,|thanks!"
        "|warm regards|warmly,|with best regards|with best wishes|with kind regards|yours,|yours faithfully"
        "|yours sincerely|yours truly|beste grüße|freundliche grüße|herzliche grüße|mit freundlichen grüßen"
        "|viele grüße|bien cordialement|cordialement|atentamente|saludos|saludos cordiales|un saludo|cordiali saluti"
        "|distinti saluti|atenciosamente|met vriendelijke groet|z poważaniem|с уважением"
    ).split("|")
)
SALUTATION = r"""(?x)
    (?!(?i:hello\ world))
    (?i:dear|good\ (?:afternoon|evening|morning)|hello|hey|hi|cher|chère|estimad[oa]s?|liebe[rs]?|sehr\ geehrte[rs]?)
    (?:\ [^\s,.!?:]+){0,5}[,!:]$
    """
NETWORKS = r"(?i:facebook|instagram|linkedin|pinterest|reddit|tiktok|twitter|whatsapp|youtube)"
# Lines that stand alone: salutations, credits, who was there, what a mail was sent from and quotes, a paper's history,
# links to share a page and to buy.
ALONE = rf"""{SALUTATION}
    | {CREDIT}
    | (?i:(?:members?\ |also\ )?(?:present|absent|(?:in\ )?attendance|attendees|apologies|regrets))(?:\ \([^()]*\))?:\s
    | (?:Sent\ from\ (?:my|Outlook|Mail)|Get\ Outlook\ for|Envoyé\ de\ mon|Enviado\ desde|Inviato\ da)\b
    | Von\ meinem\ \w+\ gesendet | On\ .+\ wrote:$ | --+\ ?(?:Original\ Message|Forwarded\ message)\ ?--+$
    | (?:Received|Revised|Accepted|Available\ online|Published\ online)\b.*\b(?:19|20)\d\d\b
    | (?i:(?:page\ )?last\ (?:edited|modified|reviewed|updated))\b.*\b(?:19|20)\d\d\b
    | (?i:follow|find|join|like|share|tweet)\b.{{0,40}}\b{NETWORKS}\b[^.]*$
    | {NETWORKS}(?:\s*[|·,/]?\s*(?:{NETWORKS}|(?i:copy\ link|e-?mail|print|share)))+$
    | (?i:add\ to\ (?:bag|basket|cart|wish\ ?list))\b.{{0,60}}$
    | (?i:read\ (?:also|more|next)|related\ (?:articles?|posts?|stories))\s*:
    """
# The first three letters of what ALONE matches, in small letters, so that few lines are compared with it …
ALONE_STARTS = frozenset(
    "(ad (co (ed (me (ph (re (te (wr --- --f --o abs acc add als apo att ava che com dea edi env est fac fin fol get"
    " goo hel hey hi! hi, hi: ins inv joi las lie lik lin med mem pag pho pin pre pub rea rec red reg rel rep rev seh"
    " sen sha tex tik twe twi von wha wri you".split()
) | {"-- ", "hi ", "in ", "on "}
# … and those of closings; `beginning` finds all lines that begin with a letter beyond ASCII.
CLOSING_STARTS = frozenset(f"{one}  "[:3] for one in CLOSINGS) | {"--,", "--.", "--!"}
SENTENCE_END = r"[.!?…]['\"”’)\]]*$"
LABEL = rf"(?:^|(?<=[\n.?!…\"”’)\]]))[ \t]*(?P<label>(?:The )?{NAME}(?:[ ]{NAME}){{0,3}})(?:[ ]\([^()\n]*\))?\Z"
FORM_LABEL = rf"(?:[-*•·][ \t]*)?(?P<label>[{UPPER}][\w()/&'’-]*(?:[ ][\w()/&'’-]+){{0,3}})[ ]?:[ \t]+\S.{{0,40}}"
ROLES = frozenset(
    "a chair chairman chairperson grad host interviewer interviewee journalist moderator narrator operator phd"
    " presenter professor q question answer reporter speaker student the".split()
)


def paratext(analysis: Analysis) -> list[Span]:
    """Return the places in a text that are about it, in order; they may overlap."""
    text = analysis.text
    lines = layout.line_places(text)
    found = list(_openings(text, lines[:HEAD_LINES]))
    if len(lines) > 2:
        found += _mail(text, lines)
    if text.count(":") >= FEWEST_LABELS:
        found += _labels(text)
        found += _form_labels(text, lines)
    found += notices(analysis)
    if not found:
        return found
    found.sort()
    covered = at = 0
    for start, end in found:
        covered += max(end - max(start, at), 0)
        at = max(at, end)
    return found if covered <= MOST * len(text) else []


def _openings(text: str, lines: list[Place]) -> Iterator[Span]:
    """Yield the byline and the dateline, which stand near the beginning."""
    for start, end in lines:
        if start > HEAD:
            return
        if end - start <= LONGEST_LINE and _names_author(text, start, end):
            yield Span(start, end)
        elif DASH.search(text, start, start + DATELINE_WIDTH):
            found = compiled(DATELINE).match(text, start, end)
            if found and _is_dateline(text, found):
                yield Span(*found.span())


def _names_author(text: str, start: int, end: int) -> bool:
    by = text.find("y ", start, min(end, start + BYLINE_WIDTH))
    return by > 0 and text[by - 1] in "Bb" and compiled(BYLINE).fullmatch(text, start, end) is not None


def _is_dateline(text: str, found: "re.Match[str]") -> bool:
    """Return whether a date or an agency says so, or at least the place stands nowhere else in capitals."""
    if found["agency"]:
        return True
    if found["when"]:
        return not found[0].lstrip().startswith(found["when"])
    return found["place"] is not None and text.count(found["place"]) == 1


def _mail(text: str, lines: list[Place]) -> Iterator[Span]:
    """Yield the headers of mails, salutations, signatures and credits, lines of their own."""
    yield from _headers(text, lines)
    alone, done = compiled(ALONE).match, 0
    for i in layout.beginning(text, lines, _starts()):
        if i < done:
            continue
        start, end = lines[i]
        if end - start <= CLOSING_WIDTH and _closes(text[start:end].lower()):
            done = _signature_end(text, lines, i + 1)
            yield Span(start, lines[done - 1][1])
        elif end - start <= LONGEST_LINE and alone(text, start, end):
            yield Span(start, end)
            if i < LETTERHEAD_LINES and compiled(SALUTATION).match(text, start, end):
                yield from _letterhead(text, lines[:i])


@cache
def _starts() -> bytes:
    return layout.prefixes(frozenset(one for one in ALONE_STARTS | CLOSING_STARTS if one.isascii()))


def _letterhead(text: str, lines: list[Place]) -> Iterator[Span]:
    """Yield the lines above a salutation that have addresses and dates, unless the text begins before."""
    if all(end - start <= SIGNATURE_WIDTH for start, end in lines):
        for start, end in lines:
            if compiled(r"\d").search(text, start, end) and _header(text[start : start + HEADER_WIDTH]) not in SUBJECTS:
                yield Span(start, end)


def _closes(line: str) -> bool:
    return line in CLOSINGS or line.rstrip(",.!") in CLOSINGS


def _headers(text: str, lines: list[Place]) -> Iterator[Span]:
    """Yield blocks of headers, less the subject itself."""

    def header(start: int, end: int) -> tuple[str, Place] | None:
        label = _header(text[start : start + HEADER_WIDTH])
        return (label, (start, end)) if label else None

    for block in _blocks(text, lines, header):
        names = {name for name, _ in block}
        opens = len(block) == 1 and block[0][1] == lines[0] and names <= SUBJECTS
        if opens or (len(names) > 1 and names & ENDS):
            for name, (start, end) in block:
                yield Span(start, start + len(name) if name in SUBJECTS else end)


def _blocks(text: str, lines: list[Place], labelled: Callable[[int, int], T | None]) -> Iterator[list[T]]:
    """Yield what `labelled` finds in lines with a colon, together that of lines without another one between them."""
    block: list[T] = []
    last = -1
    for i in _with_colons(text, lines):
        found = labelled(*lines[i])
        if found is None:
            continue
        if block and i != last + 1:
            yield block
            block = []
        block.append(found)
        last = i
        after = lines[i + 1][0] if i + 1 < len(lines) else len(text)
        if text.count("\n", lines[i][1], after) != 1:
            yield block
            block = []
    if block and last + 1 < len(lines):
        yield block


def _with_colons(text: str, lines: list[Place]) -> Iterator[int]:
    """Yield the numbers of the lines that have a colon, or one at the beginning of the next line."""
    at, last = text.find(":"), -1
    while at >= 0:
        i = bisect_right(lines, (at, inf)) - 1
        if at == lines[i][0] and i - 1 > last:
            yield i - 1
        yield i
        at, last = text.find(":", lines[i][1]), i


def _header(line: str) -> str:
    """Return the label of a header that a line begins with, in small letters; nothing where it is none."""
    label = line.partition(":")[0].rstrip().lower()
    return label if label in HEADERS and ":" in line else ""


def _signature_end(text: str, lines: list[Place], first: int) -> int:
    """Return the line at which a signature ends whose closing stands before line `first`."""
    i = first
    while i < min(len(lines), first + SIGNATURE_LINES):
        start, end = lines[i]
        line = text[start:end]
        runs_on = end - start > SIGNATURE_WIDTH or (len(line.split()) > 4 and compiled(SENTENCE_END).search(line))
        ends = _header(line) or compiled(SALUTATION).match(line) or line.lower().startswith(("ps", "p.s."))
        if runs_on or ends:
            break
        if i > first and text.count("\n", lines[i - 1][1], start) > 2:
            break
        i += 1
    return i


def _labels(text: str) -> Iterator[Span]:
    """Yield the labels of those who speak in turn, and lists of those present.

    A full name in small letters stays: readers look for who was interviewed.
    """
    places: list[tuple[str, Span]] = []
    at = text.find(":")
    while at >= 0:
        if at + 1 == len(text) or text[at + 1].isspace():
            begin = max(0, at - LABEL_WIDTH)
            found = compiled(LABEL).search(text[begin:at])
            if found and (begin == 0 or found.start() > 0):
                places.append((found["label"], Span(begin + found.start("label"), at)))
        at = text.find(":", at + 1)
    times = Counter(label for label, _ in places)
    if len(times) < 2 or sum(times.values()) < FEWEST_LABELS or max(times.values()) < 2:
        return
    for label, span in places:
        if (times[label] > 1 or label.isupper()) and _is_no_name(label):
            yield span


def _form_labels(text: str, lines: list[Place]) -> Iterator[Span]:
    """Yield the labels of a form or a data sheet: lines one after the other with a label and a short value each."""
    form_label = compiled(FORM_LABEL).fullmatch

    def label(start: int, end: int) -> Span | None:
        found = form_label(text, start, end) if end - start <= FORM_WIDTH else None
        return Span(*found.span("label")) if found else None

    for block in _blocks(text, lines, label):
        labels = {text[one.start : one.end] for one in block}
        if len(labels) == len(block) >= FEWEST_LABELS:
            yield from block


def _is_no_name(label: str) -> bool:
    words = label.split()
    return len(words) == 1 or label.isupper() or words[0].lower() in ROLES
