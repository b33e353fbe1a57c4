"""Work in parts that survive a kill: each batch becomes one file, written aside and renamed when it is whole.

A builder that is started again with the same inputs and options goes on after the parts that are there. Batches are
numbered by the inputs alone, so neither the number of processes nor the moment of the kill shows in the result. (A
power cut may cost more: nothing is synced to the disk.)
"""

import multiprocessing
import os
import shutil
import signal
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from pathlib import Path

from phrasemill.errors import ConfigError, DataError, InputError
from phrasemill.lab.datasets.building.sources import Batch, Plan

FOLDER = ".building"
PLAN, PARTS = "plan", "parts"

# Turns a batch into the lines of its part; sent to other processes, so a plain function or a small object.
Work = Callable[[Batch], Iterable[bytes]]
# Hears how many bytes of the inputs are done, of how many.
Progress = Callable[[int, int], None]


class Workshop:
    """The folder in which a dataset is being built, and what is done already."""

    def __init__(self, output: Path, plan: Plan) -> None:
        self.plan = plan
        self.folder = output / FOLDER
        self.parts = self.folder / PARTS
        written = self.folder / PLAN
        try:
            self.resumed = written.is_file() and written.read_text(encoding="utf-8") == plan.fingerprint
            if not self.resumed:
                shutil.rmtree(self.folder, ignore_errors=True)
                self.parts.mkdir(parents=True)
                written.write_text(plan.fingerprint, encoding="utf-8")
        except OSError as error:
            raise InputError(f"{output}: cannot build there: {error.strerror or error}") from error

    def run(self, batches: Iterable[Batch], work: Work, *, jobs: int, progress: Progress | None) -> None:
        """Make all the parts that are not there yet."""
        done = 0
        with _Crew(jobs, work, self.parts) as crew:
            for number, batch in enumerate(batches):
                if not _part(self.parts, number).is_file():
                    crew.give(number, batch)
                done += batch.weight
                if progress:
                    progress(done, self.plan.size)
            crew.finish()

    def lines(self) -> Iterator[bytes]:
        """The lines of all parts in order, without their ends."""
        for path in sorted(self.parts.iterdir()):
            if path.suffix == "":
                with path.open("rb") as file:
                    for line in file:
                        yield line.rstrip(b"\n")

    def size(self) -> int:
        return sum(path.stat().st_size for path in self.parts.iterdir())

    def close(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def processes(jobs: int | None) -> int:
    """How many to use: as many as asked for, or as this process may use cores."""
    if jobs is not None and jobs < 1:
        raise ConfigError(f"jobs must be at least 1, got {jobs}")
    return jobs or (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


def _part(folder: Path, number: int) -> Path:
    return folder / f"{number:09}"


def _make(folder: Path, number: int, batch: Batch, work: Work) -> None:
    path = _part(folder, number)
    aside = path.with_suffix(".new")
    with aside.open("wb") as file:
        file.writelines(work(batch))
    aside.replace(path)


def _serve(connection: Connection, work: Work, folder: Path, place: Path) -> None:
    """The life of a worker; it ends when the pipe does, so that none outlives a parent that was killed."""
    os.chdir(place)  # inputs may be named relative to it
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            number, batch = connection.recv()
        except (EOFError, OSError):
            return
        try:
            _make(folder, number, batch, work)
            answer = ""
        except Exception as error:
            answer = f"{type(error).__name__}: {error}"
        try:
            connection.send(answer)
        except OSError:  # nobody listens any more
            return


class _Crew:
    """Processes that take one batch at a time. With one job everything happens here instead."""

    def __init__(self, jobs: int, work: Work, folder: Path) -> None:
        self.work, self.folder = work, folder
        self.idle: list[Connection] = []
        self.busy: dict[Connection, int] = {}
        self.members: list[BaseProcess] = []
        # Fork would copy a process that may have threads, and the other workers' pipes with it.
        methods = multiprocessing.get_all_start_methods()
        context: BaseContext = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
        for _ in range(jobs if jobs > 1 else 0):
            ours, theirs = multiprocessing.Pipe()
            process = context.Process(  # type: ignore[attr-defined]
                target=_serve, args=(theirs, work, folder, Path.cwd()), daemon=True
            )
            process.start()
            theirs.close()
            self.members.append(process)
            self.idle.append(ours)

    def __enter__(self) -> "_Crew":
        return self

    def __exit__(self, *_: object) -> None:
        for connection in (*self.idle, *self.busy):
            connection.close()
        for process in self.members:
            process.join()

    def give(self, number: int, batch: Batch) -> None:
        if not self.members:
            _make(self.folder, number, batch, self.work)
            return
        if not self.idle:
            self._collect()
        connection = self.idle.pop()
        self.busy[connection] = number
        try:
            connection.send((number, batch))
        except OSError as error:
            raise self._lost(connection) from error

    def finish(self) -> None:
        while self.busy:
            self._collect()

    def _collect(self) -> None:
        """Wait until at least one worker is done."""
        for connection in wait(list(self.busy)):
            assert isinstance(connection, Connection)
            try:
                answer = connection.recv()
            except (EOFError, OSError) as error:
                raise self._lost(connection) from error
            number = self.busy.pop(connection)
            self.idle.append(connection)
            if answer:
                raise DataError(f"part {number} failed: {answer}")

    def _lost(self, connection: Connection) -> DataError:
        return DataError(f"a worker died at part {self.busy[connection]} (out of memory?); start again to go on")
