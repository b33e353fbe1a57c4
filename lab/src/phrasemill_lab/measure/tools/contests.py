"""Extractors in processes of their own that take turns over the same texts: a method of ours, and tools like it."""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import shorten
from typing import Any, NamedTuple, TypeAlias

import phrasemill as pm
from phrasemill.errors import PhrasemillError
from phrasemill.shipped import shipped
from phrasemill_lab.measure.fresh import EXAMPLE, OpenProcess, environment

WORKER = str(Path(__file__).with_name("worker.py"))
VARIABLES = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "PYTHONIOENCODING": "utf-8",
    "PYTHONWARNINGS": "ignore",
    "PHRASEMILL_STOPWORDS": str(shipped("stopwords_en.txt")),
}
METRIC = "F1@10"
STARTS = 5
SLOW = 10.0  # seconds of a round that is not repeated
LONGEST = 60  # characters of a reason
PATIENCE = 20  # times the limit of an answer is what all phrases of a test set may take: they are not timed

Figure: TypeAlias = "float | str"  # a measurement, or why there is none
Texts: TypeAlias = Mapping[str, Sequence[str]]


class Side(NamedTuple):
    """An extractor: the Python that has it, its adapter, the variant, and folders with packages that it also reads."""

    python: Path
    adapter: str
    variant: str
    packages: str = ""


@contextmanager
def on_disk(texts: Texts) -> Iterator[Path]:
    """The texts in a file that workers can read."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "corpora.json"
        path.write_text(json.dumps(texts), encoding="utf-8")
        yield path


@dataclass(frozen=True, slots=True)
class Contest:
    """Some sides that take turns; one that takes more than `limit` seconds for an answer has none."""

    sides: Sequence[Side]
    rounds: int
    limit: float

    def start_up(self) -> list[Figure]:
        """Return seconds from the start of a process to the keyphrases of a one-page text: the fastest of some."""
        with on_disk({"example": [EXAMPLE.read_text(encoding="utf-8")]}) as path:
            return _fastest(STARTS, [partial(self._start, side, path) for side in self.sides])

    def _start(self, side: Side, path: Path) -> float:
        start = time.perf_counter()
        with self._running(side, path):
            return time.perf_counter() - start

    def seconds(self, texts: Sequence[str]) -> list[Figure]:
        """Return processor seconds for all texts: the fastest round."""
        with on_disk({"texts": texts}) as path, ExitStack() as stack:
            workers = [_attempt(partial(stack.enter_context, self._running(side, path))) for side in self.sides]
            return _fastest(self.rounds, [partial(_asked, worker, ["round", "texts"]) for worker in workers])

    def long_text(self, text: str) -> list[Figure]:
        """Return processor seconds for one long text, which each meets for the first time."""
        return self._answers({"first": [EXAMPLE.read_text(encoding="utf-8")], "long": [text]}, ["round", "long"])

    def megabytes(self, texts: Sequence[str]) -> list[Figure]:
        """Return the most memory of a process that extracted from all texts."""
        return self._answers({"texts": texts}, ["round", "texts"], ["memory", ""])

    def f1(self, texts: Sequence[str], gold: Sequence[Sequence[str]]) -> list[Figure]:
        """Return F1@10 against the gold, in per cent."""
        found = replace(self, limit=PATIENCE * self.limit)._answers({"texts": texts}, ["phrases", "texts"])
        keys = {str(i): list(phrases) for i, phrases in enumerate(gold)}
        return [one if isinstance(one, str) else _score(one, keys) for one in found]

    def _answers(self, texts: Texts, *orders: Sequence[str]) -> list[Any]:
        """Return the answer of each side to the last order, or why there is none."""
        with on_disk(texts) as path:
            return [_attempt(partial(self._answer, side, path, orders)) for side in self.sides]

    def _answer(self, side: Side, path: Path, orders: Sequence[Sequence[str]]) -> Any:
        with self._running(side, path) as worker:
            return [worker.ask(order) for order in orders][-1]

    @contextmanager
    def _running(self, side: Side, path: Path) -> Iterator[OpenProcess]:
        """A worker that is ready; it is ended, and waited for, at the end."""
        variables = environment() | VARIABLES | {"PYTHONPATH": side.packages}
        command = [str(side.python), WORKER, side.adapter, side.variant, str(path)]
        with OpenProcess(command, variables, self.limit) as worker:
            worker.ask()
            yield worker


def _fastest(rounds: int, calls: Sequence[Callable[[], Figure]]) -> list[Figure]:
    """Return the least that each call returns; they take turns. One that fails, or is slow, is not repeated."""
    best = [_attempt(call) for call in calls]
    for _ in range(rounds - 1):
        for number, call in enumerate(calls):
            if isinstance(before := best[number], float) and before < SLOW:
                again = _attempt(call)
                best[number] = min(before, again) if isinstance(again, float) else again
    return best


def _asked(worker: OpenProcess | str, order: Sequence[str]) -> Figure:
    return worker if isinstance(worker, str) else float(worker.ask(order))


def _attempt(ask: Callable[[], Any]) -> Any:
    try:
        return ask()
    except (PhrasemillError, OSError) as error:
        return shorten(str(error), LONGEST, placeholder=" …")


def _score(found: Sequence[Sequence[str]], gold: dict[str, list[str]]) -> float:
    return 100 * float(pm.evaluate({str(i): list(one) for i, one in enumerate(found)}, gold, metrics=[METRIC])[METRIC])
