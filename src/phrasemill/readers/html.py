"""HTML: the main text of a page, without its menus.

The text of a page is sorted by what it stands in: `<main>` and `<article>`, the rest of the body, forms, elements that
are named like boilerplate (`class="cookie-banner"`), and boilerplate itself (menus, page headers and footers, side
bars, buttons, rows of links, hidden elements). The smallest part that holds most of the text is taken, so that a page
that is one large form, or nothing but a menu, is read as well.

The tokeniser is our own: `html.parser` needs quadratic time on some broken pages (CVE-2025-6069 is one case). Here no
stretch of the page is scanned more than a few times, whatever it holds.
"""

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

from phrasemill.readers.decoding import decode
from phrasemill.readers.values import as_language
from phrasemill.types import Document

# Links in a row that are a menu, the words that one of them has on average, and the words that must be left without it.
MENU_LINKS, MENU_WORDS, FEWEST_LEFT = 4, 5, 20

# Levels, the best last; and what is no text but the end of a line or paragraph.
BOILERPLATE, DOUBTFUL, FORM, BODY, MAIN, BREAK = range(6)

WITHOUT_TEXT = frozenset(  # never text, wherever they stand
    "script style noscript template svg math canvas iframe object embed audio video map noframes textarea".split()
)
RAW = frozenset("script style iframe noframes textarea".split())  # `<` means nothing inside
BOILERPLATE_TAGS = frozenset("nav aside button select option dialog menu datalist".split())
BOILERPLATE_ROLES = frozenset("navigation banner contentinfo complementary search menu menubar toolbar dialog".split())
PAGE_EDGES = frozenset(("header", "footer"))  # boilerplate of the page, but part of an article
CONTAINERS = frozenset("div section ul ol dl table tbody tr td form span p".split())
# Words in the class or id of a container that show boilerplate, and those beside them that show a layout instead.
BOILERPLATE_NAMES = frozenset(
    "nav navbar navigation menu submenu breadcrumb breadcrumbs footer sidebar cookie cookies consent gdpr share sharing"
    " social related recommended newsletter subscribe advert advertisement ads pagination masthead".split()
)
LAYOUT_NAMES = frozenset("with has no without layout open closed active".split())
VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
PARAGRAPHS = frozenset(
    "p div h1 h2 h3 h4 h5 h6 section article main header footer nav aside ul ol dl table form blockquote pre figure"
    " figcaption fieldset details summary address hr body caption title".split()
)
LINES = frozenset("br li tr td th dt dd option legend label".split())

# Quoted values may hold < and >; where a quote is left open, the tag ends at the first >.
TAG = re.compile(
    r"""<(/?)([a-zA-Z][^\s/<>"']*+)
        (?:((?:[^<>"']++|"[^"]*+"|'[^']*+')*+)>|([^<>]*+)>)""",
    re.VERBOSE,
)
ATTRIBUTE = re.compile(r"""([^\s"'=/]++)(?:\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s"']++))?""")
CHARSET = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)""", re.IGNORECASE)
TITLE_PARTS = re.compile(r"\s[-|–—·»:]+\s")
NAME_PARTS = re.compile(r"[A-Z]?[a-z]+")
INVISIBLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden")


class TextPiece(NamedTuple):
    """A run of text, its level and the number of the link it is in, or a break (one or two line feeds)."""

    level: int
    text: str
    link: int = 0


def read(data: bytes, *, name: str) -> Document:
    charset = CHARSET.search(data[:4096])
    page = _Page()
    page.feed(decode(data, name=name, declared=charset[1].decode("ascii") if charset else None))
    text = _assemble(without_menus(page.pieces))
    title = (_assemble(page.title) or _assemble(page.heading)).replace("\n", " ")
    return Document(id=name, text=text, title="" if _begins_with(text, title) else title, language=page.language)


class _Page:
    """Walks over the tags of a page, and collects pieces of text."""

    def __init__(self) -> None:
        self.pieces: list[TextPiece] = []
        self.title: list[TextPiece] = []
        self.heading: list[TextPiece] = []  # the first <h1>
        self.language = "en"
        self._stack: list[tuple[str, int, bool]] = []  # open elements, with the level and the silence outside them
        self._open: Counter[str] = Counter()
        self._level = BODY
        self._silent = False  # inside something that is never text
        self._headings = self._links = 0

    def feed(self, page: str) -> None:
        for text, closing, name, attributes in _tokens(page):
            if text:
                self._text(text)
            if closing:
                self._end(name)
            elif name:
                self._start(name, attributes)

    def _text(self, raw: str) -> None:
        if self._silent:
            return
        try:
            text = unescape(raw)
        except ValueError:  # a character reference of thousands of digits
            text = raw
        if self._open["title"]:
            self.title.append(TextPiece(BODY, text))
            return
        self.pieces.append(TextPiece(self._level, text, self._links if self._open["a"] else 0))
        if self._open["h1"] and self._headings == 1:
            self.heading.append(TextPiece(BODY, text))

    def _start(self, name: str, attributes: str) -> None:
        self._break(name)
        if name in VOID:
            return
        if self._open["title"]:
            self._end("title")  # it holds no elements, and people forget to close it
        self._stack.append((name, self._level, self._silent))
        self._open[name] += 1
        self._headings += name == "h1"
        self._links += name == "a"
        self._silent = self._silent or name in WITHOUT_TEXT
        values = _attributes(attributes) if attributes else {}
        self._level = _level(name, values, self._level)
        if name == "html" and values.get("lang"):
            self.language = as_language(values["lang"])

    def _end(self, name: str) -> None:
        self._break(name)
        if not self._open[name]:
            return
        while True:  # whatever was left open inside ends here, too
            closed, self._level, self._silent = self._stack.pop()
            self._open[closed] -= 1
            if closed == name:
                return

    def _break(self, name: str) -> None:
        if name in PARAGRAPHS:
            self.pieces.append(TextPiece(BREAK, "\n\n"))
        elif name in LINES:
            self.pieces.append(TextPiece(BREAK, "\n"))


def _tokens(page: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield text, then the tag after it: `(text, "/" or "", name, attributes)`."""
    at = 0
    text_from = 0
    comments = True  # whether there may be another end of a comment ahead
    while (at := page.find("<", at)) >= 0:
        tag = TAG.match(page, at)
        if tag:
            name = tag[2].lower()
            yield page[text_from:at], tag[1], name, tag[3] or tag[4] or ""
            at = tag.end()
            if name in RAW and not tag[1]:
                at = _raw_end(page, at, name)
        elif page.startswith(("<!", "<?", "</"), at):
            end = page.find("-->", at + 4) + 3 if comments and page.startswith("<!--", at) else 0
            comments = comments and end != 2
            end = end if end > 2 else page.find(">", at) + 1
            if not end:
                break
            yield page[text_from:at], "", "", ""
            at = end
        else:
            at += 1
            continue
        text_from = at
    yield page[text_from:], "", "", ""


def _raw_end(page: str, at: int, name: str) -> int:
    """Return where the raw text of an element ends: at its end tag, or with the page."""
    found = re.compile(f"</{name}", re.IGNORECASE).search(page, at)
    return found.start() if found else len(page)


def _attributes(source: str) -> dict[str, str]:
    found = ATTRIBUTE.findall(source)
    return {name.lower(): unescape(value.strip("\"'")) if len(value) < 1000 else "" for name, value in found}


def _level(name: str, attributes: dict[str, str], outside: int) -> int:
    """Return the level of what stands inside an element."""
    role = attributes.get("role", "").lower()
    if outside == BOILERPLATE or name in BOILERPLATE_TAGS or role in BOILERPLATE_ROLES or _hidden(attributes):
        return BOILERPLATE
    if name in PAGE_EDGES and outside != MAIN:
        return BOILERPLATE
    if name in ("main", "article") or role in ("main", "article"):
        return MAIN
    if outside == DOUBTFUL or (name in CONTAINERS and _named_like_boilerplate(attributes)):
        return DOUBTFUL
    return FORM if name == "form" else outside


def _named_like_boilerplate(attributes: dict[str, str]) -> bool:
    names = f"{attributes.get('class', '')} {attributes.get('id', '')}".split()
    parts = (set(map(str.lower, NAME_PARTS.findall(name))) for name in names)
    return any(words & BOILERPLATE_NAMES and not words & LAYOUT_NAMES for words in parts)


def _hidden(attributes: dict[str, str]) -> bool:
    if "hidden" in attributes or attributes.get("aria-hidden", "").lower() == "true":
        return True
    return INVISIBLE.search(attributes.get("style", "").lower()) is not None


def _assemble(pieces: list[TextPiece]) -> str:
    """Return the text of the best level that holds most of what there is; spaces are collapsed, blocks set apart."""
    size = [0] * 6
    for level, text, link in pieces:
        size[level] += len(text.strip()) if level != DOUBTFUL or not link else 0
    levels = (MAIN, BODY, FORM, DOUBTFUL)
    wanted = next((level for level in levels if 2 * sum(size[level:BREAK]) > sum(size[DOUBTFUL:BREAK])), BOILERPLATE)
    out: list[str] = []
    gap = ""  # what separates the last word from the next one
    for level, text, _ in pieces:
        words = text.split()
        if not words:
            gap = max(gap, text if level == BREAK else " ", key=_width)
        elif level >= wanted:
            gap = max(gap, " " if text[0].isspace() else "", key=_width)
            out += (gap if out else "", " ".join(words))
            gap = " " if text[-1].isspace() else ""
    return "".join(out)


class _Block(NamedTuple):
    """The pieces between two breaks: which they are, and how many words and links they have."""

    first: int
    last: int
    words: int
    linked: int  # words in links
    links: int


def without_menus(pieces: list[TextPiece]) -> list[TextPiece]:
    """Mark rows of links as boilerplate, except in `<main>`, where they are the author's."""
    menus: list[_Block] = []
    blocks = list(_blocks(pieces))
    row: list[_Block] = []
    for at, block in enumerate(blocks):
        after = blocks[at + 1] if at + 1 < len(blocks) else None
        heading = bool(row) and not block.linked and block.words <= 3 and after is not None and _only_links(after)
        if _only_links(block) or heading:
            row.append(block)
            continue
        menus += row if _is_menu(row) else ()
        row = []
    menus += row if _is_menu(row) else ()
    if sum(block.words for block in blocks) - sum(block.words for block in menus) < FEWEST_LEFT:
        return pieces
    changed = list(pieces)
    for block in menus:
        for i in range(block.first, block.last):
            changed[i] = pieces[i]._replace(level=BOILERPLATE) if pieces[i].level != BREAK else pieces[i]
    return changed


def _blocks(pieces: list[TextPiece]) -> Iterator[_Block]:
    """Yield the blocks that have words and are no boilerplate already."""
    first = words = linked = 0
    links: set[int] = set()
    for i, (level, text, link) in enumerate([*pieces, TextPiece(BREAK, "")]):
        if level == BREAK:
            if words:
                yield _Block(first, i, words, linked, len(links))
            first, words, linked = i + 1, 0, 0
            links.clear()
        elif level != BOILERPLATE:
            count = sum(any(map(str.isalnum, word)) for word in text.split())
            words += count
            linked += count if link and level != MAIN else 0
            links.update({link} if link and count else ())


def _only_links(block: _Block) -> bool:
    return block.words == block.linked


def _is_menu(row: list[_Block]) -> bool:
    links = sum(block.links for block in row)
    return links >= MENU_LINKS and sum(block.linked for block in row) <= MENU_WORDS * links


def _width(gap: str) -> int:
    return ("", " ", "\n", "\n\n").index(gap)


def _begins_with(text: str, title: str) -> bool:
    """Return whether the text opens with its title, with or without the name of the site that pages add."""
    head, wanted = text.partition("\n")[0].casefold(), title.casefold()
    return head.startswith(wanted) or head in TITLE_PARTS.split(wanted)
