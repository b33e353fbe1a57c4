"""What is suggested for one document: tags that exist, then the few new ones that have earned their place."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from phrasemill.extractor import extract
from phrasemill.files.tables import rounded
from phrasemill.select import form_of
from phrasemill.tags.model import NEW, Suggestion
from phrasemill.tags.wordings import KnownTags, same_word
from phrasemill.types import Document, Keyphrase

PHRASES = 12  # of each document
LONGEST_READ = 50_000  # characters of a document whose keyphrases are kept
LEAST_SCORE = 0.2  # the probability of a keyphrase that may become a tag


@dataclass(frozen=True, slots=True)
class TagSuggestions:
    """The suggestions for the document `id`: existing tags, best first, then new ones."""

    id: str
    tags: tuple[Suggestion, ...]
    new: tuple[Suggestion, ...] = ()

    def record(self) -> dict[str, Any]:
        """Return the suggestions as a dictionary for JSON, the same from the command and over HTTP."""
        found: Any = rounded(asdict(self))
        return found


def phrases_of(document: Document) -> dict[str, Keyphrase]:
    """Return the keyphrases of a document by their stemmed forms, best first."""
    short = Document(document.id, document.text[:LONGEST_READ], document.title, document.language)
    found: dict[str, Keyphrase] = {}
    for keyphrase in extract(short, top=PHRASES):
        found.setdefault(form_of(keyphrase.text, document.language or "en"), keyphrase)
    return found


def distinct(suggestions: Iterable[Suggestion]) -> list[Suggestion]:
    """Return suggestions without those that are a better one in another spelling, while nobody has merged the two."""
    found: list[Suggestion] = []
    for one in suggestions:
        if not any(same_word(one.tag, better.tag) for better in found):
            found.append(one)
    return found


def new_tags(
    phrases: Iterable[tuple[str, Keyphrase, int]], *, known: KnownTags, least: int, most: int
) -> tuple[Suggestion, ...]:
    """Return keyphrases that are worth a new tag: those of at least `least` documents, none a near-copy of a tag.

    `phrases` are wordings for a tag, the keyphrases, and how many documents have each.
    """
    found: list[Suggestion] = []
    for wording, keyphrase, support in phrases:
        if support < least or keyphrase.score < LEAST_SCORE:
            continue
        if not (known.have_near(keyphrase.text) or KnownTags(one.tag for one in found).have_near(keyphrase.text)):
            tag = known.style.written(wording)
            found.append(Suggestion(tag, keyphrase.score, NEW, support, spans=tuple(keyphrase.spans)))
    return tuple(sorted(found, key=lambda one: (-one.support, -one.probability, one.tag))[:most])
