"""Markdown, with its markup blanked out in place.

Every character of markup becomes a space and everything else stays where it is, so that offsets into the result are
offsets into the file. Code blocks, images, link targets and front matter go; the words of links, emphasis, headings
and inline code stay. List bullets and the pipes between table cells stay too: they keep one item from running
into the next, as a space would not.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator

from phrasemill.readers.decoding import decode
from phrasemill.types import Document

Blank = tuple[int, int]

FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
FRONT_MATTER = {"---": ("---", "..."), "+++": ("+++",)}
LIST_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])(?:\s|$)")
QUOTE = re.compile(r"[ \t]*(?:>[ \t]?)++")
HEADING = re.compile(r"\s{0,3}(#{1,6})(?=\s|$)")
RULE = re.compile(r"[ \t]*(?:[-=_*][ \t]*+){3,}$|[ \t]*=+[ \t]*$")
TABLE_RULE = re.compile(r"[ \t]*[|:+-][ \t|:+-]*$")
DEFINITION = re.compile(r" {0,3}\[[^\[\]]++\]:")
# Everything inside a paragraph that may be markup. Each alternative stops at the characters that begin another, so
# that no input is scanned over and over.
INLINE = re.compile(r"\\[!-/:-@\[-`{-~]|`+|!?\[|\]|</?[A-Za-z][^<>]*+>|<[A-Za-z][A-Za-z0-9+.-]*+:[^<>\s]*+>|\*+|_+|~~+")
TARGET = re.compile(
    r"""\([ \t]*+\n?[ \t]*+(?:<[^<>\n]*+>|(?:[^\s()]++|\([^\s()]*+\))*+)
        (?:\s++(?:"[^"]*+"|'[^']*+'|\([^()]*+\)))?+\s*+\)""",
    re.VERBOSE,
)
LONGEST_HEAD = 20_000  # characters in which a title is looked for
FRONT_TITLE = re.compile(r"^title[ \t]*[:=][ \t]*(\S[^\n]{0,300})$", re.MULTILINE)
FIRST_HEADING = re.compile(r"^(?: {0,3}#[ \t]+\S[^\n]*|[^\n#>|`-][^\n]*(?=\n=+[ \t]*$))", re.MULTILINE)
LABEL = re.compile(r"[ ]?\[[^\[\]]*+\]")


def read(data: bytes, *, name: str) -> Document:
    source = decode(data, name=name)
    text = blank(source)
    title = _title(source, text)
    return Document(id=name, text=text, metadata={"title": title} if title else {})


def _title(source: str, text: str) -> str:
    """Return the title that front matter states, or the first heading of the first level.

    It is metadata, not `Document.title`: that would stand before the text, and move all offsets.
    """
    head = source[:LONGEST_HEAD]
    front = FRONT_TITLE.search(head) if _front_matter(source) else None
    if front:
        return front[1].strip().strip("\"'")
    heading = FIRST_HEADING.search(head)
    return " ".join(text[heading.start() : heading.end()].split()) if heading else ""


def blank(text: str) -> str:
    """Replace Markdown markup by spaces, so that the length, words and line breaks stay as they are."""
    without = _apply(text, list(_comments(text)))
    blanks: list[Blank] = []
    for start, end in _paragraphs(without, blanks):
        blanks += _inline(without, start, end)
    return _apply(without, sorted(blanks))


def _apply(text: str, blanks: list[Blank]) -> str:
    pieces: list[str] = []
    done = 0
    for start, end in blanks:
        if end <= done:
            continue
        start = max(start, done)
        pieces += text[done:start], re.sub(r"[^\r\n]", " ", text[start:end])
        done = end
    return "".join([*pieces, text[done:]])


def _comments(text: str) -> Iterator[Blank]:
    start = text.find("<!--")
    while start >= 0:
        end = text.find("-->", start + 4)
        if end < 0:
            return
        yield start, end + 3
        start = text.find("<!--", end)


def _paragraphs(text: str, blanks: list[Blank]) -> Iterator[Blank]:
    """Yield the stretches of lines whose inline markup belongs together; markup of whole lines is added to `blanks`."""
    blocks = _Blocks(text)
    begin = at = 0
    for line in text.splitlines(keepends=True):
        start, at = at, at + len(line)
        bare = line.rstrip("\r\n")
        if blocks.swallow(bare):
            blanks.append((start, at))
            yield begin, start
            begin = at
            continue
        blanks += _line_markup(bare, start)
        if HEADING.match(bare):
            yield begin, at
            begin = at
    yield begin, len(text)


class _Blocks:
    """Where we are among the blocks of a file: in its front matter, in a code block, in a list."""

    def __init__(self, text: str) -> None:
        self.closers = _front_matter(text)  # what ends the front matter, while we are in it
        self.fence = ""  # what began the fenced code we are in
        self.in_code = False  # whether the last line was indented code
        self.in_list = False  # whether indented lines go on with a list item rather than being code
        self.before = ""  # the last line, if it was of a paragraph

    def swallow(self, line: str) -> bool:
        """Return whether `line` has no text of the document: it is empty, code, metadata or a rule."""
        inside = bool(self.closers or self.fence)
        if self.closers:
            self._leave_front_matter(line)
        elif self._fenced(line):
            self.in_code = False
        elif not line.strip():
            self.before = ""
            return True
        inside = inside or bool(self.fence) or self._indented(line) or _is_rule(line, self.before)
        inside = inside or DEFINITION.match(line) is not None
        if not inside:
            continues = self.in_list and (line[:1].isspace() or bool(self.before))
            self.in_list = continues or LIST_ITEM.match(line) is not None
        self.before = "" if inside else line
        return inside

    def _leave_front_matter(self, line: str) -> None:
        if self.closers[0] == "opening":
            self.closers = self.closers[1:]
        elif line.rstrip() in self.closers:
            self.closers = ()

    def _fenced(self, line: str) -> bool:
        """Return whether `line` is inside fenced code or one of its fences; keeps track of which."""
        inner = _unquoted(line)
        mark = FENCE.match(inner.lstrip() if self.in_list else inner)
        if self.fence:
            if mark and mark[1].startswith(self.fence) and not inner.strip().strip(self.fence[0]):
                self.fence = ""
            return True
        # A line that holds further backticks is inline code.
        if mark and not (mark[1][0] == "`" and "`" in inner.strip().lstrip("`")):
            self.fence = mark[1]
        return bool(self.fence)

    def _indented(self, line: str) -> bool:
        self.in_code = not self.in_list and line.startswith(("    ", "\t")) and (self.in_code or not self.before)
        return self.in_code


def _front_matter(text: str) -> tuple[str, ...]:
    """Return what ends the front matter of a file, after a word for its own first line; empty if it has none."""
    head = text[:20_000].splitlines()
    closers = FRONT_MATTER.get(head[0].rstrip(), ()) if head else ()
    ended = any(line.rstrip() in closers for line in head[1:200])
    return ("opening", *closers) if ended else ()


def _unquoted(line: str) -> str:
    quote = QUOTE.match(line)
    return line[quote.end() :] if quote else line


def _is_rule(line: str, before: str) -> bool:
    """Return whether `line` is a thematic break, the underline of a heading, or the line under a table's head."""
    if len(line) > 1000:
        return False
    return bool(RULE.match(line)) or bool(TABLE_RULE.match(line) and "-" in line and "|" in line + before)


def _line_markup(line: str, start: int) -> Iterator[Blank]:
    """Yield the markup at the two ends of a line of text: quote marks, heading hashes, outer table pipes."""
    quote = QUOTE.match(line)
    first = quote.end() if quote else 0
    if first:
        yield start, start + first
    heading = HEADING.match(line, first)
    if heading:
        yield start + heading.start(1), start + heading.end(1)
        closing = len(line.rstrip().rstrip("#"))
        if line[:closing].endswith((" ", "\t")):
            yield start + closing, start + len(line)
    inner = line[first:].strip()
    if inner.startswith("|") and inner.endswith("|"):
        left, right = line.index("|", first), line.rindex("|")
        yield from ((start + left, start + left + 1), (start + right, start + right + 1))


def _inline(text: str, start: int, end: int) -> Iterator[Blank]:
    """Yield the markup inside one paragraph."""
    ticks: dict[int, list[int]] = {}  # where each length of backtick run occurs
    for run in re.finditer(r"`+", text[start:end]) if "`" in text[start:end] else ():
        ticks.setdefault(len(run[0]), []).append(start + run.start())
    brackets: list[tuple[int, bool]] = []  # open ones, and whether each begins an image
    at = start
    while found := INLINE.search(text, at, end):
        at = found.end()
        mark, here = found[0], found.start()
        if mark[0] == "`":
            closing = ticks.get(len(mark), [])
            following = bisect_right(closing, here)
            if following < len(closing):
                yield here, at
                yield closing[following], closing[following] + len(mark)
                at = closing[following] + len(mark)
        elif mark[0] == "\\":
            yield here, here + 1
        elif mark[0] == "<" or mark[0] == "~" or (mark[0] in "*_" and _emphasises(text, here, at)):
            yield here, at
        elif mark[-1] == "[":
            brackets.append((here, mark[0] == "!"))
        elif mark == "]" and brackets:
            opened, image = brackets.pop()
            target = TARGET.match(text, at, end) or LABEL.match(text, at, end)
            if target:
                at = target.end()
                if image:
                    yield opened, at
                else:
                    yield from ((opened, opened + 1), (here, at))


def _emphasises(text: str, start: int, end: int) -> bool:
    """Return whether the run of `*` or `_` marks emphasis: not alone between spaces; for `_`, not inside a word."""
    left = text[start - 1] if start else " "
    right = text[end] if end < len(text) else " "
    if text[start] == "_":
        return left.isalnum() != right.isalnum()
    return not (left.isspace() and right.isspace())
