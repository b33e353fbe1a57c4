"""Documents to train on: some records of some files, and how training uses them.

Files are JSON Lines (`title`, `text`, `keyphrases`) as in docs/evidence/quality.md, which says where each is from, or
treebanks in CoNLL-U, whose documents have no keyphrases. They may be compressed by xz or gzip.
"""

import gzip
import json
import lzma
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch
from itertools import islice
from pathlib import Path
from typing import IO, Any, TypeAlias

from phrasemill.errors import InputError
from phrasemill.types import Document

# Codes of wordfreq that differ from ours.
WORDFREQ = {"hr": "sh", "sr": "sh", "no": "nb", "tl": "fil"}
OPENERS: dict[str, Callable[..., IO[str]]] = {".xz": lzma.open, ".gz": gzip.open}
Record: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Source:
    """The records `first` to `last` of the files that match `file`, of those whose fields have the values of `where`,
    not those of `without`.

    `style` is whose keyphrases they have; `part` is the field of the text, `gold` that of the keyphrases (a list, or a
    list of lists of alternatives; "" where there are none). An epoch has the documents `repeat` times. For trees,
    `weight` is that of a candidate, `share` the fraction of the candidates that are no keyphrases to use; `bare`
    documents are read without tags and tables, like texts in other languages.
    """

    file: str
    style: str = "author"
    weight: float = 1.0
    share: float = 1.0
    first: int = 0
    last: int | None = None
    part: str = "text"
    gold: str = "keyphrases"
    bare: bool = False
    where: Mapping[str, object] = field(default_factory=dict, hash=False)
    without: Mapping[str, object] = field(default_factory=dict, hash=False)
    repeat: int = 1

    @property
    def stem(self) -> str:
        return Path(self.file).name.split(".")[0]

    def records(self, data: Path, left_out: frozenset[str] = frozenset()) -> Iterator[tuple[int, Record]]:
        """Yield the numbered records that have a text, without those that have one of the titles in `left_out`."""
        every = (record for path in matching(data, self.file) for record in read_records(path))
        wanted = (
            one
            for one in every
            if all(one.get(name) == value for name, value in self.where.items())
            and not any(one.get(name) == value for name, value in self.without.items())
        )
        for number, record in islice(enumerate(wanted), self.first, self.last):
            if record.get(self.part) and squeezed_title(record) not in left_out:
                yield number, record

    def documents(self, data: Path, left_out: frozenset[str] = frozenset()) -> Iterator[Document]:
        """Yield the records as documents, under their own ids."""
        for _, record in self.records(data, left_out):
            title, language = record.get("title", ""), record.get("language", "en")
            yield Document(record["id"], record[self.part], title, language, self._gold(record))

    def numbered_documents(self, data: Path, left_out: frozenset[str] = frozenset()) -> Iterator[Document]:
        """Yield the records as documents whose ids end in their number; a title is not repeated in the text."""
        for number, record in self.records(data, left_out):
            title, text = record.get("title", ""), record[self.part]
            if title and text.startswith(title):
                text = text[len(title) :].lstrip()
            yield Document(f"{self.file}:{number}", text, title, record.get("language", "en"), self._gold(record))

    def _gold(self, record: Record) -> tuple[str | tuple[str, ...], ...]:
        found = record[self.gold] if self.gold else ()
        return tuple([one if isinstance(one, str) else tuple(one) for one in found if one])


def word_frequencies(language: str) -> dict[str, float]:
    """Return the share of each word in a language, the most frequent first, by the package wordfreq (CC BY-SA 4.0);
    nothing in languages that it does not know."""
    import wordfreq

    code = WORDFREQ.get(language, language)
    known = code in wordfreq.available_languages("best")
    found: dict[str, float] = wordfreq.get_frequency_dict(code, "best") if known else {}
    return found


def number_of(document: Document) -> int:
    """Return the number of a document of `numbered_documents`."""
    return int(document.id.rpartition(":")[2])


def read_records(path: Path) -> Iterator[Record]:
    with OPENERS.get(path.suffix, open)(path, "rt", encoding="utf-8") as lines:
        if ".conllu" in path.suffixes:
            yield from _treebank_records(lines)
        else:
            yield from map(json.loads, lines)


def _treebank_records(lines: Iterable[str]) -> Iterator[Record]:
    """Yield the documents of a treebank, from its comments: the sentences, with a line per paragraph."""
    name, paragraphs = "", [""]
    for line in lines:
        comment, _, value = line.rstrip("\n").partition(" = ")
        if comment == "# newdoc id":
            if any(paragraphs):
                yield {"id": name, "text": "\n".join(paragraphs), "keyphrases": []}
            name, paragraphs = value, [""]
        elif comment == "# newpar id" and paragraphs[-1]:
            paragraphs.append("")
        elif comment == "# text":
            paragraphs[-1] = f"{paragraphs[-1]} {value}".strip()
    if any(paragraphs):
        yield {"id": name, "text": "\n".join(paragraphs), "keyphrases": []}


def matching(data: Path, pattern: str) -> list[Path]:
    """Return the files of the folder that match a pattern such as `keywords/train-*.jsonl.xz`, in order."""
    folder = data / Path(pattern).parent
    names = sorted(folder.iterdir()) if folder.is_dir() else []
    found = [path for path in names if fnmatch(path.name, Path(pattern).name)]
    if not found:
        raise InputError(f"{data}: no file {pattern}")
    return found


def squeezed_title(record: Record) -> str:
    """Return a title in the form that is compared: the first eighty of its letters and digits."""
    return re.sub(r"[^a-z0-9]+", "", record.get("title", "").lower())[:80]


def titles(data: Path, files: Iterable[str]) -> frozenset[str]:
    """Return the titles in these files, which may be patterns; documents with one of them are left out of training."""
    found = (squeezed_title(one) for name in files for path in matching(data, name) for one in read_records(path))
    return frozenset(found) - {""}
