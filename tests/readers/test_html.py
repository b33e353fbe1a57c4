"""HTML: the main text of a page, as paragraphs; broken pages do no harm."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phrasemill.readers import read_bytes
from phrasemill.types import Document

PAGE = """<!DOCTYPE html>
<html lang="en-GB"><head><title>Bees &amp; pests - The Daily</title>
<style>p { color: red }</style><script>if (a<b) document.write("<p>scripted</p>")</script></head>
<body><nav><a href="/">Home</a></nav><header><h2>The Daily</h2></header>
<main><h1>Bees &amp; pests</h1>
<p class="intro">First   para<b>graph</b> with <i>emphasis</i>.<br>New line.
<p>Second&nbsp;&eacute;t&#233; <span hidden>secret</span><span aria-hidden="true">icon</span>
<span style="display: none">unseen</span>paragraph
<ul><li>one<li>two</ul><table><tr><td>a<td>b</table>
<aside>advert</aside><form><label>name</label><button>Go</button></form>
<noscript>enable</noscript><svg><title>drawing</title><text>svg</text></svg></main>
<footer>imprint</footer><!-- comment --></body></html>"""


def page(source: str) -> Document:
    return read_bytes(source.encode(), name="page.html")


def test_the_main_text_as_paragraphs() -> None:
    document = page(PAGE)
    assert document.text == ("First paragraph with emphasis.\nNew line.\n\nSecond été paragraph\n\none\ntwo\n\na\nb")
    assert document.title == "Bees & pests"  # which is not repeated
    assert document.language == "en"


@pytest.mark.parametrize(
    ("source", "title", "text"),
    [
        ("<title>Bees</title><p>They fly.", "Bees", "They fly."),
        ("<title>Bees<p>They fly.", "Bees", "They fly."),
        ("<p>They fly.</p><h1>Bees</h1>", "Bees", "They fly.\n\nBees"),
        ("<title>BEES | Daily</title><h1>Bees</h1><p>They fly.", "Bees", "They fly."),
        ("<p>They fly.", "", "They fly."),
    ],
)
def test_the_title(source: str, title: str, text: str) -> None:
    document = page(source)
    assert (document.title, document.text) == (title, text)


def test_articles_keep_their_own_header() -> None:
    source = "<header>Site</header><article><header><h1>Bees</h1></header><p>They fly.</p></article><footer>c</footer>"
    assert page(source).content == "Bees\nThey fly."


def test_a_small_article_does_not_hide_the_page() -> None:
    source = "<article>Teaser</article><p>The text of this page is outside of any article."
    assert page(source).text == "Teaser\n\nThe text of this page is outside of any article."


def test_a_page_that_is_one_form_or_only_a_menu() -> None:
    assert page("<form>All of it is here<nav>menu</nav></form>").text == "All of it is here"
    assert page("<nav>only a menu</nav>").text == "only a menu"


def test_the_language_of_the_page() -> None:
    assert page('<html lang="fr"><p>Bonjour').language == "fr"
    assert page('<html lang=""><p>Hello').language == ""
    assert page("<html lang='pt-BR'><p>Bom dia").language == "pt"
    assert page("<html lang='x-klingon'><p>Hello").language == "und"


def test_a_declared_encoding_is_used() -> None:
    data = '<meta charset="koi8-r"><p>граф'.encode("koi8-r")
    assert read_bytes(data, name="a.html").text == "граф"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("", ""),
        ("<", "<"),
        ("a < b > c <3 </ x", "a < b > c <3 </ x"),
        ("<p title=it's>Text don't stop <b>x</b>", "Text don't stop x"),
        ('<p title="a > b">text', "text"),
        ("<p>a</div></b>b", "a\n\nb"),
        ("a<!-- never closed", "a<!-- never closed"),
        ("a<!-- never > closed", "a closed"),
        ("a<script>never closed", "a"),
        ("&lt;b&gt; &amp;amp; &bogus; &#0; &#xD800;", "<b> &amp; &bogus; \ufffd \ufffd"),
        ("<div hidden>all is hidden", "all is hidden"),
    ],
)
def test_broken_pages(source: str, text: str) -> None:
    assert page(source).text == text


def test_a_character_reference_of_thousands_of_digits() -> None:
    assert len(page("&#" + "9" * 5000 + ";").text) == 5003


@pytest.mark.parametrize(
    "unit",
    ["<div>", "<", "<!--", "<a ", '<a href="', "</", "<!", "</b>", "&#1", "<script>", '<a "<a" ', "<a' =\"='", "<h1>a"],
)
def test_hostile_repetition_is_no_trap(unit: str) -> None:
    page(unit * 100_000)


def test_deep_nesting() -> None:
    assert page("<div>" * 100_000 + "x" + "</span>" * 100_000).text == "x"


@given(
    st.lists(
        st.sampled_from(["<p>", "</p>", "<main>", "</nav>", "<nav>", "<b", ">", '"', "'", "<!--", "-->", "x ", "&"])
    )
)
def test_any_soup_is_read(pieces: list[str]) -> None:
    assert isinstance(page("".join(pieces)).content, str)


ARTICLE = (
    "<h1>Salt in wells</h1><p>Pumps draw too much groundwater, and salt water moves inland from the coast.</p>"
    '<p>Farmers turn to <a href="/rain">rain tanks</a>, and to deeper wells than their parents had.</p>'
)
TEXT = (
    "Salt in wells\nPumps draw too much groundwater, and salt water moves inland from the coast."
    "\n\nFarmers turn to rain tanks, and to deeper wells than their parents had."
)
LINKS = "".join(f'<li><a href="/{n}">{n} news</a></li>' for n in ("World", "Sport", "Money", "Farming", "Weather"))


@pytest.mark.parametrize(
    "source",
    [
        f'<div class="menu"><ul>{LINKS}</ul></div><div>{ARTICLE}</div><div class="site-footer">Imprint of us</div>',
        f"<ul>{LINKS}</ul>{ARTICLE}",
        f"<table><tr><td><h4>Sections</h4><ul>{LINKS}</ul><td>{ARTICLE}</table>".replace("<h4>Sections</h4>", ""),
        f'<div id="cookieBanner"><p>We use cookies. Do you agree?</p><a href="">OK</a></div>{ARTICLE}',
        f'<p><a href="a">World</a> | <a href="b">Sport</a> | <a href="c">Money</a> | <a href="d">Jobs</a></p>{ARTICLE}',
        f'<main>{ARTICLE}<div class="related-articles"><h3>Read more</h3><ul>{LINKS}</ul></div></main>',
        f'<body class="has-sidebar menu-open">{ARTICLE}<div class="sidebar">Our newsletter</div>',
        f'<div class="sidebar wrap"><main>{ARTICLE}</main>Our newsletter</div>',
        f'<div class="menu"><ul>{LINKS * 30}</ul></div>{ARTICLE}',
        f"{ARTICLE}<ul>{LINKS}<li>Topics</li>{LINKS}</ul>",
    ],
)
def test_menus_banners_and_footers_of_any_make_are_left_out(source: str) -> None:
    assert page(source).content == TEXT


def test_a_misleading_name_does_not_hide_the_page() -> None:
    assert page(f'<div class="sidebar">{ARTICLE}</div>').content == TEXT
    assert page(f'<div class="page-with-sidebar">{ARTICLE}</div><div>Imprint</div>').content == f"{TEXT}\n\nImprint"


def test_links_that_are_the_text_stay() -> None:
    assert page(f"<h1>Links</h1><ul>{LINKS}</ul>").text.count("news") == 5
    assert page(f"<main>{ARTICLE}<ul>{LINKS}</ul></main>").text.count("news") == 5
    works = "".join(f'<li><a href="{y}">Smith {y}: a long work on wells in deserts</a></li>' for y in range(1990, 1996))
    assert page(f"{ARTICLE}<ul>{works}</ul>").text.count("Smith") == 6
