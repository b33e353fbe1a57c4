"""The title of a page, without the name of its site, and what its metadata states."""

import re
from collections.abc import Iterable

from phrasemill.readers.html_tree import Page
from phrasemill.readers.values import as_language

SPACED_END = re.compile(r"\s+[-|–—·•»/\\>]+\s*$")
SPACED = re.compile(r"\s+[-|–—·•»/\\>]+\s+")
NOT_ALNUM = re.compile(r"[\W_]+")
FEWEST_WORDS = 3  # of a title, where a part of the page's title is taken for the name of the site
SHARE_OF_TITLE = 0.4  # that a heading has at least
# What `meta` elements are called, and what it is for us.
METADATA = {
    "author": ("author", "article:author", "dc.creator", "parsely-author"),
    "published": ("article:published_time", "datepublished", "dc.date", "date", "parsely-pub-date"),
    "site": ("og:site_name", "application-name"),
    "description": ("og:description", "description", "twitter:description", "dc.description"),
}
TITLES = ("og:title", "twitter:title", "dc.title", "parsely-title", "title")
LANGUAGES = ("content-language", "og:locale", "dc.language", "language")


def title_of(page: Page, headings: Iterable[str]) -> str:
    """Return the title: a heading that the page's title repeats, else what is stated, less the name of the site."""
    stated = [page.meta[name] for name in TITLES if page.meta.get(name)]
    titles = [title for title in (page.title, *stated) if title]
    whole = [bare(title) for title in titles]
    repeated = [one for one in headings if bare(one) and any(bare(one) in title for title in whole)]
    longest = max(repeated, key=lambda one: len(bare(one)), default="")
    if whole and len(bare(longest)) < SHARE_OF_TITLE * min(map(len, whole)):
        longest = longest if any(bare(longest) == bare(SPACED.split(title)[0]) for title in titles) else ""
    if len(longest.split()) >= FEWEST_WORDS or (longest and any(_is_part(longest, title) for title in titles)):
        return longest
    if stated:
        return _without_site(stated[0], page.meta.get("og:site_name", ""))
    if page.title:
        return _without_site(page.title, page.meta.get("og:site_name", ""))
    return longest or next(iter(headings), "")


def _is_part(heading: str, title: str) -> bool:
    return bare(heading) in map(bare, (title, *SPACED.split(title)))


def _without_site(title: str, site: str) -> str:
    """Return a title without the name of the site that stands before or after it."""
    parts = SPACED.split(title)
    if site and len(parts) > 1:
        rest = [part for part in parts if bare(part) != bare(site)]
        if rest and len(rest) < len(parts):
            cut = title.find(rest[0]), title.rfind(rest[-1]) + len(rest[-1])
            return title[cut[0] : cut[1]]
    if len(parts) > 1 and len(parts[0].split()) > FEWEST_WORDS >= len(parts[-1].split()):
        return SPACED_END.sub("", title[: title.rfind(parts[-1])])
    return title


def metadata_of(page: Page) -> dict[str, object]:
    """Return author, date, site and description where the page states them."""
    found: dict[str, object] = {}
    for key, names in METADATA.items():
        value = next((page.meta[name] for name in names if page.meta.get(name)), "")
        if value and not (key == "author" and value.startswith("http")):
            found[key] = value
    return found


def language_of(page: Page) -> str:
    """Return the code of the page's language, from the page itself or from its metadata."""
    if page.language:
        return as_language(page.language)
    return as_language(next((page.meta[name] for name in LANGUAGES if page.meta.get(name)), ""))


def bare(text: str) -> str:
    """Return a text without anything but letters and digits, to compare it."""
    return NOT_ALNUM.sub(" ", text).strip().casefold()
