"""What is kept and shared: the history, addresses, commands to copy, the report, the tour."""

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing import Visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

WELLS = "Salt water intrusion threatens wells. Farmers measure salt water intrusion every month, and drill deeper."


def paste(page: "Page", text: str = WELLS) -> None:
    page.get_by_label("Text to read").fill(text)
    page.get_by_role("button", name="Find keyphrases").click()
    page.locator("#view-document .phrase").first.wait_for()


def test_the_history_opens_texts_again_and_can_be_switched_off(visit: Visit, gallery: Path) -> None:
    page = visit.open()
    paste(page)
    page.goto(f"{visit.address}#document")
    page.get_by_label("Text to read").wait_for()
    page.get_by_role("button", name="History").click()
    page.screenshot(path=gallery / "history.png")
    page.get_by_role("link", name="Salt water intrusion threatens").click()
    page.locator("#view-document .phrase").first.wait_for()
    assert "drill deeper" in page.locator(".reader").inner_text()
    page.get_by_role("button", name="History").click()
    page.get_by_label("Keep a history").uncheck()
    assert "The history is off." in page.locator("dialog").inner_text()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="New text").click()
    paste(page, "Rain gardens hold storm water in the city.")
    assert page.evaluate("localStorage.getItem('phrasemill-history')") is None


def test_the_address_has_the_text_the_settings_and_the_phrase(visit: Visit) -> None:
    page = visit.open()
    paste(page)
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


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("set?doc=example&top=5", "#view-set .matrix tbody tr:nth-child(5):last-child"),
        ("contrast?doc=example&top=3", "#view-contrast .ranked li:nth-child(3):last-child"),
        ("compare?doc=example&first=rake&second=yake", "#view-compare .agree-summary strong"),
        ("evaluate?doc=example&preset=semeval2010", "#view-evaluate .score-table"),
    ],
)
def test_every_view_has_an_address(visit: Visit, address: str, shown: str) -> None:
    visit.follow(address).locator(shown).first.wait_for()
    view, settings = address.split("?")
    assert all(one in visit.page.url for one in (f"#{view}?", *settings.split("&")))


def test_a_link_carries_the_text_to_another_browser(browser: "Browser", server: str, visit: Visit) -> None:
    visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = visit.open()
    paste(page)
    page.get_by_text("Copy as", exact=True).click()
    page.get_by_role("button", name="Copy a link").click()
    page.get_by_role("button", name="Copy a link").filter(has_text="Copied").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    other = Visit(browser, server)
    other.sign_in()
    other.page.goto(link)
    other.page.locator("#view-document .phrase").first.wait_for()
    assert other.page.locator(".reader").inner_text() == WELLS
    other.context.close()
    assert other.errors == []


def test_an_address_whose_text_is_not_here_says_so(visit: Visit) -> None:
    page = visit.follow("document?doc=unknown")
    assert "not in this browser" in page.locator("#view-document .nothing").inner_text()


def test_what_is_shown_can_be_copied_as_commands_that_run(visit: Visit) -> None:
    visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
    paste(visit.open(), f"{WELLS} It's the pumps' fault.")
    address = visit.page.url.partition("#")[2]
    page = visit.follow(f"{address}&stopwords=pumps+wells&replace_stopwords=true")
    page.locator("#view-document .phrase").first.wait_for()
    found = page.locator("#view-document .phrases .phrase-text").all_inner_texts()
    page.get_by_text("Copy as", exact=True).click()
    copied = {}
    for label in ("curl", "Python", "Command line"):
        page.get_by_role("button", name=f"Copy as {label}").click()
        page.get_by_role("button", name=f"Copy as {label}").filter(has_text="Copied").wait_for()
        copied[label] = page.evaluate("navigator.clipboard.readText()")
    ran = subprocess.run([sys.executable, "-c", copied["Python"]], capture_output=True, text=True, check=True)
    assert [line.rsplit(" ", 1)[0] for line in ran.stdout.splitlines()] == found
    shell = copied["Command line"].replace("phrasemill extract", f"{sys.executable} -m phrasemill extract", 1)
    ran = subprocess.run(["bash", "-c", shell.replace(" <<", " --format text <<", 1)], capture_output=True, text=True)
    assert ran.stdout.splitlines() == found
    assert "--stopwords pumps --stopwords wells --replace-stopwords" in shell
    assert f"{visit.address}v1/extract" in copied["curl"] and "$PHRASEMILL_TOKEN" in copied["curl"]
    assert "a-token-for-tests" not in copied["curl"] and "It'\\''s the pumps" in copied["curl"]


def test_a_printed_report_has_the_phrases_the_reasons_and_the_text(visit: Visit, gallery: Path) -> None:
    page = visit.example("document", ".phrase")
    page.emulate_media(media="print")
    for hidden in (".top", ".control-bar", ".foot"):
        assert page.locator(hidden).first.is_hidden()
    report = page.locator(".print-only .report")
    assert report.is_visible() and "in this text" in report.inner_text()
    assert page.locator(".reader").is_visible()
    page.screenshot(path=gallery / "print.png", full_page=True)


def test_the_tour_shows_document_folder_set_and_contrast_in_four_clicks(visit: Visit) -> None:
    page = visit.open()
    page.get_by_role("button", name="Try an example").click()
    page.locator("#view-document .phrase").first.wait_for()
    page.get_by_role("button", name="Next: a folder").click()
    page.locator("#view-folder tr[data-status=done]").nth(11).wait_for()
    page.get_by_role("button", name="Next: a set").click()
    page.locator("#view-set .matrix").wait_for()
    page.get_by_role("button", name="Next: a contrast").click()
    page.locator("#view-contrast .ranked-phrase").first.wait_for()
