"""Document frequencies: in how many documents of a collection each phrase occurs.

Phrases are n-grams by stemmed form, as `candidates.ngrams` gives them. Tables add up (`a.merge(b)`), so that parts of
a collection can be counted apart. A small table of scientific abstracts ships with the package (`NOTICE` says whose).
"""

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Self

from phrasemill import tensors
from phrasemill.candidates import forms, ngrams
from phrasemill.errors import ConfigError, DataError, ModelError
from phrasemill.text.analyse import analyser
from phrasemill.types import Document

SHIPPED = Path(__file__).parent / "data" / "frequencies_en.safetensors"
KIND = "document frequencies"


@dataclass(frozen=True, slots=True)
class DocumentFrequencies:
    """Counts over `documents` documents; forms in fewer than `least` of them were dropped."""

    documents: int
    counts: Mapping[str, int]
    language: str = "en"
    longest: int = 3
    least: int = 1

    @classmethod
    def fit(cls, documents: Iterable[Document], *, language: str = "en", longest: int = 3) -> Self:
        """Count the n-grams of up to `longest` words in `documents`."""
        counts: Counter[str] = Counter()
        total = 0
        analyse = analyser(language, tag=False).analyse
        for document in documents:
            candidates = ngrams(analyse(document.content), longest=longest)
            counts.update(forms(candidates))
            total += 1
        return cls(total, counts, language, longest)

    def merge(self, other: Self) -> Self:
        """The frequencies of both collections together."""
        if (self.language, self.longest) != (other.language, other.longest):
            raise DataError("frequencies of different languages or phrase lengths cannot be merged")
        if max(self.least, other.least) > 1:
            raise DataError("frequencies that were pruned cannot be merged; merge first, then prune")
        counts = Counter(self.counts)
        counts.update(other.counts)
        return type(self)(self.documents + other.documents, counts, self.language, self.longest)

    def prune(self, least: int) -> Self:
        """Without the forms that fewer than `least` documents hold."""
        counts = {form: count for form, count in self.counts.items() if count >= least}
        return type(self)(self.documents, counts, self.language, self.longest, max(least, self.least))

    def idf(self, form: str) -> float:
        """log((N + 1) / (df + 1)); a form that was dropped or never seen counts as one below those kept."""
        return self.idfs([form])[0]

    def idfs(self, forms: Iterable[str]) -> list[float]:
        """The `idf` of each form."""
        total, get, unseen, log = math.log(self.documents + 1), self.counts.get, self.least - 1, math.log
        return [total - log(get(form, unseen) + 1) for form in forms]

    def save(self, path: Path) -> None:
        """Write a table that `load` reads: forms in order, their counts, and what they were counted over."""
        forms = sorted(self.counts)
        tensors.save(
            path,
            {
                "forms": array("B", "\n".join(forms).encode()),
                "counts": array("I", [self.counts[form] for form in forms]),
            },
            {
                "kind": KIND,
                "documents": str(self.documents),
                "language": self.language,
                "longest": str(self.longest),
                "least": str(self.least),
            },
        )

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a table; a file of another kind is a `ModelError`."""
        file = tensors.load(path, kind=KIND)
        forms = bytes(file["forms"]).decode().split("\n") if len(file["forms"]) else []
        if len(forms) != len(file["counts"]):
            raise ModelError(f"{path}: damaged ({len(forms)} forms and {len(file['counts'])} counts)")
        counts = dict(zip(forms, file["counts"].tolist(), strict=True))
        language = file.metadata.get("language", "")
        return cls(file.number("documents"), counts, language, file.number("longest"), file.number("least"))


@cache
def load_frequencies(path: str | None = None) -> DocumentFrequencies:
    """The table at `path`, read once a process; the shipped one by default."""
    if path is not None and not isinstance(path, str):
        raise ConfigError(f"frequencies must be the path of a table, got {path!r}")
    return DocumentFrequencies.load(SHIPPED if path is None else Path(path))
