"""From the start of a process to the first keyphrase of the text that ships with the package."""

import os
import subprocess
import sys
import tempfile
import time

from phrasemill.errors import PhrasemillError
from phrasemill.lab.bench.measuring import ONE_THREAD
from phrasemill.shipped import shipped

ROUNDS = 5
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


def first_keyphrase(spec: str, *, sets: bool, rounds: int = ROUNDS) -> float:
    """Return seconds to the first keyphrase, the fastest of some fresh processes; what fails is a `PhrasemillError`."""
    times = [_once(spec, sets)]
    while len(times) < rounds and times[0] < SLOW:
        times.append(_once(spec, sets))
    return min(times)


def check(spec: str, *, sets: bool) -> str:
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
