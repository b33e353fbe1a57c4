"""HTML: the main text of a page, its title and metadata; broken pages do no harm."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phrasemill.readers import read_bytes
from phrasemill.types import Document

PAGE = """<!DOCTYPE html>
<html lang="en-GB"><head><title>Bees &amp; pests - The Daily</title>
<style>p { color: red }</style><script>if (a<b) document.write("<p>scripted</p>")</script></head>
<body><nav><a href="/">Home</a></nav><header><h2>The Daily</h2></header><div role="dialog">Subscribe</div>
<main><header><h1>Bees &amp; pests</h1><p>By us.</header>
<p class="intro">First   para<b>graph</b> with <i>emphasis</i>.<br>New line.
<p>Second&nbsp;&eacute;t&#233; <span hidden>secret</span><span aria-hidden="true">icon</span>
<span style="display: none">unseen</span>paragraph
<ul><li>one<li hidden>gone<li>two</ul><table><tr><td>a<td>b</table>
<aside>advert</aside><form><button>Go</button></form>
<noscript>enable</noscript><svg><title>drawing</title><text>svg</text></svg></main>
<footer>imprint</footer><!-- comment --></body></html>"""
SENTENCES = [
    "Pumps draw too much groundwater, so salt water moves inland from the coast, year after year.",
    "Farmers turn to rain tanks, to deeper wells, and to crops that tolerate brackish water.",
    "A survey of 140 wells, finished in spring, found salt in every third one of them.",
    "The council, however, has not yet decided who would pay for the basins and the pipes.",
]
TEXT = "\n\n".join(SENTENCES)
ARTICLE = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
LINKS = "".join(f'<li><a href="/{i}">Another story about the coast, number {i}</a></li>' for i in range(8))


def page(source: str) -> Document:
    return read_bytes(source.encode(), name="page.html")


def article(body: str, head: str = "<title>Salt in the wells</title>") -> Document:
    return page(f'<html lang="en"><head>{head}</head><body>{body}</body></html>')


def test_a_short_page_is_read_whole() -> None:
    document = page(PAGE)
    assert (
        document.text
        == "By us.\n\nFirst paragraph with emphasis.\nNew line.\n\nSecond été paragraph\n\none\ntwo\n\na\nb"
    )
    assert document.title == "Bees & pests"  # which is not repeated
    assert document.language == "en"


@pytest.mark.parametrize(
    "body",
    [
        f'<div id="wrap"><div class="post">{ARTICLE}</div><div id="comments"><ol>{LINKS}</ol></div></div>',
        f"<article>{ARTICLE}<div><ul>{LINKS}</ul></div></article>",
        f'<table><tr><td width="150"><ul>{LINKS}</ul></td><td>{ARTICLE}</td></tr></table>',
        f'<div class="content">{ARTICLE}</div><div class="share-bar"><a href="a">Tweet</a><a href="b">Pin</a></div>',
    ],
    ids="comments links table share".split(),
)
def test_what_stands_around_an_article_is_left_out(body: str) -> None:
    found = article(body)
    assert (found.title, found.text) == ("Salt in the wells", TEXT)


def test_without_the_extra_a_page_is_read_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "readability", None)
    found = article(f"<nav>Menu</nav><div>{ARTICLE}</div><ul>{LINKS}</ul><footer>Imprint</footer>")
    assert found.title == "Salt in the wells"
    assert found.text.startswith(TEXT)
    assert found.text.endswith("number 7")


def test_a_main_text_that_is_a_small_part_of_the_page_is_not_trusted() -> None:
    """lxml drops what is nested deeper than 250 elements."""
    deep = "".join(f"<div><p>{sentence}</p>" for sentence in SENTENCES * 500)
    assert article(deep).text.count("groundwater") == 500


@pytest.mark.parametrize(
    ("source", "title", "text"),
    [
        ("<title>Bees</title><p>They fly.", "Bees", "They fly."),
        ("<title>Bees<p>They fly.", "Bees", "They fly."),
        ("<p>They fly.</p><h1>Bees</h1>", "Bees", "They fly.\n\nBees"),
        ("<title>BEES | Daily</title><h1>Bees</h1><p>They fly.", "Bees", "They fly."),
        ("<p>They fly.", "", "They fly."),
        ("<article>Teaser</article><p>The text of this page.", "", "Teaser\n\nThe text of this page."),
        ("<form>All of it is here<nav>menu</nav></form>", "", "All of it is here"),
        ("<nav>only a menu</nav>", "", "only a menu"),
        ("<nav>a menu that never ends<p>Text." + " They fly." * 20, "", None),
        ("<div hidden>all is hidden", "", "all is hidden"),
        ("", "", ""),
        ("<", "", "<"),
        ("a < b > c <3 </ x", "", "a < b > c <3 </ x"),
        ("<p title=it's>Text don't stop <b>x</b>", "", "Text don't stop x"),
        ('<p title="a > b">text', "", "text"),
        ("<p>a</div></b>b", "", "a\n\nb"),
        ("a<!-- never closed", "", "a<!-- never closed"),
        ("a<!-- never > closed", "", "a closed"),
        ("a<script>never closed", "", "a"),
        ("&lt;b&gt; &amp;amp; &bogus; &#0; &#xD800;", "", "<b> &amp; &bogus; \ufffd \ufffd"),
    ],
)
def test_small_and_broken_pages(source: str, title: str, text: str | None) -> None:
    document = page(source)
    assert document.title == title
    assert document.text == text if text is not None else "They fly." in document.text


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
    assert article(f"{body}{ARTICLE}", head).title == title


def test_metadata_language_and_encoding() -> None:
    head = (
        '<meta name="author" content="A. Reyes"><meta property="article:published_time" content="2024-03-01">'
        '<meta http-equiv="content-language" content="fr"><meta name="description" content="Wells &amp; salt">'
    )
    found = page(f"<head>{head}</head><body>{ARTICLE}</body>")
    assert found.metadata == {"author": "A. Reyes", "published": "2024-03-01", "description": "Wells & salt"}
    assert found.language == "fr"
    for stated, language in (("fr", "fr"), ("", ""), ("pt-BR", "pt"), ("x-klingon", "und")):
        assert page(f'<html lang="{stated}"><p>Bonjour').language == language
    assert read_bytes('<meta charset="koi8-r"><p>граф'.encode("koi8-r"), name="a.html").text == "граф"


@pytest.mark.parametrize(
    "unit",
    ["<div>", "<", "<!--", "<a ", '<a href="', "</", "<!", "</b>", "&#1", "<script>", '<a "<a" ', "<a' =\"='", "<h1>a"],
)
def test_hostile_repetition_is_no_trap(unit: str, caplog: pytest.LogCaptureFixture) -> None:
    page(unit * 50_000)
    page(f"{ARTICLE}{unit * 50_000}")
    assert not caplog.records, "readability logs what it cannot parse"


def test_deep_nesting_and_long_references() -> None:
    assert page("<div>" * 50_000 + "x" + "</span>" * 50_000).text == "x"
    assert len(page("&#" + "9" * 5000 + ";").text) == 5003


@given(
    st.lists(
        st.sampled_from(["<p>", "</p>", "<main>", "</nav>", "<nav>", "<b", ">", '"', "'", "<!--", "-->", "x ", "&"])
    )
)
def test_any_soup_is_read(pieces: list[str]) -> None:
    assert isinstance(page("".join(pieces)).content, str)
