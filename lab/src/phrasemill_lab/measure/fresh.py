"""Processes of their own: a function called in one, and the time from the start of one to its first keyphrases."""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from threading import TIMEOUT_MAX, Timer
from typing import Any

from phrasemill.errors import ConfigError, PhrasemillError
from phrasemill.models import shipped

EXAMPLE = shipped("example.txt")
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "RAYON_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
}
PYTHON = [sys.executable, "-W", "ignore", "-P"]
CALL = "import sys; from phrasemill_lab.measure.fresh import answer; answer(*sys.argv[1:])"
# It calls nothing but what every build has.
START = """import phrasemill
text = open({example!r}, encoding="utf-8").read()
phrasemill.{call}
print("done", flush=True)
"""
CALLS = {False: "extract(text, method={!r})", True: "extract_set([text], method={!r})"}
MEGABYTE = 1 << 20


def environment(folder: str = "") -> dict[str, str]:
    """Return the variables of a new process: one thread, and the modules of this process, or those of a build first."""
    paths = os.pathsep.join(filter(None, [folder, *sys.path]))
    found = os.environ | ONE_THREAD | {"PYTHONPATH": paths}
    found.pop("PYTHONDONTWRITEBYTECODE", None)  # what is installed has its byte code
    return found


def fresh(function: Callable[..., Any], *arguments: Any, limit: float | None = None, all_cores: bool = False) -> Any:
    """Call a function in a process of its own, on one core; its arguments and what it returns are JSON.

    What fails there is a `PhrasemillError` here, as is what takes longer than `limit` seconds.
    """
    asked = json.dumps([function.__module__, function.__name__, all_cores, *arguments], default=os.fspath)
    return printed([*PYTHON, "-c", CALL, asked], environment(), limit)


def printed(
    command: list[str], variables: dict[str, str], limit: float | None = None, folder: str | None = None
) -> Any:
    """Return the JSON that a command prints in its last line."""
    options: dict[str, Any] = {"env": variables, "timeout": limit, "cwd": folder}
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    except subprocess.TimeoutExpired:
        raise PhrasemillError(f"took longer than {limit:g} seconds (--limit; or fewer --documents)") from None
    if done.returncode:
        raise PhrasemillError(last_line(done.stderr, done.returncode))
    return json.loads(done.stdout.splitlines()[-1])


def answer(asked: str) -> None:
    """Do in the new process what `fresh` asks for."""
    answers, sys.stdout = sys.stdout, sys.stderr
    module, name, all_cores, *arguments = json.loads(asked)
    if not all_cores and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print(json.dumps(getattr(import_module(module), name)(*arguments)), file=answers)


def first_keyphrase(spec: str, *, sets: bool = False, folder: str = "") -> tuple[float, float]:
    """Return the times of a process that prints when it has the keyphrases of a page."""
    return first_line([*PYTHON, "-c", START.format(example=str(EXAMPLE), call=CALLS[sets].format(spec))], folder)


def first_line(command: list[str], folder: str = "") -> tuple[float, float]:
    """Return the seconds of the processor that a command takes, and those by the clock until it prints a line."""
    before = children_seconds()
    with tempfile.TemporaryFile() as said:
        begun = time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, env=environment(folder)) as process:
            assert process.stdout
            line = process.stdout.readline()
            taken = time.perf_counter() - begun
            process.stdout.read()
        said.seek(0)
        words = said.read().decode("utf-8", "replace")
    if process.returncode or not line:
        raise PhrasemillError(last_line(words, process.returncode))
    return children_seconds() - before, taken


class OpenProcess:
    """A process that answers each line with one of JSON; one that takes more than `limit` seconds for it is ended."""

    def __init__(self, command: list[str], variables: dict[str, str], limit: float | None = None) -> None:
        self.limit, self.said = limit, tempfile.TemporaryFile()  # noqa: SIM115
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": self.said}
        self.process = subprocess.Popen(command, env=variables, text=True, encoding="utf-8", **pipes)  # type: ignore[call-overload]

    def __enter__(self) -> "OpenProcess":
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()
        self.process.communicate()
        self.said.close()

    def ask(self, message: object = None) -> Any:
        """Send a message, unless it is None, and return the answer; a `PhrasemillError` says why there is none."""
        watch = Timer(self.limit or TIMEOUT_MAX, self.process.kill)
        watch.start()
        line = ""
        with suppress(BrokenPipeError):
            if message is not None:
                print(json.dumps(message), file=self.process.stdin, flush=True)
            line = self.process.stdout.readline()
        late = not watch.is_alive()
        watch.cancel()
        if line:
            return json.loads(line)
        if late:
            raise PhrasemillError(f"more than {self.limit:g} s")
        code = self.process.wait()
        self.said.seek(0)
        raise PhrasemillError(last_line(self.said.read().decode("utf-8", "replace"), code))


def last_line(words: str, code: int) -> str:
    """Return what a traceback ends with; our own errors without their class."""
    last = (words.strip().splitlines() or [f"its process ended with code {code}"])[-1]
    kind, _, message = last.partition(": ")
    return message if kind.startswith("phrasemill.errors.") else last


def peak_megabytes() -> float:
    """Return the most memory that this process has had; `ru_maxrss` would count that of its parent, too."""
    status = Path("/proc/self/status")
    found = re.search(r"VmHWM:\s*(\d+) kB", status.read_text()) if status.exists() else None
    return int(found[1]) / 1024 if found else most_resident(children=False)


def most_resident(*, children: bool) -> float:
    """Return the most megabytes of this process, or of one of its children that have ended."""
    import resource  # not on Windows

    most = resource.getrusage(resource.RUSAGE_CHILDREN if children else resource.RUSAGE_SELF).ru_maxrss
    return most / (MEGABYTE if sys.platform == "darwin" else 1024)


def children_seconds() -> float:
    """Return the processor time of the children of this process that have ended."""
    with suppress(ImportError):  # on Windows, which does not tell
        import resource

        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime
    return 0.0


def processor_seconds() -> float:
    """Return the processor time of this process and of its children that have ended."""
    return time.process_time() + children_seconds()


def numbers(text: str, option: str) -> list[int]:
    """Return the numbers of an option such as `1000,2000`."""
    try:
        return [int(one) for one in text.split(",")]
    except ValueError:
        raise ConfigError(f"{option} must be whole numbers, separated by commas; got {text!r}") from None
