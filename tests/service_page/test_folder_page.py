"""The page with a folder of documents: rows as they are done, and one download."""

import csv
import io
import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import made_files

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from browsing import Visit

pytestmark = pytest.mark.browser


def article(number: int) -> str:
    return f"Salt water rises in well {number}. Deep wells turn salty near the coast. Sensors report every hour."


def records(count: int) -> bytes:
    rows = [{"id": f"d{i}", "title": f"Report {count - i}", "text": article(i)} for i in range(count)]
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def finished(page: "Page", words: str) -> None:
    page.locator(".folder-words", has_text=words).wait_for()


def names(page: "Page") -> list[str]:
    return page.locator("#view-folder .folder-name > :first-child").filter(visible=True).all_inner_texts()[1:]


def test_thirty_pdfs_become_a_csv_in_three_actions(visit: "Visit", gallery: Path) -> None:
    page = visit.open()
    pdfs = [(f"paper-{i:02}.pdf", made_files.pdf([article(i).split(". ")])) for i in range(30)]
    visit.give("document", *pdfs)  # 1
    finished(page, "30 documents done")
    page.screenshot(path=gallery / "folder-thirty.png")
    table = visit.saved("folder", "Download", "CSV").decode("utf-8-sig")  # 2, 3
    rows = list(csv.DictReader(io.StringIO(table)))
    assert [row["file"] for row in rows] == [f"paper-{i:02}.pdf" for i in range(30)]
    assert all("water" in row["keyphrases"].lower() for row in rows)


def test_a_tab_leaves_few_jobs_on_the_server(visit: "Visit") -> None:
    visit.expected.append("status of 404")
    page = visit.open("folder")
    page.evaluate("sessionStorage.setItem('phrasemill-jobs', JSON.stringify([...'abcdef']))")
    with page.expect_request(lambda request: request.method == "DELETE") as removed:
        visit.give("folder", ("a.txt", article(1).encode()))
    assert removed.value.url.endswith("/v1/jobs/a")
    finished(page, "1 document done")


@pytest.mark.parametrize("kind", ["zip", "csv", "folder"])
def test_archives_tables_and_folders_are_their_documents(visit: "Visit", tmp_path: Path, kind: str) -> None:
    page = visit.open("folder")
    if kind == "folder":
        for i in range(3):
            path = tmp_path / "wells" / f"part-{i}" / "a.txt"
            path.parent.mkdir(parents=True)
            path.write_text(article(i), encoding="utf-8")
        page.locator("#view-folder").get_by_label("Choose a folder").set_input_files(tmp_path / "wells")
    elif kind == "zip":
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            for i in range(3):
                archive.writestr(f"part-{i}/a.txt", article(i))
        visit.give("folder", ("wells.zip", packed.getvalue()))
    else:
        visit.give("folder", ("wells.csv", "\n".join(["id,text", *[f'{i},"{article(i)}"' for i in range(3)]]).encode()))
    finished(page, "3 documents done")
    assert page.locator("#view-folder tr[data-status=done]").count() == 3


def test_every_format_of_the_result(visit: "Visit") -> None:
    page = visit.open("folder")
    visit.give("folder", ("wells.jsonl", records(3)))
    finished(page, "3 documents done")
    lines = visit.saved("folder", "Download", "JSON lines").splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["d0", "d1", "d2"]
    assert visit.saved("folder", "Download", "Parquet").startswith(b"PAR1")
    assert visit.saved("folder", "Download", "BibTeX keywords").count(b"keywords = {") == 3
    with zipfile.ZipFile(io.BytesIO(visit.saved("folder", "Download", "Markdown front matter"))) as archive:
        assert all(archive.read(name).startswith(b"---\n") for name in archive.namelist())


def test_rows_are_sorted_filtered_and_found_again_after_a_document(visit: "Visit") -> None:
    page = visit.open("folder")
    visit.give("folder", ("wells.jsonl", records(60)))
    finished(page, "60 documents done")
    page.get_by_role("button", name="Document", exact=True).click()
    assert names(page)[:3] == ["Report 1", "Report 10", "Report 11"]
    page.get_by_role("button", name="Document", exact=True).click()
    assert names(page)[:2] == ["Report 9", "Report 8"]
    page.evaluate("scrollTo(0, 1500)")
    before = page.evaluate("scrollY")
    page.locator(".folder-open", has_text="Report 36").click()
    page.locator("#view-folder .reader-title", has_text="Report 36").wait_for()
    page.get_by_role("button", name="Back to the folder").click()
    page.locator(".folder-open", has_text="Report 36").wait_for()
    assert page.evaluate("scrollY") == before
    page.get_by_label("Filter by phrase or name").fill("report 36")
    assert names(page) == ["Report 36"]
    page.reload()
    page.locator(".folder-open", has_text="Report 36").wait_for()
    assert names(page) == ["Report 36"]
    page.locator("#view-folder").get_by_role("button", name="Clear").click()
    page.locator(".folder-phrase").first.click()
    assert page.locator(".folder-phrase.hit").count() > 0


WAITS = """(row) => {
  const cells = [...row.children].map((one) => one.getBoundingClientRect());
  const heads = [...document.querySelectorAll(".folder-table thead th")].map((one) => one.getBoundingClientRect());
  const box = row.getBoundingClientRect();
  return { display: getComputedStyle(row).display, lefts: cells.map((one, i) => Math.abs(one.left - heads[i].left)),
    gap: Math.abs(box.right - cells.at(-1).right), height: box.height };
}"""


def listed_job(page: "Page", rows: list[dict[str, Any]], status: str = "running") -> None:
    """Let the server have a job with these rows, which does not go on."""
    done = sum(row["status"] == "done" for row in rows)
    job = {"id": "made", "status": status, "method": "learned", "total": len(rows), "done": done, "failed": 0}

    def listed(route: "Route") -> None:
        offset = int(route.request.url.split("offset=")[1].split("&")[0])
        route.fulfill(json={"total": len(rows), "documents": rows[offset : offset + 200]})

    page.route("**/v1/jobs", lambda route: route.fulfill(status=202, json=job))
    page.route("**/v1/jobs/made/documents?*", listed)
    page.route("**/v1/jobs/made/events", lambda route: route.fulfill(body="", content_type="text/event-stream"))


def row_of(number: int, status: str, phrases: list[str], found: int) -> dict[str, Any]:
    listed = [{"text": one, "score": 0.5} for one in phrases]
    return {
        "number": number,
        "id": f"d{number}",
        "file": "a.txt",
        "title": f"Report {number}",
        "language": "",
        "status": status,
        "found": found,
        "keyphrases": listed,
    }


def test_rows_in_every_state_are_drawn_as_rows_of_the_table(visit: "Visit") -> None:
    page = visit.open("folder")
    states = ("done", "waiting", "failed", "cancelled")
    listed_job(page, [row_of(i, state, [], 0) for i, state in enumerate(states, start=1)])
    visit.give("folder", ("a.txt", b"wells"))
    drawn = {}
    for state in states:
        row = page.locator(f"#view-folder tr[data-status={state}]")
        row.wait_for()
        drawn[state] = page.evaluate(WAITS, row.element_handle())
    for state, found in drawn.items():
        assert found["display"] == "table-row", state
        assert max(found["lefts"]) < 1 and found["gap"] < 1, state
        assert found["height"] == drawn["done"]["height"], state


CUT = """() => [...document.querySelectorAll(".folder-cell")].map((cell) => {
  const box = cell.getBoundingClientRect();
  const seen = [...cell.children].filter((one) => one.checkVisibility());
  const cut = ({ bottom, right }) => bottom > box.bottom + 1 || right > box.right + 1;
  return {
    chips: cell.querySelectorAll(".folder-phrase:not([hidden])").length,
    more: cell.querySelector(".folder-more:not([hidden])")?.textContent ?? "",
    cut: seen.filter((one) => cut(one.getBoundingClientRect())).length,
  };
})"""


def test_phrases_that_do_not_fit_into_a_row_are_counted(visit: "Visit") -> None:
    page = visit.open("folder")
    long = [f"long keyphrase number {i}" for i in range(12)]
    rows = [row_of(1, "done", long, 12), row_of(2, "done", long, 40), row_of(3, "done", ["well", "salt"], 2)]
    listed_job(page, rows, "done")
    visit.give("folder", ("a.txt", b"wells"))
    finished(page, "3 documents done")
    counts = []
    for width in (1280, 800, 1440, 390):
        page.set_viewport_size({"width": width, "height": 860})
        page.locator(".folder-more").filter(visible=True).first.wait_for()
        for frame in range(300):  # rows are counted again some frames after the page has another width
            if frame >= 30 and not any(one["cut"] for one in page.evaluate(CUT)):
                break
            page.evaluate("() => new Promise((done) => requestAnimationFrame(done))")
        first, second, third = page.evaluate(CUT)
        assert [one["cut"] for one in (first, second, third)] == [0, 0, 0], width
        assert first["more"] == f"+{12 - first['chips']}" and second["more"] == f"+{40 - second['chips']}", width
        assert (third["chips"], third["more"]) == (2, "")
        counts.append(first["chips"])
    assert counts[3] < counts[0] <= counts[2] < 12
    page.get_by_label("Filter by phrase or name").fill(long[11])
    page.locator(".folder-more.hit").first.wait_for()


TICKETS = "ticket_id,message,reply\n" + "".join(f'{i},"{article(i)}","{article(i + 3)}"\n' for i in range(3))


def use_column(page: "Page", name: str, view: str = "folder") -> None:
    page.locator(f"#view-{view}").get_by_label("The column with the text").select_option(name)
    page.locator(f"#view-{view}").get_by_role("button", name="Use it").click()


def test_a_table_offers_its_columns(visit: "Visit") -> None:
    page = visit.open()
    visit.give("document", ("tickets.csv", TICKETS.encode()))
    finished(page, "0 documents done, 1 failed")
    assert "--columns" not in page.locator("#view-folder").inner_text()
    use_column(page, "message")
    finished(page, "3 documents done")
    assert page.get_by_label("The column with the text").count() == 0
    with page.expect_request(lambda request: request.method == "DELETE"):  # another job takes the place of the first
        page.get_by_label("How many").fill("4")
    page.locator("#view-folder tr[data-status=done]").nth(2).wait_for()
    finished(page, "3 documents done")
    page.locator("#view-folder .folder-open").first.click()
    page.locator(".reader").filter(has_text="Salt water rises").wait_for()


def test_a_document_is_opened_again_with_other_settings(visit: "Visit") -> None:
    page = visit.open("folder")
    visit.give("folder", ("wells.jsonl", records(2)))
    finished(page, "2 documents done")
    page.locator(".folder-open").first.click()
    phrases = page.locator("#view-folder .phrase")
    phrases.nth(3).wait_for()
    page.get_by_role("button", name="Back to the folder").click()
    with page.expect_request(lambda request: request.method == "DELETE"):
        page.get_by_label("How many").fill("2")
    finished(page, "2 documents done")
    page.locator(".folder-open").first.click()
    phrases.nth(1).wait_for()
    assert phrases.count() == 2


def test_a_folder_with_a_table_offers_its_columns(visit: "Visit") -> None:
    page = visit.open("folder")
    visit.give("folder", ("tickets.csv", TICKETS.encode()), ("a.txt", article(9).encode()), ("b.txt", b""))
    finished(page, "1 document done, 2 failed")
    assert "the file is empty" in page.locator("#view-folder tr[data-status=failed]").last.inner_text()
    use_column(page, "message")
    finished(page, "4 documents done, 1 failed")


def test_a_thousand_documents_are_few_elements(visit: "Visit") -> None:
    page = visit.open("folder")
    rows = [
        {"number": i, "id": f"d{i}", "file": "k.jsonl", "title": f"Report {i}", "language": "en"}
        for i in range(1, 1001)
    ]
    more = {"status": "done", "keyphrases": [{"text": f"well {i}", "score": 0.5} for i in range(10)]}
    listed_job(page, [row | more for row in rows], "done")
    visit.give("folder", ("wells.jsonl", records(1)))
    finished(page, "1,000 documents done")
    page.locator(".folder-open", has_text="Report 1").first.wait_for()
    for _ in range(2):
        assert page.locator(".folder-table tr").count() < 60
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        page.locator(".folder-open", has_text="Report 1000").wait_for()


def test_failures_have_their_reasons_and_are_retried_only_where_that_can_help(visit: "Visit") -> None:
    visit.expected.append("status of 409")  # the server knows that trying again is of no use
    page = visit.open("folder")
    visit.give("folder", ("broken.pdf", b"%PDF-1.4\nnothing"), ("a.txt", article(1).encode()))
    finished(page, "1 document done, 1 failed")
    assert "damaged PDF" in page.locator("#view-folder tr[data-status=failed]").inner_text()
    assert page.get_by_role("button", name="Retry").count() == 0
    page.get_by_role("button", name="Show failed (1)").click()
    assert page.locator("#view-folder tr[data-status=done]").count() == 0

    def may_pass(found: Any) -> None:
        for row in found["documents"]:
            row["can_retry"] = row["status"] == "failed"

    visit.alter("**/documents?*", may_pass)
    page.reload()
    with page.expect_request("**/retry") as asked:
        page.get_by_role("button", name="Retry 1 of the failed").click()
    assert asked.value.method == "POST"
    finished(page, "1 document done, 1 failed")


def test_a_job_is_cancelled_and_keeps_what_is_done(visit: "Visit") -> None:
    page = visit.open("folder")
    visit.give("folder", ("wells.jsonl", records(1500)))
    page.locator("#view-folder tr[data-status=done]").first.wait_for()
    page.get_by_role("button", name="Cancel").click()
    finished(page, "done before it was cancelled")
    assert page.locator("#view-folder tr[data-status=done]").count() > 0
    page.get_by_role("button", name="Cancel").wait_for(state="hidden")


def test_the_pages_of_a_pdf_are_marked(visit: "Visit", gallery: Path) -> None:
    page = visit.open()
    lines = ["Salt water rises in the wells", "of the coast. Salt water is slow."]
    visit.give("document", ("wells.pdf", made_files.pdf([lines, ["A second page."]])))
    page.get_by_role("button", name="Both", exact=True).click()
    page.locator(".page img").first.wait_for()
    assert page.locator("figure.page").count() == 2
    page.locator("#view-document .phrase", has_text="Salt water").first.click()
    marks = page.locator(".page-mark.current")
    assert marks.count() == 2
    page.screenshot(path=gallery / "pages.png")
    first, sheet = marks.first.bounding_box(), page.locator("figure.page").first.bounding_box()
    assert first is not None and sheet is not None
    assert sheet["x"] < first["x"] < sheet["x"] + sheet["width"] / 2
    assert page.locator(".reader").is_visible()


def test_documents_of_a_folder_are_reviewed_into_one_gold_file(visit: "Visit") -> None:
    page = visit.open("folder")
    visit.give("folder", ("wells.jsonl", records(2)))
    finished(page, "2 documents done")
    for number in range(2):
        page.locator(".folder-open").nth(number).click()
        page.get_by_role("button", name="Review").click()
        page.get_by_label("Accept ", exact=False).first.click()
        page.get_by_role("button", name="Back to the folder").click()
        page.locator(".folder-open").first.wait_for()
    lines = visit.saved("folder", "Download", "Gold of 2 reviewed documents").splitlines()
    gold = [json.loads(line) for line in lines]
    assert [one["id"] for one in gold] == ["d0", "d1"] and all(len(one["keyphrases"]) == 1 for one in gold)
