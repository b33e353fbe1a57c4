"""The page at /docs: a request is edited, sent, and its answer shown."""

import json
from typing import TYPE_CHECKING

import pytest

from browsing import Visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

pytestmark = pytest.mark.browser


def operation(visit: Visit, path: str) -> "Locator":
    """Open the form of an operation."""
    heading = visit.page.locator("h2 code").get_by_text(path, exact=True)
    found = visit.page.locator("section").filter(has=heading)
    found.locator("summary").click()
    return found


def sent(form: "Locator") -> str:
    form.get_by_role("button", name="Send").click()
    form.locator(".status").filter(has_text=" ms").wait_for()
    return form.locator(".answer").inner_text()


def test_requests_are_edited_and_sent(browser: "Browser", server: str) -> None:
    visit = Visit(browser, server)
    visit.sign_in()
    visit.expected = ["400 (Bad Request)"]
    visit.page.goto(f"{visit.address}docs")
    extract = operation(visit, "/v1/extract")
    body = {"documents": [{"id": "wells", "text": "Salt water moves inland."}], "top": 1}
    extract.locator("textarea").fill(json.dumps(body))
    answer = json.loads(sent(extract))
    assert answer["documents"][0]["id"] == "wells"
    assert len(answer["documents"][0]["keyphrases"]) == 1
    extract.locator("textarea").fill("{")
    assert json.loads(sent(extract))["type"].endswith("malformed-request")
    create = operation(visit, "/v1/jobs")
    file = {"name": "a.txt", "mimeType": "text/plain", "buffer": b"Salt water moves inland."}
    create.locator("input[type=file]").set_input_files([file])  # type: ignore[list-item]
    id_ = json.loads(sent(create))["id"]
    events = operation(visit, "/v1/jobs/{id}/events")
    events.locator("[name=id]").fill(id_)
    assert "event: end" in sent(events)
    result = operation(visit, "/v1/jobs/{id}/result")
    result.locator("[name=id]").fill(id_)
    result.locator("[name=format]").select_option("bibtex")
    assert sent(result) == "Save keyphrases.bib"
    visit.context.close()
    assert visit.errors == []
