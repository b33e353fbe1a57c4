"""What a reader decides: phrases accepted, refused, added and moved; a vocabulary of their own."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from phrasemill.evaluation import evaluate
from phrasemill.evaluation.answers import read_answers

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browsing import Visit

pytestmark = pytest.mark.browser


def texts(page: "Page") -> list[str]:
    return page.locator("#view-document .phrases .phrase-text").evaluate_all(
        "(all) => all.map((one) => one.firstChild.textContent)"
    )


def test_decisions_are_exported_as_gold_that_evaluate_reads(visit: "Visit", tmp_path: Path, gallery: Path) -> None:
    page = visit.example("document", ".phrase")
    first, second, third = texts(page)[:3]
    page.get_by_role("button", name="Review").click()
    page.get_by_label(f"Accept {first}").click()
    page.get_by_label(f"Refuse {second}").click()
    page.get_by_label(f"Accept {third}").click()
    page.get_by_label(f"Move up {third}").click()
    page.wait_for_function("(label) => document.activeElement.ariaLabel === label", arg=f"Move up {third}")
    page.keyboard.press("Enter")
    page.get_by_label("A phrase to add").fill("marine ecology")
    page.keyboard.press("Enter")
    page.locator(".review-count", has_text="3 accepted").wait_for()
    page.screenshot(path=gallery / "review.png")
    gold = visit.saved("document", "Export", "Download as Gold (JSON lines)")
    assert json.loads(gold) == {"id": "example", "keyphrases": [third, first, "marine ecology"]}
    (tmp_path / "gold.jsonl").write_bytes(gold)
    scores = evaluate({"example": [first]}, read_answers(tmp_path / "gold.jsonl"), metrics=["P@1", "R@1"])
    assert [scores["P@1"], scores["R@1"]] == [1, 1 / 3]
    assert second not in visit.saved("document", "Export", "Download as Plain text").decode()


def test_refused_phrases_stay_away_and_make_room_for_others(visit: "Visit") -> None:
    page = visit.example("document", ".phrase")
    before = texts(page)
    page.get_by_role("button", name="Review").click()
    page.get_by_label(f"Refuse {before[0]}").click()
    page.get_by_role("button", name="Review").click()
    assert before[0] not in texts(page)
    with page.expect_request("**/v1/extract") as sent:
        page.get_by_label("How many").fill("9")
    assert json.loads(sent.value.post_data or "")["exclude"] == [before[0].lower()]
    page.locator("#view-document .phrase").nth(8).wait_for()
    assert before[0] not in texts(page)


def test_decisions_are_there_again_after_a_reload(visit: "Visit") -> None:
    page = visit.open()
    page.get_by_label("Text to read").fill("Salt water moves inland. Farmers measure salt water in deep wells.")
    page.get_by_role("button", name="Find keyphrases").click()
    page.locator("#view-document .phrase").first.wait_for()
    first = texts(page)[0]
    page.get_by_role("button", name="Review").click()
    page.get_by_label(f"Accept {first}").click()
    page.reload()
    page.locator(".review-count", has_text="1 accepted").wait_for()


@pytest.mark.parametrize(
    ("name", "content", "phrases"),
    [
        ("tags.txt", "bubble curtains\nbrown crab\n", ["bubble curtains", "brown crab"]),
        ("tags.csv", 'id,label\n1,"crab, brown"\n2,mussels\n', ["crab, brown", "mussels"]),
        ("tags.json", '[{"name": "brown crab"}, "mussels"]', ["brown crab", "mussels"]),
    ],
)
def test_a_vocabulary_is_uploaded_and_used(visit: "Visit", name: str, content: str, phrases: list[str]) -> None:
    page = visit.example("document", ".phrase")
    page.locator("#view-document").get_by_text("Options", exact=True).click()
    page.get_by_label("How to use them").select_option("Only these")
    with page.expect_request(lambda request: "candidates" in (request.post_data or "")) as sent:
        visit.give("document", (name, content), box="Upload")
    assert json.loads(sent.value.post_data or "")["candidates"] == phrases
    page.locator("#view-document .phrase").nth(5).wait_for(state="detached")
    assert set(texts(page)) <= {"bubble curtains", "Bubble curtains", "brown crab", "mussels", "mussel"}
