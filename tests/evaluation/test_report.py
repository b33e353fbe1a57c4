"""Scores as tables and as a page; the page that all reports are written on; the page of the docs on all choices."""

from pathlib import Path

import pytest

from html_pages import checked
from phrasemill.evaluation import METRICS, PRESETS, Answers, Scores, compare, evaluate, report
from phrasemill.evaluation.page import Html, Section, bar, code, folded, html, listed, page, paragraph, table
from phrasemill.evaluation.policies import CHOICES
from phrasemill.files import tables

GOLD = Answers("gold", {f"d{i}": ("tree", "leaf") for i in range(12)})
GOOD = Answers("good_one", {f"d{i}": ("tree", "leaf") if i % 2 else ("tree",) for i in range(12)})
EVIL = '<img src=x onerror=alert(1)> & "it\'s"'
DOCS = (Path(__file__).parents[2] / "docs" / "reference" / "metrics.md").read_text(encoding="utf-8")
BAD = Answers("<bad> & 100%", {f"d{i}": ("root", "tree") for i in range(11)} | {"extra": ("x",)})


@pytest.fixture(scope="module")
def systems() -> list[Scores]:
    return [evaluate(one, GOLD, metrics=["F1@5", "P@1", "phrases"], resamples=50) for one in (GOOD, BAD)]


def test_shapes_follow_the_room(systems: list[Scores]) -> None:
    assert report.scores_table(systems).header == ("metric", "good_one", "<bad> & 100%")
    narrow = report.scores_table(systems, room=60)
    assert tables.table_width(narrow) <= 60
    assert report.scores_table(systems, room=10).header == ("system, metric", "score")


def test_documents_that_do_not_count_are_empty(systems: list[Scores]) -> None:
    grid = report.documents_table(systems)
    assert len(grid.rows) == 12
    assert grid.header[1] == "good_one F1@5"
    narrow = report.documents_table(systems, room=60)
    assert narrow.rows[1] == ("d0  good_one P@1", "100.0")
    assert len(narrow.rows) == 12 * 6


def test_differences_are_listed(systems: list[Scores]) -> None:
    found = compare(systems, resamples=50)
    assert len(report.differences_table(found, test="bootstrap").rows) == 3
    assert report.difference_records(found)[0]["metric"] == "F1@5"
    worst = report.differing_table(*systems, name="P@1", top=2)
    assert worst.rows[0] == ("d0", "100.0", "0.00", "-100.0")


def test_the_page_is_whole_and_asks_for_nothing(systems: list[Scores]) -> None:
    made = report.page(systems, compare(systems, resamples=50), title="<b>")
    text = checked(made).text
    for words in (
        "<bad> & 100%: 1 gold documents have no answer: d11",
        "<bad> & 100%: 1 answers are to no document of the gold: extra",
        "Preset default, 12 documents. Shares are in per cent, with 95 % intervals.",
        "paired bootstrap, two-sided; * significant at 0.05 after Holm's correction over 3 tests",
        "Where they differ most, F1@5",
        "F1@5 P@1 phrases|match:stem(porter)|",
        "The scores of 12 documents",
    ):
        assert words in text
    assert made.count("<svg") == 4, "a bar for each share, none for counts"


def test_the_page_of_one_system_shows_the_first_documents() -> None:
    many = {str(i): ["tree"] for i in range(report.MOST_DOCUMENTS + 1)}
    made = report.page([evaluate(many, many, metrics=["P@1"])])
    assert "The scores of the first 500 of 501 documents" in made
    assert "Differences" not in made
    assert "intervals" not in made


def test_signatures_that_share_all_choices_are_one_line() -> None:
    assert report.grouped(["F1@5|a|b", "a note", "P@5|a|b", "F1@5|c"]) == ["F1@5 P@5|a|b", "a note", "F1@5|c"]


def test_every_text_is_escaped_and_shown() -> None:
    parts = [
        EVIL,
        paragraph(EVIL, kind="warning"),
        table((EVIL, "n"), [(EVIL, EVIL)]),
        listed([EVIL, code(EVIL)]),
        folded(EVIL, [EVIL, bar(0.5, low=0.4, high=0.6, label=EVIL)]),
    ]
    made = page(EVIL, [Section(EVIL, parts)], lead=[EVIL], contents=True)
    found = checked(made)
    # The title twice, the heading and its link, the lead, and nine times in the parts.
    assert found.text.count(EVIL) == 14
    assert found.tags.count("main") == 1
    assert 'href="#section-1"' in made and '<h2 id="section-1">' in made
    assert "<nav" not in page("t", [Section("one", [])])
    assert html(html("<b>")) == "&lt;b&gt;" and paragraph(Html("<b>bold</b>")) == "<p><b>bold</b></p>"


def test_tables_and_bars_are_drawn() -> None:
    made = table(("metric", "system", "score"), [("F1", "a", "1.0")], words=(0, 1))
    assert made.count('class="number"') == 2
    assert '<th scope="row">F1</th><td>a</td><td class="number">1.0</td>' in made
    assert '<line x1="40.0" x2="60.0"' in bar(0.5, low=0.4, high=0.6, label="half")
    assert "<line" not in bar(0.5, label="half")


@pytest.mark.parametrize("name", [*map(report.metric_label, METRICS), *PRESETS, *CHOICES, *CHOICES["match"]])
def test_the_docs_explain_every_choice_and_value(name: str) -> None:
    assert f"`{name}`" in DOCS
    for value in CHOICES.get(name, ()):
        assert f"`{value}`" in DOCS or f"{name}='{value}'" in DOCS or f"{name}={value}" in DOCS, value
