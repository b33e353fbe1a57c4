"""The datasets on which quality is measured: where each is found, and how it is scored.

Only test splits are here, but where there is a development split only: `everyday`, and texts in other languages.
"""

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

from phrasemill.errors import DataError, PhrasemillError, UnknownName
from phrasemill.evaluation import evaluate
from phrasemill.evaluation.answers import Answers
from phrasemill.types import Document
from phrasemill_lab.datasets import files, load_dataset, load_topics, read_layout
from phrasemill_lab.datasets.building.grouping import DocumentSet
from phrasemill_lab.datasets.records import STEMMED
from phrasemill_lab.measure.corpora import records

GENRE, GRADES = "genre", "grades"  # fields of a record
BEST_GRADE = 2
TOP = 50  # phrases of a list
ESSENTIAL = ("R@10",)  # of the gold of the best grade
RESAMPLES = 1000
# Malformed records are passed over here; `phrasemill dataset show` names them.
QUIETLY: dict[str, Any] = {"on_error": "skip", "report": lambda problem: None}
WHOLE = "duc2001_raw"  # as NIST distributes it, but for one article
COUNT = "phrases"  # how many phrases a list of ten has: fewer are better
LIST = 10


class Figure(NamedTuple):
    """A score from 0 to 1, or a count, with its interval and signature where it has them."""

    metric: str
    value: float
    low: float | None = None
    high: float | None = None
    signature: str = ""

    @property
    def shown(self) -> float:
        """The score in per cent, or the count, as it is printed and compared."""
        return round(self.value if self.metric == COUNT else 100 * self.value, 1)


@dataclass(frozen=True, slots=True)
class Task:
    """A dataset of the catalog, or a `file`, with the protocol by which it is scored; the first metric is the main one.

    `golds` are the names of its gold in the shapes in which it is found, `splits` likewise. With `sets` the gold is one
    of sets, which are read without their documents' titles unless `headlines` is set, and with their lead paragraphs
    where they are `whole`. `genre` is the one kind of texts to read; `graded` gold has grades, and those of the best
    are scored, too. `plain` gold and lists are compared in lower case with spaces for hyphens.
    """

    name: str
    title: str
    metrics: tuple[str, ...] = ("F1@5", "F1@10")
    splits: tuple[str, ...] = ("test",)
    golds: tuple[str | None, ...] = (None,)
    dataset: str = ""
    file: str = ""
    preset: str = "default"
    policy: Mapping[str, object] = field(default_factory=dict)
    sets: bool = False
    headlines: bool = False
    whole: bool = False
    top: int | None = None
    genre: str = ""
    graded: bool = False
    plain: bool = False
    language: str = "en"

    def load(self, root: Path, documents: int | None = None) -> "LoadedDataset":
        """Read the dataset below `root`, at most `documents` documents or sets; a `DataError` names what is missing."""
        one_more = None if documents is None else documents + 1
        groups = list(islice(self._groups(root), one_more))
        if not groups:
            raise DataError(f"{root}: no documents of {self.name}")
        return LoadedDataset(self, tuple(groups[:documents]), sampled=documents is not None and len(groups) > documents)

    def _groups(self, root: Path) -> Iterator[DocumentSet]:
        if not self.sets:
            return (DocumentSet(one.id, (one,), one.references) for one in self._documents(root))
        members: dict[str, Document] = {}
        for name in ("duc2001", WHOLE) if self.whole else ():
            members |= {one.id: one for one in load_dataset(name, root, check="off", **QUIETLY)}
        topics = load_topics(
            self.dataset, root, documents=list(members.values()) or None, top=self.top, check="off", **QUIETLY
        )
        # The authors' runs read no headlines (docs/evidence/parity.md).
        return iter(topics) if self.headlines else map(DocumentSet.without_titles, topics)

    def _documents(self, root: Path) -> Iterator[Document]:
        if self.plain:
            labels = ((one["doc"], tuple(map(plain, one["label"]))) for one in records(root, self.file))
            return (Document(str(number), text, references=gold) for number, (text, gold) in enumerate(labels))
        if not self.dataset:
            every = read_layout(root / self.file, **QUIETLY)
            return (one for one in every if not self.genre or one.metadata.get(GENRE) == self.genre)
        tried = [(split, gold) for split in self.splits for gold in self.golds]
        for split, gold in tried[:-1]:
            try:
                return self._opened(root, split, gold)
            except DataError:
                continue
        return self._opened(root, *tried[-1])

    def _opened(self, root: Path, split: str, gold: str | None) -> Iterator[Document]:
        place = files.found(root, self.file) if self.file else root
        documents = load_dataset(self.dataset, place, split=split, gold=gold, check="off", **QUIETLY)
        first = next(documents, None)
        if first is None:
            raise DataError(f"{place}: no documents")
        return chain([first], documents)

    def extraction(self, spec: str) -> "Extraction":
        """Return a function from documents, or sets of them, to the texts of their keyphrases."""
        if self.sets:
            from phrasemill.sets import build_set_method, extract_set

            method = build_set_method(spec)
            return lambda groups: (
                [one.text for one in extract_set(g.documents, method=method, top=TOP)] for g in groups
            )
        from phrasemill.extractor import extract_batch
        from phrasemill.ranker import build

        extractor = build(spec)
        return lambda groups: (
            [phrase.text for phrase in found]
            for found in extract_batch((group.documents[0] for group in groups), method=extractor, top=TOP)
        )

    def scores(self, lists: Mapping[str, Sequence[str]], loaded: "LoadedDataset") -> list[Figure]:
        """Return the scores of the lists, those of essential keyphrases, and the count of phrases."""
        if self.plain:
            lists = {name: [plain(phrase) for phrase in found] for name, found in lists.items()}
        metrics = [metric for metric in self.metrics if metric != COUNT]
        found = self._scores(lists, loaded.gold, metrics)
        if self.graded:
            essential = self._scores(lists, loaded.essential, ESSENTIAL)
            found += [one._replace(metric=f"essential {one.metric}") for one in essential]
        if COUNT in self.metrics:
            found.append(Figure(COUNT, sum(min(len(one), LIST) for one in lists.values()) / len(lists)))
        return found

    def _scores(self, lists: Mapping[str, Sequence[str]], gold: Answers, metrics: Sequence[str]) -> list[Figure]:
        made = evaluate(lists, gold, metrics=metrics, preset=self.preset, policy=self.policy, resamples=RESAMPLES)
        found = []
        for one in made:
            assert one.interval is not None
            found.append(Figure(one.name, one.value, one.interval.low, one.interval.high, one.signature))
        return found


Extraction = Callable[[Iterable[DocumentSet]], Iterable[list[str]]]


@dataclass(frozen=True)
class LoadedDataset:
    """A dataset in memory, or the beginning of one; a group is one document, or a set of them, with its gold."""

    task: Task
    groups: tuple[DocumentSet, ...]
    sampled: bool

    @cached_property
    def documents(self) -> list[Document]:
        return [document for group in self.groups for document in group.documents]

    @cached_property
    def without_language(self) -> tuple[DocumentSet, ...]:
        """The groups as a user has them: documents do not name their language."""
        return tuple(
            [
                replace(group, documents=tuple([replace(document, language="") for document in group.documents]))
                for group in self.groups
            ]
        )

    @cached_property
    def gold(self) -> Answers:
        return Answers(
            self.task.title,
            {group.id: group.references for group in self.groups},
            texts={group.id: "\n".join(document.content for document in group.documents) for group in self.groups},
            stemmed=any(document.metadata.get(STEMMED) for document in self.documents),
            languages={group.id: group.documents[0].language for group in self.groups},
        )

    @cached_property
    def essential(self) -> Answers:
        """The gold of the best grade alone: what a reader would miss."""
        phrases = {}
        for group in self.groups:
            grades = group.documents[0].metadata.get(GRADES)
            if not isinstance(grades, list) or len(grades) != len(group.references):
                raise DataError(f"{self.task.name}, document {group.id}: not one grade for each keyphrase")
            graded = zip(group.references, grades, strict=True)
            phrases[group.id] = tuple([reference for reference, grade in graded if grade == BEST_GRADE])
        return replace(self.gold, phrases=phrases)


def _read() -> Iterator[Task]:
    """Yield the tasks of tasks.toml."""
    for group in tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["group"]:
        for own in group.pop("tasks"):
            fields = (group | own).items()
            made: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in fields}
            yield Task(**made)


TASKS = {one.name: one for one in _read()}


def task(name: str) -> Task:
    """Return the task called `name`, or that of a file of one's own, in any layout that `phrasemill dataset` reads.

    Upper case and underscores make no difference. `everyday-blog` is one kind.
    """
    if (path := Path(name)).is_file():
        return Task(path.name.split(".")[0], path.name, file=str(path.resolve()))
    known = name.lower().replace("_", "-")
    everyday, genre = TASKS["everyday"], known.removeprefix("everyday-")
    if known not in TASKS and genre != known:
        return replace(everyday, name=known, title=f"{everyday.title}, {genre}", genre=genre)
    if known not in TASKS:
        raise UnknownName("dataset", name, TASKS)
    return TASKS[known]


def available(root: Path) -> list[str]:
    """Return the names of the datasets that are below `root`."""
    found = []
    for one in TASKS.values():
        with suppress(PhrasemillError, OSError):
            one.load(root, 1)
            found.append(one.name)
    if not found:
        raise DataError(f"{root}: {'no known dataset in it' if root.is_dir() else 'no such folder'}")
    return found


def plain(phrase: str) -> str:
    return " ".join(phrase.replace("-", " ").lower().split())
