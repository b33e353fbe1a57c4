"""What a trainer is, and the table of them: `phrasemill train NAME` builds one by its spec and calls `fit`.

A trainer is a frozen dataclass whose fields are its settings, so that `kea(keyphraseness=True)` is checked and built
like a method. To add one, write the class and its line in TRAINERS.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Protocol, TypeAlias, TypeVar

from phrasemill.registry import Registry
from phrasemill.types import Document

Item = TypeVar("Item")
# Called as work goes on: what is being done, how much of it is done, and how much there is (0 if unknown).
Progress: TypeAlias = Callable[[str, int, int], None]


class Model(Protocol):
    """What training makes."""

    def save(self, path: Path) -> None: ...

    def summary(self) -> Mapping[str, str]:
        """What a person wants to know at the end of training, in order."""
        ...


class Trainer(Protocol):
    """Settings in the constructor, documents with references in the call."""

    def fit(
        self, documents: Iterable[Document], *, dev: Iterable[Document] = (), progress: Progress = ...
    ) -> Model: ...

    def spec(self, model: Path) -> str:
        """The method that uses a model which was saved there."""
        ...


def quiet(step: str, done: int, total: int) -> None:
    """No progress is shown."""


def tracked(items: Iterable[Item], step: str, progress: Progress, *, total: int = 0) -> Iterator[Item]:
    """The items, while `progress` hears of each."""
    progress(step, 0, total)
    for done, item in enumerate(items, start=1):
        yield item
        progress(step, done, total)


TRAINERS = Registry(
    "trainer",
    {
        "kea": "phrasemill.lab.training.kea:KeaTrainer",
        "learned": "phrasemill.lab.training.learned:LearnedTrainer",
        "maui": "phrasemill.lab.training.maui:MauiTrainer",
        "maxent": "phrasemill.lab.training.ngram_classifiers:MaxEntTrainer",
        "naivebayes": "phrasemill.lab.training.ngram_classifiers:NaiveBayesTrainer",
    },
)
