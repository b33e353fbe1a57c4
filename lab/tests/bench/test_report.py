"""Tables and pictures of benchmark results."""

import math
import random
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from phrasemill_lab.bench import page, report
from phrasemill_lab.bench.results import BenchResult, BenchScore, save
from phrasemill_lab.bench.scatter import Dot, frontier, scatter

SVG = "{http://www.w3.org/2000/svg}"


def made(
    spec: str, dataset: str = "inspec", *, value: float = 0.3, seconds: float = 1.0, failed: str = ""
) -> BenchResult:
    quality = (BenchScore("F1@5", value, value - 0.02, value + 0.02, "F1@5|match:stem|v:1"),)
    return BenchResult(
        method=spec.partition("(")[0],
        spec=spec,
        dataset=dataset,
        title=dataset.title(),
        digest="d",
        groups=100,
        documents=100,
        tokens=15_000,
        sets=dataset == "mkduc01",
        sampled=False,
        version="1",
        quality=None if failed else quality,
        seconds=None if failed else seconds,
        peak=40_000_000,
        startup=0.15,
        model=2_500_000,
        failed=failed,
        machine="a machine",
    )


RESULTS = [
    made("slow(style='a<b')", value=0.4, seconds=50),
    made("fast", value=0.2, seconds=0.1),
    made("broken", failed="took longer than 5 seconds"),
    made("fast", "duc2001", value=0.1, seconds=0.2),
    made("slow", "duc2001", value=0.2, seconds=80),
]


def test_a_table_has_the_best_first_and_failures_below() -> None:
    first, second = report.sections(RESULTS)
    assert (first.label, second.label) == ("inspec", "duc2001"), "in the order of the list of tasks"
    table = report.section_table(first)
    assert [row[0] for row in table.rows] == ["slow(style='a<b')", "fast"]
    assert table.rows[1] == ("fast", "20.0 [18.0, 22.0]", "1,000", "150,000", "150", "40", "2.5")
    assert table.notes == ("broken failed: took longer than 5 seconds", "F1@5|match:stem|v:1")
    assert table.title == "Inspec: 100 documents, 150 tokens each"


def test_the_overview_is_of_methods_that_ran_everywhere() -> None:
    results = [*(one for one in RESULTS if one.method != "slow"), made("slow", value=0.4, seconds=50), *RESULTS[4:]]
    used, means = report.overview(report.sections(results))
    assert len(used) == 2 and {dot.label for dot in means} == {"fast", "slow"}
    fast = next(dot for dot in means if dot.label == "fast")
    assert fast.value == pytest.approx(0.15) and fast.rate == pytest.approx(math.sqrt(150_000 * 75_000))


def test_markdown_and_page() -> None:
    notes = ["kea was left out: no <model>"]
    text = report.markdown(RESULTS, notes)
    assert "## Inspec: 100 documents" in text and "| `fast` | 20.0 [18.0, 22.0] |" in text and notes[0] in text
    html = page.page(RESULTS, notes)
    assert html.count("<svg") == 3, "an overview and two datasets"
    assert "default-src 'none'" in html and "<script" not in html and "no &lt;model&gt;" in html
    assert "slow(style=&#x27;a&lt;b&#x27;)" in html and "took longer than 5 seconds" in html
    for drawn in re.findall(r"<svg.*?</svg>", html, re.DOTALL):
        ElementTree.fromstring(drawn)


def test_the_picture_alone() -> None:
    whole, single = page.picture(RESULTS), page.picture(RESULTS[:3])
    assert whole is not None and single is not None
    assert ElementTree.fromstring(whole).tag == f"{SVG}svg" and "tokens per second" in whole
    assert "documents per second" in single and page.picture(RESULTS[:1]) is None


def test_only_results_of_this_version_are_reported(tmp_path: Path) -> None:
    save(RESULTS[0], tmp_path)
    save(RESULTS[3], tmp_path)
    assert len(report.results_of(tmp_path, "1")[0]) == 2
    assert report.results_of(tmp_path, "2") == ([], 2)


def dots(count: int, seed: int) -> list[Dot]:
    source = random.Random(seed)
    found = []
    for i in range(count):
        value = source.uniform(0.05, 0.6)
        found.append(Dot(f"method{i}", 10 ** source.uniform(0, 4), value, value - 0.03, value + 0.03, "tip"))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_the_frontier_is_what_nothing_beats(seed: int) -> None:
    made = dots(20, seed)
    best = frontier(made)
    for dot in made:
        beaten = [o for o in made if o.rate > dot.rate and o.value > dot.value]
        assert (dot not in best) == bool(beaten)


@pytest.mark.parametrize("seed", range(5))
def test_labels_do_not_cover_each_other(seed: int) -> None:
    made = dots(18, seed)
    drawn = ElementTree.fromstring(scatter(made, title="a & b", across="rate", up="score"))
    boxes = []
    for text in drawn.iter(f"{SVG}text"):
        if (text.text or "").startswith("method"):
            width, x = 6.6 * len(text.text or ""), float(text.get("x", 0))
            left = x - width if text.get("text-anchor") == "end" else x
            boxes.append((left, float(text.get("y", 0)), left + width))
    assert len(boxes) == 18
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            assert a[2] <= b[0] or b[2] <= a[0] or abs(a[1] - b[1]) >= 13, (a, b)
    assert len(list(drawn.iter(f"{SVG}circle"))) == 18


def test_one_method_alone_has_a_picture_too() -> None:
    assert "method0" in scatter(dots(1, 1), title="t", across="a", up="b")
