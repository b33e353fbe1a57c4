"""What the scripts in benchmarks/ share: options, tables, figures, clocks, fresh processes and scores."""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from phrasemill.evaluation import Scores, evaluate
from phrasemill.pipeline import extract_batch
from phrasemill.training.learned_examples import key
from phrasemill.types import Document
from phrasemill_lab.bench import figures

ROUNDS = 5


def parser(
    description: str | None,
    *,
    data: bool = True,
    pattern: str = "",
    documents: int | None = None,
    measures: bool = True,
) -> argparse.ArgumentParser:
    """Return a parser with the options that scripts share; with `data`, --data is required, and with `measures` there
    is --figures, for `write_figures`."""
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    if data or pattern:
        made.add_argument("--data", type=Path, required=data, metavar="DIR", help="folder with the data")
    if pattern:
        made.add_argument("--pattern", default=pattern, help="which files there (default: %(default)s)")
    if documents is not None:
        made.add_argument("--documents", type=int, default=documents, help="how many at most (default: %(default)s)")
    if measures:
        figures.add_option(made)
    return made


def numbers(text: str) -> list[int]:
    """Return the numbers of an option such as `1000,2000`."""
    return [int(one) for one in text.split(",")]


class MarkdownRows:
    """A table that is printed row by row, as figures are measured.

    `write_figures` writes those that have a `name`; the first `keys` columns name a row.
    """

    printed: ClassVar[dict[str, "MarkdownRows"]] = {}

    def __init__(self, *header: str, name: str = "", keys: int = 1) -> None:
        self.header, self.keys, self.rows = header, keys, list[Sequence[object]]()
        if name:
            self.printed[name] = self
        self._print(header)
        print("|" + "---|" * len(header), flush=True)

    def add(self, *cells: object) -> None:
        self.rows.append(cells)
        self._print(cells)

    def _print(self, cells: Sequence[object]) -> None:
        print(f"| {' | '.join(map(str, cells))} |", flush=True)

    @property
    def table(self) -> figures.FigureTable:
        """What was printed, for a file of figures."""
        return figures.table(self.header, self.rows, keys=self.keys)


def write_figures(path: Path | None, *, note: str = "", **more: figures.Value) -> None:
    """Write the named tables that this process printed, and more values, where `--figures` says; nothing without it."""
    tables = {name: rows.table for name, rows in MarkdownRows.printed.items()}
    figures.write(path, tables | more, note=note)


def best_of(work: Callable[[], object], rounds: int = ROUNDS, clock: Callable[[], float] = time.perf_counter) -> float:
    """Return the seconds of the fastest round: what the code needs when nothing else has the core."""
    times = []
    for _ in range(rounds):
        start = clock()
        work()
        times.append(clock() - start)
    return min(times)


def seconds_of(work: Callable[[], object]) -> float:
    """Return the seconds of one call."""
    return best_of(work, rounds=1)


def fresh(script: str, *arguments: object) -> Any:
    """Run a script in a process of its own, and return what it prints last, which is JSON.

    Peak memory is inherited by a forked process, so the parent should be small.
    """
    command = [sys.executable, script, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return json.loads((done.stdout.splitlines() or ["null"])[-1])


class Usage(NamedTuple):
    """Seconds of processor time of this process and its children, and the most memory of it and of one child."""

    processor: float
    own_megabytes: float
    child_megabytes: float


def usage() -> Usage:
    import resource  # not on Windows

    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return Usage(sum(one.ru_utime + one.ru_stime for one in used), *(one.ru_maxrss / unit for one in used))


def extracted(documents: Sequence[Document], method: Any, top: int = 10) -> dict[str, list[str]]:
    """Return the keyphrases of each document by its id."""
    lists = extract_batch(documents, method=method, top=top)
    return {one.id: [phrase.text for phrase in found] for one, found in zip(documents, lists, strict=True)}


def f1_cell(documents: Sequence[Document], method: Any, **policy: object) -> str:
    """Return F1@5 / F1@10 of a method on documents with references, in per cent."""
    return shown(evaluate(extracted(documents, method), documents, metrics=["F1@5", "F1@10"], policy=policy))


def shown(scores: Scores) -> str:
    """Return scores in per cent, with slashes between them."""
    return " / ".join(f"{100 * score.value:.1f}" for score in scores)


def f1_of(phrases: Sequence[str], document: Document) -> float:
    """Return the F1 of a list for a document, each of whose keyphrases is found once, by any of its wordings."""
    found = {key(one, document.language) for one in phrases}
    groups = [
        {key(one, document.language) for one in ((reference,) if isinstance(reference, str) else reference)}
        for reference in document.references
    ]
    hits = min(sum(not found.isdisjoint(group) for group in groups), len(found))
    return 2 * hits / max(len(found) + len(groups), 1)
