"""Methods are as fast as they were; and the guard that says so would notice if they were not."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from phrasemill.kernels import is_compiled, tokens

SCRIPTS = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture
def guard(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(SCRIPTS)
    return __import__("guard")


@pytest.mark.skipif(not is_compiled(tokens), reason="the baseline is of compiled kernels")
def test_nothing_is_slower_than_the_baseline() -> None:
    done = subprocess.run([sys.executable, SCRIPTS / "guard.py"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def work() -> int:
    return sum(i * i for i in range(300))


def test_more_work_is_noticed(guard: Any) -> None:
    baseline = {"work": {"calls": guard.calls(work), "ratio": guard.ratio(work)}}
    calls, ratio = guard.compare({"work": lambda: [work() for _ in range(4)]}, baseline)
    assert calls.slower and ratio.slower and "SLOWER" in str(ratio)
    calls, ratio = guard.compare({"work": work}, baseline)
    assert not calls.slower and not ratio.slower


def test_work_inside_a_kernel_is_noticed_by_its_time(guard: Any) -> None:
    numbers = list(range(2000, 0, -1)) * 3
    baseline = {
        "kernel": {"calls": guard.calls(lambda: sorted(numbers)), "ratio": guard.ratio(lambda: sorted(numbers))}
    }
    calls, ratio = guard.compare({"kernel": lambda: sorted(numbers * 4)}, baseline)
    assert not calls.slower and ratio.slower


def test_the_count_of_calls_is_always_the_same(guard: Any) -> None:
    textrank = guard.works()["textrank"]
    assert len({guard.calls(textrank) for _ in range(3)}) == 1
