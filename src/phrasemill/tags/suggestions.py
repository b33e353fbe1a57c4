"""What is suggested for one document: tags that exist, then the few new ones that have earned their place."""

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NamedTuple

from phrasemill.tags.known_tags import KnownTags
from phrasemill.tags.model import Suggestion
from phrasemill.tags.usage import Phrase, Usage
from phrasemill.tags.wordings import folded, is_near_copy, same_word
from phrasemill.types import Span, significant

REASONS = {
    "named": "named in the text",
    "synonym": "a synonym is in the text",
    "similar": "used for documents like this one",
}
LEAST_SCORE = 0.2  # the probability of a keyphrase that may become a tag


class NewTag(NamedTuple):
    """A tag that is not in use yet; `support` is the number of documents that have it as a keyphrase."""

    tag: str
    support: int
    score: float
    spans: tuple[Span, ...] = ()

    def record(self) -> dict[str, object]:
        """Return the tag as a dictionary for JSON."""
        spans = [list(span) for span in self.spans]
        return {"tag": self.tag, "support": self.support, "score": significant(self.score), "spans": spans}


@dataclass(frozen=True, slots=True)
class TagSuggestions:
    """The suggestions for the document `id`: existing tags, best first, then new ones. `has` are the tags that it
    already has.
    """

    id: str
    tags: tuple[Suggestion, ...]
    new: tuple[NewTag, ...] = ()
    has: tuple[str, ...] = ()

    def record(self) -> dict[str, object]:
        """Return the suggestions as a dictionary for JSON, the same from the command and over HTTP."""
        return {
            "id": self.id,
            "tags": [self._tag(one) for one in self.tags],
            "new": [one.record() for one in self.new],
        }

    def _tag(self, one: Suggestion) -> dict[str, object]:
        return {
            "tag": one.tag,
            "probability": significant(one.probability),
            "reason": one.reason,
            "spans": [list(span) for span in one.spans],
            "evidence": list(one.evidence),
            "documents": list(one.documents),
            "present": one.tag in self.has,
        }


def in_words(suggestion: Suggestion, shown: Callable[[Span], str]) -> str:
    """Return why a tag is suggested, with the words of the text that speak for it."""
    reason = REASONS.get(suggestion.reason, suggestion.reason)
    words = list(dict.fromkeys(shown(span) for span in suggestion.spans)) or list(suggestion.evidence)
    return f"{reason}: {', '.join(words[:3])}" if words else reason


def distinct(suggestions: Iterable[Suggestion]) -> tuple[Suggestion, ...]:
    """Return suggestions without those that are a better one in another spelling, while nobody has merged the two."""
    found: list[Suggestion] = []
    for one in suggestions:
        if not any(same_word(one.tag, better.tag) for better in found):
            found.append(one)
    return tuple(found)


def new_tags(
    phrases: Iterable[Phrase],
    *,
    usage: Usage,
    id_: str,
    given: Callable[[str], int],
    known: KnownTags,
    refused: AbstractSet[str],
    least: int,
    most: int,
) -> tuple[NewTag, ...]:
    """Return keyphrases that are worth a new tag: those of at least `least` documents, none a near-copy of a tag.

    `given` is the number of the documents at hand, besides the collection, of which a form is a keyphrase.
    """
    found: list[NewTag] = []
    for form, keyphrase in phrases:
        support = usage.support(form, without=id_) + given(form)
        if support < least or keyphrase.score < LEAST_SCORE or folded(keyphrase.text) in refused:
            continue
        if known.have_near(keyphrase.text) or is_near_copy(keyphrase.text, [one.tag for one in found]):
            continue
        name = known.style.written(usage.wording(form, keyphrase.text))
        found.append(NewTag(name, support, keyphrase.score, keyphrase.spans))
    return tuple(sorted(found, key=lambda one: (-one.support, -one.score, one.tag))[:most])
