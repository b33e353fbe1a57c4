"""HTML: the main text of a page, without its menus, adverts, comments and banners; its title, language and metadata.

`html_tokens` finds the tags, `html_tree` makes elements of them, and `html_main` chooses those that hold the main text.
A page with too little text to choose from is read whole, less its boilerplate; one that is all boilerplate, as it is.
"""

import re
from collections.abc import Iterator
from itertools import islice

from phrasemill.readers.decoding import decode
from phrasemill.readers.html_main import COMMENTS, UNLIKELY, clean, clean_short, main_elements, marked_as_main, prune
from phrasemill.readers.html_title import bare, language_of, metadata_of, title_of
from phrasemill.readers.html_tokens import LINES, PARAGRAPHS
from phrasemill.readers.html_tree import LINE_END, PARAGRAPH_END, WITHOUT_TEXT, Element, Page, parse
from phrasemill.types import Document

TITLE_HEADINGS = frozenset(("h1", "h2"))
MOST_HEADINGS, LONGEST_HEADING = 20, 200  # how many are looked at, and how many pieces of each
NOTHING: frozenset[str] = frozenset()
# The share of a page's text that is too little for its main text, and how much longer another choice must be.
LITTLE, MUCH_MORE = 0.2, 4
CHARSET = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)""", re.IGNORECASE)


def read(data: bytes, *, name: str) -> Document:
    charset = CHARSET.search(data[:4096])
    page = parse(decode(data, name=name, declared=charset[1].decode("ascii") if charset else None))
    found = (element for element in page.elements if element.name in TITLE_HEADINGS)
    headings = [text_of(element, LONGEST_HEADING) for element in islice(found, MOST_HEADINGS)]
    title = " ".join(title_of(page, [heading for heading in headings if heading]).split())
    text = _without_title(main_text(page), title)
    return Document(id=name, text=text, title=title, language=language_of(page), metadata=metadata_of(page))


def _without_title(text: str, title: str) -> str:
    """Return the text without a first paragraph that is its title; a text that is nothing else stays."""
    head, _, rest = text.partition("\n\n")
    return rest if rest and bare(head) == bare(title) else text


def main_text(page: Page) -> str:
    """Return the main text of a page; what is named like boilerplate is left out, unless little is left then."""
    best = ""
    for names in (UNLIKELY, COMMENTS, NOTHING):
        named = prune(page, names)
        chosen = main_elements(page)
        if chosen:
            clean(page, chosen)
        text = "\n\n".join(filter(None, map(text_of, chosen)))
        if len(text) > MUCH_MORE * len(best):
            best = text
        if not named or len(best) > LITTLE * page.size:
            break
    return best or whole_text(page)


def whole_text(page: Page) -> str:
    """Return the text of a page that has too little to choose from, without what is boilerplate for sure."""
    for names in (UNLIKELY, NOTHING):
        prune(page, names)
        if page.root.size:
            clean_short(page)
            main = marked_as_main(page)
            return "\n\n".join(filter(None, map(text_of, main or [page.root])))
    return _all_text(page)


def _all_text(page: Page) -> str:
    for element in page.elements:
        element.removed = element.name in WITHOUT_TEXT
    return text_of(page.root)


def text_of(element: Element, longest: int | None = None) -> str:
    """Return the text of an element, or that of its first pieces: spaces collapsed, lines and paragraphs apart."""
    out: list[str] = []
    gap = ""  # what separates the last word from the next one
    for piece in islice(_pieces(element), longest):
        if piece in (LINE_END, PARAGRAPH_END):
            gap = max(gap, "\n" if piece == LINE_END else "\n\n", key=len_of_gap)
            continue
        words = piece.split()
        if not words:
            gap = max(gap, " " if piece else "", key=len_of_gap)
            continue
        gap = max(gap, " " if piece[0].isspace() else "", key=len_of_gap)
        out += (gap if out else "", " ".join(words))
        gap = " " if piece[-1].isspace() else ""
    return "".join(out)


def _pieces(element: Element) -> Iterator[str]:
    """Yield the text in an element, and the ends of lines and paragraphs."""
    stack: list[Iterator[Element | str]] = [iter(element.children)]
    ends: list[str] = [""]
    while stack:
        child = next(stack[-1], None)
        if child is None:
            stack.pop()
            yield ends.pop()
        elif isinstance(child, str):
            yield child
        elif not child.removed:
            mark = PARAGRAPH_END if child.name in PARAGRAPHS else LINE_END if child.name in LINES else ""
            yield mark
            stack.append(iter(child.children))
            ends.append(mark)


def len_of_gap(gap: str) -> int:
    return ("", " ", "\n", "\n\n").index(gap)
