"""The page with predictions to score: the report of the library, inside the page."""

import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browsing import Visit

pytestmark = pytest.mark.browser

GOLD = {"id": "d1", "keyphrases": ["salt water", "wells"]}
ANSWERS = {"id": "d1", "keyphrases": [{"text": "salt water", "score": 1.0}, {"text": "pumps", "score": 0.5}]}


def give(page: "Page", box: int, name: str, content: bytes) -> None:
    file: Any = {"name": name, "mimeType": "", "buffer": content}
    page.locator("#view-evaluate input[type=file]").nth(box).set_input_files(file)


def jsonl(record: dict[str, Any]) -> bytes:
    return json.dumps(record).encode()


def test_the_example_is_a_report_with_a_style_of_its_own(visit: "Visit") -> None:
    page = visit.example("evaluate", ".report-frame table")
    report = page.locator(".report-frame .report")
    assert "system A" in report.inner_text() and "F1@5" in report.inner_text()
    assert page.evaluate("document.styleSheets.length") == 3, "the style of the report stays inside"
    assert page.locator("main").count() == 1
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the report").click()
    assert download.value.suggested_filename == "scores.html"


def test_files_of_predictions_and_gold(visit: "Visit") -> None:
    visit.expected.append("status of 4")
    page = visit.open("evaluate")
    give(page, 0, "ours.jsonl.gz", gzip.compress(jsonl(ANSWERS)))
    give(page, 1, "gold.json", b"{ not JSON")
    page.get_by_role("alert").wait_for()
    assert "gold" in page.get_by_role("alert").inner_text()
    give(page, 1, "gold.jsonl", jsonl(GOLD))
    report = page.locator(".report-frame .report")
    report.filter(has_text="P@5").wait_for()
    assert "50.0" in report.inner_text() and "ours" in report.inner_text()
    page.get_by_label("Scored as in").select_option("semeval2010")
    report.filter(has_text="P@15").wait_for()
    assert "preset=semeval2010" in page.url
    page.get_by_role("button", name="Remove ours").click()
    report.wait_for(state="detached")


def test_files_with_other_fields_offer_them(visit: "Visit") -> None:
    visit.expected.append("status of 422")
    page = visit.open("evaluate")
    give(page, 0, "0.jsonl", jsonl({"id": "d1", "predicted": ["salt water", "pumps"], "extra": ["x"]}))
    give(page, 1, "1.jsonl", jsonl({"id": "d1", "topics": ["x"], "keywords": ["salt water", "wells"]}))
    for field in ("keywords", "predicted"):
        page.get_by_label("The field with the phrases").filter(has_text=field).select_option(field)
        page.get_by_role("button", name="Use it").click()
    report = page.locator(".report-frame .report").filter(has_text="P@5")
    report.wait_for()
    assert "50.0" in report.inner_text()
    page.reload()
    report.wait_for()


def test_a_report_cannot_run_or_load_anything(visit: "Visit") -> None:
    hostile = (
        "<style>main { color: rgb(255, 0, 0) }</style><main><p onclick=ran()>Scores <a href=javascript:ran()>x</a></p>"
        "<script>ran()</script></main>"
    )
    page = visit.open("evaluate")
    visit.expected.append("Content Security Policy")
    page.evaluate("() => { globalThis.ran = () => { globalThis.hasRun = true; }; }")
    page.route("**/v1/evaluate?format=html", lambda route: route.fulfill(body=hostile, content_type="text/html"))
    page.get_by_role("button", name="Try an example").click()
    page.locator(".report-frame p").click()
    page.locator(".report-frame a").click()
    assert page.locator(".report-frame p").evaluate("(one) => getComputedStyle(one).color") == "rgb(255, 0, 0)"
    assert page.evaluate("globalThis.hasRun") is None
