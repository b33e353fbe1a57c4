"""The documentation runs, and what it names exists."""

import csv
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import phrasemill as pm
from phrasemill.catalogue import METHODS
from sessions import Shell, has_session, matches, played

pytestmark = pytest.mark.docs

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", *ROOT.glob("docs/**/*.md")])
SESSIONS = [page for page in PAGES if has_session(page.read_text(encoding="utf-8"))]
LARGEST_PICTURE = 150_000
MADE_WITH_THE_SITE = ROOT / "docs" / "results.md"


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix().removeprefix("docs/")


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=name_of)
def test_python_blocks_run(page: Path, tmp_path: Path) -> None:
    """The blocks of a page run in order, in one fresh process, as a reader would paste them."""
    script = "\n".join(blocks(page, "python"))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(os.name != "posix", reason="the sessions are those of a POSIX shell")
@pytest.mark.parametrize("page", SESSIONS, ids=name_of)
def test_terminal_sessions_print_what_they_show(page: Path, tmp_path: Path) -> None:
    """The commands of a page run in order, in one folder, and print what the page says, to the letter."""

    def check(command: str, shown: str, printed: str) -> None:
        assert matches(shown, printed), f"{command}: python tests/sessions.py {page} writes\n{printed}"

    text = page.read_text(encoding="utf-8")
    if "$ curl" in text and not shutil.which("curl"):
        pytest.skip("curl is not installed")
    with Shell(tmp_path) as shell:
        played(text, shell, check)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        path = (page.parent / target).resolve()
        assert path.exists() or path == MADE_WITH_THE_SITE, target


def test_the_table_of_the_readme_has_the_measured_figures() -> None:
    with (ROOT / "lab" / "results" / "tools.csv").open(encoding="utf-8", newline="") as file:
        measured = list(csv.reader(file))
    lines = re.findall(r"^\| (.+) \|$", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    first = next(i for i, line in enumerate(lines) if line.startswith("tool |"))
    plain = [re.sub(r"[*`]|(?<=\d),(?=\d)", "", line) for line in lines[first : first + len(measured)]]
    shown = [line.split(" | ") for line in plain]
    assert shown == [row[: len(shown[0])] for row in measured]


def test_every_promise_names_a_test_that_exists() -> None:
    page = (ROOT / "docs" / "reference" / "guarantees.md").read_text(encoding="utf-8")
    file = ""
    for named, test in re.findall(r"`((?:tests|benchmarks)/[\w/]+\.py)?(?:::(\w+))?[^`\n]*`", page):
        file = named or file
        if named or test:
            wanted = f"def {test}(" if test else "def "
            assert wanted in (ROOT / file).read_text(encoding="utf-8"), (file, test)


def test_every_method_is_documented() -> None:
    text = (ROOT / "docs" / "reference" / "methods.md").read_text(encoding="utf-8")
    for name in METHODS.names():
        assert f"## `{name}`" in text


def test_the_twelve_texts_have_the_keyphrases_that_are_shown() -> None:
    page = (ROOT / "docs" / "evidence" / "twelve-texts.md").read_text(encoding="utf-8")
    shown = re.findall(r"^```text\n(.*?)\n```\n\n([^\n]*)\n", page, flags=re.MULTILINE | re.DOTALL)
    assert len(shown) == 12
    for text, phrases in shown:
        assert " · ".join(pm.extract(text, top=8).texts) == phrases


def test_ci_runs_the_readme_command() -> None:
    commands = [line for block in blocks(ROOT / "README.md", "sh") for line in block.splitlines()]
    last = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()[-1]
    assert last in commands


def test_pictures_are_small() -> None:
    assert not [path.name for path in ROOT.glob("docs/images/*") if path.stat().st_size > LARGEST_PICTURE]
