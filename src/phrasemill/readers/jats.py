"""JATS, the XML of PubMed Central and of most scholarly publishers: title, abstracts, keyword groups, and the body.

Only the article's own front matter counts: titles in the reference list, peer reviews and replies
(`sub-article`, `response`) do not. Nothing is fetched, a DOCTYPE may name a DTD, its entities (`&alpha;`) are read as
in HTML, and a file that declares entities of its own is refused.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple
from xml.etree.ElementTree import Element

from phrasemill.errors import InputError
from phrasemill.readers.safe_xml import RefusedXmlError, tree
from phrasemill.readers.values import as_language
from phrasemill.types import Document

# Abstracts beside the abstract itself: the values that JATS suggests for `abstract-type`, and what publishers use.
SIDE_ABSTRACTS = frozenset(
    "author-highlights author-summary editor-summary executive-summary graphical highlights key-points objectives"
    " plain-language-summary precis short stereochemical synopsis teaser toc video video-abstract web-summary".split()
)
ABBREVIATIONS = re.compile(r"abbr|abr$", re.IGNORECASE)
KEYWORD_GROUPS = ("kwd-group", "keyword-group")
HEADINGS = frozenset(("title", "label"))
SPACED = HEADINGS | frozenset("p list-item def disp-quote caption break".split())
SILENT = frozenset("tex-math index-term object-id disp-formula ref-list sub-article response article".split())
ASIDE = frozenset(("fn", "table-wrap"))  # not part of the paragraph in which they stand
FOOTNOTE_MARKS = frozenset(("fn", "author-notes", "table-fn", "corresp"))
DOI_ONLY = re.compile(r"(?:DOI:?\s*)?(?:https?://)?(?:dx\.)?doi\.org/\S+|DOI:\s*\S+", re.IGNORECASE)


class Refused(InputError):  # noqa: N818
    """Bytes that are no article; `reason` is one word of a short list, `detail` explains it."""

    def __init__(self, reason: str, detail: str) -> None:
        self.reason, self.detail = reason, detail
        super().__init__(f"{reason}: {detail}")


class Abstract(NamedTuple):
    kind: str  # its `abstract-type`, empty for the abstract itself
    text: str

    @property
    def main(self) -> bool:
        return self.kind.lower() not in SIDE_ABSTRACTS


class KeywordGroup(NamedTuple):
    kind: str  # its `kwd-group-type`
    title: str
    keywords: tuple[str, ...]

    @property
    def abbreviations(self) -> bool:
        return bool(ABBREVIATIONS.match(self.kind) or ABBREVIATIONS.match(self.title))


@dataclass(frozen=True, slots=True)
class Article:
    """The front matter and body of an article; spaces of all kinds are single spaces, markup is gone."""

    ids: Mapping[str, str]  # by `pub-id-type`
    title: str
    abstracts: tuple[Abstract, ...]
    groups: tuple[KeywordGroup, ...]
    language: str
    body: tuple[str, ...] = ()  # headings and paragraphs

    @property
    def abstract(self) -> str:
        return " ".join(abstract.text for abstract in self.abstracts if abstract.main)


def read(data: bytes, *, name: str) -> Document:
    """Return the article as a document: abstract and body are the text, the authors' keywords the references."""
    try:
        found = articles(data)
    except Refused as error:
        raise InputError(f"{name}: cannot be read as JATS: {error.detail}") from error
    if len(found) > 1:
        raise InputError(f"{name}: holds {len(found)} articles; give each a file of its own")
    article = found[0]
    keywords = [word for group in article.groups if not group.abbreviations for word in group.keywords]
    return Document(
        id=name,
        text="\n\n".join(filter(None, (article.abstract, *article.body))),
        title=article.title,
        language=article.language,
        references=tuple(dict.fromkeys(keywords)),
    )


def articles(data: bytes) -> list[Article]:
    """Return the articles in a file, most often one; raise `Refused` for other files."""
    try:
        found = [_article(element) for element in _outermost(tree(data))]
    except RefusedXmlError as error:
        raise Refused(error.reason, str(error)) from error
    if not found:
        raise Refused("not-jats", "there is no article in it")
    return found


def _outermost(element: Element) -> Iterator[Element]:
    if element.tag == "article":
        yield element
    else:
        for child in element:
            yield from _outermost(child)


def _article(article: Element) -> Article:
    meta, body = article.find("front/article-meta"), article.find("body")
    meta = Element("article-meta") if meta is None else meta
    ids: dict[str, str] = {}
    for one in meta.iterfind("article-id"):
        ids.setdefault(one.get("pub-id-type", ""), _plain(one))
    abstracts = (Abstract(one.get("abstract-type", ""), _abstract(one)) for one in meta.iterfind("abstract"))
    return Article(
        ids,
        _plain(meta.find("title-group/article-title")),
        tuple(one for one in abstracts if one.text),
        tuple(_group(one) for one in meta if one.tag in KEYWORD_GROUPS),
        as_language(article.get("xml:lang")),
        () if body is None else tuple(filter(None, map(_plain, _paragraphs(body, HEADINGS | {"p"})))),
    )


def _abstract(abstract: Element) -> str:
    """Return its paragraphs without headings; where it has none, what stands in it."""
    paragraphs = [_plain(one, without=HEADINGS) for one in _paragraphs(abstract, frozenset("p"))]
    whole = " ".join(text for text in paragraphs if text and not DOI_ONLY.fullmatch(text))
    return whole or ("" if any(paragraphs) else _plain(abstract, without=HEADINGS))


def _group(group: Element) -> KeywordGroup:
    keywords = tuple(filter(None, map(_plain, group.iter("kwd"))))
    return KeywordGroup(group.get("kwd-group-type", ""), _plain(group.find("title")), keywords)


def _paragraphs(element: Element, wanted: frozenset[str], *, within: bool = False) -> Iterator[Element]:
    """Yield the elements with text below an element, or below the notes and tables `within` one that has been yielded.

    What stands within another is a part of it, but for notes and tables, which come after it.
    """
    for child in element:
        if child.tag in wanted and not within:
            yield child
            yield from _paragraphs(child, wanted, within=True)
        elif child.tag not in SILENT:
            yield from _paragraphs(child, wanted, within=within and child.tag not in ASIDE)


def _plain(element: Element | None, *, without: frozenset[str] = frozenset()) -> str:
    return "" if element is None else " ".join("".join(_pieces(element, without)).split())


def _pieces(element: Element, without: frozenset[str]) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        is_mark = child.tag == "xref" and child.get("ref-type") in FOOTNOTE_MARKS
        if not is_mark and child.tag not in SILENT | ASIDE | without:
            yield " " if child.tag in SPACED else ""
            yield from _pieces(child, without)
        yield child.tail or ""
