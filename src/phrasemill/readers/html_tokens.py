"""The tokens of a page: text, and the tags between it.

The tokeniser is our own: `html.parser` needs quadratic time on some broken pages (CVE-2025-6069 is one case). Here no
stretch of the page is scanned more than a few times, whatever it holds.
"""

import re
from collections.abc import Iterator
from html import unescape

RAW = frozenset("script style iframe noframes textarea".split())  # `<` means nothing inside
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
LONGEST_VALUE = 1000  # characters of an attribute


def tokens(page: str) -> Iterator[tuple[str, str, str, str]]:
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


def attributes(source: str) -> dict[str, str]:
    """Return the attributes of a tag, their names in lower case; values that are too long are empty."""
    found = ATTRIBUTE.findall(source)
    return {name.lower(): _value(value.strip("\"'")) for name, value in found}


def _value(value: str) -> str:
    if len(value) >= LONGEST_VALUE:
        return ""
    return unescaped(value) if "&" in value else value


def unescaped(text: str) -> str:
    """Return text with its character references as characters."""
    try:
        return unescape(text)
    except ValueError:  # a reference of thousands of digits
        return text
