"""Methods do no more work than the baseline, in calls and instructions; and the guard notices if they do."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from phrasemill.registry import METHODS

SCRIPTS = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture
def guard(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(SCRIPTS)
    return __import__("guard")


def test_nothing_does_more_than_the_baseline() -> None:
    done = subprocess.run([sys.executable, SCRIPTS / "guard.py"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def work() -> int:
    return sum(i * i for i in range(300))


def test_more_work_is_noticed(guard: Any) -> None:
    baseline = {"work": guard.calls(work)}
    (finding,) = guard.compare({"work": guard.calls(lambda: [work() for _ in range(4)])}, baseline)
    assert finding.more and "MORE" in str(finding)
    (finding,) = guard.compare({"work": guard.calls(work), "new": 1}, baseline)
    assert not finding.more and finding.factor == 1


def test_every_method_has_a_baseline(guard: Any) -> None:
    """But those that run models of other people."""
    baseline = json.loads(guard.BASELINE.read_text(encoding="utf-8"))
    assert set(METHODS.names()) - set(baseline["calls"]) == {"bertkpe", "llm", "summarise"}
    assert set(baseline["calls"]) - set(baseline["instructions"]) == set(guard.NETWORKS)


def test_instructions_are_compared_only_with_those_of_the_same_compilers(guard: Any) -> None:
    assert guard.instructions.why_not("another; toolchain")
    if shutil.which("valgrind"):
        assert not guard.instructions.why_not(guard.instructions.toolchain())


def test_the_count_of_calls_is_always_the_same(guard: Any) -> None:
    textrank = guard.works({"textrank": "textrank"})["textrank"]
    assert len({guard.calls(textrank) for _ in range(3)}) == 1
