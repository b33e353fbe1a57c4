"""The datasets of a benchmark: where each is found, the style of its keyphrases, and how it is scored.

Only test splits are here, but for `everyday`, of which there is a development split only. Where a style is given, it
follows from who chose the gold, never from the scores.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, islice
from pathlib import Path

from phrasemill.errors import DataError, UnknownName
from phrasemill.evaluation.answers import Answers
from phrasemill.text.analyse import analyse
from phrasemill.types import Document
from phrasemill_lab.datasets import files, load_dataset, load_topics, read_layout
from phrasemill_lab.datasets.building.grouping import DocumentSet
from phrasemill_lab.datasets.problems import DatasetProblem
from phrasemill_lab.datasets.records import STEMMED

DIGEST_LENGTH = 12
GENRE, GRADES = "genre", "grades"  # fields of a record
BEST_GRADE = 2


@dataclass(frozen=True, slots=True)
class BenchTask:
    """A dataset of the catalog, or a `file`, with the protocol by which it is scored; the first metric is the main one.

    `styles` are those of its keyphrases, for rows with a style: the first that a method has is used. `golds`
    are the names of its gold in the shapes in which it is found, `splits` likewise. With `sets` the gold is one of
    sets. `genre` is the one kind of texts to read; `graded` gold has grades, and those of the best are scored, too.
    """

    name: str
    title: str
    metrics: tuple[str, ...] = ("F1@5", "F1@10")
    styles: tuple[str, ...] = ()
    splits: tuple[str, ...] = ("test",)
    golds: tuple[str | None, ...] = (None,)
    dataset: str = ""
    file: str = ""
    preset: str = "default"
    policy: Mapping[str, object] = field(default_factory=dict)
    sets: bool = False
    top: int | None = None
    genre: str = ""
    graded: bool = False

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
        topics = load_topics(self.dataset, root, top=self.top, check="off", on_error="skip", report=_quietly)
        return map(DocumentSet.without_titles, topics)  # the authors' runs read no headlines (docs/evidence/parity.md)

    def _documents(self, root: Path) -> Iterator[Document]:
        if not self.dataset:
            every = read_layout(root / self.file, on_error="skip", report=_quietly)
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
        documents = load_dataset(
            self.dataset, place, split=split, gold=gold, check="off", on_error="skip", report=_quietly
        )
        first = next(documents, None)
        if first is None:
            raise DataError(f"{place}: no documents")
        return chain([first], documents)


@dataclass(frozen=True)
class LoadedDataset:
    """A dataset in memory, or the beginning of one; a group is one document, or a set of them, with its gold."""

    task: BenchTask
    groups: tuple[DocumentSet, ...]
    sampled: bool

    @cached_property
    def documents(self) -> list[Document]:
        return [document for group in self.groups for document in group.documents]

    @cached_property
    def tokens(self) -> int:
        return sum(len(analyse(document.content, tag=False)) for document in self.documents)

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

    @cached_property
    def digest(self) -> str:
        """Changes when any text or keyphrase does."""
        digest = hashlib.sha256()
        for group in self.groups:
            parts = [group.id, *(document.content for document in group.documents), repr(group.references)]
            digest.update("\x1e".join(parts).encode("utf-8", "surrogatepass") + b"\n")
        return digest.hexdigest()[:DIGEST_LENGTH]


SEMEVAL = BenchTask(
    "semeval2010",
    "SemEval-2010",
    ("F1@15", "F1@5"),
    ("reader",),
    golds=("combined_stem", "combined.stem", "combined"),
    dataset="semeval2010",
    preset="semeval2010",
)
SETS = BenchTask(
    "mkduc01",
    "MK-DUC-01, sets of documents",
    ("F1@20", "unigram-F1@20"),
    ("news",),
    dataset="mkduc01",
    preset="mkduc01",
    sets=True,
    top=20,
)


EVERYDAY = BenchTask(
    "everyday",
    "Everyday English texts (annotated by a language model)",
    styles=("everyday",),
    file="everyday/en_dev.jsonl.gz",
    graded=True,
)


def _everyday(genre: str) -> BenchTask:
    """Return the task of one kind of everyday texts."""
    title = f"Everyday English texts, {genre} (annotated by a language model)"
    return replace(EVERYDAY, name=f"{EVERYDAY.name}-{genre}", title=title, genre=genre)


def _present(
    name: str, title: str, *styles: str, last: str = "F1@10", splits: tuple[str, ...] = ("test",)
) -> BenchTask:
    """Return a task that is scored on the keyphrases that occur in the text."""
    metrics = ("F1@5", last)
    return BenchTask(name, f"{title}, present", metrics, styles, splits, dataset=name, policy={"present": "present"})


TASKS = (
    EVERYDAY,
    _everyday("news"),
    BenchTask("inspec", "Inspec", styles=("indexer",), dataset="inspec"),
    SEMEVAL,
    replace(
        SEMEVAL,
        name="semeval2010-official",
        title="SemEval-2010, as distributed",
        file="semeval2010_official_test.jsonl",
    ),
    BenchTask("duc2001", "DUC-2001", styles=("news",), dataset="duc2001"),
    BenchTask("500n-kpcrowd", "500N-KPCrowd", styles=("news",), dataset="500n_kpcrowd"),
    _present("pubmedake", "PubMedAKE", "author", splits=("test", "small_test", "sample")),
    _present("kp20k", "KP20k", "author", last="F1@O"),
    _present("krapivin", "Krapivin", "author"),
    _present("nus", "NUS", "reader"),
    _present("kptimes", "KPTimes", "news"),
    _present("stackex", "StackExchange", "tags", "author", last="F1@O"),
    SETS,
)


def task(name: str) -> BenchTask:
    """Return the task called `name`; upper case and underscores make no difference. `everyday-blog` is one kind."""
    plain = name.lower().replace("_", "-")
    for one in TASKS:
        if one.name == plain:
            return one
    if plain.startswith(f"{EVERYDAY.name}-"):
        return _everyday(plain.partition("-")[2])
    raise UnknownName("dataset", name, [one.name for one in TASKS])


def own_file(path: Path) -> BenchTask:
    """Return the task of a file, in any layout that `phrasemill dataset convert` reads."""
    name = path.name.split(".")[0]
    return BenchTask(name, path.name, file=str(path.resolve()))


def available(root: Path, tasks: Sequence[BenchTask] = TASKS) -> tuple[list[BenchTask], dict[str, str]]:
    """Return the tasks whose data are there, and why each of the others is not."""
    found, missing = [], {}
    for one in tasks:
        try:
            one.load(root, 1)
        except DataError as error:
            missing[one.name] = str(error)
        else:
            found.append(one)
    return found, missing


def _quietly(problem: DatasetProblem) -> None:
    """Malformed records are passed over here; `phrasemill dataset show` names them."""
