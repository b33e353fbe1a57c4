"""A visitor of the page, for tests with a real browser."""

import re
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Request, Route

TOKEN = "a-token-for-tests-0123456789"
# One client may have few jobs at a time, so visitors have tokens of their own, in turn.
TOKENS = [f"{TOKEN}-{number}" for number in range(20)]
PATIENCE = 60_000  # ms that a step may take on a machine that has much else to do
_turn = cycle(TOKENS)
ASIDE = re.compile(r"^(about|data|blob):")


class Visit:
    """One visitor with a window of their own: whatever goes wrong in it is remembered."""

    def __init__(self, browser: "Browser", address: str, **options: object) -> None:
        self.address = address
        self.errors: list[str] = []
        self.expected: list[str] = []
        settings = {"viewport": {"width": 1280, "height": 860}, "reduced_motion": "reduce", **options}
        self.context: BrowserContext = browser.new_context(**settings)  # type: ignore[arg-type]
        self.context.set_default_timeout(PATIENCE)
        self.page: Page = self.context.new_page()
        self.page.on("console", lambda message: self._hear(message.type, message.text))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", self._see)

    def _hear(self, kind: str, words: str) -> None:
        if kind in ("error", "warning") and not any(one in words for one in self.expected):
            self.errors.append(words)

    def _see(self, request: "Request") -> None:
        if not request.url.startswith(self.address) and not ASIDE.match(request.url):
            self.errors.append(f"a request to {request.url}")

    def sign_in(self) -> None:
        self.context.add_init_script(f"if (location.host) sessionStorage.setItem('phrasemill-token', '{next(_turn)}')")

    def open(self, view: str = "document") -> "Page":
        """The page at the address that `serve` prints, and its tab for another view; a new one, whatever was before."""
        self.page.goto("about:blank")
        self.page.goto(self.address)
        self.page.locator("#view-document h1").first.wait_for()
        if view != "document":
            self.page.locator(f"#tab-{view}").click()
        self.page.locator(f"#view-{view} h1").first.wait_for()
        return self.page

    def follow(self, link: str) -> "Page":
        """The page that a link names, such as `document?doc=example`."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.address}#{link}")
        self.page.locator(f"#view-{re.split('[/?]', link)[0]} h1").first.wait_for()
        return self.page

    def example(self, view: str, shown: str) -> "Page":
        """A view with its example, when `shown` is there."""
        page = self.open(view)
        page.locator(f"#view-{view}").get_by_role("button", name="Try an example").click()
        page.locator(f"#view-{view} {shown}").first.wait_for()
        return page

    def paste(self, text: str) -> "Page":
        """The document view with the keyphrases of a text."""
        page = self.open()
        page.get_by_label("Text to read").fill(text)
        page.get_by_role("button", name="Find keyphrases").click()
        page.locator("#view-document .phrase").first.wait_for()
        return page

    def give(self, view: str, *files: tuple[str, bytes | str], box: str = "Choose files") -> None:
        """Choose files, each a name and a content."""
        chosen: Any = [
            {"name": name, "mimeType": "", "buffer": content.encode() if isinstance(content, str) else content}
            for name, content in files
        ]
        self.page.locator(f"#view-{view}").get_by_label(box).set_input_files(chosen)

    def saved(self, view: str, menu: str, item: str) -> bytes:
        """What the item of a menu downloads."""
        place = self.page.locator(f"#view-{view}")
        place.get_by_text(menu, exact=True).click()
        with self.page.expect_download() as download:
            place.get_by_role("button", name=item, exact=True).click()
        self.page.keyboard.press("Escape")
        return Path(download.value.path()).read_bytes()

    def alter(self, path: str, change: Callable[[Any], object]) -> None:
        """Change the answers of the server before the page has them."""

        def answer(route: "Route") -> None:
            found = route.fetch()
            content = found.json()
            change(content)
            route.fulfill(response=found, json=content)

        self.page.route(path, answer)
