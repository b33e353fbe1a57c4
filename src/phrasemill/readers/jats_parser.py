"""Parse JATS articles with expat; `jats` describes what is taken, and why."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html.entities import html5
from typing import NamedTuple
from xml.parsers import expat

from phrasemill.errors import InputError
from phrasemill.readers.safe_xml import DEPTH, RefusedXmlError, hardened_parser
from phrasemill.readers.values import as_language

DEEPEST = 1_000  # levels of elements
# A file with fewer tags than this cannot nest deep enough to hurt; one with more is watched to its end.
MANY_TAGS = 500_000
MOST_TAGS = 2_000_000
# Abstracts beside the abstract itself: the values that JATS suggests for `abstract-type`, and what publishers use.
SIDE_ABSTRACTS = frozenset(
    "author-highlights author-summary editor-summary executive-summary graphical highlights key-points objectives"
    " plain-language-summary precis short stereochemical synopsis teaser toc video video-abstract web-summary".split()
)
ABBREVIATIONS = re.compile(r"abbr|abr$", re.IGNORECASE)
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


def articles(data: bytes, *, body: bool = False) -> list[Article]:
    """Return the articles in a file, most often one, with their bodies if `body`; raise `Refused` for other files."""
    tags = data.count(b"<")
    if tags > MOST_TAGS:
        raise Refused("too-large", f"more than {MOST_TAGS:,} tags")
    walk = _Walk(body, watched=tags > MANY_TAGS)
    try:
        walk.parser.Parse(data, True)
    except RefusedXmlError as error:
        raise Refused(error.reason, str(error)) from error
    except expat.ExpatError as error:
        raise Refused("broken-xml", str(error)) from error
    except (ValueError, LookupError) as error:  # an encoding that Python lacks, or not as a table of 256
        raise Refused("broken-xml", f"encoding: {error}") from error
    if not walk.found:
        raise Refused("not-jats", "there is no article in it")
    return walk.found


Attributes = dict[str, str]
Sink = list[str] | None


class _Walk:
    """The handlers of expat. `sink` is where text goes; the end of each element restores it."""

    def __init__(self, body: bool, *, watched: bool) -> None:
        self.found: list[Article] = []
        self.body, self.watched = body, watched
        self.sink: Sink = None
        self.stack: list[Sink] = []
        self.part = ""  # which part of the article this is: "", meta, abstract, group, body
        self.enclosed = 0  # articles around this place
        self._forget()
        self.parser = hardened_parser()
        self.parser.buffer_text = True
        self.parser.SkippedEntityHandler = self._entity
        self._listen()

    def _listen(self) -> None:
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text

    def _forget(self) -> None:
        self.ids: dict[str, str] = {}
        self.title: list[str] = []
        self.abstracts: list[Abstract] = []
        self.groups: list[KeywordGroup] = []
        self.paragraphs: list[list[str]] = []
        self.language = "en"
        self.seen = False  # the front matter is behind us

    def _text(self, text: str) -> None:
        if self.sink is not None:
            self.sink.append(text)

    def _entity(self, name: str, parameter: bool) -> None:
        if self.sink is not None and not parameter:
            self.sink.append(html5.get(f"{name};", ""))

    def _start(self, name: str, attributes: Attributes) -> None:
        self.stack.append(self.sink)
        if len(self.stack) > DEEPEST:
            raise Refused(DEPTH, f"more than {DEEPEST:,} levels of elements")
        act = STARTS.get(name)
        if act:
            act(self, attributes)

    def _end(self, name: str) -> None:
        act = ENDS.get(name)
        if act:
            act(self)
        self.sink = self.stack.pop() if self.stack else None

    def silence(self, _: Attributes) -> None:
        self.sink = None

    def space(self, _: Attributes) -> None:
        self.gap()

    def gap(self) -> None:
        if self.sink is not None:
            self.sink.append(" ")

    def mark(self, attributes: Attributes) -> None:
        if attributes.get("ref-type") in FOOTNOTE_MARKS:
            self.sink = None

    def article(self, attributes: Attributes) -> None:
        self.enclosed += 1
        if self.enclosed == 1:
            self.outside = len(self.stack) - 1
            self.language = as_language(attributes.get("xml:lang"))

    def article_end(self) -> None:
        self.enclosed -= 1
        if self.enclosed == 0:
            body = tuple(filter(None, map(_plain, self.paragraphs)))
            article = Article(
                self.ids, _plain(self.title), tuple(self.abstracts), tuple(self.groups), self.language, body
            )
            self.found.append(article)
            self._forget()

    def reply(self, _: Attributes) -> None:
        self.enclosed += 1
        self.sink = None

    def reply_end(self) -> None:
        self.enclosed -= 1

    def meta(self, _: Attributes) -> None:
        if self.enclosed == 1 and not self.seen:
            self.part = "meta"

    def meta_end(self) -> None:
        if self.part != "meta":
            return
        self.part, self.seen = "", True
        if not self.body and not self.watched:  # the rest need only be well-formed
            self.parser.StartElementHandler = None
            self.parser.CharacterDataHandler = None
            self.parser.EndElementHandler = self._after_meta

    def _after_meta(self, name: str) -> None:
        """Wait for the article to end. Articles do not nest; where one does, the first end counts."""
        if name == "article":
            self.article_end()
            del self.stack[self.outside :]
            self._listen()

    def identifier(self, attributes: Attributes) -> None:
        if self.part == "meta":
            self.sink = []
            self.kind = attributes.get("pub-id-type", "")

    def identifier_end(self) -> None:
        if self.part == "meta" and self.sink is not None:
            self.ids.setdefault(self.kind, _plain(self.sink))

    def title_group(self, _: Attributes) -> None:
        if self.part == "meta":
            self.part = "title"

    def title_group_end(self) -> None:
        if self.part == "title":
            self.part = "meta"

    def article_title(self, _: Attributes) -> None:
        if self.part == "title" and not self.title:
            self.sink = self.title

    def abstract(self, attributes: Attributes) -> None:
        if self.part == "meta":
            self.part, self.kind = "abstract", attributes.get("abstract-type", "")
            self.paragraphs = []
            self.loose: list[str] = []
            self.sink = self.loose

    def abstract_end(self) -> None:
        if self.part == "abstract":
            texts = [text for text in map(_plain, self.paragraphs) if text and not DOI_ONLY.fullmatch(text)]
            if text := " ".join(texts) or _plain(self.loose):
                self.abstracts.append(Abstract(self.kind, text))
            self.part, self.paragraphs = "meta", []

    def paragraph(self, _: Attributes) -> None:
        """Begin a paragraph; one within another, as in a list, belongs to the outer one."""
        if self.part not in ("abstract", "body"):
            return
        if self.sink is None or (self.part == "abstract" and self.sink is self.loose):
            self.sink = []
            self.paragraphs.append(self.sink)
        else:
            self.gap()

    def heading(self, attributes: Attributes) -> None:
        if self.part == "group":
            self.sink = self.group_title
        elif self.part == "body":
            self.paragraph(attributes)
        elif self.part == "abstract":
            self.sink = None

    def group(self, attributes: Attributes) -> None:
        if self.part == "meta":
            self.part, self.kind = "group", attributes.get("kwd-group-type", "")
            self.group_title: list[str] = []
            self.keywords: list[list[str]] = []

    def group_end(self) -> None:
        if self.part == "group":
            words = tuple(filter(None, map(_plain, self.keywords)))
            self.groups.append(KeywordGroup(self.kind, _plain(self.group_title), words))
            self.part = "meta"

    def keyword(self, _: Attributes) -> None:
        if self.part == "group":
            self.sink = []
            self.keywords.append(self.sink)

    def begin_body(self, _: Attributes) -> None:
        if self.body and self.enclosed == 1 and not self.part:
            self.part, self.sink = "body", None

    def body_end(self) -> None:
        if self.part == "body" and self.enclosed == 1:
            self.part = ""


def _plain(pieces: list[str]) -> str:
    return " ".join("".join(pieces).split())


STARTS: dict[str, Callable[[_Walk, Attributes], None]] = {
    "article": _Walk.article,
    "sub-article": _Walk.reply,
    "response": _Walk.reply,
    "article-meta": _Walk.meta,
    "article-id": _Walk.identifier,
    "title-group": _Walk.title_group,
    "article-title": _Walk.article_title,
    "abstract": _Walk.abstract,
    "p": _Walk.paragraph,
    "title": _Walk.heading,
    "label": _Walk.heading,
    "kwd-group": _Walk.group,
    "keyword-group": _Walk.group,
    "kwd": _Walk.keyword,
    "body": _Walk.begin_body,
    "xref": _Walk.mark,
    "break": _Walk.space,
    **dict.fromkeys(("list-item", "def", "disp-quote", "caption"), _Walk.space),
    **dict.fromkeys(
        ("tex-math", "fn", "index-term", "object-id", "table-wrap", "disp-formula", "ref-list"), _Walk.silence
    ),
}
ENDS: dict[str, Callable[[_Walk], None]] = {
    "article": _Walk.article_end,
    "sub-article": _Walk.reply_end,
    "response": _Walk.reply_end,
    "article-meta": _Walk.meta_end,
    "article-id": _Walk.identifier_end,
    "title-group": _Walk.title_group_end,
    "abstract": _Walk.abstract_end,
    "kwd-group": _Walk.group_end,
    "keyword-group": _Walk.group_end,
    "body": _Walk.body_end,
}
