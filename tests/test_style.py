"""Linter, formatter and type checker pass; they are part of the tests so that one command says everything."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parents[1]


USE = """
import phrasemill as pm

for phrase, score in pm.extract("salt water"):
    phrase.upper(), score + 1
one = pm.Keyphrase("salt", 0.5)
one.text.upper(), one.score + 1
for phrase, score in pm.extract_set(["salt water"]):
    phrase.upper(), score + 1
one[0]  # type: ignore[index]
len(one)  # type: ignore[arg-type]
sorted([one])  # type: ignore[type-var]
"""


def test_the_type_checker_lets_a_caller_do_what_works_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "use.py").write_text(USE)
    command = [sys.executable, "-m", "mypy", "--warn-unused-ignores", str(tmp_path / "use.py")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("command", ["ruff check .", "ruff format --check .", "mypy"])
def test_passes(command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command.split()], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
