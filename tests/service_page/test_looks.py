"""What everybody meets: token, tabs; and every view under axe, at a desk and on a phone, by day and by night."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing import TOKEN, Visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

SIZES = {"desktop": (1440, 900), "laptop": (1280, 720), "phone": (390, 844)}
# Type as this machine has it, and as others may: narrow and wide, small and large, close and far apart.
TYPES = (
    "",
    "* { font-family: serif !important; } html { font-size: 85%; }",
    "* { font-family: monospace !important; line-height: 1.9 !important; } html { font-size: 120%; }",
)
LOOKS = [
    ("desktop", "light", TYPES[:1]),
    ("laptop", "dark", TYPES),
    ("phone", "light", TYPES),
    ("phone", "dark", TYPES[:1]),
]


def test_the_token_is_asked_for_once(browser: "Browser", server: str) -> None:
    visit = Visit(browser, server)
    visit.expected.append("status of 401")
    page = visit.open()
    field = page.get_by_label("Token", exact=True)
    page.get_by_role("button", name="Try an example").click()
    field.fill("not the token at all")
    page.keyboard.press("Enter")
    page.get_by_text("does not know that token").wait_for()
    field.fill(TOKEN)
    page.get_by_role("button", name="Continue").click()
    page.locator("#view-document .phrase").first.wait_for()
    assert page.locator("dialog").count() == 0
    visit.context.close()
    assert visit.errors == []


def test_tabs_by_keyboard_and_by_address(visit: Visit) -> None:
    page = visit.open("set")
    assert page.locator("#tab-set").get_attribute("aria-selected") == "true"
    page.locator("#tab-set").focus()
    page.keyboard.press("ArrowRight")
    assert page.url.endswith("#contrast")
    page.locator("#view-contrast h1").wait_for()
    assert page.locator("#view-set").is_hidden()
    page.keyboard.press("End")
    assert page.evaluate("document.activeElement.id") == "tab-evaluate"
    assert page.locator("[role=tab][tabindex='0'], [role=tab]:not([tabindex])").count() == 1
    page.go_back()
    page.locator("#view-contrast h1").wait_for()


def test_the_first_stop_skips_to_the_content(visit: Visit) -> None:
    page = visit.open()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    assert page.locator("#view-document").is_visible()


def test_light_and_dark_follow_the_system(visit: Visit) -> None:
    page = visit.open()
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(ground) != light


def states(visit: Visit) -> Iterator[tuple[str, "Page"]]:
    """Every view, before and after something is in it."""
    yield "start", visit.open()
    page = visit.example("document", ".phrase")
    page.locator("#view-document .phrase").nth(1).click()
    yield "document", page
    page.keyboard.press("Escape")
    page.locator("#view-document").get_by_text("Options", exact=True).click()
    yield "options", page
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Review").click()
    page.get_by_label("Accept artificial reef").click()
    page.get_by_label("Refuse North Sea").click()
    yield "review", page
    yield "failure", failed(visit)
    yield "folder-start", visit.open("folder")
    yield "columns", choosing(visit)
    yield "folder", visit.example("folder", "tr[data-status=done]")
    page = visit.example("document", ".phrase")
    page.get_by_label("Second method").select_option("multipartiterank")
    page.locator(".agreement strong").wait_for()
    yield "second", page
    page = visit.example("set", ".ranked-phrase")
    page.locator(".ranked-phrase").nth(1).click()
    yield "set", page
    page = visit.example("contrast", ".ranked-phrase")
    page.locator(".ranked-phrase").first.click()
    yield "contrast", page
    yield "evaluate", visit.example("evaluate", ".report-frame table")


def choosing(visit: Visit) -> "Page":
    """The page with a table of which the reader must say which column has the text."""
    page = visit.open("folder")
    table = b"number,problem,answer\n1,Salt water rises.,Drill less.\n"
    visit.give("folder", ("tickets.csv", table))
    page.get_by_label("The column with the text").wait_for()
    return page


def failed(visit: Visit) -> "Page":
    """The page after a failure, with the result from before."""
    visit.expected.append("status of 503")
    page = visit.example("document", ".phrase")
    page.route("**/v1/extract", lambda route: route.fulfill(status=503, json={"title": "Too busy"}))
    page.get_by_label("How many").fill("5")
    page.locator(".stale").wait_for()
    page.unroute("**/v1/extract")
    return page


@pytest.fixture(scope="module")
def complaints() -> Callable[["Page"], list[str]]:
    """What axe has to say about a page."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    checker = axe.Axe()

    def check(page: "Page") -> list[str]:
        found = checker.run(page, options={"resultTypes": ["violations"]}).response["violations"]
        return [f"{one['id']}: {node['html'][:160]}" for one in found for node in one["nodes"]]

    return check


SET_IN = """(rules) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets = [sheet];
}"""
# Elements that may scroll on some machine, whatever they do on this one, and that the keyboard cannot reach.
UNREACHABLE = """() => {
  const reached = "a[href], button:not(:disabled), input, select, textarea, summary, [tabindex='0']";
  const may = (one, way) => ["auto", "scroll"].includes(getComputedStyle(one)[way]);
  const scrolls = (one) => may(one, "overflowX") || may(one, "overflowY");
  return [...document.querySelectorAll("body *")]
    .filter((one) => one.checkVisibility() && scrolls(one) && !one.matches(reached) && !one.querySelector(reached))
    .map((one) => one.outerHTML.slice(0, 160));
}"""


def unfit(page: "Page", width: int) -> list[str]:
    """What is wrong with a page but for its colours: what the keyboard does not reach, and what sticks out."""
    found = page.evaluate(UNREACHABLE)
    wide = page.evaluate("document.documentElement.scrollWidth")
    return [*found, f"{wide} pixels wide, of {width}"] if wide > width else list(found)


@pytest.mark.parametrize(("size", "theme", "types"), LOOKS)
def test_every_view_is_accessible_and_fits(
    browser: "Browser",
    server: str,
    complaints: Callable[["Page"], list[str]],
    gallery: Path,
    size: str,
    theme: str,
    types: tuple[str, ...],
) -> None:
    width, height = SIZES[size]
    visit = Visit(browser, server, viewport={"width": width, "height": height}, color_scheme=theme)
    visit.sign_in()
    for name, page in states(visit):
        made_of_others = name in ("options", "failure", "folder-start")
        for number, rules in enumerate(types[:1] if made_of_others else types):
            page.evaluate(SET_IN, rules)
            assert [*complaints(page), *unfit(page, width)] == [], (name, rules)
            page.evaluate("scrollTo(0, 0)")
            whole = size == "desktop" and name != "start"
            page.screenshot(path=gallery / f"{name}-{size}-{theme}-{number}.png", full_page=whole)
        page.evaluate(SET_IN, "")
    visit.context.close()
    assert visit.errors == []


@pytest.fixture
def phone(browser: "Browser", server: str) -> Iterator[Visit]:
    """A visitor with a phone."""
    visit = Visit(browser, server, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    visit.sign_in()
    yield visit
    visit.context.close()
    assert visit.errors == []


def test_on_a_phone_reasons_rise_from_below_and_walk_through_the_text(phone: Visit) -> None:
    page = phone.example("document", ".phrase")
    page.locator("#view-document .phrase").first.tap()
    sheet = page.get_by_role("region", name="artificial reef")
    sheet.wait_for()
    assert "in this text" in sheet.inner_text() and sheet.locator(".walk-count").inner_text().startswith("1 of")
    box = sheet.bounding_box()
    assert box is not None and box["y"] + box["height"] == pytest.approx(844, abs=1)
    assert page.evaluate("scrollY") == 0
    sheet.get_by_role("button", name="Next place").tap()
    assert sheet.locator(".walk-count").inner_text().startswith("2 of")
    mark = page.locator(".reader mark.current").first.bounding_box()
    assert mark is not None and mark["y"] + mark["height"] < box["y"]
    sheet.get_by_role("button", name="Close").tap()
    assert page.locator(".sheet").count() == page.locator("li.chosen").count() == 0
    page.locator(".reader mark").nth(5).tap()
    page.locator(".sheet").wait_for()


SMALL = ".badge, .chip, .button, .segment, [role=tab], .phrase-text"
CUT = """(small) => [...document.querySelectorAll(small)]
  .filter((one) => one.checkVisibility())
  .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > innerWidth)
  .map((one) => one.outerHTML.slice(0, 120))"""


def test_on_a_phone_nothing_is_cut_and_no_keys_are_named(phone: Visit) -> None:
    for view, shown in (("document", ".phrase"), ("set", ".ranked-phrase"), ("contrast", ".ranked-phrase")):
        page = phone.example(view, shown)
        assert page.evaluate(CUT, SMALL) == [], view
        assert "arrow key" not in page.locator("main").inner_text().lower()
