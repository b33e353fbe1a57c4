"""HTML: the main text of a page, its title, language and metadata.

readability-lxml chooses the elements that hold the main text. Without it (the extra `html`), and where it finds too
little, the page is read whole, without what is hidden, or marked as navigation, footer and the like.
"""

import logging
import re
from collections.abc import Iterator

from phrasemill.readers.decoding import decode
from phrasemill.readers.html_tokens import LINES, PARAGRAPHS, VOID, attributes, tokens, unescaped
from phrasemill.readers.values import as_language
from phrasemill.types import Document

CHARSET = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)""", re.IGNORECASE)
# Never text, wherever they stand.
WITHOUT_TEXT = frozenset(
    "script style noscript template svg math canvas iframe object embed audio video map noframes textarea".split()
)
BOILERPLATE = WITHOUT_TEXT | frozenset(
    "nav aside button select option dialog menu datalist input footer header".split()
)
BOILERPLATE_ROLES = frozenset(
    "navigation banner contentinfo complementary search menu menubar toolbar dialog alertdialog alert".split()
)
INVISIBLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden")
ARTICLES = frozenset(("article", "main"))  # which have headers of their own
SELF_CLOSED = frozenset("p li dt dd tr td th option".split())  # by the next of their kind
HEADINGS = frozenset(("h1", "h2"))
MOST_HEADINGS = 20  # that are looked at for the title
# Characters of a main text, and its share of the page; with less, the page is read whole. Real pages have more, and
# lxml drops what is nested deeper than 250 elements.
FEWEST, LITTLE = 100, 0.2
LINE_END, PARAGRAPH_END = "\u2028", "\u2029"  # among the text, for tags that end lines and paragraphs

SPACED_END = re.compile(r"\s+[-|–—·•»/\\>]+\s*$")
SPACED = re.compile(r"\s+[-|–—·•»/\\>]+\s+")
NOT_ALNUM = re.compile(r"[\W_]+")
FEWEST_WORDS = 3  # of a title, where a part of the page's title is taken for the name of the site
# What `meta` elements are called, and what it is for us.
METADATA = {
    "author": ("author", "article:author", "dc.creator", "parsely-author"),
    "published": ("article:published_time", "datepublished", "dc.date", "date", "parsely-pub-date"),
    "site": ("og:site_name", "application-name"),
    "description": ("og:description", "description", "twitter:description", "dc.description"),
}
TITLES = ("og:title", "twitter:title", "dc.title", "parsely-title", "title")
LANGUAGES = ("content-language", "og:locale", "dc.language", "language")


def read(data: bytes, *, name: str) -> Document:
    charset = CHARSET.search(data[:4096])
    source = decode(data, name=name, declared=charset[1].decode("ascii") if charset else None)
    page = _Page(source, WITHOUT_TEXT)
    title = " ".join(_title(page).split())
    main, whole = _main_text(source), whole_text(source)
    text = main if len(main) >= max(FEWEST, LITTLE * len(whole)) else whole
    head, _, rest = text.partition("\n\n")
    if rest and _bare(head) == _bare(title):  # the title is not repeated
        text = rest
    return Document(id=name, text=text, title=title, language=_language(page), metadata=_metadata(page))


def _main_text(source: str) -> str:
    """Return the main text of a page; nothing where it cannot be told."""
    try:
        import readability
    except ImportError:
        return ""
    logging.getLogger("readability.readability").setLevel(logging.CRITICAL + 1)  # it logs what it cannot parse
    try:
        return _Page(readability.Document(source).summary(html_partial=True), WITHOUT_TEXT).text()
    except readability.readability.Unparseable:
        return ""


def whole_text(source: str) -> str:
    """Return the text of a page without what is hidden or boilerplate, unless hardly anything is left then."""
    text, everything = (_Page(source, silent).text() for silent in (BOILERPLATE, WITHOUT_TEXT))
    return text if len(text) > LITTLE * len(everything) else everything


class _Page:
    """What stands on a page: its text without the elements `silent`; its title, its headings, and what it states."""

    def __init__(self, source: str, silent: frozenset[str]) -> None:
        self.title, self.language, self.meta = "", "", dict[str, str]()
        self.headings: list[str] = []
        self._pieces: list[str] = []
        self._silent, self._skipped, self._depth = silent, "", 0  # the element that is passed over
        self._articles = 0  # around this place
        self._heading: int | None = None  # where the pieces of the one that is open begin
        self._in_title = False
        for text, closing, name, values in tokens(source):
            if self._in_title and not self.title:
                self.title = " ".join(unescaped(text).split())
            elif text and not self._skipped:
                self._pieces.append(unescaped(text))
            if closing:
                self._end(name)
            elif name:
                self._start(name, values)

    def text(self) -> str:
        return _joined(self._pieces)

    def _start(self, name: str, values: str) -> None:
        if name == "meta":
            self._state(attributes(values))
        elif name == "html" and not self.language:
            found = attributes(values)
            self.language = found.get("lang") or found.get("xml:lang") or ""
        if self._skipped == name and name in SELF_CLOSED:
            self._skipped = ""
        if self._skipped:
            self._depth += name == self._skipped
            return
        self._in_title = name == "title"
        self._mark(name)
        if name in VOID:
            return
        if self._is_silent(name, values):
            self._skipped, self._depth = name, 1
        self._articles += name in ARTICLES
        if name in HEADINGS:
            self._heading = len(self._pieces)

    def _end(self, name: str) -> None:
        self._in_title = False
        if self._skipped:
            self._depth -= name == self._skipped
            if not self._depth:
                self._skipped = ""
            return
        if name in HEADINGS and self._heading is not None and len(self.headings) < MOST_HEADINGS:
            self.headings += filter(None, [_joined(self._pieces[self._heading :])])
            self._heading = None
        self._articles -= name in ARTICLES
        self._mark(name)

    def _mark(self, name: str) -> None:
        if name in PARAGRAPHS or name in LINES:
            self._pieces.append(PARAGRAPH_END if name in PARAGRAPHS else LINE_END)

    def _is_silent(self, name: str, values: str) -> bool:
        if name in self._silent:
            return name != "header" or self._articles < 1
        if self._silent is WITHOUT_TEXT or name in ("html", "body"):
            return False
        found = attributes(values) if any(word in values for word in ("hidden", "none", "role")) else {}
        is_hidden = "hidden" in found or found.get("aria-hidden", "").lower() == "true"
        is_hidden = is_hidden or INVISIBLE.search(found.get("style", "").lower()) is not None
        return is_hidden or found.get("role", "").lower() in BOILERPLATE_ROLES

    def _state(self, values: dict[str, str]) -> None:
        key = values.get("property") or values.get("name") or values.get("itemprop") or values.get("http-equiv")
        if key and values.get("content"):
            self.meta.setdefault(key.lower(), " ".join(values["content"].split()))


def _joined(pieces: list[str]) -> str:
    """Return pieces of text as one: spaces collapsed, lines and paragraphs apart."""
    return "\n\n".join(_lines_of_paragraphs("".join(pieces)))


def _lines_of_paragraphs(text: str) -> Iterator[str]:
    for paragraph in text.split(PARAGRAPH_END):
        lines = (" ".join(line.split()) for line in paragraph.split(LINE_END))
        if found := "\n".join(filter(None, lines)):
            yield found


def _title(page: _Page) -> str:
    """Return the title that the page states, as a heading writes it, or less the name of the site; else a heading."""
    title = next((page.meta[name] for name in TITLES if page.meta.get(name)), page.title)
    wanted = (_bare(title), _bare(SPACED.split(title)[0]))
    heading = next((one for one in page.headings if _bare(one) in wanted), "")
    return heading or _without_site(title, page.meta.get("og:site_name", "")) or next(iter(page.headings), "")


def _without_site(title: str, site: str) -> str:
    """Return a title without the name of the site that stands before or after it."""
    parts = SPACED.split(title)
    if site and len(parts) > 1:
        rest = [part for part in parts if _bare(part) != _bare(site)]
        if rest and len(rest) < len(parts):
            cut = title.find(rest[0]), title.rfind(rest[-1]) + len(rest[-1])
            return title[cut[0] : cut[1]]
    if len(parts) > 1 and len(parts[0].split()) > FEWEST_WORDS >= len(parts[-1].split()):
        return SPACED_END.sub("", title[: title.rfind(parts[-1])])
    return title


def _metadata(page: _Page) -> dict[str, object]:
    """Return author, date, site and description where the page states them."""
    found: dict[str, object] = {}
    for key, names in METADATA.items():
        value = next((page.meta[name] for name in names if page.meta.get(name)), "")
        if value and not (key == "author" and value.startswith("http")):
            found[key] = value
    return found


def _language(page: _Page) -> str:
    """Return the code of the page's language, from the page itself or from its metadata."""
    stated = next((page.meta[name] for name in LANGUAGES if page.meta.get(name)), "")
    return as_language(page.language or stated)


def _bare(text: str) -> str:
    """Return a text without anything but letters and digits, to compare it."""
    return NOT_ALNUM.sub(" ", text).strip().casefold()
