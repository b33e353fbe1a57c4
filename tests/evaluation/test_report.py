"""Scores as tables and as a page."""

import pytest

from html_pages import checked
from phrasemill.evaluation import Answers, Scores, compare, evaluate, report
from phrasemill.evaluation.report import grouped
from phrasemill.files import tables

GOLD = Answers("gold", {f"d{i}": ("tree", "leaf") for i in range(12)})
GOOD = Answers("good_one", {f"d{i}": ("tree", "leaf") if i % 2 else ("tree",) for i in range(12)})
BAD = Answers("<bad> & 100%", {f"d{i}": ("root", "tree") for i in range(11)} | {"extra": ("x",)})


@pytest.fixture(scope="module")
def systems() -> list[Scores]:
    return [evaluate(one, GOLD, metrics=["F1@5", "P@1", "phrases"], resamples=50) for one in (GOOD, BAD)]


def test_records(systems: list[Scores]) -> None:
    record = report.as_record(systems[0])
    assert record["scores"]["P@1"] == 1  # type: ignore[index]
    assert record["missing"] == []
    assert len(record["intervals"]["F1@5"]) == 2  # type: ignore[index]
    other = report.as_record(systems[1], per_document=True)
    assert (other["missing"], other["surplus"]) == (["d11"], ["extra"])
    assert other["per_document"]["P@1"]["d0"] == 0  # type: ignore[index]


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
    page = report.page(systems, compare(systems, resamples=50), title="<b>")
    text = checked(page).text
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
    assert page.count("<svg") == 4, "a bar for each share, none for counts"


def test_the_page_of_one_system_shows_the_first_documents() -> None:
    many = {str(i): ["tree"] for i in range(report.MOST_DOCUMENTS + 1)}
    page = report.page([evaluate(many, many, metrics=["P@1"])])
    assert "The scores of the first 500 of 501 documents" in page
    assert "Differences" not in page
    assert "intervals" not in page


def test_signatures_that_share_all_choices_are_one_line() -> None:
    assert grouped(["F1@5|a|b", "a note", "P@5|a|b", "F1@5|c"]) == ["F1@5 P@5|a|b", "a note", "F1@5|c"]
