"""What goes wrong: the message says what to do, and nothing that was there is lost."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browsing import Visit

pytestmark = pytest.mark.browser

BROKEN = ("broken.pdf", b"%PDF-1.4\nnothing")
EMPTY = ("empty.docx", b"PK\x03\x04")
FINE = ("fine.txt", "Rain gardens hold storm water.")
DROP = """([selector, files]) => {
  const dropped = new DataTransfer();
  for (const [name, text] of files) dropped.items.add(new File([text], name));
  const target = document.querySelector(selector);
  for (const kind of ["dragenter", "dragover", "drop"])
    target.dispatchEvent(new DragEvent(kind, { dataTransfer: dropped, bubbles: true, cancelable: true }));
}"""


def refuse(page: "Page", status: int, title: str, detail: str, **headers: str) -> None:
    problem = {"type": f"urn:phrasemill:problem:{status}", "title": title, "status": status, "detail": detail}
    answer = {"status": status, "content_type": "application/problem+json", "headers": headers}
    page.route("**/v1/extract", lambda route: route.fulfill(body=json.dumps(problem), **answer))


def test_a_failure_greys_the_old_result_and_says_what_to_do(visit: "Visit", gallery: Path) -> None:
    visit.expected.append("status of 503")
    page = visit.example("document", ".phrase")
    refuse(page, 503, "Too busy", "The queue is full.", **{"Retry-After": "2"})
    page.get_by_label("How many").fill("5")
    alert = page.get_by_role("alert")
    alert.wait_for()
    told = ["Too busy", "The queue is full. Try again in about 2 s.", "Below is the result from before.", "Try again"]
    assert [one for one in alert.inner_text().splitlines() if one] == told
    assert page.locator("#view-document .stale .phrase").count() == 10
    page.screenshot(path=gallery / "failure.png")
    page.unroute("**/v1/extract")
    page.get_by_role("button", name="Try again").click()
    page.locator("#view-document .phrase").nth(5).wait_for(state="detached")
    assert page.locator(".stale").count() == 0


def test_what_cannot_pass_is_not_tried_again(visit: "Visit") -> None:
    visit.expected.append("status of 422")
    page = visit.example("document", ".phrase")
    refuse(page, 422, "A parameter is not valid", "diversity must be at most 1")
    page.get_by_label("How many").fill("5")
    page.get_by_role("alert").wait_for()
    assert page.get_by_role("button", name="Try again").count() == 0


def test_a_server_that_is_gone_is_named_with_how_to_start_it(visit: "Visit") -> None:
    visit.expected.append("ERR_FAILED")
    visit.page.route("**/v1/extract", lambda route: route.abort())
    page = visit.example("document", ".trouble")
    alert = page.get_by_role("alert").inner_text()
    assert "does not answer" in alert and "phrasemill serve" in alert
    assert page.get_by_role("button", name="Try again").is_visible()


def test_a_file_that_cannot_be_read_is_named_with_its_reason(visit: "Visit") -> None:
    visit.expected.append("status of 4")
    page = visit.open()
    page.get_by_label("Text to read").fill("A text that I was typing.")
    visit.give("document", BROKEN)
    alert = page.get_by_role("alert")
    assert "broken.pdf" in alert.inner_text() and "damaged PDF" in alert.inner_text()
    assert page.get_by_role("button", name="Try again").count() == 0
    assert page.get_by_label("Text to read").input_value() == "A text that I was typing."


def test_all_files_that_failed_are_named_and_the_others_are_read(visit: "Visit") -> None:
    visit.expected.append("status of 4")
    page = visit.open("set")
    visit.give("set", BROKEN, FINE, EMPTY)
    failures = page.get_by_role("alert").locator(".failures li")
    failures.nth(1).wait_for()
    assert [one.split(" ")[0] for one in failures.all_inner_texts()] == ["broken.pdf", "empty.docx"]
    assert page.locator("#view-set .collection-name").all_inner_texts() == ["fine.txt"]


@pytest.mark.parametrize("view", ["document", "folder"])
def test_a_file_that_is_dropped_on_a_new_page_is_shown(visit: "Visit", view: str) -> None:
    page = visit.open(view)
    page.evaluate(DROP, [f"#view-{view}", [["a.txt", "Wind farms on land. Wind farms at sea need foundations."]]])
    page.locator("#view-document .phrase", has_text="Wind farms").first.wait_for()
    page.reload()
    page.locator("#view-document .phrase", has_text="Wind farms").first.wait_for()


def test_a_drop_beside_the_box_opens_the_file_and_keeps_the_typed_text(visit: "Visit") -> None:
    page = visit.open()
    page.get_by_label("Text to read").fill("A text that I was typing.")
    page.evaluate(DROP, [".foot", [["a.txt", "Wind farms on land. Wind farms at sea need foundations."]]])
    page.locator("#view-document .phrase", has_text="Wind farms").first.wait_for()
    page.get_by_role("button", name="New text").click()
    assert page.get_by_label("Text to read").input_value() == "A text that I was typing."


def test_a_drop_beside_the_boxes_joins_the_set_that_is_open(visit: "Visit") -> None:
    page = visit.open("set")
    page.evaluate(DROP, [".foot", [["a.txt", "Wind farms on land."], ["b.txt", "Wind farms at sea."]]])
    page.locator("#view-set .collection-count", has_text="2 documents").wait_for()
    page.goto(f"{visit.address}#contrast")
    page.locator("#view-contrast h1").wait_for()
    for number in range(3):
        page.evaluate(DROP, [".foot", [[f"{number}.txt", f"Wind farms on land, part {number}."]]])
        counts = page.locator("#view-contrast .collection-count").filter(has_text="1 document")
        counts.nth(min(number, 1)).wait_for()
    page.get_by_role("alert").filter(has_text="Both sets have documents").wait_for()
    page.goto(f"{visit.address}#evaluate")
    page.locator("#view-evaluate h1").wait_for()
    page.evaluate(DROP, [".foot", [["a.txt", "Wind farms on land."]]])
    page.get_by_role("alert").filter(has_text="Which of them are these?").wait_for()
