"""The page that reports are written on: whole, escaped, and without requests."""

from html_pages import checked
from phrasemill.evaluation.page import Html, Section, bar, code, folded, html, listed, page, paragraph, table

EVIL = '<img src=x onerror=alert(1)> & "it\'s"'


def test_every_text_is_escaped_and_shown() -> None:
    parts = [
        EVIL,
        paragraph(EVIL, kind="warning"),
        table((EVIL, "n"), [(EVIL, EVIL)]),
        listed([EVIL, code(EVIL)]),
        folded(EVIL, [EVIL, bar(0.5, low=0.4, high=0.6, label=EVIL)]),
    ]
    found = checked(page(EVIL, [Section(EVIL, parts)], lead=[EVIL], contents=True))
    # The title twice, the heading and its link, the lead, and nine times in the parts.
    assert found.text.count(EVIL) == 14
    assert found.tags.count("main") == 1


def test_columns_of_words_and_of_numbers() -> None:
    made = table(("metric", "system", "score"), [("F1", "a", "1.0")], words=(0, 1))
    assert made.count('class="number"') == 2
    assert '<th scope="row">F1</th><td>a</td><td class="number">1.0</td>' in made


def test_html_is_not_escaped_twice() -> None:
    assert html(html("<b>")) == "&lt;b&gt;"
    assert "<p><b>bold</b></p>" in page("t", [Section("s", [paragraph(Html("<b>bold</b>"))])])


def test_an_interval_is_drawn_where_it_is_given() -> None:
    assert '<line x1="40.0" x2="60.0"' in bar(0.5, low=0.4, high=0.6, label="half")
    assert "<line" not in bar(0.5, label="half")


def test_contents_link_to_the_sections() -> None:
    made = page("t", [Section("one", []), Section("two", [])], contents=True)
    assert 'href="#section-2">two' in made
    assert '<h2 id="section-2">two' in made
    assert "<nav" not in page("t", [Section("one", [])])
