"""A real server, and a real browser that looks at its page."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing import TOKEN, TOKENS, Visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that asks for `TOKEN`."""
    pytest.importorskip("fastapi", reason="the extra serve is not installed")
    tokens = tmp_path_factory.mktemp("server") / "tokens.txt"
    tokens.write_text("\n".join([TOKEN, *TOKENS]) + "\n", encoding="utf-8")
    asked = ["serve", "--port", "0", "--no-open", "--workers", "1", "--quiet", "--max-jobs", "1000"]
    asked += ["--token-file", str(tokens)]
    running = subprocess.Popen([sys.executable, "-m", "phrasemill", *asked], stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    found = re.search(r"http://\S+", running.stdout.readline())
    assert found, "the server did not start"
    yield found[0]
    running.terminate()
    assert running.wait(60) == 0
    running.stdout.close()


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    """The system's Chromium; nothing is downloaded."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip(f"no browser: none of {', '.join(BROWSERS)} is installed")
    with playwright.sync_playwright() as engine:
        running = engine.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield running
        running.close()


@pytest.fixture
def visit(browser: "Browser", server: str) -> Iterator[Visit]:
    """A visitor at a desk who has the token; the test fails if the browser complained or asked anybody else."""
    visitor = Visit(browser, server)
    visitor.sign_in()
    yield visitor
    visitor.context.close()
    assert visitor.errors == []


@pytest.fixture(scope="session")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where screenshots go: for people, the folder that PHRASEMILL_SCREENSHOTS names."""
    wanted = os.environ.get("PHRASEMILL_SCREENSHOTS")
    folder = Path(wanted) if wanted else tmp_path_factory.mktemp("screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder
