"""JATS, the XML of PubMed Central and of most scholarly publishers: title, abstracts, keyword groups, and the body.

Only the article's own front matter counts: titles in the reference list, peer reviews and replies
(`sub-article`, `response`) do not. The parser is expat, fed once: nothing is fetched, a DOCTYPE may name a DTD, its
entities (`&alpha;`) are read as in HTML, and a file that declares entities of its own is refused.
"""

from phrasemill.errors import InputError
from phrasemill.readers.jats_parser import Abstract, Article, KeywordGroup, Refused, articles
from phrasemill.types import Document

__all__ = ["Abstract", "Article", "KeywordGroup", "Refused", "articles", "read"]


def read(data: bytes, *, name: str) -> Document:
    """Return the article as a document: abstract and body are the text, the authors' keywords the references."""
    try:
        found = articles(data, body=True)
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
