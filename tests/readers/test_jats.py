"""JATS articles: what is taken from the front matter and the body, and what is refused."""

import pytest

from made_jats import KEYWORDS, article
from phrasemill.errors import InputError
from phrasemill.readers.jats import Article, Refused, articles, read

TITLE, ABSTRACT = "Salt in coastal wells", "Wells on the coast turn salty when pumps draw too much groundwater."


def only(**parts: str) -> Article:
    (found,) = articles(article(**parts))
    return found


def test_front_matter() -> None:
    found = only(pmc="77", meta='<article-id pub-id-type="doi">10.1/x</article-id>')
    assert found.ids == {"pmc": "77", "doi": "10.1/x"}
    assert (found.title, found.abstract, found.language) == (TITLE, ABSTRACT, "en")
    assert [group.keywords for group in found.groups] == [("Groundwater", "sea level")]


def test_the_document_has_the_body_and_the_keywords() -> None:
    abbreviations = '<kwd-group kwd-group-type="ABR"><kwd>GW</kwd></kwd-group>'
    body = "<body><p>Pumps <bold>run</bold>\n all day.</p><sec><title>Ends</title></sec></body>"
    document = read(article(body=body, keywords=KEYWORDS + abbreviations), name="a.nxml")
    assert (document.id, document.title) == ("a.nxml", TITLE)
    assert document.text.split("\n\n") == [ABSTRACT, "Pumps run all day.", "Ends"]
    assert document.references == ("Groundwater", "sea level")


def test_markup_and_spaces_go() -> None:
    found = only(
        title="The role of <italic>E.\tcoli</italic><sup>*</sup> in CO<sub>2</sub>\nuptake<fn><p>A note.</p></fn>",
        keywords="<kwd-group><kwd><bold>sea</bold>\n\tlevel</kwd><kwd> </kwd></kwd-group>",
    )
    assert found.title == "The role of E. coli* in CO2 uptake"
    assert found.groups[0].keywords == ("sea level",)


@pytest.mark.parametrize(
    ("abstract", "text"),
    [
        (
            """<title>Abstract</title><sec><title>Background</title><p>Wells are old.</p></sec>
            <sec><title>Results</title><p>They leak.</p><list><list-item><p>Often.</p></list-item></list></sec>
            <p>DOI: http://dx.doi.org/10.1/made.up</p>""",
            "Wells are old. They leak. Often.",
        ),
        ("<title>Summary</title>Wells leak.", "Wells leak."),
        ("<p>The &beta;&ndash;catenin of caf&eacute;s &unknownthing; stays.</p>", "The β–catenin of cafés stays."),
    ],
)
def test_the_abstract(abstract: str, text: str) -> None:
    assert only(abstract=abstract).abstract == text


def test_side_abstracts_are_not_the_abstract() -> None:
    meta = (
        '<abstract abstract-type="graphical"><p>A picture.</p></abstract><trans-abstract><p>Puits.</p></trans-abstract>'
    )
    found = only(meta=meta)
    assert found.abstract == ABSTRACT
    assert [abstract.kind for abstract in found.abstracts] == ["", "graphical"]


@pytest.mark.parametrize(
    ("group", "keywords", "abbreviations"),
    [
        ('<kwd-group kwd-group-type="abbreviations"><kwd>GW</kwd></kwd-group>', ("GW",), True),
        ("<kwd-group><title>Abbreviations</title><kwd>GW</kwd></kwd-group>", ("GW",), True),
        ("<keyword-group><kwd>wells</kwd></keyword-group>", ("wells",), False),
        (
            "<kwd-group><nested-kwd><kwd>water</kwd><nested-kwd><kwd>salt</kwd></nested-kwd></nested-kwd></kwd-group>",
            ("water", "salt"),
            False,
        ),
    ],
)
def test_groups_of_keywords(group: str, keywords: tuple[str, ...], abbreviations: bool) -> None:
    _, last = only(keywords=KEYWORDS + group).groups
    assert (last.keywords, last.abbreviations) == (keywords, abbreviations)


def test_titles_of_references_and_replies_do_not_count() -> None:
    rest = """<body><p>Text.</p></body><back><ref-list><ref><element-citation><article-title>Cited</article-title>
        </element-citation></ref></ref-list></back><sub-article><front><article-meta><title-group><article-title>Reply
        </article-title></title-group><abstract><p>Thanks.</p></abstract></article-meta></front><body><p>We agree.</p>
        </body></sub-article>"""
    inner = article(doctype="").split(b"?>", 1)[1].decode()
    for body in (rest, f"<body><p>Text.</p>{inner}</body>"):
        found = only(body=body)
        assert (found.title, len(found.abstracts), found.body) == (TITLE, 1, ("Text.",))


def test_notes_and_tables_come_after_the_paragraph_in_which_they_stand() -> None:
    table = "<table-wrap><label>Table 1.</label><caption><p>Wells.<fn><p>All.</p></fn></p></caption></table-wrap>"
    body = f"<body><sec><title>Ends</title><p>Pumps<xref ref-type='fn'>1</xref> run.{table} Daily.</p></sec></body>"
    assert only(body=body).body == ("Ends", "Pumps run. Daily.", "Table 1.", "Wells.", "All.")


def test_a_set_of_articles() -> None:
    inner = [article(str(number), doctype="").split(b"?>", 1)[1] for number in (1, 2, 3)]
    data = b"<pmc-articleset>" + b"".join(inner) + b"</pmc-articleset>"
    assert [found.ids["pmc"] for found in articles(data)] == ["1", "2", "3"]
    with pytest.raises(InputError, match="holds 3 articles"):
        read(data, name="set.xml")


@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE article SYSTEM "http://192.0.2.1/nowhere.dtd">',
        '<!DOCTYPE article [<!NOTATION gif SYSTEM "gif"><!ENTITY f1 SYSTEM "f1.gif" NDATA gif>]>',
    ],
)
def test_nothing_is_fetched_and_pictures_may_be_declared(doctype: str) -> None:
    assert only(doctype=doctype).title == TITLE


def test_other_encodings() -> None:
    text = article(title="Salz in Küstenbrunnen").decode()
    latin = text.replace('version="1.0"', 'version="1.0" encoding="iso-8859-1"').encode("latin-1")
    assert articles(latin)[0].title == articles(text.encode("utf-16"))[0].title == "Salz in Küstenbrunnen"


BOMB = '<!DOCTYPE article [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>'
FILE = '<!DOCTYPE article [<!ENTITY secret SYSTEM "file:///etc/passwd">]>'
PARAMETER = '<!DOCTYPE article [<!ENTITY % p SYSTEM "http://192.0.2.1/x"> %p;]>'


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        *(
            (article(abstract="<p>&c;&secret;</p>", doctype=one), "entity-declaration")
            for one in (BOMB, FILE, PARAMETER)
        ),
        (b"", "broken-xml"),
        (b"hello", "broken-xml"),
        (article()[:-20], "broken-xml"),
        (article(body="<body><p>Not closed</body>"), "broken-xml"),
        (article(body="<body><p>\x01</p></body>"), "broken-xml"),
        (b'<?xml version="1.0" encoding="no-such"?><article/>', "broken-xml"),
        (b"<article>\xff\xfe</article>", "broken-xml"),
        (b"<html><body>A page</body></html>", "not-jats"),
        (b"<article>" + b"<sec>" * 300 + b"</sec>" * 300 + b"</article>", "too-deep"),
        (article(body=f"<body>{'<sec>' * 600_000}{'</sec>' * 600_000}</body>"), "too-deep"),
        (b"<article>" + b"<break/>" * 2_100_000 + b"</article>", "too-large"),
    ],
    ids=range(14),
)
def test_what_is_no_article_is_refused_by_name(data: bytes, reason: str) -> None:
    with pytest.raises(Refused) as refusal:
        articles(data)
    assert refusal.value.reason == reason
    with pytest.raises(InputError, match=r"x\.xml: cannot be read as JATS"):
        read(data, name="x.xml")
