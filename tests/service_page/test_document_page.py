"""The page with one document: texts and files in, keyphrases beside the text."""

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

import made_files
from phrasemill.files.tables import csv_of

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browsing import Visit

pytestmark = pytest.mark.browser

WELLS = (
    "Groundwater levels under the coastal plain keep falling. Salt water intrusion follows where irrigation wells "
    "pump too much groundwater. Farmers near the coast now measure salt water intrusion every month."
)


def expect_text(page: "Page", selector: str, text: str) -> None:
    page.locator(selector).filter(has_text=text).first.wait_for()


def test_the_example_shows_phrases_and_marks_them(visit: "Visit") -> None:
    page = visit.example("document", ".phrase")
    phrases = page.locator("#view-document .phrase")
    assert phrases.count() == 10
    first = phrases.first.locator(".phrase-text").inner_text()
    marks = page.locator(".reader mark").all_inner_texts()
    assert any(mark.lower().startswith(first.lower()) for mark in marks)
    assert page.locator(".reader-title").inner_text().startswith("Offshore wind farms")
    shares = phrases.locator(".bar").evaluate_all("(all) => all.map((one) => +one.style.getPropertyValue('--share'))")
    assert shares[0] == 1 and shares == sorted(shares, reverse=True) and 0 < shares[-1] < 1


def test_places_are_walked_by_mouse_and_by_keys(visit: "Visit") -> None:
    page = visit.example("document", ".phrase")
    phrase = page.locator("#view-document .phrase").first
    places = int(phrase.locator(".phrase-times").inner_text().removesuffix("×"))
    assert places > 1
    phrase.click()
    count = page.locator("#view-document .phrases .walk-count")
    assert count.inner_text() == f"1 of {places}"
    before = page.locator(".reader mark.current").first.bounding_box()
    page.get_by_role("button", name="Next place", exact=True).click()
    assert count.inner_text() == f"2 of {places}"
    assert page.locator(".reader mark.current").first.bounding_box() != before
    phrase.focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert count.inner_text() == f"{places} of {places}"
    assert page.locator(".reader mark.current").first.is_visible()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.phrase") == "1"
    page.keyboard.press("Enter")
    assert page.locator("#view-document li.chosen .phrase").get_attribute("data-phrase") == "1"
    page.locator("#announcer", has_text=", place 1 of").wait_for(state="attached")


def test_hover_and_focus_show_the_reasons(visit: "Visit") -> None:
    page = visit.example("document", ".phrase")
    card = page.locator(".hover-card")
    page.locator(".reader mark").first.hover()
    assert card.locator("li").count() > 1
    page.keyboard.press("Escape")
    assert card.is_hidden()
    page.locator("#view-document .phrase").nth(2).focus()
    page.keyboard.press("ArrowDown")
    card.wait_for()
    focused = page.locator("#view-document .phrase").nth(3)
    assert card.locator(".hover-title").inner_text() == focused.locator(".phrase-text").inner_text()
    assert focused.get_attribute("aria-describedby") == card.get_attribute("id")
    focused.click()
    assert page.locator(".phrase-more .why li").count() > 1


def test_a_click_on_a_mark_chooses_its_phrase(visit: "Visit") -> None:
    page = visit.example("document", ".phrase")
    mark = page.locator(".reader mark").nth(3)
    mark.click()
    chosen = page.locator("#view-document li.chosen .phrase").get_attribute("data-phrase")
    assert chosen in (mark.get_attribute("data-inside") or "").split(",")


def test_how_many_and_which_method(visit: "Visit") -> None:
    page = visit.example("document", ".phrase")
    page.get_by_label("How many").fill("4")
    page.locator("#view-document .phrase").nth(4).wait_for(state="detached")
    assert page.locator("#view-document .phrase").count() == 4
    page.get_by_label("More methods").click()
    page.get_by_role("button", name="textrank Random walk").click()
    page.get_by_label("Method: textrank").wait_for()
    page.locator("#view-document").get_by_text("Options", exact=True).click()
    with page.expect_request(lambda request: "window" in (request.post_data or "")) as request:
        page.get_by_label("window").fill("7")
        page.get_by_label("window").blur()
    assert request.value.post_data_json["method"] == "textrank(window=7)"
    page.locator("#view-document .phrase").first.wait_for()


def test_methods_are_named_by_what_they_are_good_for(visit: "Visit") -> None:
    page = visit.example("document", ".phrase")
    bar = page.get_by_role("group", name="Method", exact=True)
    bar.get_by_role("button", name="Fast").wait_for()
    listed = page.evaluate("""import('/web/parts/api.js').then((api) => api.once('v1/methods'))""")
    usable = {one["name"] for one in listed["methods"] if one["available"]}
    wanted = [("Fast", "learned"), ("Best", "encoder"), ("New phrases", "generator")]
    shown = bar.locator("> button").all_inner_texts()
    assert shown == [words for words, method in wanted if method in usable]
    groups = page.locator(".method-group > .label").all_text_contents()
    assert groups[:2] == ["Graphs of words", "Counts and positions"]
    assert {one.get_attribute("data-method") for one in page.locator(".method-choice").all()} < usable
    assert page.locator("[data-method=kea]").count() == 0


def test_limits_of_the_phrases(visit: "Visit") -> None:
    page = visit.example("document", ".phrase")
    page.locator("#view-document").get_by_text("Options", exact=True).click()
    for label, given in (("most words", "2"), ("fewest words", "2"), ("more stopwords", "groundwater, salt")):
        page.get_by_label(label).fill(given)
    with page.expect_request(lambda request: "diversity" in (request.post_data or "")) as request:
        page.get_by_label("diversity, 0 to 1").fill("0.3")
        page.get_by_label("diversity, 0 to 1").blur()
    sent = request.value.post_data_json
    assert {name: sent[name] for name in ("longest", "shortest", "stopwords", "diversity")} == {
        "longest": 2,
        "shortest": 2,
        "stopwords": ["groundwater", "salt"],
        "diversity": 0.3,
    }
    page.locator("#view-document .phrase").first.wait_for()


def test_limits_of_an_address_are_shown_and_stay_when_another_changes(visit: "Visit") -> None:
    page = visit.follow("document?doc=example&longest=2&stopwords=reef+cod&replace_stopwords=true")
    page.locator("#view-document .phrase").first.wait_for()
    page.locator("#view-document").get_by_text("Options", exact=True).click()
    assert page.get_by_label("most words").input_value() == "2"
    assert page.get_by_label("more stopwords").input_value() == "reef, cod"
    assert page.get_by_label("only these stopwords").is_checked()
    with page.expect_request("**/v1/extract") as request:
        page.get_by_label("fewest words").fill("2")
        page.get_by_label("fewest words").blur()
    limits = ("longest", "shortest", "stopwords", "replace_stopwords")
    assert [request.value.post_data_json[name] for name in limits] == [2, 2, ["reef", "cod"], True]
    assert "replace_stopwords=true" in page.url


@pytest.mark.parametrize("method", ["textrank", "tfidf", "yake", "topicrank", "firstphrases"])
def test_every_method_explains_its_phrases(visit: "Visit", method: str) -> None:
    page = visit.follow(f"document?doc=example&method={method}")
    page.locator("#view-document .phrase").nth(1).click()
    why = page.locator(".phrase-more").filter(visible=True)
    assert "in this text" in why.inner_text() and "first appears in sentence" in why.inner_text()
    assert f"How {method} scores" in why.inner_text()


def test_marks_slice_texts_with_characters_beyond_the_basic_plane(visit: "Visit") -> None:
    page = visit.paste(f"🜄🜄 𝕎ells 🌾. {WELLS}")
    page.locator("#view-document .phrase", has_text="salt water intrusion").first.click()
    current = "".join(page.locator(".reader mark.current").all_inner_texts())
    assert current.lower() == "salt water intrusion"


def test_markup_in_a_text_is_shown_as_text(visit: "Visit") -> None:
    page = visit.paste(f"<img src=x onerror=alert(1)> <b>{WELLS}</b>")
    assert "<img src=x onerror=alert(1)>" in page.locator(".reader").inner_text()
    assert page.locator(".reader img, .reader b").count() == 0


MARKDOWN = f"""---
draft: true
---
# Why wells turn salty

Some **salt water** rises in [deep wells](https://wells.example). {WELLS}

- Sensors report every *hour*
"""


def shown(page: "Page") -> tuple[str, list[str], list[str]]:
    """The heading, the list and the marked words of the document that is open."""
    page.locator("#view-document .phrase").first.wait_for()
    phrases = page.locator("#view-document .phrase-text").all_inner_texts()
    return page.locator(".reader-title").inner_text(), phrases, page.locator(".reader mark").all_inner_texts()


def test_pasted_markdown_is_read_as_an_uploaded_file_is(visit: "Visit") -> None:
    page = visit.open()
    visit.give("document", ("wells.md", MARKDOWN))
    uploaded = shown(page)
    page = visit.paste(MARKDOWN)
    assert shown(page) == uploaded
    assert uploaded[0] == "Why wells turn salty"
    assert page.locator(".paper-name").inner_text() == "Why wells turn salty"
    assert "salt water" in uploaded[2]
    assert not set("*#[") & set(page.locator(".reader").inner_text())
    assert "draft" not in page.locator(".reader").inner_text()


def test_pasted_text_that_is_not_markdown_is_kept_as_it_is(visit: "Visit") -> None:
    text = f"{WELLS} See #wells, 2 * 3 * 4 and notes [1]."
    page = visit.paste(text)
    assert page.locator(".reader").inner_text() == text


def test_a_bare_address_shows_a_chosen_file(visit: "Visit") -> None:
    page = visit.open()
    assert page.url == visit.address
    visit.give("document", ("wells.txt", WELLS))
    expect_text(page, "#view-document .phrase", "water")
    page.get_by_role("button", name="New text").click()
    page.get_by_label("Text to read").wait_for()


def test_an_empty_file_says_so(visit: "Visit") -> None:
    page = visit.open()
    for name in ("empty.txt", "empty.md"):
        visit.give("document", (name, b" \n"))
        page.get_by_role("alert").filter(has_text=f"{name} the file is empty").wait_for()


@pytest.mark.parametrize("kind", ["pdf", "docx", "html", "txt"])
def test_files_of_every_kind_are_read(visit: "Visit", kind: str) -> None:
    content = {
        "pdf": made_files.pdf([WELLS.split(". ")]),
        "docx": made_files.docx(f"<w:p><w:r><w:t>{WELLS}</w:t></w:r></w:p>"),
        "html": f"<html><title>Wells</title><body><p>{WELLS}</p></body></html>".encode(),
        "txt": WELLS.encode(),
    }[kind]
    page = visit.open()
    visit.give("document", (f"wells.{kind}", content))
    page.locator("#view-document .phrase").first.wait_for()
    expect_text(page, "#view-document .phrase", "water")
    assert page.locator(".reader mark").count() > 1


def test_no_text_and_no_words(visit: "Visit") -> None:
    page = visit.open()
    page.get_by_role("button", name="Find keyphrases").click()
    assert "no text yet" in page.get_by_role("alert").inner_text()
    page.get_by_label("Text to read").fill("12 34 — 56")
    page.get_by_role("button", name="Find keyphrases").click()
    expect_text(page, ".nothing", "No keyphrases")


def test_phrases_that_the_text_does_not_have_are_marked(visit: "Visit") -> None:
    written = {"text": "marine conservation", "present": False, "spans": []}
    visit.alter("**/v1/extract", lambda found: found["documents"][0]["keyphrases"][1].update(written))
    page = visit.example("document", ".phrase.absent")
    absent = page.locator(".phrase.absent")
    assert "not in the text" in absent.inner_text()
    absent.click()
    assert "the method wrote it" in page.locator(".phrase-more").filter(visible=True).inner_text()


def test_copy_and_download(visit: "Visit") -> None:
    visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = visit.example("document", ".phrase")
    page.get_by_text("Export", exact=True).click()
    page.get_by_role("button", name="Copy as BibTeX").click()
    page.get_by_role("button", name="Copy as BibTeX").filter(has_text="Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("keywords = {artificial reef, ") and copied.endswith("},\n")
    page.keyboard.press("Escape")
    header, *rows = visit.saved("document", "Export", "Download as CSV").decode().splitlines()
    assert header == "id,rank,text,score,present,start,end" and len(rows) == 10
    found = json.loads(visit.saved("document", "Export", "Download as JSON"))["keyphrases"]
    assert found[0]["text"] == "artificial reef"
    for row, keyphrase in zip(rows, found, strict=True):
        score = keyphrase["score"]
        assert score == float(f"{score:.4g}") == float(row.split(",")[3])
        assert all(one["weight"] == float(f"{one['weight']:.4g}") for one in keyphrase["evidence"])


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ([0.836641153808973, 0.07], ["0.837", "0.070"]),
        ([123456.789, 2345.678], ["123500", "2346"]),
        ([0.00123456, 0.0], ["0.00123", "0.00000"]),
    ],
)
def test_scores_are_shown_with_four_digits_at_most(visit: "Visit", scores: list[float], words: list[str]) -> None:
    def scored(found: Any) -> None:
        document = found["documents"][0]
        document["keyphrases"] = [
            one | {"score": score} for one, score in zip(document["keyphrases"], scores, strict=False)
        ]

    visit.alter("**/v1/extract", scored)
    page = visit.example("document", ".phrase")
    shown = page.locator("#view-document .phrase-score").all_text_contents()
    assert [one.removeprefix("score ") for one in shown] == words


def test_cells_that_spreadsheets_would_calculate_are_text(visit: "Visit") -> None:
    page = visit.open()
    rows = [["=1+1", " @x", "-5", -5, "a=b", None, "-", "+x", '=HYPERLINK("http://x","y")']]
    made = page.evaluate("rows => import('/web/parts/exports.js').then((one) => one.csv(rows))", rows)
    assert made == csv_of(rows)
    assert made.startswith("'=1+1,' @x,-5,-5,a=b,,-,'+x,")


def test_a_second_method_marks_what_both_find(visit: "Visit") -> None:
    page = visit.example("document", ".phrase")
    second = page.get_by_label("Second method")
    second.select_option("multipartiterank")
    page.locator(".agreement strong").wait_for()
    agreed, most = map(int, page.locator(".agreement strong").inner_text().split(" of "))
    phrases = page.locator("#view-document .phrase")
    assert most == 10 and 0 < agreed < 10
    assert page.locator(".phrase.both").count() == agreed
    assert page.locator(".phrase.first").count() == page.locator(".phrase.second").count() == 10 - agreed
    assert re.search(r"no\. \d+ there", phrases.and_(page.locator(".both")).first.inner_text())
    assert all("only multipartiterank" in one for one in page.locator(".phrase.second").all_inner_texts())
    assert page.locator(".reader mark.both").count() > 0 and page.locator(".reader mark.second").count() > 0
    page.locator(".phrase.second").first.click()
    assert "How multipartiterank scores" in page.locator(".phrase-more").inner_text()
    assert page.locator(".reader mark.current").count() > 0
    assert "second=multipartiterank" in page.url
    page.reload()
    page.locator(".agreement strong", has_text=f"{agreed} of 10").wait_for()
    second.select_option("learned")
    page.locator(".agreement strong", has_text="10 of 10").wait_for()
    second.select_option("None")
    page.locator(".agreement").wait_for(state="detached")
    assert phrases.count() == 10


def test_the_language_is_a_chip_that_can_be_changed(visit: "Visit") -> None:
    page = visit.paste(WELLS)
    chip = page.locator(".chip.language")
    chip.filter(has_text="English").wait_for()
    with page.expect_request("**/v1/extract") as sent:
        page.get_by_label("Language", exact=True).select_option("German")
    assert json.loads(sent.value.post_data or "")["documents"][0]["language"] == "de"
    chip.filter(has_text="German").wait_for()
    assert "language=de" in page.url
    with page.expect_request("**/v1/extract") as sent:
        page.get_by_label("Language", exact=True).select_option("Find it from the text")
    assert "language" not in json.loads(sent.value.post_data or "")["documents"][0]
