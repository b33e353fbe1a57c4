"""Scores as tables and as a page."""

import csv
import json
import re
from html.parser import HTMLParser
from io import StringIO
from xml.etree import ElementTree

import pytest

from phrasemill.evaluation import Answers, Scores, compare, evaluate, html_report, plots, report
from phrasemill.files import tables

GOLD = Answers("gold", {f"d{i}": ("tree", "leaf") for i in range(12)})
GOOD = Answers("good_one", {f"d{i}": ("tree", "leaf") if i % 2 else ("tree",) for i in range(12)})
BAD = Answers("<bad> & 100%", {f"d{i}": ("root", "tree") for i in range(11)} | {"extra": ("x",)})


@pytest.fixture(scope="module")
def systems() -> list[Scores]:
    return [evaluate(one, GOLD, metrics=["F1@5", "P@1", "phrases"], resamples=50) for one in (GOOD, BAD)]


def test_json_has_shares_and_signatures(systems: list[Scores]) -> None:
    record = json.loads(report.as_json(systems[:1]))
    assert record["scores"]["P@1"] == 1
    assert record["signatures"]["P@1"].startswith("P@1|match:stem(porter)|")
    assert record["missing"] == []
    assert len(record["intervals"]["F1@5"]) == 2
    both = json.loads(report.as_json(systems, per_document=True))
    assert both[1]["missing"] == ["d11"]
    assert both[1]["surplus"] == ["extra"]
    assert both[1]["per_document"]["P@1"]["d0"] == 0


def test_csv_has_a_row_per_score(systems: list[Scores]) -> None:
    rows = list(csv.DictReader(StringIO(report.scores_csv(systems))))
    assert [row["system"] for row in rows] == ["good_one"] * 3 + ["<bad> & 100%"] * 3
    assert rows[0]["value"] == f"{systems[0]['F1@5']:.4g}"


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
    grid = report.differences_table(found, test="bootstrap")
    assert len(grid.rows) == 3
    assert json.loads(report.differences_json(found))["differences"][0]["metric"] == "F1@5"
    worst = report.differing_table(*systems, name="P@1", top=2)
    assert worst.rows[0] == ("d0", "100.0", "0.00", "-100.0")


class Checker(HTMLParser):
    """Collects what a browser would fetch or run, and holds that tags are closed."""

    void = ("meta", "rect", "line", "polyline", "circle")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "link", "img", "iframe", "object"):
            self.fetched.append(tag)
        self.fetched += [str(value) for name, value in attrs if name in ("src", "href") or name.startswith("on")]
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.void:
            assert self.open.pop() == tag


def test_the_page_is_whole_and_asks_for_nothing(systems: list[Scores]) -> None:
    curve = html_report.curves([GOOD, BAD], GOLD, preset="default")
    page = html_report.page(systems, curve=curve, differences=compare(systems, resamples=50))
    checker = Checker()
    checker.feed(page)
    assert checker.open == []
    assert checker.fetched == []
    assert "&lt;bad&gt; &amp; 100%: 1 documents without an answer: d11" in page
    assert "<bad>" not in page
    assert page.count("<svg") == 5
    for drawing in re.findall(r"<svg.*?</svg>", page, flags=re.DOTALL):
        ElementTree.fromstring(drawing)


def test_plots_of_nothing_are_still_plots() -> None:
    for drawing in (
        plots.lines([plots.Series("a", [0.0])], ["1"], title="t", axis="k"),
        plots.histogram([plots.Series("a", [])], title="t", axis="x"),
        plots.bars(["m"], ["a"], [[plots.Bar(0, 0, 0)]], title="t"),
    ):
        ElementTree.fromstring(drawing)
