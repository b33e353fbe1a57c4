"""Draw the pictures of the documentation again: `docs/images/methods.svg`, `highlight.svg` and `report.png`.

    python benchmarks/pictures.py [NAME …] [--output DIR]

`methods` is drawn from `phrasemill/facts.py`, `highlight` is what `phrasemill extract --highlight` prints, `report`
what `phrasemill evaluate --format html` writes about two systems whose predictions are made up, seen through Chromium.
"""

import io
import json
import os
import re
import shutil
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from phrasemill.facts import FACTS, YOURS
from phrasemill.lab.bench.scatter import Dot, scatter
from phrasemill.lab.bench.scripts import parser
from phrasemill.plots import standalone

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
WIDTH = 96  # columns of the terminal
WORDS = ("reef", "turbine", "cod", "boulder", "current")


def methods() -> str:
    """Plot every method whose quality and speed are known, except those that one trains."""
    dots = []
    for name, facts in FACTS.items():
        if facts.speed is None or facts.quality is None or facts.learns == YOURS:
            continue
        value = facts.quality / 100
        tip = f"{name}: {facts.speed:,g} abstracts/s, F1@10 {facts.indexers} (indexers), {facts.authors} (authors)"
        dots.append(Dot(name, facts.speed, value, value, value, tip))
    drawn = scatter(
        dots,
        title="Quality of each method against its speed",
        across="abstracts per second, one core",
        up="F1@10, mean of indexers' and authors' choices",
    )
    return standalone(drawn)


def highlight() -> str:
    """Return the output of `phrasemill extract --example --highlight`, without the web fonts that Rich names."""
    from rich.console import Console
    from rich.terminal_theme import DEFAULT_TERMINAL_THEME
    from rich.text import Text

    words = ["extract", "--example", "--highlight", "--top", "6"]
    console = Console(record=True, width=WIDTH, file=io.StringIO())
    console.print(Text.from_ansi(_run(*words, FORCE_COLOR="1", COLUMNS=str(WIDTH), TERM="xterm-256color").rstrip()))
    title = f"phrasemill {' '.join(words)}"
    drawn = console.export_svg(title=title, theme=DEFAULT_TERMINAL_THEME, unique_id="highlight")
    drawn = re.sub(r"<!--.*?-->|@font-face \{.*?\}", "", drawn, flags=re.DOTALL)
    drawn = drawn.replace("Fira Code", "ui-monospace")
    return "\n".join(line.rstrip() for line in drawn.splitlines() if line.strip()) + "\n"


def report() -> bytes:
    """Return the upper part of the HTML report, as a picture."""
    from playwright.sync_api import sync_playwright

    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with TemporaryDirectory() as folder, sync_playwright() as engine:
        page = engine.chromium.launch(executable_path=browser, args=["--no-sandbox"]).new_page(
            viewport={"width": 1000, "height": 900}
        )
        page.goto(_report(Path(folder)).as_uri())
        return page.screenshot()


def _report(folder: Path) -> Path:
    """Write a report on 40 documents: one system finds two keyphrases in three, the other one in two."""
    gold = {f"d{i:02}": [f"{word} {i}" for word in WORDS] for i in range(40)}
    systems = {
        "gold": gold,
        "first": {id: [f"{p} x" if hash_of(id, p) % 3 == 0 else p for p in found] for id, found in gold.items()},
        "second": {id: [f"{p} x" if hash_of(p, id) % 2 == 0 else p for p in found] for id, found in gold.items()},
    }
    for name, lists in systems.items():
        lines = [json.dumps({"id": id, "keyphrases": found}) for id, found in lists.items()]
        (folder / f"{name}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    paths = [str(folder / f"{name}.jsonl") for name in ("first", "second")]
    options = ["--metric", "F1@3", "--metric", "F1@5", "--metric", "MAP@5", "--format", "html"]
    written = folder / "report.html"
    _run("evaluate", *paths, "--gold", str(folder / "gold.jsonl"), *options, "--output", str(written))
    return written


def hash_of(*words: str) -> int:
    """Return a number that is the same in every process."""
    return zlib.crc32(" ".join(words).encode())


def _run(*words: str, **environment: str) -> str:
    command = [sys.executable, "-m", "phrasemill", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | environment)
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout


PICTURES: dict[str, Callable[[], str | bytes]] = {
    "methods.svg": methods,
    "highlight.svg": highlight,
    "report.png": report,
}


def main() -> None:
    given = parser(__doc__, data=False)
    given.add_argument("names", nargs="*", metavar="NAME", help=f"which: {', '.join(PICTURES)} (default: all)")
    given.add_argument("--output", type=Path, default=IMAGES, help="where to (default: docs/images)")
    options = given.parse_args()
    if unknown := set(options.names) - set(PICTURES):
        given.error(f"no picture is called {', '.join(sorted(unknown))}")
    for name in options.names or PICTURES:
        drawn = PICTURES[name]()
        (options.output / name).write_bytes(drawn if isinstance(drawn, bytes) else drawn.encode())
        print(options.output / name)


if __name__ == "__main__":
    main()
