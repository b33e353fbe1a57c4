"""Text about the text: what stands around the prose of a document and gives it no keyphrases.

Bylines, datelines, mail headers, salutations, signatures, speakers' labels and lists of those present are found by
where they stand: on lines of their own, at the beginning of a text or of a turn. Notices are in `notices.py`. The same
words elsewhere in the text are not affected.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import TypeAlias

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
LINE = re.compile(r"\S(?:.*\S)?")  # which has something in it, without space around it
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
    lines = [line.span() for line in LINE.finditer(text)]
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
    i = 0
    while i < len(lines):
        start, end = lines[i]
        i += 1
        if end - start <= CLOSING_WIDTH and _closes(text[start:end].lower()):
            after = _signature_end(text, lines, i)
            yield Span(start, lines[after - 1][1])
            i = after
        elif end - start <= LONGEST_LINE and compiled(ALONE).match(text, start, end):
            yield Span(start, end)
            if i <= LETTERHEAD_LINES and compiled(SALUTATION).match(text, start, end):
                yield from _letterhead(text, lines[: i - 1])


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
    block: list[tuple[str, Place, int]] = []  # each with its label, its line, and where the label ends
    for line, (after, _) in pairwise([*lines, (len(text), len(text))]):
        label = _header(text[line[0] : line[0] + HEADER_WIDTH])
        if label:
            block.append((label, line, line[0] + len(label)))
            if text.count("\n", line[1], after) == 1:
                continue
        if not block:
            continue
        names = {name for name, _, _ in block}
        opens = len(block) == 1 and block[0][1] == lines[0] and names <= SUBJECTS
        if opens or (len(names) > 1 and names & ENDS):
            for name, (start, end), after_name in block:
                yield Span(start, after_name if name in SUBJECTS else end)
        block = []


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
    block: list[Span] = []
    for line, (after, _) in pairwise([*lines, (len(text), len(text))]):
        start, end = line
        found = compiled(FORM_LABEL).fullmatch(text, start, end) if end - start <= FORM_WIDTH else None
        if found:
            block.append(Span(*found.span("label")))
            if text.count("\n", end, after) == 1:
                continue
        labels = {text[one.start : one.end] for one in block}
        if len(labels) == len(block) >= FEWEST_LABELS:
            yield from block
        block = []


def _is_no_name(label: str) -> bool:
    words = label.split()
    return len(words) == 1 or label.isupper() or words[0].lower() in ROLES
