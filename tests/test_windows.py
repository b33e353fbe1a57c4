"""Systems without `resource`, `fcntl`, SIGALRM and SIGKILL: everything imports, and what cannot work is one line."""

import subprocess
import sys
from pathlib import Path

import pytest

import phrasemill

# Windows lacks these; importing or using them raises what it would raise there.
WITHOUT = """
import os, signal, sys
for name in ("resource", "fcntl"):
    sys.modules[name] = None
for name in ("SIGALRM", "SIGKILL", "SIGSTOP", "SIGCONT", "setitimer", "ITIMER_REAL", "alarm"):
    delattr(signal, name)
for name in ("P_PID", "WSTOPPED", "waitid", "sched_getaffinity"):
    delattr(os, name)
"""


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", WITHOUT + code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def modules() -> list[str]:
    source = Path(phrasemill.__file__).parent
    found = [path.relative_to(source.parent).with_suffix("") for path in sorted(source.rglob("*.py"))]
    layers = ("workers", "engine", "service", "statistics", "readers", "files", "sets", "evaluation", "vocabulary")
    return [".".join(path.parts).removesuffix(".__init__") for path in found if path.parts[1] in layers]


def test_every_module_can_be_imported() -> None:
    for extra in ("pyarrow", "fastapi"):
        pytest.importorskip(extra)
    assert run(f"from importlib import import_module\nfor name in {modules()!r}: import_module(name)") == ""


def test_extracting_works() -> None:
    text = "Salt water moves inland when pumps draw too much groundwater."
    assert "groundwater" in run(f"import phrasemill as pm; print([k.text for k in pm.extract({text!r})])")
    assert run(f"import phrasemill as pm; print(len(list(pm.extract_batch([{text!r}] * 3))))") == "3"


@pytest.mark.parametrize(
    "call",
    [
        "list(pm.extract_batch(['Salt water.'], jobs=2))",
        "from phrasemill.workers import alarm; alarm(1.0)",
    ],
)
def test_what_cannot_work_is_one_line(call: str) -> None:
    code = f"import phrasemill as pm\ntry: {call}\nexcept pm.ConfigError as error: print(error)"
    message = run(code)
    assert "Linux, macOS or WSL" in message
    assert "\n" not in message
