"""What everybody meets: token, tabs, theme; and every view under axe, at a desk and on a phone, by day and by night."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing import TOKEN, Visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

SIZES = {"desktop": (1280, 860), "phone": (390, 844)}
# Type as other machines may have it.
TYPES = (
    "* { font-family: serif !important; } html { font-size: 85%; }",
    "* { font-family: monospace !important; line-height: 1.9 !important; } html { font-size: 120%; }",
)


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


def test_a_chosen_theme_stays(visit: Visit) -> None:
    page = visit.open()
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("button", name="Dark mode").click()
    dark = page.evaluate(ground)
    assert dark != light
    page.reload()
    assert page.evaluate(ground) == dark
    assert page.get_by_role("button", name="Dark mode").get_attribute("aria-pressed") == "true"


def states(visit: Visit) -> Iterator[tuple[str, "Page"]]:
    """Every view, before and after something is in it."""
    yield "start", visit.open()
    page = visit.example("document", ".phrase")
    page.locator("#view-document .phrase").nth(1).click()
    yield "document", page
    yield "compare", visit.example("compare", ".agree-summary strong")
    page = visit.example("set", ".matrix")
    page.locator(".matrix-phrase").nth(1).click()
    yield "set", page
    page = visit.example("contrast", ".contrast-phrase")
    page.locator(".contrast-phrase").first.click()
    yield "contrast", page
    yield "evaluate", visit.example("evaluate", ".score-table")


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


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_every_view_is_accessible_and_fits(
    browser: "Browser",
    server: str,
    complaints: Callable[["Page"], list[str]],
    gallery: Path,
    size: str,
    theme: str,
) -> None:
    width, height = SIZES[size]
    visit = Visit(browser, server, viewport={"width": width, "height": height}, color_scheme=theme)
    visit.sign_in()
    for name, page in states(visit):
        assert [*complaints(page), *unfit(page, width)] == [], name
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=gallery / f"{name}-{size}-{theme}.png", full_page=size == "desktop" and name != "start")
    visit.context.close()
    assert visit.errors == []


@pytest.mark.parametrize("size", SIZES)
def test_every_view_is_accessible_and_fits_in_any_type(
    browser: "Browser", server: str, complaints: Callable[["Page"], list[str]], gallery: Path, size: str
) -> None:
    """Machines have other fonts: narrow and wide ones, small and large, set close and far apart."""
    width, height = SIZES[size]
    visit = Visit(browser, server, viewport={"width": width, "height": height})
    visit.sign_in()
    for name, page in states(visit):
        for number, rules in enumerate(TYPES):
            page.evaluate(SET_IN, rules)
            assert [*complaints(page), *unfit(page, width)] == [], (name, rules)
            page.screenshot(path=gallery / f"{name}-{size}-type-{number}.png", full_page=True)
    visit.context.close()
    assert visit.errors == []


@pytest.mark.parametrize("size", SIZES)
def test_the_reference_is_accessible_and_fits(
    browser: "Browser", server: str, complaints: Callable[["Page"], list[str]], size: str
) -> None:
    width, height = SIZES[size]
    visit = Visit(browser, server, viewport={"width": width, "height": height})
    visit.page.goto(f"{visit.address}docs")
    visit.page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    for rules in ("", *TYPES):
        visit.page.evaluate(SET_IN, rules)
        assert [*complaints(visit.page), *unfit(visit.page, width)] == [], rules
    visit.context.close()
    assert visit.errors == []


def test_on_a_phone_a_bar_walks_through_the_text(browser: "Browser", server: str) -> None:
    visit = Visit(browser, server, viewport={"width": 390, "height": 844})
    visit.sign_in()
    page = visit.example("document", ".phrase")
    page.locator("#view-document .phrase").first.click()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    following = page.get_by_role("button", name="Next place in the text")
    following.wait_for()
    following.click()
    assert page.locator(".walk-bar .walk-count").inner_text().startswith("2 of")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.get_by_role("button", name="Back to the keyphrases").click()
    page.locator(".walk-bar").wait_for(state="hidden")
    visit.context.close()
    assert visit.errors == []
