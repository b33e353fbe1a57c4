"""The sessions of docs/how-to/integrations/ print what they show, against the real packages."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from language_model import endpoint

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "how-to" / "integrations"
PACKAGES = {
    "duckdb": "duckdb",
    "haystack": "haystack",
    "langchain": "langchain_core",
    "llama-index": "llama_index.core",
    "llm": "phrasemill",
    "mcp": "mcp",
    "pandas": "pandas",
    "polars": "polars",
    "sklearn": "sklearn",
    "spacy": "spacy",
    "spark": "pyarrow",
}
ENDPOINT = "http://localhost:11434/v1"
SESSION = re.compile(r"^```pycon\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)


def test_every_page_has_a_session_and_a_place_in_the_navigation() -> None:
    pages = {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")}
    assert {name for name, text in pages.items() if "```pycon" in text} == set(PACKAGES)
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for name, text in pages.items():
        assert f"integrations/{name}.md" in navigation
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            assert (FOLDER / target).exists(), target


@pytest.mark.parametrize("page", PACKAGES)
def test_sessions_print_what_they_show(page: str, tmp_path: Path) -> None:
    """Each in a process of its own, as a reader would paste it."""
    pytest.importorskip(PACKAGES[page], exc_type=ImportError)
    text = (FOLDER / f"{page}.md").read_text(encoding="utf-8")
    with endpoint() as model:
        session = tmp_path / "session.txt"
        session.write_text("\n".join(SESSION.findall(text)).replace(ENDPOINT, model.url), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "doctest", str(session)],
            env=os.environ | {"HAYSTACK_TELEMETRY_ENABLED": "False"},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(os.name != "posix", reason="the session is that of a POSIX shell")
def test_the_terminal_session_of_the_page_about_search(tmp_path: Path) -> None:
    text = (FOLDER / "search.md").read_text(encoding="utf-8")
    [block] = re.findall(r"^```console\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, shown = step.partition("\n")
        ours = re.sub(r"^phrasemill ", f'"{sys.executable}" -m phrasemill ', command)
        done = subprocess.run(ours, shell=True, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert done.stdout == shown
