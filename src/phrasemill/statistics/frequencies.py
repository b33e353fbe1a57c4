"""Document frequencies: in how many documents of a collection each phrase occurs.

Phrases are n-grams by stemmed form, as `candidates.ngrams` gives them. Tables add up (`a.merge(b)`), so that parts of
a collection can be counted separately. A small table of scientific abstracts ships with the package (see `NOTICE`).
"""

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from pathlib import Path
from typing import Self

from phrasemill import models
from phrasemill.candidates import forms, ngrams
from phrasemill.errors import ConfigError, DataError
from phrasemill.kernels import spans
from phrasemill.models import shipped
from phrasemill.statistics import tables
from phrasemill.text.analyse import analyser
from phrasemill.text.language_codes import language_code
from phrasemill.types import Document

SHIPPED = shipped("frequencies_en.safetensors")
KIND = "document frequencies"
# Tables of more forms stay on disk and are looked up there.
MOST_IN_MEMORY = 1_000_000


@dataclass(frozen=True, slots=True)
class DocumentFrequencies:
    """The number of documents in which each form occurs, out of `documents`. Forms in fewer than `least` were dropped.

    `short` is the most by which a count may be too low. It is above 0 only after merging pruned tables.
    """

    documents: int
    counts: Mapping[str, int]
    language: str = "en"
    longest: int = 3
    least: int = 1
    short: int = 0

    @classmethod
    def fit(
        cls, documents: Iterable[Document], *, language: str = "en", longest: int = 3, function_words: bool = False
    ) -> Self:
        """Count the n-grams of up to `longest` words in `documents`, in memory; `fit_frequencies` is for more.

        With `function_words` n-grams that begin or end with them are counted too, for `tfidf(function_words=True)`.
        """
        language = language_code(language)
        texts = (document.content for document in documents)
        total, counts = count_forms(texts, language, longest, function_words=function_words)
        return cls(total, counts, language, longest)

    def merge(self, other: Self) -> Self:
        """Return the frequencies of both collections together.

        If one was pruned, what it dropped is missing from the sums; `short` bounds by how much.
        """
        if (self.language, self.longest) != (other.language, other.longest):
            raise DataError("frequencies of different languages or phrase lengths cannot be merged")
        counts = Counter(self.counts)
        counts.update(other.counts)
        dropped = self.least - 1, other.least - 1
        short = max(self.short, dropped[0]) + max(other.short, dropped[1])
        documents = self.documents + other.documents
        return type(self)(documents, counts, self.language, self.longest, sum(dropped) + 1, short)

    def prune(self, least: int) -> Self:
        """Return the table without the forms that occur in fewer than `least` documents."""
        counts = {form: count for form, count in self.counts.items() if count >= least}
        bound = max(self.least, least + self.short)
        return type(self)(self.documents, counts, self.language, self.longest, bound, self.short)

    def idf(self, form: str) -> float:
        """Return log((N + 1) / (df + 1)); a form that was dropped or never seen counts as `least` - 1."""
        return self.idfs([form])[0]

    def idfs(self, forms: Iterable[str]) -> list[float]:
        """Return the `idf` of each form."""
        return self.idf_column(forms).tolist()

    def idf_column(self, forms: Iterable[str]) -> "array[float]":
        """Return the `idf` of each form, as a column."""
        if type(self.counts) is dict:
            found: array[float] = spans.idfs(list(forms), self.counts, self.least - 1, self.documents)
            return found
        total, get, unseen, log = math.log(self.documents + 1), self.counts.get, self.least - 1, math.log
        return array("d", [total - log(get(form, unseen) + 1) for form in forms])

    def save(self, path: Path) -> None:
        """Write a table that `load` reads: forms in order, their counts, and what they were counted over."""
        tables.write_table(path, tables.in_order(self.counts), self.metadata)

    @property
    def metadata(self) -> dict[str, str]:
        """The metadata of the file."""
        kinds = {"kind": KIND, "language": self.language}
        numbers = {name: getattr(self, name) for name in ("documents", "longest", "least", "short")}
        return kinds | {name: str(value) for name, value in numbers.items() if name != "short" or value}

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a table; a file of another kind is a `ModelError`."""
        with models.reading(path, KIND, tables.LETTERS) as file:
            counts: Mapping[str, int] = tables.MappedCounts(file)
            if len(counts) <= MOST_IN_MEMORY:
                forms = bytes(file["forms"]).decode().split("\n") if len(file["forms"]) else []
                counts = dict(zip(forms, file["counts"].tolist(), strict=True))
            return cls._described(file, counts)

    @classmethod
    def _described(cls, file: models.Tensors, counts: Mapping[str, int]) -> Self:
        language = file.metadata.get("language", "")
        short = file.number("short") if "short" in file.metadata else 0
        return cls(file.number("documents"), counts, language, file.number("longest"), file.number("least"), short)


def count_forms(
    texts: Iterable[str], language: str, longest: int, *, function_words: bool = False
) -> tuple[int, Counter[str]]:
    """Return the number of texts, and in how many of them each n-gram of up to `longest` words occurs."""
    counts: Counter[str] = Counter()
    total = 0
    analyse = analyser(language, tag=False).analyse
    for text in texts:
        counts.update(forms(ngrams(analyse(text), longest=longest, function_words=function_words)))
        total += 1
    return total, counts


def merge_tables(paths: Sequence[Path], output: Path, *, least: int = 1) -> DocumentFrequencies:
    """Merge the tables of several collections, with one block of each in memory at a time; drop forms in fewer than
    `least` documents."""
    files = [models.load(path, kind=KIND) for path in paths]
    if not files:
        raise ConfigError("no tables to merge")
    parts = [DocumentFrequencies._described(file, {}) for file in files]
    for path, part in zip(paths, parts, strict=True):
        if (part.language, part.longest) != (parts[0].language, parts[0].longest):
            raise DataError(
                f"{path}: of language {part.language!r} and up to {part.longest} words, but {paths[0]} of "
                f"{parts[0].language!r} and {parts[0].longest}; they cannot be merged"
            )
    whole = reduce(DocumentFrequencies.merge, parts)
    if least > 1:
        whole = whole.prune(least)
    counted = tables.merged(map(tables.read_table, files))
    tables.write_table(output, tables.at_least(counted, least), whole.metadata)
    return DocumentFrequencies.load(output)


def load_frequencies(path: str | None = None) -> DocumentFrequencies:
    """Return the table at `path`, read once per process unless it changes, by default the one in the package."""
    if path is None:
        return _shipped()
    if not isinstance(path, str):
        raise ConfigError(f"frequencies must be the path of a table, got {path!r}")
    return models.kept(Path(path), DocumentFrequencies.load)


@cache
def _shipped() -> DocumentFrequencies:
    return DocumentFrequencies.load(SHIPPED)
