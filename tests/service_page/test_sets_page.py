"""The page with sets of documents, and with predictions to score."""

import gzip
import json
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


def test_a_set_is_a_matrix_with_quotes(visit: "Visit") -> None:
    page = visit.example("set", ".matrix")
    assert page.locator(".matrix tbody tr").count() == 15
    assert page.locator(".matrix-key li").count() == 6
    cell = page.get_by_role("button", name="heat wave in White roofs, cool rooms: 1 place")
    cell.click()
    quote = page.locator(".quotes-panel .quote").inner_text()
    assert "during a heat wave" in quote
    assert page.locator(".quotes-panel mark").inner_text() == "heat wave"
    page.get_by_role("button", name="heat wave", exact=True).click()
    assert page.locator(".quotes-panel .quotes").count() == 5
    cell.focus()
    page.keyboard.press("ArrowRight")
    focused = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert focused.startswith("heat wave in When nights stay hot")


def test_a_set_grows_and_shrinks(visit: "Visit") -> None:
    page = visit.open("set")
    page.get_by_label("Texts to add to the set").fill(THREE)
    page.get_by_role("button", name="Add text").click()
    page.locator(".matrix").wait_for()
    assert page.locator(".matrix-key li").count() == 3
    page.get_by_role("button", name="Add or remove").click()
    for remaining in (2, 1):
        page.locator("#view-set .collection-list button").last.click()
        assert page.locator("#view-set .collection-list li").count() == remaining
    page.locator(".nothing", has_text="One document so far").wait_for()


def test_a_set_says_which_documents_do_not_count(visit: "Visit") -> None:
    page = visit.open("set")
    page.get_by_label("Texts to add to the set").fill(f"{THREE}\n---\n{THREE.splitlines()[0]}")
    page.get_by_role("button", name="Add text").click()
    page.locator("#view-set .hint", has_text="1 of 4 documents is a duplicate").wait_for()


def test_many_documents_are_a_ranked_list_with_bars_and_quotes(visit: "Visit", gallery: Path) -> None:
    page = visit.open("set")
    texts = [f"Salt water in well {i}. Deep wells turn salty near the coast." for i in range(60)]
    page.get_by_label("Texts to add to the set").fill("\n---\n".join(texts))
    page.get_by_role("button", name="Add text").click()
    first = page.locator("#view-set .ranked-phrase").first
    first.wait_for()
    assert page.locator(".matrix").count() == 0
    assert first.locator(".share-count").inner_text().endswith(" of 60")
    first.click()
    quotes = page.locator("#view-set .ranked-more").filter(visible=True)
    assert quotes.locator(".quotes").count() == 20
    assert page.evaluate("(one) => one.getBoundingClientRect().top < innerHeight", quotes.element_handle())
    page.screenshot(path=gallery / "set-ranked.png")
    quotes.get_by_role("button", name="Quotes of 40 more documents").click()
    assert quotes.locator(".quotes").count() == 40
    page.get_by_role("button", name="Add or remove").click()
    page.get_by_role("button", name="Remove all from Your documents").click()
    page.locator("#view-set .ranked").wait_for(state="detached")


def test_another_method_for_sets(visit: "Visit") -> None:
    page = visit.example("set", ".matrix")
    page.locator("#view-set").get_by_label("More methods").click()
    with page.expect_response("**/v1/sets") as answer:
        page.locator("#view-set [data-method=concat]").click()
    assert answer.value.ok
    page.locator("#view-set").get_by_label("How many").fill("5")
    page.locator(".matrix tbody tr").nth(5).wait_for(state="detached")
    assert page.locator(".matrix tbody tr").count() == 5


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


def test_scores_have_intervals_signatures_and_plots(visit: "Visit") -> None:
    page = visit.example("evaluate", ".score-table")
    table = page.get_by_role("region", name="Scores", exact=True)
    assert table.locator("tbody tr").count() == 8
    assert " to " in table.locator(".interval").first.inner_text()
    assert "match:stem" in page.locator(".signatures code").inner_text()
    assert page.locator("svg.plot").count() == 3
    assert page.locator("svg.plot .whisker").count() > 0
    assert "differs" in page.get_by_role("region", name="Differences between systems").inner_text()


def test_files_of_predictions_and_gold(visit: "Visit") -> None:
    visit.expected.append("status of 4")
    page = visit.open("evaluate")
    gold = {"id": "d1", "keyphrases": ["salt water", "wells"]}
    answers = {"id": "d1", "keyphrases": [{"text": "salt water", "score": 1.0}, {"text": "pumps", "score": 0.5}]}
    inputs = page.locator("#view-evaluate input[type=file]")
    packed = {"name": "ours.jsonl.gz", "mimeType": "", "buffer": gzip.compress(json.dumps(answers).encode())}
    inputs.nth(0).set_input_files(packed)
    inputs.nth(1).set_input_files({"name": "gold.json", "mimeType": "", "buffer": b"{ not JSON"})
    page.get_by_role("alert").wait_for()
    assert "gold" in page.get_by_role("alert").inner_text()
    inputs.nth(1).set_input_files({"name": "gold.jsonl", "mimeType": "", "buffer": json.dumps(gold).encode()})
    row = page.locator(".score-table tbody tr", has_text="P@5")
    row.wait_for()
    assert "50.0" in row.inner_text()
    assert "ours" in page.locator(".score-table thead").inner_text()
    page.get_by_label("Scored as in").select_option("yuan2020")
    page.locator(".score-table tbody tr", has_text="F1@O").wait_for()


def test_a_table_among_the_files_of_a_set_offers_its_columns(visit: "Visit") -> None:
    page = visit.open("set")
    table = b"message,reply\nSalt water rises in the wells.,Pump less.\nDeep wells turn salty.,Close the deep wells.\n"
    given = [("tickets.csv", table), ("broken.pdf", b"%PDF-1.4"), ("a.txt", b"Salt water in a well.")]
    files = [{"name": name, "mimeType": "", "buffer": content} for name, content in given]
    page.locator("#view-set").get_by_label("Choose files").set_input_files(files)  # type: ignore[arg-type]
    page.get_by_label("The column with the text").select_option("message")
    page.get_by_role("button", name="Use it").click()
    page.locator("#view-set .collection-count", has_text="3 documents").wait_for()
    failures = page.locator("#view-set .failures li").all_inner_texts()
    assert len(failures) == 1 and "broken.pdf" in failures[0]


def test_files_with_other_fields_offer_them(visit: "Visit") -> None:
    visit.expected.append("status of 422")
    page = visit.open("evaluate")
    inputs = page.locator("#view-evaluate input[type=file]")
    ours = {"id": "d1", "predicted": ["salt water", "pumps"], "extra": ["x"]}
    gold = {"id": "d1", "topics": ["x"], "keywords": ["salt water", "wells"]}
    for number, content in enumerate((ours, gold)):
        file = {"name": f"{number}.jsonl", "mimeType": "", "buffer": json.dumps(content).encode()}
        inputs.nth(number).set_input_files(file)  # type: ignore[arg-type]
    for field in ("keywords", "predicted"):
        page.get_by_label("The field with the phrases").filter(has_text=field).select_option(field)
        page.get_by_role("button", name="Use it").click()
    row = page.locator(".score-table tbody tr", has_text="P@5")
    row.wait_for()
    assert "50.0" in row.inner_text()
    page.reload()
    row.wait_for()


EXPORTS = [
    ("set", ".matrix"),
    ("compare", ".agree-summary strong"),
    ("contrast", ".ranked-phrase"),
    ("evaluate", ".score-table"),
]


@pytest.mark.parametrize(("view", "shown"), EXPORTS)
def test_exported_numbers_have_four_digits_at_most(visit: "Visit", tmp_path: Path, view: str, shown: str) -> None:
    page = visit.example(view, shown)
    for label in ("CSV", "JSON"):
        page.locator(f"#view-{view}").get_by_text("Export", exact=True).click()
        with page.expect_download() as download:
            page.locator(f"#view-{view}").get_by_role("button", name=f"Download as {label}", exact=True).click()
        download.value.save_as(tmp_path / label)
        numbers = re.findall(r"-?\d+\.\d+(?:e-?\d+)?", re.sub(r'"[^"]*"', "", (tmp_path / label).read_text()))
        assert numbers
        assert [one for one in numbers if float(one) != float(f"{float(one):.4g}")] == []
        page.keyboard.press("Escape")
