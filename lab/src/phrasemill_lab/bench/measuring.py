"""Measure methods in fresh processes: one over all documents of a dataset, by clock and memory; and the time from the
start of a process to the first keyphrase of the text that ships with the package."""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from phrasemill.errors import PhrasemillError
from phrasemill.shipped import shipped
from phrasemill.workers import alarm
from phrasemill_lab.bench.tasks import BenchTask
from phrasemill_lab.datasets.building.grouping import DocumentSet

TOP = 50
# Short rounds are noisy: they are repeated, and the fastest counts.
ROUNDS, ENOUGH_SECONDS = 3, 5.0
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "RAYON_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
}
STARTS = 5
SLOW = 2.0  # seconds from which one round is enough
EXAMPLE = shipped("example.txt")
# The parent shows the last line of an error.
CODE = """import sys
sys.path[:] = {path!r}
import phrasemill
text = open({example!r}, encoding="utf-8").read()
found = phrasemill.{call}
print(found[0].text if found else "nothing", flush=True)
"""
CALLS = {False: "extract(text, method={!r})", True: "extract_set([text], method={!r})"}
DATA = (".safetensors", ".npz", ".npy", ".json", ".txt", ".onnx", ".bin", ".pt", ".model", ".arrow")


@dataclass(frozen=True, slots=True)
class Measured:
    """The phrases and figures of one method on one dataset. Seconds are of the processor, `wall` those of the clock."""

    phrases: dict[str, list[str]]
    seconds: float
    wall: float
    rounds: int
    peak: int
    before: int
    model_bytes: int
    model_files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MethodRun:
    """The task of a worker process: one method on one dataset, ended after `limit` seconds."""

    task: BenchTask
    root: str
    documents: int | None
    spec: str
    limit: float

    def prepare(self) -> Callable[[bool], Measured]:
        os.environ |= ONE_THREAD
        one_core()
        return self._run

    def _run(self, repeat: bool) -> Measured:
        """Extract from all documents; `repeat` where the time is measured, too."""
        alarm(self.limit)
        loaded = self.task.load(Path(self.root), self.documents)
        opened = Opened()
        before = peak_bytes()
        extract = extraction(self.task, self.spec)
        next(iter(extract(loaded.without_language[:1])), None)  # loads what is loaded once
        times: list[float] = []
        walls: list[float] = []
        phrases: dict[str, list[str]] = {}
        peak = 0
        while not times or (repeat and len(times) < ROUNDS and sum(walls) < ENOUGH_SECONDS):
            start, wall = time.process_time(), time.perf_counter()
            lists = list(extract(loaded.without_language))
            times.append(time.process_time() - start)
            walls.append(time.perf_counter() - wall)
            phrases = phrases or {group.id: found for group, found in zip(loaded.groups, lists, strict=True)}
            peak = peak or peak_bytes()
        alarm(0)
        size, files = opened.model(self.spec)
        return Measured(phrases, min(times), min(walls), len(times), peak, before, size, files)


Extraction = Callable[[Iterable[DocumentSet]], Iterable[list[str]]]


def extraction(task: BenchTask, spec: str) -> Extraction:
    """Return a function from inputs to the texts of their keyphrases."""
    if task.sets:
        from phrasemill.sets import build_set_method, extract_set

        method = build_set_method(spec)
        return lambda groups: (
            [phrase.text for phrase in extract_set(group.documents, method=method, top=TOP)] for group in groups
        )
    from phrasemill.pipeline import build, extract_batch

    extractor = build(spec)
    return lambda groups: (
        [phrase.text for phrase in found]
        for found in extract_batch((group.documents[0] for group in groups), method=extractor, top=TOP)
    )


def one_core() -> None:
    """Keep to one core, where the system allows it."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def peak_bytes() -> int:
    """Return the most memory this process has had at a time.

    The system's own figure for a process (`ru_maxrss`) counts that of the parent it was forked from, so Linux's
    figure for this program's memory alone comes first.
    """
    status = Path("/proc/self/status")
    if status.exists() and (found := re.search(r"VmHWM:\s*(\d+) kB", status.read_text())):
        return 1024 * int(found[1])
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else 1024 * most


class Opened:
    """The data files that this process opens from now on: tables and models, by their sizes."""

    def __init__(self) -> None:
        self._paths: set[str] = set()
        sys.addaudithook(self._record)

    def _record(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[0], str | os.PathLike):
            self._paths.add(os.fspath(arguments[0]))

    def model(self, spec: str) -> tuple[int, tuple[str, ...]]:
        """Return bytes and names of those that look like data, or that the spec names."""
        maps = Path("/proc/self/maps")
        mapped = re.findall(r"(/.*)$", maps.read_text(), re.MULTILINE) if maps.exists() else []
        sizes = {}
        for name in sorted({os.path.realpath(one) for one in [*self._paths, *mapped]}):
            path = Path(name)
            data = path.suffix in DATA and ".dist-info" not in name
            if (data or name in spec) and path.is_file() and not name.startswith(("/proc", "/sys", "/dev", "/etc")):
                sizes[path] = path.stat().st_size
        return sum(sizes.values()), tuple(path.name for path in sizes)


def first_keyphrase(spec: str, *, sets: bool, rounds: int = STARTS) -> float:
    """Return seconds to the first keyphrase, the fastest of some fresh processes; what fails is a `PhrasemillError`."""
    times = [_once(spec, sets)]
    while len(times) < rounds and times[0] < SLOW:
        times.append(_once(spec, sets))
    return min(times)


def reason_not_to_run(spec: str, *, sets: bool) -> str:
    """Return why a method cannot run here; nothing if it can."""
    try:
        _once(spec, sets)
    except PhrasemillError as error:
        return str(error)
    return ""


def _once(spec: str, sets: bool) -> float:
    code = CODE.format(path=sys.path, example=str(EXAMPLE), call=CALLS[sets].format(spec))
    start = time.perf_counter()
    command = [sys.executable, "-W", "ignore", "-c", code]
    with tempfile.TemporaryFile() as complaint:
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": complaint}
        with subprocess.Popen(command, env=os.environ | ONE_THREAD, **pipes) as process:  # type: ignore[call-overload]
            line = process.stdout.readline()
            taken = time.perf_counter() - start
        complaint.seek(0)
        words = complaint.read().decode("utf-8", "replace").strip()
    if process.returncode or not line:
        raise PhrasemillError(_last_line(words))
    return taken


def _last_line(complaint: str) -> str:
    """Return what a traceback ends with; our own errors without their class."""
    kind, _, message = (complaint.splitlines() or ["its process ended without a message"])[-1].partition(": ")
    ours = kind.startswith("phrasemill.errors.")
    return message if ours else f"{kind}: {message}".removesuffix(": ")
