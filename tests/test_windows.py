"""Systems without `resource`, `fcntl`, SIGALRM, SIGKILL and inherited files: everything imports, and workers work."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
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
# What Windows has in their place.
import subprocess
subprocess.Popen.kill = lambda self: self.send_signal(9)
"""
TEXT = "Salt water moves inland when pumps draw too much groundwater."


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., str]:
    """Run code in a process that lacks all this, and so do the processes that it starts."""
    (tmp_path / "sitecustomize.py").write_text(WITHOUT, encoding="utf-8")
    before = [str(tmp_path), str(Path(phrasemill.__file__).parents[1]), str(Path(__file__).parent)]

    def call(code: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(before)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return call


def modules() -> list[str]:
    source = Path(phrasemill.__file__).parent
    found = [path.relative_to(source.parent).with_suffix("") for path in sorted(source.rglob("*.py"))]
    layers = "isolated batches engine service statistics readers files sets evaluation vocabulary tags".split()
    return [".".join(path.parts).removesuffix(".__init__") for path in found if path.parts[1] in layers]


def test_every_module_can_be_imported(run: Callable[..., str]) -> None:
    for extra in ("pyarrow", "fastapi"):
        pytest.importorskip(extra)
    assert run(f"from importlib import import_module\nfor name in {modules()!r}: import_module(name)") == ""


def test_extracting_works(run: Callable[..., str]) -> None:
    assert "groundwater" in run(f"import phrasemill as pm; print([k.text for k in pm.extract({TEXT!r})])")
    assert run(f"import phrasemill as pm; print(len(list(pm.extract_batch([{TEXT!r}] * 3))))") == "3"


def test_worker_processes_work(run: Callable[..., str]) -> None:
    assert run(f"import phrasemill as pm; print(len(list(pm.extract_batch([{TEXT!r}] * 70, jobs=2))))") == "70"


def test_a_corpus_can_be_run_and_resumed(run: Callable[..., str], tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("".join(json.dumps({"id": str(i), "text": TEXT}) + "\n" for i in range(5)), encoding="utf-8")
    code = (
        f"import phrasemill as pm; print(pm.engine.run({str(corpus)!r}, {str(tmp_path / 'out')!r}, jobs=1).documents)"
    )
    assert run(code) == run(code) == "5"


def test_a_worker_that_cannot_start_is_one_line(run: Callable[..., str]) -> None:
    code = (
        "import sys, phrasemill as pm\n"
        "sys.executable = '/bin/false'\n"
        "try: list(pm.extract_batch(['Salt.'], jobs=1))\n"
        "except pm.PhrasemillError as error: print(error)"
    )
    assert run(code) == "a worker process could not start, 3 times in a row: its process exited with code 1"
