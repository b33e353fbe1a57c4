"""Document frequencies of collections of any size.

Each batch is counted into a sorted run on disk, and the runs are merged: every count is exact, whatever the number of
batches, processes and documents.
"""

import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from phrasemill.errors import ConfigError, InputError
from phrasemill.isolated import Lost, Pool, checked_jobs, in_order
from phrasemill.statistics import tables
from phrasemill.statistics.frequencies import DocumentFrequencies, count_forms
from phrasemill.text.language_codes import language_code
from phrasemill.types import Document

# Characters per batch: a run of many documents has each common form only once, but a process holds one batch, and the
# distinct n-grams of 6 MB of text take about 120 MB.
BATCH = 6_000_000
FAN_IN = 64  # as many runs are open at a time
STOPPED = "counting stopped (try fewer jobs)"
# Called with the step, how much of it is done, and its total (0 if unknown).
FitProgress: TypeAlias = Callable[[str, int, int], None]


def quiet(step: str, done: int, total: int) -> None:
    """Show no progress."""


def fit_frequencies(
    documents: Iterable[Document],
    output: Path,
    *,
    language: str = "en",
    longest: int = 3,
    least: int = 1,
    jobs: int = 1,
    batch: int = BATCH,
    progress: FitProgress = quiet,
) -> DocumentFrequencies:
    """Count the n-grams of up to `longest` words in `documents` and write the table `output`.

    Forms in fewer than `least` documents are dropped at the end. Memory is bounded by `batch`, the characters that each
    of the `jobs` processes holds at a time; the bytes of the table depend on the documents alone.
    """
    if least < 1 or longest < 1:
        raise ConfigError("least and longest must be at least 1")
    language = language_code(language)
    jobs = checked_jobs(jobs)
    with working_folder(output) as folder:
        count = partial(count_batch, language=language, longest=longest)
        counted = partial(progress, "counting documents")
        runs, total = written_runs(count, documents, folder, batch=batch, jobs=jobs, progress=counted)
        runs = merged_down(runs, folder, jobs)
        progress("merging", 0, 0)
        table = DocumentFrequencies(total, {}, language, longest, least)
        whole = tables.merged(map(tables.read_run, runs))
        tables.write_table(output, tables.at_least(whole, least), table.metadata)
    return DocumentFrequencies.load(output)


def working_folder(output: Path) -> "tempfile.TemporaryDirectory[str]":
    """Return a folder for the runs beside the output, on the disk that has to have space for it."""
    return tempfile.TemporaryDirectory(prefix=f".{output.name}-runs-", dir=output.parent)


def written_runs(
    count: Callable[[tuple[list[str], Path]], int],
    documents: Iterable[Document],
    folder: str,
    *,
    batch: int,
    jobs: int,
    progress: Callable[[int, int], None],
) -> tuple[list[Path], int]:
    """Count batch after batch into a run; return the paths of the runs, and the number of documents."""
    runs: list[Path] = []

    def tasks() -> Iterator[tuple[list[str], Path]]:
        for texts in _batches(documents, batch):
            runs.append(Path(folder, f"run-{len(runs):09}"))
            yield texts, runs[-1]

    total = 0
    for size in _spread(count, tasks(), jobs=jobs):
        total += size
        progress(total, 0)
    return runs, total


def _batches(documents: Iterable[Document], most: int) -> Iterator[list[str]]:
    """Yield the contents of documents in lists of about `most` characters."""
    some: list[str] = []
    size = 0
    for document in documents:
        content = document.content
        # Lone surrogates cannot be written as UTF-8.
        some.append(content if content.isascii() else content.encode("utf-8", "replace").decode())
        size += len(content) + 1
        if size >= most:
            yield some
            some, size = [], 0
    if some:
        yield some


def count_batch(task: tuple[list[str], Path], *, language: str, longest: int) -> int:
    """Count the n-grams of some texts into a run; return the number of texts."""
    texts, path = task
    total, counts = count_forms(texts, language, longest)
    tables.write_run(path, tables.in_order(counts))
    return total


def merged_down(runs: list[Path], folder: str, jobs: int) -> list[Path]:
    """Merge runs until one last merge can take them all; return these."""
    level = 0
    while len(runs) > FAN_IN:
        groups = [runs[at : at + FAN_IN] for at in range(0, len(runs), FAN_IN)]
        runs = [Path(folder, f"merged-{level}-{at}") for at in range(len(groups))]
        for _ in _spread(_merge, zip(groups, runs, strict=True), jobs=jobs):
            pass
        level += 1
    return runs


def _merge(task: tuple[list[Path], Path]) -> None:
    """Merge runs into one, and remove them."""
    runs, output = task
    tables.write_run(output, tables.merged(map(tables.read_run, runs)))
    for path in runs:
        path.unlink()


@dataclass(frozen=True, slots=True)
class _Function:
    """The task of workers: what a function returns."""

    function: Callable[[Any], Any]

    def prepare(self) -> Callable[[Any], Any]:
        return self.function


def _spread(function: Callable[[Any], Any], arguments: Iterable[Any], *, jobs: int) -> Iterator[Any]:
    """Yield what `function` returns for each argument, in order. With one job it is called in this process."""
    if jobs == 1:
        yield from map(function, arguments)
        return
    try:
        with Pool(_Function(function), jobs=jobs) as pool:
            yield from in_order(pool.submit, arguments, jobs=jobs)
    except Lost as lost:
        raise InputError(f"{STOPPED}: {lost}") from None
