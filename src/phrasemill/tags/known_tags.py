"""The tags of a collection by their words and spellings, so that a near-copy of one is found among thousands."""

from collections import defaultdict
from collections.abc import Iterable

from phrasemill.tags.wordings import (
    TagStyle,
    american,
    initials,
    is_misspelt,
    is_near_copy,
    is_short_form,
    joined,
    word_form,
)


class KnownTags:
    """Answers what `is_near_copy` answers, without looking at every tag."""

    def __init__(self, tags: Iterable[str]) -> None:
        self.tags = list(dict.fromkeys(tags))
        self.style = TagStyle.of(self.tags)
        self._forms: set[str] = set()
        self._by_word: dict[str, list[str]] = defaultdict(list)
        self._by_start: dict[tuple[str, int], list[str]] = defaultdict(list)
        for tag in self.tags:
            self._forms.update(_forms(tag))
            for word in set(american(tag).split()):
                self._by_word[word].append(tag)
            self._by_start[joined(tag)[:1], len(joined(tag))].append(tag)

    def have_near(self, phrase: str) -> bool:
        """Return whether a phrase is a tag in another wording, a part of one, or one with a word more or less."""
        if not self._forms.isdisjoint(_forms(phrase)):
            return True
        words = american(phrase).split()
        if any(is_near_copy(phrase, self._by_word[word]) for word in words if word in self._by_word):
            return True
        start, length = joined(phrase)[:1], len(joined(phrase))
        for size in range(length - 2, length + 3):
            if any(is_misspelt(phrase, tag) for tag in self._by_start.get((start, size), ())):
                return True
        sizes = {(short[:1], len(short)) for short in initials(phrase)}
        return any(is_short_form(tag, phrase) for size in sizes for tag in self._by_start.get(size, ()))


def _forms(tag: str) -> set[str]:
    """Return what tags share that are one word; each kind apart from the others."""
    return {
        f"joined {joined(tag)}",
        f"american {american(tag).replace(' ', '')}",
        f"form {word_form(tag)}",
    }
