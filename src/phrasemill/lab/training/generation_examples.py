"""What generators are trained on: a source as words, and its keyphrases, those that it says and the others, apart.

Preparation follows Yuan et al. (2020), appendix E: words apart and in lower case, presence by stems, present phrases by
first occurrence. Examples are kept as lines of JSON, so that the work is done once and can be looked at.
"""

import gzip
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from phrasemill.text.segments import DIGIT, masked_words, segmented
from phrasemill.text.stem import stemmer
from phrasemill.types import Document

Words = tuple[str, ...]
LONGEST_PHRASE = 8  # in words; longer ones are sentences, or lists that were not split
MOST_PHRASES = 20
SOURCE_WORDS = 300
BRACKETS = re.compile(r"\([^()]*\)")
_stem = lru_cache(maxsize=500_000)(stemmer("nltk"))


@dataclass(frozen=True, slots=True)
class Example:
    """One document: present phrases come by first occurrence, and `places` has the words of each occurrence."""

    id: str
    words: Words
    present: tuple[Words, ...]
    absent: tuple[Words, ...]
    places: tuple[tuple[tuple[int, int], ...], ...] = ()
    style: str = "author"

    def masked(self) -> "Example":
        """With every number as `<digit>`."""
        phrases = [tuple(dict.fromkeys(map(masked_words, part))) for part in (self.present, self.absent)]
        kept = {masked_words(phrase): places for phrase, places in zip(self.present, self.places, strict=True)}
        return replace(
            self,
            words=masked_words(self.words),
            present=phrases[0],
            absent=phrases[1],
            places=tuple([kept[phrase] for phrase in phrases[0]]),
        )


def prepared(document: Document, *, style: str = "author", words: int = SOURCE_WORDS) -> Example | None:
    """The document as an example; None if it has no text or no keyphrase.

    A present phrase is written as the source first writes it, so that it can be copied. Of a group of wordings the
    first counts, and of `random walk (RW)` what is outside the brackets.
    """
    source, _ = segmented(document.content, words)
    stems = _Stems(source)
    present: dict[Words, tuple[tuple[int, int], ...]] = {}
    absent: dict[Words, None] = {}
    seen: set[Words] = set()
    for reference in document.references[:MOST_PHRASES]:
        wording = reference if isinstance(reference, str) else reference[0]
        phrase, _ = segmented(BRACKETS.sub(" ", wording))
        form = _form(phrase)
        if not form or len(form) > LONGEST_PHRASE or form in seen:
            continue
        seen.add(form)
        if places := stems.places(form):
            present[source[slice(*places[0])]] = places
        else:
            absent[phrase] = None
    if not source or not seen:
        return None
    order = sorted(present, key=lambda phrase: present[phrase][0])
    return Example(
        document.id, source, tuple(order), tuple(absent), tuple([present[phrase] for phrase in order]), style
    )


def _form(words: Sequence[str]) -> Words:
    """Stems; punctuation does not count."""
    return tuple([_stem(word) for word in masked_words(words) if _counts(word)])


def _counts(word: str) -> bool:
    return word[0].isalnum() or word == DIGIT


class _Stems:
    """Where a row of stems stands among the words of a source, whatever punctuation is between."""

    def __init__(self, words: Words) -> None:
        self.at = [i for i, word in enumerate(words) if _counts(word)]
        self.stems = [_stem(word) for word in masked_words([words[i] for i in self.at])]
        self.first: dict[str, list[int]] = {}
        for i, stem in enumerate(self.stems):
            self.first.setdefault(stem, []).append(i)

    def places(self, form: Words) -> tuple[tuple[int, int], ...]:
        size = len(form)
        return tuple(
            [
                (self.at[i], self.at[i + size - 1] + 1)
                for i in self.first.get(form[0], [])
                if tuple(self.stems[i : i + size]) == form
            ]
        )


def write(path: Path, examples: Iterable[Example]) -> int:
    """The examples as lines of JSON, compressed; how many there were."""
    count = 0
    with gzip.GzipFile(path, "wb", mtime=0) as file:
        for example in examples:
            line = {
                "id": example.id,
                "style": example.style,
                "words": " ".join(example.words),
                "present": [" ".join(phrase) for phrase in example.present],
                "places": example.places,
                "absent": [" ".join(phrase) for phrase in example.absent],
            }
            file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
            count += 1
    return count


def read(path: Path) -> Iterator[Example]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            yield Example(
                id=record["id"],
                words=tuple(record["words"].split(" ")),
                present=tuple([tuple(phrase.split(" ")) for phrase in record["present"]]),
                absent=tuple([tuple(phrase.split(" ")) for phrase in record["absent"]]),
                places=tuple([tuple([(first, end) for first, end in places]) for places in record["places"]]),
                style=record["style"],
            )
