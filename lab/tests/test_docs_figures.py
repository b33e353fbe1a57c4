"""Every figure of the documentation is in a file of docs/figures, and pages show what these files have."""

import datetime
import re
import subprocess
import sys
from pathlib import Path

import pytest

from phrasemill.cli.methods import rows
from phrasemill.options import DEFAULT_METHOD
from phrasemill_lab.bench.figures import read
from phrasemill_lab.docs.numbers import REMARKS, sourceless
from phrasemill_lab.docs.pages import Book

ROOT = Path(__file__).parents[2]
BOOK = Book(ROOT)
FILES = sorted((ROOT / "docs" / "figures").glob("*.json"))
PLOTS = ["methods", "quality", "languages", "growth", "learning", "calibration", "tools"]
SPEED = "<!-- figures: speed.default -->"
WIDEST = 8  # columns of a table that fits on a screen


@pytest.mark.parametrize("page", BOOK.pages, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_pages_show_the_figures_of_the_files(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert BOOK.filled(text) == text, "run python -m phrasemill_lab.docs.pages"


@pytest.mark.parametrize("page", BOOK.pages, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_no_figure_is_typed_by_hand(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not list(sourceless(page.relative_to(ROOT), text, BOOK.figures))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_file_says_how_its_figures_were_made(path: Path) -> None:
    made = read(path)
    assert made.command or made.source or made.note
    if path.stem != REMARKS:
        assert datetime.date.fromisoformat(made.date)
        assert made.commit or made.recorded or made.source
    assert not re.search(r"/(work|home|root|tmp)/", path.read_text(encoding="utf-8")), "a place on one machine"


def test_every_file_is_shown_somewhere() -> None:
    shown = {name for page in BOOK.pages for name in re.findall(r"<!-- figures: ([\w-]+)", page.read_text("utf-8"))}
    drawn = set(re.findall(r'"([\w-]+)"', (ROOT / "lab" / "benchmarks" / "pictures.py").read_text(encoding="utf-8")))
    assert {path.stem for path in FILES} - {REMARKS} <= shown | drawn


@pytest.mark.parametrize(
    "page", ["README.md", "docs/evidence/speed.md", "docs/evidence/peers.md", "docs/how-to/choose-a-method.md"]
)
def test_the_speed_of_the_default_is_the_same_number_everywhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    shown = set(re.findall(rf"{SPEED}(.*?)<!-- end -->", text))
    listed = next(row.speed for row in rows() if row.name == DEFAULT_METHOD)
    assert shown == {listed}


def test_the_page_of_other_tools_says_who_is_ahead() -> None:
    """Every ratio below 1 is named where the page says who is ahead, and nobody else."""
    run = BOOK.figures["speed"]
    ratios, ahead = run.table("ratios"), run.table("ahead")
    text = (ROOT / "docs" / "evidence" / "peers.md").read_text(encoding="utf-8")
    for measure in ("start-up", "abstracts", "papers", "5 MB", "memory"):
        column = ratios.column(measure)
        below = [str(row[0]) for row in ratios.rows if isinstance(row[column], float | int) and float(row[column]) < 1]  # type: ignore[arg-type]
        cell = str(ahead.row(measure)[1])
        named = [] if cell == "nobody" else cell.split("; ")
        assert set(below) <= set(named), measure
        assert cell in text


def test_tables_fit_on_a_screen() -> None:
    for page in BOOK.pages:
        for block in re.findall(r"<!-- figures: [^>]*-->(.*?)<!-- end -->", page.read_text("utf-8"), flags=re.DOTALL):
            rows = [line for line in block.splitlines() if line.startswith("|")]
            assert not rows or rows[1].count("|") - 1 <= WIDEST, (page.name, rows[0])


def test_remarks_are_about_pages_that_have_them() -> None:
    """A remark whose numbers are no longer on its page is to be deleted."""
    for where, what, numbers, *_ in BOOK.figures[REMARKS].table(REMARKS).rows:
        text = (ROOT / str(where)).read_text(encoding="utf-8")
        assert any(re.search(rf"(?<![\d.]){re.escape(one)}", text) for one in str(numbers).split("; ")), (where, what)


@pytest.mark.docs
@pytest.mark.parametrize("name", PLOTS)
def test_pictures_show_the_figures_of_the_files(name: str, tmp_path: Path) -> None:
    script = ROOT / "lab" / "benchmarks" / "pictures.py"
    subprocess.run([sys.executable, str(script), f"{name}.svg", "--output", str(tmp_path)], check=True)
    kept = ROOT / "docs" / "images" / f"{name}.svg"
    assert (tmp_path / kept.name).read_bytes() == kept.read_bytes(), f"run benchmarks/pictures.py {kept.name}"
