"""Draw the pictures of the documentation again, in docs/images.

    python lab/benchmarks/pictures.py [NAME …] [--output DIR]

Plots are drawn from docs/figures, `methods` from what `phrasemill methods` prints. `highlight` is the output of
`phrasemill extract --highlight`, `seen` what the default finds in the example and why, and `report` the page that
`phrasemill evaluate --format html` writes about two systems whose predictions are made up, seen through Chromium.
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

from phrasemill import plots
from phrasemill.facts import FACTS, YOURS
from phrasemill.options import DEFAULT_METHOD
from phrasemill.plots import Bar, standalone
from phrasemill.shipped import shipped
from phrasemill_lab.bench.figures import FigureTable, read
from phrasemill_lab.bench.scatter import Dot, scatter
from phrasemill_lab.bench.scripts import parser

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs" / "images"
FIGURES = ROOT / "docs" / "figures"
WIDTH = 96  # columns of the terminal
METHODS = ("`learned`", "`encoder`")
# The rows of the table of quality that are drawn, and how they are called there.
TEXTS = {
    "Everyday English texts (annotated by a language model), F1@10": "everyday(F1@10)",
    "DUC-2001, F1@10": "DUC-2001(F1@10)",
    "Inspec, F1@10": "Inspec(F1@10)",
    "KP20k, present, F1@5": "KP20k(F1@5)",
    "SemEval-2010, F1@15": "SemEval(F1@15)",
    "PubMedAKE, present, F1@5": "PubMed(F1@5)",
    "MK-DUC-01, sets of documents, F1@20": "MK-DUC-01(F1@20)",
}
PARAGRAPHS = 5  # lines of the example that are drawn, empty ones included
FEWEST = 50  # phrases in a range of scores that is drawn
GROWING = ("textrank", "tfidf", "yake", "topicalpagerank", "topicrank", "multipartiterank")
RATE = "abstracts, per s"
WORDS = ("reef", "turbine", "cod", "boulder", "current")


def methods() -> str:
    """Plot every method whose quality and speed are known, except those that one trains."""
    dots = []
    for name, facts in FACTS.items():
        if facts.speed is None or facts.quality is None or facts.learns == YOURS:
            continue
        value = facts.quality / 100
        tip = f"{name}: {facts.rate} abstracts/s, F1@10 {facts.indexers} (indexers), {facts.authors} (authors)"
        dots.append(Dot(name, facts.speed, value, value, value, tip))
    drawn = scatter(
        dots,
        title="Quality of each method against its speed",
        across="abstracts per second, one core",
        up="F1@10, mean of indexers' and authors' choices",
    )
    return standalone(drawn)


def table(file: str, name: str) -> FigureTable:
    return read(FIGURES / f"{file}.json").table(name)


def number(cell: object) -> float:
    """Return the value of a cell: a number, or a score without its interval."""
    found = cell["value"] if isinstance(cell, dict) else cell
    return float(found)  # type: ignore[arg-type]


def bar(cell: object) -> Bar:
    """Return a score in per cent as a bar, with its interval if it has one."""
    value = number(cell) / 100
    if not isinstance(cell, dict):
        return Bar(value, value, value)
    return Bar(value, cell["low"] / 100, cell["high"] / 100)


def tools() -> str:
    """Plot other people's extractors, and ours like them: mean F1 on texts that none learned from, against speed."""
    ours, theirs, scores = (table("speed", name) for name in ("ours", "measured", "quality"))
    sets = ours.columns[-2:]
    labels = {f"`{DEFAULT_METHOD}`": f"our {DEFAULT_METHOD}"}
    found: list[tuple[str, object, list[object]]] = []
    for row in theirs.rows:
        peer = theirs.name(row)
        values: list[object] = [scores.cell(peer, f"{one}, theirs") for one in sets]
        found.append((re.sub(r" [\d.]+(?=,|$)", "", peer), theirs.cell(peer, RATE), values))
        method = str(scores.cell(peer, "ours"))
        labels[method] = f"our {method.strip('`')}"
    found += [(label, ours.cell(name, RATE), [ours.cell(name, one) for one in sets]) for name, label in labels.items()]
    dots = []
    for label, rate, values in found:
        if isinstance(rate, float | int) and all(isinstance(value, float | int) for value in values):
            mean = sum(map(number, values)) / len(values) / 100
            tip = f"{label}: {rate:,} abstracts/s, F1@10 {100 * mean:.1f}"
            dots.append(Dot(label, rate, mean, mean, mean, tip))
    drawn = scatter(
        dots,
        title="Quality of extractors against their speed: ours and others",
        across="abstracts per second, one core",
        up=f"F1@10, mean of {' and '.join(sets)}",
    )
    return standalone(drawn)


def quality() -> str:
    found = table("quality", "overall")
    values = [[bar(found.cell(row, method)) for row in TEXTS] for method in METHODS]
    names = [method.strip("`") for method in METHODS]
    title = "F1 of learned and encoder on seven kinds of texts, with 95 % intervals"
    return standalone(plots.bars(list(TEXTS.values()), names, values, title=title))


def languages() -> str:
    found = table("languages", "everyday")
    codes = [str(row[0]) for row in found.rows if row[0] != "mean"]
    values = [[bar(found.cell(code, metric)) for code in codes] for metric in ("F1@5", "F1@10")]
    title = "F1 of learned on everyday texts in ten languages, annotated by a language model, with 95 % intervals"
    return standalone(plots.bars(codes, ["F1@5", "F1@10"], values, title=title))


def growth() -> str:
    found = table("growth", "growth")
    series = {
        name: [(float(str(row[0])), number(found.cell(str(row[0]), name))) for row in found.rows] for name in GROWING
    }
    drawn = plots.curves(
        series,
        title="Seconds per megabyte against the length of one document: level lines are linear",
        across="megabytes of one document",
        up="seconds per megabyte",
        label=lambda value: f"{value:g}",
        logarithmic=True,
    )
    return standalone(drawn)


def learning() -> str:
    found = table("learning", "learning")
    series: dict[str, list[tuple[float, float]]] = {}
    for row in found.rows:
        series.setdefault(str(row[0]), []).append((number(row[1]), number(row[found.column("F1@10")]) / 100))
    drawn = plots.curves(
        series,
        title="F1@10 of trees that learn from more and more documents",
        across="documents to learn from",
        up="F1@10",
        logarithmic=True,
    )
    return standalone(drawn)


def calibration() -> str:
    found = table("calibration", "reliability")
    series = {
        method.strip("`"): [
            (
                number(found.cell(str(row[0]), f"mean score, {method}")),
                number(found.cell(str(row[0]), f"share right, {method}")),
            )
            for row in found.rows
            if number(found.cell(str(row[0]), f"phrases, {method}")) >= FEWEST
        ]
        for method in METHODS
    }
    drawn = plots.curves(
        series,
        title="The share of phrases that are keyphrases against their score; on the diagonal, scores are kept",
        across="score",
        up="share that are keyphrases",
        label=lambda value: f"{value:g}",
        diagonal=True,
    )
    return standalone(drawn)


def seen() -> str:
    """Draw what the default finds in the beginning of the example, and why."""
    import phrasemill as pm
    from phrasemill_lab.docs.seen import picture

    text = shipped("example.txt").read_text(encoding="utf-8")
    found = pm.extract(text, top=5, explain=True)
    beginning = "\n".join(text.split("\n")[:PARAGRAPHS])
    return standalone(
        picture(beginning, found, title="What the default sees in a text: its keyphrases, their scores, and why")
    )


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
    "quality.svg": quality,
    "languages.svg": languages,
    "growth.svg": growth,
    "learning.svg": learning,
    "calibration.svg": calibration,
    "seen.svg": seen,
    "tools.svg": tools,
    "highlight.svg": highlight,
    "report.png": report,
}


def main() -> None:
    given = parser(__doc__, data=False, measures=False)
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
