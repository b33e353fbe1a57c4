"""How much of the main text of real web pages the HTML reader finds, and how much else: words, page by page.

python lab/benchmarks/readers.py --data DIR [--peer PYTHON] [--pages]

DIR/readers/pages.tar.xz has a folder per page, with `source.html` and `expected.html`. Precision, recall and F1 are of
words with their counts, per page, and the mean is taken over pages. Every third page, by name, is held out: nothing
is tuned on it, but its mean is printed at every run, so it is not a blind test. PYTHON is one that has trafilatura;
both then read the same pages, and take turns for their times.
"""

import json
import re
import subprocess
import sys
import tarfile
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from phrasemill.readers import read_bytes
from phrasemill_lab.bench.scripts import MarkdownRows, parser, write_figures

WORD = re.compile(r"\w+")
HELD_OUT = 3  # every third page
SILENT = frozenset(("script", "style", "noscript", "template"))
OURS = """
import json, sys, time
from phrasemill.readers import read_bytes
read_bytes(b"<p>warm", name="a.html")
pages = json.load(sys.stdin)
start = time.perf_counter()
texts = [read_bytes(page.encode(), name="a.html").text for page in pages]
json.dump([time.perf_counter() - start, texts], sys.stdout)
"""
PEER = """
import json, sys, time
from trafilatura import extract
extract("<html><body><article><p>warm</p></article></body></html>")
pages = json.load(sys.stdin)
start = time.perf_counter()
texts = [extract(page, include_comments=False) or "" for page in pages]
json.dump([time.perf_counter() - start, texts], sys.stdout)
"""


class Page(NamedTuple):
    name: str
    source: str
    expected: str
    title: str


class Score(NamedTuple):
    precision: float
    recall: float
    f1: float


class _Text(HTMLParser):
    """Collects the text of sound HTML."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self._silent = 0
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in SILENT
        self.pieces.append(" " if tag not in ("a", "b", "i", "em", "strong", "span", "font", "sup", "sub") else "")

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in SILENT
        self.pieces.append(" " if tag not in ("a", "b", "i", "em", "strong", "span", "font", "sup", "sub") else "")

    def handle_data(self, data: str) -> None:
        self.pieces.append("" if self._silent else data)


def pages_of(archive: Path) -> list[Page]:
    files: dict[str, dict[str, str]] = {}
    with tarfile.open(archive) as tar:
        for member in tar:
            folder, _, name = member.name.rpartition("/")
            content = tar.extractfile(member) if member.isfile() else None
            if content:
                files.setdefault(folder, {})[name] = content.read().decode("utf-8", "replace")
    found = []
    for name, page in sorted(files.items()):
        if {"source.html", "expected.html"} <= set(page):
            title = json.loads(page.get("expected-metadata.json", "{}")).get("title") or ""
            found.append(Page(name, page["source.html"], "".join(_Text(page["expected.html"]).pieces), title))
    return found


def score(found: str, expected: str) -> Score:
    ours, wanted = (Counter(WORD.findall(text.casefold())) for text in (found, expected))
    common = sum((ours & wanted).values())
    precision = common / max(1, sum(ours.values()))
    recall = common / max(1, sum(wanted.values()))
    return Score(precision, recall, 2 * precision * recall / max(1e-9, precision + recall))


def read_by(python: str, code: str, pages: list[Page]) -> tuple[float, list[str]]:
    """Return the seconds that a fresh process takes for all pages, and their texts."""
    given = json.dumps([page.source for page in pages])
    done = subprocess.run([python, "-c", code], input=given, capture_output=True, text=True, check=True)
    seconds, texts = json.loads(done.stdout)
    return seconds, texts


def add_rows(rows: MarkdownRows, name: str, pages: list[Page], texts: list[str]) -> list[Score]:
    scores = [score(text, page.expected) for page, text in zip(pages, texts, strict=True)]
    for part, held_out in (("tuned on", False), ("held out", True), ("all", None)):
        chosen = [one for i, one in enumerate(scores) if held_out is None or (i % HELD_OUT == 0) is held_out]
        figures = [f"{100 * mean(column):.1f}" for column in zip(*chosen, strict=True)]
        rows.add(name, part, len(chosen), *figures)
    return scores


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--peer", help="a Python that has trafilatura")
    options.add_argument(
        "--pages", action="store_true", help="the scores of each page that nothing is held out of, too"
    )
    options.add_argument("--rounds", type=int, default=3, help="how often each reads all pages (default: %(default)s)")
    given = options.parse_args()
    pages = pages_of(given.data / "readers" / "pages.tar.xz")
    readers = {"phrasemill": (sys.executable, OURS)}
    if given.peer:
        readers["trafilatura"] = (given.peer, PEER)
    runs: dict[str, list[tuple[float, list[str]]]] = {name: [] for name in readers}
    for _ in range(given.rounds):
        for name, (python, code) in readers.items():
            runs[name].append(read_by(python, code, pages))
    rows = MarkdownRows("reader", "pages", "count", "precision", "recall", "F1", name="pages", keys=2)
    scores = {name: add_rows(rows, name, pages, run[0][1]) for name, run in runs.items()}
    titles = [read_bytes(page.source.encode(), name="a.html").title for page in pages]
    same = sum(_bare(found) == _bare(page.title) for found, page in zip(titles, pages, strict=True))
    print(f"\ntitle as expected: {same} of {len(pages)} pages")
    for name, run in runs.items():
        least = min(seconds for seconds, _ in run)
        ratio = least / min(seconds for seconds, _ in runs["phrasemill"])
        print(f"{name}: {len(pages) / least:.0f} pages per second, {ratio:.2f} times our time")
    if given.pages:
        print()
        rows = MarkdownRows("page", "precision", "recall", "F1")
        for i, (page, one) in enumerate(zip(pages, scores["phrasemill"], strict=True)):
            if i % HELD_OUT:
                rows.add(page.name, *(f"{100 * value:.1f}" for value in one))
    write_figures(given.figures)


def _bare(title: str) -> str:
    return " ".join(WORD.findall(title.casefold()))


if __name__ == "__main__":
    main()
