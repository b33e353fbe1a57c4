"""The table of trainers: `phrasemill train NAME` builds one by its spec and calls `fit`.

A trainer is a frozen dataclass whose fields are its settings, so that `kea(keyphraseness=True)` is checked and built
like a method. `fit(documents, dev=…, progress=…)` returns a model with `save(path)` and with `summary()`, the lines to
print; `spec(path)` is the method that uses a model saved there. To add one, write the class and name it in the row of
its method in data/methods.toml.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from typing import TypeAlias, TypeVar

from phrasemill.catalogue import trainers
from phrasemill.errors import DataError
from phrasemill.evaluation import read_answers
from phrasemill.readers import read_all
from phrasemill.sources import as_document
from phrasemill.specs import Registry
from phrasemill.text.languages.detect import language_of
from phrasemill.types import Document

Item = TypeVar("Item")
FIRST = 20  # documents that are looked at for the language of all
# Called after each item: the name of the step, how many items are done, and how many there are (0 if unknown).
Progress: TypeAlias = Callable[[str, int, int], None]

TRAINERS = Registry("trainer", trainers())


def quiet(step: str, done: int, total: int) -> None:
    """Show no progress."""


def tracked(items: Iterable[Item], step: str, progress: Progress, *, total: int = 0) -> Iterator[Item]:
    """Yield the items and report each to `progress`."""
    progress(step, 0, total)
    for done, item in enumerate(items, start=1):
        yield item
        progress(step, done, total)


def read_documents(path: str) -> Iterator[Document]:
    """Yield the documents in a file, with the keyphrases that `phrasemill evaluate` would read as gold."""
    gold = read_answers(path)
    for document in read_all(path):
        yield replace(document, references=gold.phrases.get(document.id, ()))


def in_one_language(documents: Iterable[Document]) -> Iterator[Document]:
    """Yield the documents with their language; those that name none are in that of most of the first ones."""
    rest = iter(documents)
    first = list(islice(rest, FIRST))
    common = Counter(map(language_of, first)).most_common(1)
    seen = set()
    for document in chain(first, rest):
        found = as_document(document, None if document.language else common[0][0])
        seen.add(found.language)
        if len(seen) > 1:
            raise DataError(f"the documents are in several languages ({', '.join(sorted(seen))}); train on one")
        yield found
