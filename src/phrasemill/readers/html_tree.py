"""A page as a tree of elements, with what is needed to find its main text: sizes, links, names of classes.

Elements are in the order of the page, so a parent comes before its children: sums over subtrees are one loop backwards,
without recursion, however deep a page nests. Beyond `MOST_ELEMENTS`, tags only end lines and paragraphs.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache

from phrasemill.readers.html_tokens import LINES, PARAGRAPHS, VOID, attributes, tokens, unescaped

LINE_END, PARAGRAPH_END = "\u2028", "\u2029"  # among the text of an element, for tags that are no elements
MOST_ELEMENTS = 400_000  # of a page; the longest real ones have a tenth of it
FARTHEST = 64  # open elements among which one that is closed by the next is looked for
WITHOUT_TEXT = frozenset(  # never text, wherever they stand
    "script style noscript template svg math canvas iframe object embed audio video map noframes textarea".split()
)
INVISIBLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden")
NAME_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
COMMA = re.compile(r"[,،﹐︐⹁、，؛;]")
BLOCKS = PARAGRAPHS | LINES - {"br", "label"} | {"html", "tbody", "thead", "tfoot", "center"}
HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
# Which open elements a start tag ends, and at which it stops looking for them.
CELLS, ROWS, TABLES = frozenset(("td", "th")), frozenset(("tr",)), frozenset(("table",))
LISTS = frozenset("ul ol menu dl dir".split())
ENDED = {
    "li": (frozenset(("li",)), LISTS),
    "dt": (frozenset(("dt", "dd")), LISTS),
    "dd": (frozenset(("dt", "dd")), LISTS),
    "td": (CELLS, ROWS | TABLES),
    "th": (CELLS, ROWS | TABLES),
    "tr": (ROWS, TABLES),
    "option": (frozenset(("option",)), frozenset(("select",))),
}
PARAGRAPH_ENDS = PARAGRAPHS - {"title", "body"}
P, BUTTON = frozenset("p"), frozenset(("button", "table", "td"))


class Element:
    """An element: its name, the words in its class and id, and how much it holds: characters, those in links, commas.

    `own` is what stands in it outside of the blocks in it.
    """

    __slots__ = (
        "attributes",
        "children",
        "commas",
        "direct",
        "direct_commas",
        "items",
        "linked",
        "links",
        "name",
        "own",
        "own_commas",
        "own_linked",
        "paragraphs",
        "parent",
        "removed",
        "score",
        "size",
        "words",
    )

    def __init__(self, name: str, parent: "Element | None", values: dict[str, str]) -> None:
        self.name, self.parent, self.attributes = name, parent, values
        self.children: list[Element | str] = []
        self.direct = self.direct_commas = 0  # of the text between its tags
        self.words: tuple[frozenset[str], ...] = ()
        if values:
            names = f"{values.get('class', '')} {values.get('id', '')}"
            self.words = tuple(name_words(one) for one in names.split())
        self.removed = False
        self.score = 0.0
        self.clear()

    def clear(self) -> None:
        """Forget how much it holds."""
        self.size = self.linked = self.commas = self.own = self.own_linked = self.own_commas = 0
        self.items = self.paragraphs = self.links = 0

    @property
    def link_density(self) -> float:
        return self.linked / self.size if self.size else 0.0

    @property
    def role(self) -> str:
        return self.attributes.get("role", "").lower()

    @property
    def is_hidden(self) -> bool:
        values = self.attributes
        if "hidden" in values or values.get("aria-hidden", "").lower() == "true":
            return True
        return "style" in values and INVISIBLE.search(values["style"].lower()) is not None

    def elements(self) -> "list[Element]":
        return [child for child in self.children if isinstance(child, Element) and not child.removed]


@dataclass(slots=True)
class Page:
    """The elements of a page in order, the root first; its title, and what its `meta` elements state."""

    elements: list[Element]
    size: int = 0  # characters of text
    title: str = ""
    language: str = ""
    meta: dict[str, str] = field(default_factory=dict)

    @property
    def root(self) -> Element:
        return self.elements[0]

    def measure(self) -> None:
        """Find how much each element holds of what is not removed; what stands in a removed one is removed as well."""
        for element in self.elements:
            element.removed = element.removed or (element.parent is not None and element.parent.removed)
            element.clear()
        for element in reversed(self.elements):
            if not element.removed:
                _measure(element)


def _measure(element: Element) -> None:
    """Add the text between the tags of an element, whose children have been measured, and pass all of it on."""
    element.size += element.direct
    element.own += element.direct
    element.commas += element.direct_commas
    element.own_commas += element.direct_commas
    name, parent = element.name, element.parent
    if name == "a":
        # A link to a place in the same page is a note more often than a menu.
        share = 0.3 if element.attributes.get("href", "").startswith("#") else 1.0
        element.linked = round(element.size * share)
        element.own_linked = round(element.own * share)
    if parent is None:
        return
    parent.size += element.size
    parent.linked += element.linked
    parent.commas += element.commas
    parent.items += element.items + (name == "li")
    parent.paragraphs += element.paragraphs + (name == "p")
    parent.links += element.links + (name == "a" and element.size > 0)
    if name not in BLOCKS:
        parent.own += element.own
        parent.own_linked += element.own_linked
        parent.own_commas += element.own_commas


@lru_cache(maxsize=4096)
def name_words(name: str) -> frozenset[str]:
    """Return the words in the name of a class: `site-footer`, `siteFooter`."""
    return frozenset(map(str.lower, NAME_PARTS.findall(name)))


def parse(source: str) -> Page:
    """Return the tree of a page."""
    return _Builder().build(source)


class _Builder:
    def __init__(self) -> None:
        root = Element("html", None, {})
        self._page = Page([root])
        self._stack = [root]
        self._open: Counter[str] = Counter()
        self._silent = 0  # open elements that are never text
        self._title: list[str] = []

    def build(self, source: str) -> Page:
        for text, closing, name, values in tokens(source):
            if text:
                self._text(text)
            if closing:
                self._end(name)
            elif name:
                self._start(name, values)
        self._page.title = " ".join("".join(self._title).split())
        return self._page

    def _text(self, raw: str) -> None:
        if self._silent:
            return
        text = unescaped(raw) if "&" in raw else raw
        if self._open["title"]:
            self._title.append(text)
            return
        element, length = self._stack[-1], len(text.strip())
        element.children.append(text)
        if length:
            self._page.size += length
            element.direct += length
            element.direct_commas += len(COMMA.findall(text))

    def _start(self, name: str, source: str) -> None:
        if self._open["title"]:
            self._end("title")  # it holds no elements, and people forget to close it
        if name in VOID:
            self._void(name, source)
            return
        if name in ENDED:
            self._end_before(*ENDED[name])
        if self._open["p"] and name in PARAGRAPH_ENDS:
            self._end_before(P, BUTTON)
        if name == "html" and not self._open["html"]:
            values = attributes(source) if source else {}
            self._page.language = values.get("lang") or values.get("xml:lang") or self._page.language
        if len(self._page.elements) >= MOST_ELEMENTS:
            self._mark(name)
            return
        element = Element(name, self._stack[-1], attributes(source) if source and not self._silent else {})
        self._page.elements.append(element)
        self._stack[-1].children.append(element)
        self._stack.append(element)
        self._open[name] += 1
        self._silent += name in WITHOUT_TEXT

    def _void(self, name: str, source: str) -> None:
        if name == "meta":
            values = attributes(source)
            key = values.get("property") or values.get("name") or values.get("itemprop") or values.get("http-equiv")
            if key and values.get("content"):
                self._page.meta.setdefault(key.lower(), " ".join(values["content"].split()))
        elif not self._silent:
            self._mark(name)

    def _mark(self, name: str) -> None:
        """Note the end of a line or paragraph."""
        sign = PARAGRAPH_END if name in PARAGRAPHS else LINE_END if name in LINES else ""
        if sign:
            self._stack[-1].children.append(sign)

    def _end(self, name: str) -> None:
        if not self._open[name]:
            self._mark(name)
            return
        while True:  # whatever was left open inside ends here, too
            closed = self._stack.pop()
            self._open[closed.name] -= 1
            self._silent -= closed.name in WITHOUT_TEXT
            if closed.name == name:
                return

    def _end_before(self, names: frozenset[str], stops: frozenset[str]) -> None:
        """End the innermost open element of these names, unless one of `stops` is open inside of it."""
        for element in self._stack[: -FARTHEST - 1 : -1]:
            if element.name in names:
                self._end(element.name)
                return
            if element.name in stops:
                return
