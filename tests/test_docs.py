"""The documentation runs, and what it names exists."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from phrasemill.registry import METHODS

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", *ROOT.glob("docs/*.md")])


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_blocks_run(page: Path, tmp_path: Path) -> None:
    """The blocks of a page run in order, in one fresh process, as a reader would paste them."""
    script = "\n".join(blocks(page, "python"))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_every_method_is_documented() -> None:
    text = (ROOT / "docs" / "methods.md").read_text(encoding="utf-8")
    for name in METHODS.names():
        assert f"## `{name}`" in text


def test_ci_runs_the_readme_command() -> None:
    commands = [line for block in blocks(ROOT / "README.md", "sh") for line in block.splitlines()]
    last = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()[-1]
    assert last in commands
