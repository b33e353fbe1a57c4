"""MK-DUC-01 (Shapira et al., 2021) out of DUC-2001 as NIST distributes it, and how near the machine comes to the gold.

The documents are SGML in one folder per topic (`d04a/AP900101-0001`), the keyphrases those of Wan and Xiao (2008), the
summaries, where one has them, files called `400…` in folders called after the topics (`d04aa/400`). The gold of the
paper is the automatic stage of `mkpe` refined by hand; `closeness` compares the two, and `derive` in `decisions` finds
out what the hand did.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from itertools import combinations
from pathlib import Path
from statistics import fmean

from phrasemill.errors import DataError, InputError
from phrasemill.evaluation.answers import clustered
from phrasemill.evaluation.formats import read_answers
from phrasemill.files.folders import files_below
from phrasemill.files.streams import read_file
from phrasemill.readers.decoding import decode
from phrasemill.selection import form_of
from phrasemill.types import Document, Reference
from phrasemill_lab.datasets.building.grouping import DocumentSet

TRUNCATED = 20
SUMMARY_WORDS = "400"
# No article of DUC is near this size; what is larger is something else.
LARGEST = 16 << 20
TOPIC = re.compile(r"(d\d+)[a-z]*", re.IGNORECASE)
DOCUMENT = re.compile(r"<DOC>(.*?)</DOC>", re.DOTALL | re.IGNORECASE)
# AP has HEAD, the Wall Street Journal HL, the Financial Times and the LA Times HEADLINE, FBIS TI.
HEADLINE = re.compile(r"<(HEADLINE|HEAD|HL|TI)>(.*?)</\1>", re.DOTALL | re.IGNORECASE)
TEXT = re.compile(r"<(TEXT|LEADPARA)>(.*?)</\1>", re.DOTALL | re.IGNORECASE)
NUMBER = re.compile(r"<DOCNO>(.*?)</DOCNO>", re.DOTALL | re.IGNORECASE)
PARAGRAPH = re.compile(r"</?P\b[^>]*>", re.IGNORECASE)
MARKUP = re.compile(r"</?[A-Za-z][^<>]{0,200}>|<!--.{0,2000}?-->", re.DOTALL)


def read_nist(folder: Path, keyphrases: Mapping[str, Sequence[Reference]]) -> list[Document]:
    """Return the articles in the topic folders below `folder`, with their topics and the keyphrases of each id."""
    documents: dict[tuple[str, str], Document] = {}
    for topic, path in _topic_files(folder):
        for document in _articles(path, topic):
            documents.setdefault((topic, document.id), document)
    if not documents:
        raise InputError(f"{folder}: no <DOC> in any topic folder (d04a, d05a …) below it")
    without = sorted(id_ for _, id_ in documents if id_ not in keyphrases)
    if without:
        raise DataError(f"{len(without)} of {len(documents)} documents have no keyphrases, such as {without[0]}")
    return [
        Document(d.id, d.text, d.title, references=tuple(keyphrases[d.id]), metadata=d.metadata)
        for d in documents.values()
    ]


def read_keyphrases(path: Path) -> dict[str, tuple[Reference, ...]]:
    """Return keyphrases by document from lines `id@one;another` (or with a tab), or from any file of answers."""
    if path.suffix.lower() in (".gz", ".xz", ".jsonl", ".json"):
        return dict(read_answers(path).phrases)
    found: dict[str, tuple[Reference, ...]] = {}
    for number, line in enumerate(_text(path).splitlines(), start=1):
        if not line.strip():
            continue
        id_, mark, listed = line.partition("\t" if "\t" in line else "@")
        if not mark:
            raise InputError(f"{path}, line {number}: write id@keyphrase;keyphrase")
        found[id_.strip()] = tuple(phrase.strip() for phrase in listed.split(";") if phrase.strip())
    return found


def read_summaries(folder: Path) -> dict[str, list[str]]:
    """Return the texts of the reference summaries by topic."""
    found: dict[str, list[str]] = {}
    for topic, path in _topic_files(folder):
        if path.name.startswith(SUMMARY_WORDS):
            found.setdefault(topic, []).append(_plain(_text(path)))
    if not found:
        raise InputError(f"{folder}: no files called {SUMMARY_WORDS}… in topic folders below it")
    return found


def _topic_files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield every file below `folder` that stands in a folder called after a topic, in order of path."""
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder")
    for found in files_below(str(folder)):
        path = Path(found.path)
        topics = [TOPIC.fullmatch(part) for part in path.relative_to(folder).parts[:-1]]
        named = next((topic for topic in topics if topic), TOPIC.fullmatch(folder.name))
        if named and found.problem:
            raise InputError(f"{path}: {found.problem}")
        if named:
            yield named[1].lower(), path


def _text(path: Path) -> str:
    return decode(read_file(path, largest=LARGEST), name=str(path))


def _articles(path: Path, topic: str) -> Iterator[Document]:
    for found in DOCUMENT.finditer(_text(path)):
        number = NUMBER.search(found[1])
        if number is None:
            raise InputError(f"{path}: a <DOC> without <DOCNO>")
        titles = [_plain(headline[2]).replace("\n", " ") for headline in HEADLINE.finditer(found[1])]
        text = "\n".join(_plain(part[2]) for part in TEXT.finditer(found[1]))
        title = next((title for title in titles if title), "")
        yield Document(number[1].strip(), text, title, metadata={"topic": topic})


def _plain(source: str) -> str:
    """Return the text without tags, one line per paragraph."""
    parts = (unescape(MARKUP.sub(" ", part)) for part in PARAGRAPH.split(source))
    return "\n".join(" ".join(part.split()) for part in parts if part.strip())


@dataclass(frozen=True, slots=True)
class Closeness:
    """How near the lists of the machine come to the gold, as means over the topics, all between 0 and 1 but the last.

    A gold keyphrase is found if one of its wordings is in the list, by stems. `correlation` is Kendall's tau between
    the two orders of what was found.
    """

    topics: int
    recall: float  # gold found anywhere in the list
    precision: float  # phrases of the list that are in the gold
    recall_top: float  # of the first 20 of the gold, those found among the first 20 of the list
    recall_top_in_all: float  # of the first 20 of the gold, those found anywhere in the list
    correlation: float

    def rows(self) -> list[tuple[str, str]]:
        return [
            ("topics", str(self.topics)),
            ("gold keyphrases found in the list", f"{100 * self.recall:.1f} %"),
            ("phrases of the list in the gold", f"{100 * self.precision:.1f} %"),
            (f"gold's first {TRUNCATED} among the list's first {TRUNCATED}", f"{100 * self.recall_top:.1f} %"),
            (f"gold's first {TRUNCATED} in the list", f"{100 * self.recall_top_in_all:.1f} %"),
            ("Kendall's tau of the two orders", f"{self.correlation:.3f}"),
        ]


def closeness(made: Iterable[DocumentSet], gold: Mapping[str, Sequence[Reference]]) -> Closeness:
    """Compare the sets with the published gold, topic by topic."""
    rows = []
    for group in made:
        if group.id not in gold:
            raise DataError(f"the gold has no set {group.id}")
        rows.append(_compared(group.references, gold[group.id]))
    if not rows:
        raise DataError("no sets to compare with the gold")
    means = [fmean(column) for column in zip(*rows, strict=True)]
    return Closeness(len(rows), *means)


def _compared(made: Sequence[Reference], gold: Sequence[Reference]) -> tuple[float, ...]:
    ranks: dict[str, int] = {}
    for rank, reference in enumerate(made):
        for wording in clustered(reference):
            ranks.setdefault(form_of(wording), rank)
    forms = [{form_of(wording) for wording in clustered(reference)} for reference in gold]
    every = set().union(*forms)
    found = [min((ranks[form] for form in cluster if form in ranks), default=None) for cluster in forms]
    placed = [rank for rank in found if rank is not None]
    first = found[:TRUNCATED]
    correct = sum(any(form_of(wording) in every for wording in clustered(reference)) for reference in made)
    return (
        _share(len(placed), len(found)),
        _share(correct, len(made)),
        _share(sum(rank is not None and rank < TRUNCATED for rank in first), len(first)),
        _share(sum(rank is not None for rank in first), len(first)),
        _tau(placed),
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _tau(ranks: Sequence[int]) -> float:
    """Return Kendall's tau-a between `ranks` and their order in the sequence."""
    pairs = list(combinations(ranks, 2))
    signs = [(later > earlier) - (later < earlier) for earlier, later in pairs]
    return sum(signs) / len(signs) if signs else 0.0
