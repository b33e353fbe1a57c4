"""Pages show figures from files, and a number without a file is found."""

from pathlib import Path

import pytest

from phrasemill.errors import DataError
from phrasemill_lab.bench.figures import Figures, save, table
from phrasemill_lab.docs import pages
from phrasemill_lab.docs.numbers import sourceless
from phrasemill_lab.docs.pages import Book

EVIDENCE = Path("docs/evidence/quality.md")


@pytest.fixture
def book(tmp_path: Path) -> Book:
    scores = table(
        ("texts", "`learned`", "`yake`"), [("Inspec", "44.5 [42.9, 46.0]", "20.0"), ("News", "30.1", "12.5")]
    )
    made = Figures(
        {"speed": 3429, "scores": scores},
        command="phrasemill bench",
        date="2026-11-18",
        commit="abc1234",
        machine="a machine",
        signatures=("F1@10|match:stem",),
    )
    save(tmp_path / "docs" / "figures" / "bench.json", made)
    (tmp_path / "README.md").write_text("# Phrasemill\n", encoding="utf-8")
    return Book(tmp_path)


def test_a_table_is_written_with_its_source(book: Book) -> None:
    page = book.filled("<!-- figures: bench.scores -->\nold\n<!-- end -->\n")
    assert "| texts | `learned` | `yake` |\n|---|---:|---:|\n" in page
    assert "| Inspec | 44.5 [42.9, 46.0] | 20.0 |" in page.replace("\N{NO-BREAK SPACE}", " ")
    assert "Measured on 2026-11-18 at commit `abc1234` (a machine). Command: `phrasemill bench`." in page
    assert "old" not in page and book.filled(page) == page


def test_rows_and_columns_are_chosen(book: Book) -> None:
    marker = '<!-- figures: bench.scores rows="News" columns="`yake`" source="no" -->'
    assert book.filled(f"{marker}<!-- end -->") == (
        f"{marker}\n\n| texts | `yake` |\n|---|---:|\n| News | 12.5 |\n\n<!-- end -->"
    )


@pytest.mark.parametrize(
    ("marker", "shown"),
    [
        ("bench.speed", "3,429"),
        ('bench.scores row="Inspec" column="`learned`"', "44.5"),
        ('bench.scores row="Inspec" column="`learned`" part="high"', "46.0"),
    ],
)
def test_numbers_stand_in_sentences(book: Book, marker: str, shown: str) -> None:
    assert book.filled(f"about <!-- figures: {marker} -->1<!-- end --> more") == (
        f"about <!-- figures: {marker} -->{shown}<!-- end --> more"
    )


def test_signatures_are_folded(book: Book) -> None:
    page = book.filled("<!-- figures: bench signatures -->\n<!-- end -->")
    assert "<details" in page and "- `F1@10|match:stem`" in page


def test_code_is_left_alone(book: Book) -> None:
    page = "```\n<!-- figures: nothing -->\n<!-- end -->\n```\n"
    assert book.filled(page) == page


@pytest.mark.parametrize(
    "marker", ["nothing.speed", "bench.nothing", 'bench.scores row="Inspec" column="x"', "bench x"]
)
def test_an_unknown_figure_is_an_error_that_shows_the_marker(book: Book, marker: str) -> None:
    with pytest.raises(DataError, match="unknown"):
        book.filled(f"<!-- figures: {marker} --><!-- end -->")


@pytest.mark.parametrize(
    ("page", "text", "found"),
    [
        (EVIDENCE, "<!-- figures: bench -->\n<!-- end --> F1@10 is 44.5 here.", []),
        (EVIDENCE, "F1@10 is 44.6 here.", ["1: 44.6 is in no file of figures of this page"]),
        (EVIDENCE, "\n| Inspec | 44.5 |", ["2: 44.5 in a table is not between markers"]),
        (EVIDENCE, "| Inspec | <!-- figures: bench.speed -->44.5<!-- end --> |", []),
        (EVIDENCE, "version 0.9.0, GPL-3.0, `top=0.5`, on 2026-11-18, [a](b-1.5.md)", []),
        (EVIDENCE, "```\n| 1.5 |\n```", []),
        (Path("README.md"), "| Phrasemill | 2,870 |", ["1: 2,870 in a table is not between markers"]),
        (Path("docs/how-to/x.md"), "| a | 0.5 |\n\nIt costs 0.7.", []),
        (
            Path("docs/how-to/x.md"),
            "It reads 3,000 abstracts per second.",
            ["1: the speed '3,000 abstracts per second' is not between markers"],
        ),
        (Path("docs/how-to/x.md"), "| a | 12 documents/s |", ["1: the speed '12 documents/s' is not between markers"]),
        (Path("docs/how-to/x.md"), "about <!-- figures: bench.speed -->3,429<!-- end --> abstracts per second", []),
        (Path("docs/evidence/papers/a.md"), "| 1.25 |", []),
    ],
)
def test_numbers_without_a_source_are_found(book: Book, page: Path, text: str, found: list[str]) -> None:
    assert list(sourceless(page, text, book.figures)) == found


def test_the_command_writes_and_checks(book: Book, capsys: pytest.CaptureFixture[str]) -> None:
    page = book.root / "docs" / "page.md"
    page.write_text("<!-- figures: bench.speed --><!-- end --> abstracts per second\n", encoding="utf-8")
    root = ["--root", str(book.root)]
    assert pages.main([*root, "--check"]) == 1 and "out of date" in capsys.readouterr().out
    assert pages.main(root) == 0 and pages.main([*root, "--check"]) == 0
    assert "3,429" in page.read_text(encoding="utf-8")
    page.write_text("It reads 5 texts per second.\n", encoding="utf-8")
    assert pages.main([*root, "--check"]) == 1 and "5 texts per second" in capsys.readouterr().err
