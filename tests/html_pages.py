"""What a browser would make of a page that we write."""

from html.parser import HTMLParser


class Checker(HTMLParser):
    """Collects what a browser would fetch or run, and the text, and holds that tags are closed."""

    void = ("meta", "rect", "line")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag in ("script", "link", "img", "iframe", "object"):
            self.fetched.append(tag)
        self.fetched += [str(value) for name, value in attrs if name == "src" or name.startswith("on")]
        self.fetched += [str(value) for name, value in attrs if name == "href" and not str(value).startswith("#")]
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.void:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def checked(text: str) -> Checker:
    """Return what a page holds; every tag is closed, and nothing is fetched or run."""
    checker = Checker()
    checker.feed(text)
    assert checker.open == []
    assert checker.fetched == []
    return checker
