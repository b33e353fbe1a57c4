"""The page with sets of documents."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from browsing import Visit
import pytest

pytestmark = pytest.mark.browser

THREE = """Salt water intrusion threatens wells. Salt water intrusion is slow.
---
Farmers measure salt water intrusion every month, and drill deeper wells.
---
Rain gardens hold storm water in the city."""


def test_a_set_is_a_ranked_list_with_quotes(visit: "Visit") -> None:
    page = visit.example("set", ".ranked-phrase")
    phrases = page.locator("#view-set .ranked-phrase")
    assert phrases.count() == 15
    heat = phrases.filter(has_text="heat wave").first
    assert heat.locator(".share-count").inner_text() == "5 of 6"
    heat.click()
    quotes = page.get_by_role("region", name="Quotes of heat wave")
    assert quotes.locator(".quotes").count() == 5
    assert "during a heat wave" in quotes.inner_text()
    assert set(quotes.locator("mark").all_inner_texts()) == {"heat wave"}
    assert "phrase=heat+wave" in page.url
    page.reload()
    quotes.wait_for()
    heat.press("Enter")
    quotes.wait_for(state="detached")


def test_a_set_grows_and_shrinks(visit: "Visit") -> None:
    page = visit.open("set")
    page.get_by_label("Texts to add to the set").fill(THREE)
    page.get_by_role("button", name="Add text").click()
    page.locator("#view-set h2", has_text="Phrases of 3 documents").wait_for()
    page.get_by_role("button", name="Add or remove").click()
    page.locator("#view-set .collection-list button").last.click()
    page.locator("#view-set h2", has_text="Phrases of 2 documents").wait_for()
    page.locator("#view-set .collection-list button").last.click()
    page.locator(".nothing", has_text="One document so far").wait_for()
    page.reload()
    page.locator("#view-set .collection-count", has_text="1 document").wait_for()


def test_a_set_says_which_documents_do_not_count(visit: "Visit") -> None:
    page = visit.open("set")
    page.get_by_label("Texts to add to the set").fill(f"{THREE}\n---\n{THREE.splitlines()[0]}")
    page.get_by_role("button", name="Add text").click()
    page.locator("#view-set .hint", has_text="1 of 4 documents is a duplicate").wait_for()


def test_quotes_of_many_documents_are_shown_some_at_a_time(visit: "Visit", gallery: Path) -> None:
    page = visit.open("set")
    texts = [f"Salt water in well {i}. Deep wells turn salty near the coast." for i in range(60)]
    page.get_by_label("Texts to add to the set").fill("\n---\n".join(texts))
    page.get_by_role("button", name="Add text").click()
    first = page.locator("#view-set .ranked-phrase").first
    first.wait_for()
    assert first.locator(".share-count").inner_text().endswith(" of 60")
    first.click()
    quotes = page.locator("#view-set .ranked-more").filter(visible=True)
    assert quotes.locator(".quotes").count() == 20
    assert page.evaluate("(one) => one.getBoundingClientRect().top < innerHeight", quotes.element_handle())
    page.screenshot(path=gallery / "set-ranked.png")
    quotes.get_by_role("button", name="Quotes of 40 more documents").click()
    assert quotes.locator(".quotes").count() == 40
    page.get_by_role("button", name="Add or remove").click()
    page.get_by_role("button", name="Remove all from Your set").click()
    page.locator("#view-set .ranked").wait_for(state="detached")


def test_another_method_for_sets(visit: "Visit") -> None:
    page = visit.example("set", ".ranked-phrase")
    page.locator("#view-set").get_by_label("More methods").click()
    with page.expect_response("**/v1/sets") as answer:
        page.locator("#view-set [data-method=concat]").click()
    assert answer.value.ok
    page.locator("#view-set").get_by_label("How many").fill("5")
    page.locator("#view-set .ranked-phrase").nth(5).wait_for(state="detached")
    assert page.locator("#view-set .ranked-phrase").count() == 5


def test_contrast_shows_what_marks_each_set_out(visit: "Visit") -> None:
    page = visit.example("contrast", ".ranked-phrase")
    sides = page.locator(".contrast-sides section")
    first = sides.nth(0).locator(".ranked-phrase").first
    assert "heat wave" in first.inner_text() and "0 of 6" in first.inner_text()
    assert "storm" in sides.nth(1).inner_text()
    first.click()
    quotes = sides.nth(0).get_by_role("region", name="Quotes of heat wave")
    assert quotes.locator(".quote").count() > 3
    assert page.evaluate("(one) => one.getBoundingClientRect().top < innerHeight", quotes.element_handle())


def test_a_table_among_the_files_of_a_set_offers_its_columns(visit: "Visit") -> None:
    page = visit.open("set")
    table = b"message,reply\nSalt water rises in the wells.,Pump less.\nDeep wells turn salty.,Close the deep wells.\n"
    visit.give("set", ("tickets.csv", table), ("broken.pdf", b"%PDF-1.4"), ("a.txt", "Salt water in a well."))
    page.get_by_label("The column with the text").select_option("message")
    page.get_by_role("button", name="Use it").click()
    page.locator("#view-set .collection-count", has_text="3 documents").wait_for()
    failures = page.locator("#view-set .failures li").all_inner_texts()
    assert len(failures) == 1 and "broken.pdf" in failures[0]


@pytest.mark.parametrize("view", ["set", "contrast"])
def test_exported_numbers_have_four_digits_at_most(visit: "Visit", view: str) -> None:
    visit.example(view, ".ranked-phrase")
    for label in ("CSV", "JSON"):
        content = visit.saved(view, "Export", f"Download as {label}").decode()
        numbers = re.findall(r"-?\d+\.\d+(?:e-?\d+)?", re.sub(r'"[^"]*"', "", content))
        assert numbers
        assert [one for one in numbers if float(one) != float(f"{float(one):.4g}")] == []
