"""Which documents have which tags, and which keyphrases: what reviews and new tags are decided by."""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from phrasemill.errors import ModelError
from phrasemill.extractor import extract
from phrasemill.select import form_of
from phrasemill.types import Document, Keyphrase

PHRASES = 12  # of each document
LONGEST_READ = 50_000  # characters of a document whose keyphrases are kept


class Phrase(NamedTuple):
    """A keyphrase of a document: its stemmed form, and the keyphrase itself."""

    form: str
    keyphrase: Keyphrase


class _Names:
    """Strings by number, in order of first use."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.names = list(names)
        self.numbers = {name: number for number, name in enumerate(self.names)}

    def number(self, name: str) -> int:
        found = self.numbers.setdefault(name, len(self.names))
        if found == len(self.names):
            self.names.append(name)
        return found


def phrases_of(document: Document) -> list[Phrase]:
    """Return the keyphrases of a document, best first, each form once."""
    short = Document(document.id, document.text[:LONGEST_READ], document.title, document.language)
    found: dict[str, Phrase] = {}
    for keyphrase in extract(short, top=PHRASES):
        form = form_of(keyphrase.text, document.language or "en")
        found.setdefault(form, Phrase(form, keyphrase))
    return list(found.values())


class Usage:
    """Documents by id, each with its tags and the forms of its keyphrases. A document that comes again replaces what
    was known of it."""

    def __init__(self) -> None:
        self._tags, self._forms = _Names(), _Names()
        self._wordings: dict[int, str] = {}
        self._documents: dict[str, tuple[array[int], array[int]]] = {}
        self._having: dict[int, set[str]] = {}  # ids of the documents of each tag
        self._support: Counter[int] = Counter()
        self.abbreviations: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._documents)

    def __contains__(self, id_: object) -> bool:
        return id_ in self._documents

    def add(self, id_: str, tags: Iterable[str], phrases: Iterable[tuple[str, str]]) -> None:
        """Add a document with its tags, and its keyphrases as forms with their wordings."""
        self.forget(id_)
        numbers = array("i", dict.fromkeys(map(self._tags.number, tags)))
        forms = array("i")
        for form, wording in phrases:
            number = self._forms.number(form)
            self._wordings.setdefault(number, wording)
            forms.append(number)
        self._documents[id_] = numbers, forms
        for number in numbers:
            self._having.setdefault(number, set()).add(id_)
        self._support.update(forms)

    def forget(self, id_: str) -> None:
        tags, forms = self._documents.pop(id_, (array("i"), array("i")))
        for number in tags:
            self._having[number].discard(id_)
        self._support.subtract(forms)

    def declare(self, tag: str) -> None:
        """Add a tag that no document has yet."""
        self._having.setdefault(self._tags.number(tag), set())

    def tags(self) -> dict[str, int]:
        """Return how many documents each tag has, the most used first."""
        counts = {self._tags.names[number]: len(having) for number, having in self._having.items()}
        return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))

    def tags_of(self, id_: str) -> list[str]:
        return [self._tags.names[number] for number in self._documents[id_][0]] if id_ in self._documents else []

    def documents_of(self, tag: str) -> set[str]:
        return self._having.get(self._tags.numbers.get(tag, -1), set())

    def support(self, form: str, *, without: str = "") -> int:
        """Return how many documents have a keyphrase of this form, not counting `without`."""
        number = self._forms.numbers.get(form)
        if number is None:
            return 0
        own = without in self._documents and number in self._documents[without][1]
        return self._support[number] - own

    def profile(self, tag: str) -> Counter[str]:
        """Return in how many documents of a tag each form is a keyphrase."""
        found: Counter[int] = Counter()
        for id_ in self.documents_of(tag):
            found.update(self._documents[id_][1])
        return Counter({self._forms.names[number]: count for number, count in found.items()})

    def forms_of(self, id_: str) -> set[str]:
        return {self._forms.names[number] for number in self._documents[id_][1]}

    def wording(self, form: str, otherwise: str = "") -> str:
        """Return how documents write a form; `otherwise` where none has it."""
        return self._wordings.get(self._forms.numbers.get(form, -1), otherwise or form)

    def rename(self, old: str, new: Sequence[str]) -> None:
        """Give the documents of `old` other tags: one, several or none."""
        gone = self._tags.numbers.get(old)
        if gone is None or gone not in self._having:
            return
        numbers = [self._tags.number(tag) for tag in new]
        for id_ in self._having.pop(gone):
            before, forms = self._documents[id_]
            after = chain.from_iterable(numbers if one == gone else [one] for one in before)
            self._documents[id_] = array("i", dict.fromkeys(after)), forms
            for number in numbers:
                self._having.setdefault(number, set()).add(id_)
        for number in numbers:
            self._having.setdefault(number, set())

    def to_arrays(self) -> tuple[dict[str, "array[int]"], dict[str, Any]]:
        """Return the numbers as arrays, and the strings as JSON has them."""
        columns: dict[str, array[int]] = {}
        for name, at in (("tags", 0), ("phrases", 1)):
            lists = [one[at] for one in self._documents.values()]
            columns[f"{name} counts"] = array("i", map(len, lists))
            columns[name] = array("i", chain.from_iterable(lists))
        return columns, {
            "ids": list(self._documents),
            "tags": self._tags.names,
            "living": sorted(self._having),
            "forms": self._forms.names,
            "wordings": [self._wordings.get(number, "") for number in range(len(self._forms.names))],
            "abbreviations": self.abbreviations,
        }

    @classmethod
    def from_arrays(cls, columns: Mapping[str, Sequence[int]], strings: Mapping[str, Any]) -> "Usage":
        found = cls()
        found._tags, found._forms = _Names(strings["tags"]), _Names(strings["forms"])
        found._wordings = dict(enumerate(strings["wordings"]))
        found._having = {number: set() for number in strings["living"]}
        found.abbreviations = dict(strings["abbreviations"])
        lists = [_cut(columns[name], columns[f"{name} counts"]) for name in ("tags", "phrases")]
        for id_, tags, forms in zip(strings["ids"], *lists, strict=True):
            found._documents[id_] = tags, forms
            for number in tags:
                found._having[number].add(id_)
            found._support.update(forms)
        return found


def _cut(values: Sequence[int], counts: Sequence[int]) -> list["array[int]"]:
    """Return the values in pieces of these lengths."""
    if sum(counts) != len(values):
        raise ModelError("damaged: its columns do not fit together")
    found, at = [], 0
    for count in counts:
        found.append(array("i", values[at : at + count]))
        at += count
    return found
