"""The main text of whole pages: articles among everything that pages put around them."""

import pytest

from phrasemill.readers import html_tree, read_bytes
from phrasemill.types import Document

SENTENCES = [
    "Pumps draw too much groundwater, so salt water moves inland from the coast, year after year.",
    "Farmers turn to rain tanks, to deeper wells, and to crops that tolerate brackish water.",
    "A survey of 140 wells, finished in spring, found salt in every third one of them.",
    "Managed aquifer recharge, the engineers say, would slow the intrusion within five years.",
    "The council, however, has not yet decided who would pay for the basins and the pipes.",
]
TEXT = "\n\n".join(SENTENCES)
ARTICLE = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
LINKS = "".join(f'<li><a href="/{i}">Another story about the coast, number {i}</a></li>' for i in range(8))
COMMENT = "<li><p>I disagree, strongly, with all of this, and my uncle, who dug wells, does as well.</p></li>"
COOKIES = '<div class="cookie-consent"><p>We use cookies, as all do, to count, to sell, and to track.</p></div>'


def page(body: str, head: str = "<title>Salt in the wells</title>") -> Document:
    return read_bytes(f'<html lang="en"><head>{head}</head><body>{body}</body></html>'.encode(), name="page.html")


@pytest.mark.parametrize(
    "body",
    [
        f'<div id="wrap"><div class="post">{ARTICLE}</div><div id="comments"><ol>{COMMENT * 9}</ol></div></div>',
        f"<div>{ARTICLE}</div>{COOKIES}",
        f'<article>{ARTICLE}<div class="share-bar"><a href="a">Tweet</a><a href="b">Pin</a></div></article>',
        f'<article>{ARTICLE}<h3 class="related">Read more</h3><ul class="related">{LINKS}</ul></article>',
        f"<article>{ARTICLE}<div><ul>{LINKS}</ul></div></article>",
        f'<div class="story"><p class="byline">By A. Reyes</p>{ARTICLE}</div>',
        f'<table><tr><td width="150"><ul>{LINKS}</ul></td><td>{ARTICLE}</td></tr></table>',
        f'<div class="content">{ARTICLE}<form><label>Your mail</label><input><button>Subscribe</button></form></div>',
        f"<main>{ARTICLE}<aside><p>Advertisement, paid for by a maker of pumps, tanks and pipes.</p></aside></main>",
        f'<div class="teaser-box"><ul>{LINKS}</ul></div><div><h1>Salt in the wells</h1>{ARTICLE}</div>',
        f'<div role="dialog"><p>Subscribe now, and read on, for one euro, dollar, or pound a week.</p></div>{ARTICLE}',
    ],
    ids="comments cookies share related links byline table form aside teasers dialog".split(),
)
def test_what_stands_around_an_article_is_left_out(body: str) -> None:
    found = page(body)
    assert (found.title, found.text) == ("Salt in the wells", TEXT)


def test_paragraphs_that_are_lines_of_one_block() -> None:
    found = page(f'<div id="menu"><ul>{LINKS}</ul></div><div class="text">{"<br><br>".join(SENTENCES)}</div>')
    assert found.text == "\n".join(SENTENCES)


def test_parts_of_an_article_in_elements_of_their_own() -> None:
    parts = "".join(f'<section><div class="part"><p>{sentence * 3}</p></div></section>' for sentence in SENTENCES)
    text = page(f"<div><ul>{LINKS}</ul></div><div>{parts}</div>").text
    assert all(sentence in text for sentence in SENTENCES)
    assert "Another story" not in text


def test_an_article_in_an_element_that_is_named_like_boilerplate() -> None:
    assert page(f'<div class="sidebar"><p>{"</p><p>".join(SENTENCES)}</p></div>').text == TEXT


@pytest.mark.parametrize(
    ("head", "body", "title"),
    [
        ("<title>Salt in the wells | The Daily Pump</title>", "", "Salt in the wells"),
        ("<title>The Daily Pump</title>", "<h1>Salt in the wells</h1>", "The Daily Pump"),
        ("<title>Salt in the wells - Daily</title>", "<h1>Salt in the wells</h1>", "Salt in the wells"),
        ('<title>x</title><meta property="og:title" content="Salt in the wells">', "", "Salt in the wells"),
        (
            '<meta property="og:site_name" content="Daily Pump"><title>Daily Pump - Salt: a study</title>',
            "",
            "Salt: a study",
        ),
        ("", "<h1>Salt in the wells</h1>", "Salt in the wells"),
    ],
)
def test_the_title_is_that_of_the_article(head: str, body: str, title: str) -> None:
    assert page(f"{body}{ARTICLE}", head).title == title


def test_metadata_and_language() -> None:
    head = (
        '<meta name="author" content="A. Reyes"><meta property="article:published_time" content="2024-03-01">'
        '<meta http-equiv="content-language" content="fr"><meta name="description" content="Wells &amp; salt">'
    )
    found = read_bytes(f"<html><head>{head}</head><body>{ARTICLE}</body></html>".encode(), name="a.html")
    assert found.metadata == {"author": "A. Reyes", "published": "2024-03-01", "description": "Wells & salt"}
    assert found.language == "fr"


def test_elements_beyond_the_bound_are_read_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html_tree, "MOST_ELEMENTS", 4)
    assert page(ARTICLE).text == TEXT
