"""Work in parts that survive a kill: each batch becomes one file, written under another name and renamed when complete.

A builder that is started again with the same inputs and options resumes after the parts that are there. Batches are
numbered by the inputs alone, so neither the number of processes nor the moment of the kill shows in the result. (A
power cut may cost more: nothing is synced to the disk.)
"""

import shutil
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from phrasemill.errors import DataError, InputError
from phrasemill.workers import calls
from phrasemill_lab.datasets.building.sources import BuildBatch, BuildPlan

FOLDER = ".building"
PLAN, PARTS = "plan", "parts"
STOPPED = "building stopped (run the same command again to resume)"

# Turns a batch into the lines of its part; sent to other processes, so a plain function or a small object.
Work = Callable[[BuildBatch], Iterable[bytes]]
# Called with the bytes of the inputs that are done, and their total.
Progress = Callable[[int, int], None]


class BuildFolder:
    """The folder in which a dataset is being built, and what is done already."""

    def __init__(self, output: Path, plan: BuildPlan) -> None:
        self.plan = plan
        self.path = output / FOLDER
        self.parts = self.path / PARTS
        written = self.path / PLAN
        try:
            self.resumed = written.is_file() and written.read_text(encoding="utf-8") == plan.fingerprint
            if not self.resumed:
                shutil.rmtree(self.path, ignore_errors=True)
                self.parts.mkdir(parents=True)
                written.write_text(plan.fingerprint, encoding="utf-8")
        except OSError as error:
            raise InputError(f"{output}: cannot build there: {error.strerror or error}") from error

    def run(self, batches: Iterable[BuildBatch], work: Work, *, jobs: int, progress: Progress | None) -> None:
        """Make all the parts that are missing, in `jobs` processes."""
        make = partial(_make_part, folder=self.parts, work=work)
        for _ in calls(make, self._missing(batches, progress), jobs=jobs, failure=STOPPED):
            continue

    def _missing(self, batches: Iterable[BuildBatch], progress: Progress | None) -> Iterator[tuple[int, BuildBatch]]:
        done = 0
        for number, batch in enumerate(batches):
            if not _part(self.parts, number).is_file():
                yield number, batch
            done += batch.weight
            if progress:
                progress(done, self.plan.size)

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of all parts in order, without their ends."""
        for path in sorted(self.parts.iterdir()):
            if path.suffix == "":
                with path.open("rb") as file:
                    for line in file:
                        yield line.rstrip(b"\n")

    def size(self) -> int:
        return sum(path.stat().st_size for path in self.parts.iterdir())

    def close(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)


def _make_part(numbered: tuple[int, BuildBatch], *, folder: Path, work: Work) -> None:
    number, batch = numbered
    path = _part(folder, number)
    new = path.with_suffix(".new")
    try:
        with new.open("wb") as file:
            file.writelines(work(batch))
    except MemoryError:  # ends a worker process
        raise
    except Exception as error:
        raise DataError(f"part {number} failed: {type(error).__name__}: {error}") from error
    new.replace(path)


def _part(folder: Path, number: int) -> Path:
    return folder / f"{number:09}"
