"""What an address names, and what a tab keeps."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from browsing import Visit

pytestmark = pytest.mark.browser

WELLS = "Salt water intrusion threatens wells. Farmers measure salt water intrusion every month, and drill deeper."

FILL = """() => {
  for (let room = 6_000_000; !sessionStorage.getItem("phrasemill-kept-old"); room -= 10_000)
    try { sessionStorage.setItem("phrasemill-kept-old", "x".repeat(room)); } catch { /* too long still */ }
}"""


def test_the_address_has_the_document_the_settings_and_the_phrase(visit: "Visit") -> None:
    page = visit.paste(WELLS)
    page.get_by_label("How many").fill("3")
    page.locator("#view-document .phrase").nth(3).wait_for(state="detached")
    page.locator("#view-document .phrase").nth(1).click()
    chosen = page.locator("li.chosen .phrase-text").inner_text()
    assert "top=3" in page.url and "phrase=" in page.url
    page.reload()
    page.locator("li.chosen .phrase-text", has_text=chosen).wait_for()
    assert page.locator("#view-document .phrase").count() == 3
    page.go_back()
    page.get_by_label("Text to read").wait_for()
    page.go_forward()
    page.locator("#view-document .phrase").first.wait_for()
    assert WELLS in page.locator(".reader").inner_text()


def test_texts_stay_in_the_tab(visit: "Visit") -> None:
    page = visit.paste(WELLS)
    assert "drill deeper" in page.evaluate("JSON.stringify(sessionStorage)")
    assert page.evaluate("localStorage.length") == 0
    assert "drill" not in page.url
    other = visit.context.new_page()
    other.goto(page.url)
    other.locator("#view-document .nothing", has_text="not in this tab").wait_for()


def test_a_tab_that_is_full_keeps_the_latest_text(visit: "Visit") -> None:
    page = visit.open()
    page.evaluate(FILL)
    page.get_by_label("Text to read").fill(WELLS + " Wells." * 2000)
    page.get_by_role("button", name="Find keyphrases").click()
    page.locator("#view-document .phrase").first.wait_for()
    page.reload()
    page.locator("#view-document .phrase").first.wait_for()
    assert page.evaluate("sessionStorage.getItem('phrasemill-kept-old')") is None


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("set?doc=example&top=5", "#view-set .ranked li:nth-child(5):last-child"),
        ("contrast?doc=example&top=3", "#view-contrast .ranked li:nth-child(3):last-child"),
        ("document?doc=example&second=yake", "#view-document .agreement strong"),
        ("evaluate?doc=example&preset=semeval2010", "#view-evaluate .report-frame h2"),
    ],
)
def test_every_view_has_an_address(visit: "Visit", address: str, shown: str) -> None:
    visit.follow(address).locator(shown).first.wait_for()
    view, settings = address.split("?")
    assert all(one in visit.page.url for one in (f"#{view}?", *settings.split("&")))
