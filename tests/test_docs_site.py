"""The site: built strictly, with links that lead somewhere, a search that works offline, and no foreign requests."""

import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest

pytestmark = pytest.mark.docs
for package in ("material", "mkdocstrings", "fastapi"):
    pytest.importorskip(package, reason="the extra docs is not installed")

ROOT = Path(__file__).parents[1]
# What a browser fetches by itself; links to follow are not among these.
FETCHED = re.compile(r"""<(?:(?:script|img|iframe|source)\b[^>]*\bsrc|link\b[^>]*\bhref)=["']?(https?:)?//""")
LINK = re.compile(r"""<(?:a|link|img|script)\b[^>]*?\s(?:href|src)=["']?([^"'\s>]+)""")
ANCHOR = re.compile(r"""\s(?:id|name)=["']?([^"'\s>]+)""")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    quiet = {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=os.environ | quiet)
    assert done.returncode == 0, done.stderr
    return folder


def anchors(page: Path) -> set[str]:
    return {unescape(one) for one in ANCHOR.findall(page.read_text(encoding="utf-8"))}


def test_every_page_is_built(site: Path) -> None:
    wanted = {path.relative_to(ROOT / "docs").with_suffix(".html") for path in ROOT.glob("docs/**/*.md")}
    assert wanted <= {path.relative_to(site) for path in site.rglob("*.html")}


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        assert not FETCHED.search(page.read_text(encoding="utf-8")), page.name
    for sheet in site.rglob("*.css"):
        assert not re.search(r"url\(['\"]?(https?:)?//|@import", sheet.read_text(encoding="utf-8")), sheet.name
    for picture in site.glob("images/*.svg"):
        assert not re.search(r"(?:href|src)=\"https?:|url\(['\"]?https?:", picture.read_text(encoding="utf-8")), picture


def test_every_link_and_anchor_leads_somewhere(site: Path) -> None:
    known: dict[Path, set[str]] = {}
    for page in site.rglob("*.html"):
        if page.name == "404.html":  # its links are for a server
            continue
        for link in set(LINK.findall(page.read_text(encoding="utf-8"))):
            address, _, fragment = unquote(unescape(link)).partition("#")
            if re.match(r"[a-z]+:", address):
                continue
            target = (page.parent / address).resolve() if address else page
            assert target.exists(), (page.name, link)
            if fragment and target.suffix == ".html":
                found = known.setdefault(target, anchors(target))
                assert fragment in found, (page.name, link)


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "lab/README.md"])
def test_links_from_outside_the_site_lead_somewhere(site: Path, name: str) -> None:
    page = ROOT / name
    for target, _, anchor in re.findall(r"\]\(([^)#:\s]+)(#([^)]*))?\)", page.read_text(encoding="utf-8")):
        path = (page.parent / target).resolve()
        assert path.exists(), target
        if anchor and path.is_relative_to(ROOT / "docs"):
            built = site / path.relative_to(ROOT / "docs").with_suffix(".html")
            assert anchor in anchors(built), (target, anchor)


def test_the_search_knows_every_page(site: Path) -> None:
    entries = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]
    found = {entry["location"].partition("#")[0] for entry in entries}
    wanted = {path.relative_to(site).as_posix() for path in site.rglob("*.html")} - {"404.html"}
    assert wanted <= found | {"index.html"}
    assert (site / "search" / "search_index.js").exists(), "the search of pages that are read as files"


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
def test_the_search_works_without_a_server(site: Path) -> None:
    """In a thread of its own: other tests of pages leave Playwright's event loop in this one."""
    with ThreadPoolExecutor(1) as apart:
        asked = apart.submit(searched, site / "index.html").result()
    assert not [address for address in asked if not address.startswith(("file:", "data:", "blob:", "about:"))]


def searched(page_file: Path) -> list[str]:
    """Search for a word on a page that is read as a file; return the addresses that the browser asked for."""
    from playwright.sync_api import sync_playwright

    asked: list[str] = []
    with sync_playwright() as engine:
        browser = engine.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 860})
        page.on("request", lambda request: asked.append(request.url))
        page.goto(page_file.as_uri())
        page.get_by_role("textbox", name="Search").first.fill("redundancy")
        page.locator(".md-search-result__link").first.wait_for(timeout=60_000)
        browser.close()
    return asked
