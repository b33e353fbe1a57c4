"""JATS articles: what is taken from the front matter and the body, and what is refused."""

import pytest

from made_jats import KEYWORDS, article
from phrasemill.errors import InputError
from phrasemill.readers.jats import Refused, articles, read


def test_front_matter() -> None:
    (found,) = articles(article("77", meta='<article-id pub-id-type="doi">10.1/x</article-id>'))
    assert found.ids == {"pmc": "77", "doi": "10.1/x"}
    assert found.title == "Salt in coastal wells"
    assert found.abstract == "Wells on the coast turn salty when pumps draw too much groundwater."
    assert [group.keywords for group in found.groups] == [("Groundwater", "sea level")]
    assert found.language == "en"
    assert found.body == ("Aims", "We drilled wells.")


def test_the_document_has_the_body_and_the_keywords() -> None:
    document = read(
        article(body="<body><p>Pumps <bold>run</bold>\n all day.</p><sec><title>Ends</title></sec></body>"),
        name="a.nxml",
    )
    assert document.id == "a.nxml"
    assert document.title == "Salt in coastal wells"
    assert document.text.split("\n\n")[1:] == ["Pumps run all day.", "Ends"]
    assert document.references == ("Groundwater", "sea level")


def test_markup_and_spaces_go() -> None:
    (found,) = articles(
        article(
            title="The role of <italic>E.\tcoli</italic><sup>*</sup> in CO<sub>2</sub>\nuptake<fn><p>A note.</p></fn>",
            keywords="<kwd-group><kwd><bold>sea</bold>\n\tlevel</kwd><kwd> </kwd></kwd-group>",
        )
    )
    assert found.title == "The role of E. coli* in CO2 uptake"
    assert found.groups[0].keywords == ("sea level",)


def test_structured_abstracts_give_all_paragraphs_without_headings() -> None:
    abstract = """<title>Abstract</title><sec><title>Background</title><p>Wells are old.</p></sec>
        <sec><title>Results</title><p>They leak.</p><list><list-item><p>Often.</p></list-item></list></sec>
        <p>DOI: http://dx.doi.org/10.1/made.up</p>"""
    assert articles(article(abstract=abstract))[0].abstract == "Wells are old. They leak. Often."


def test_an_abstract_without_paragraphs_is_still_one() -> None:
    assert articles(article(abstract="<title>Summary</title>Wells leak."))[0].abstract == "Wells leak."


def test_side_abstracts_are_not_the_abstract() -> None:
    meta = """<abstract abstract-type="graphical"><p>A picture.</p></abstract>
        <trans-abstract><p>Des puits.</p></trans-abstract>"""
    (found,) = articles(article(meta=meta))
    assert found.abstract == "Wells on the coast turn salty when pumps draw too much groundwater."
    assert [abstract.kind for abstract in found.abstracts] == ["", "graphical"]


@pytest.mark.parametrize(
    "group",
    [
        '<kwd-group kwd-group-type="abbreviations"><kwd>GW</kwd></kwd-group>',
        '<kwd-group kwd-group-type="ABR"><kwd>GW</kwd></kwd-group>',
        "<kwd-group><title>Abbreviations</title><kwd>GW</kwd></kwd-group>",
    ],
)
def test_groups_of_abbreviations_are_known(group: str) -> None:
    (found,) = articles(article(keywords=KEYWORDS + group))
    assert [one.abbreviations for one in found.groups] == [False, True]
    assert "GW" not in read(article(keywords=KEYWORDS + group), name="a.xml").references


def test_nested_and_old_keyword_groups() -> None:
    keywords = """<keyword-group><kwd>wells</kwd></keyword-group>
        <kwd-group><nested-kwd><kwd>water</kwd><nested-kwd><kwd>salt water</kwd></nested-kwd></nested-kwd>
        </kwd-group>"""
    assert [one.keywords for one in articles(article(keywords=keywords))[0].groups] == [
        ("wells",),
        ("water", "salt water"),
    ]


def test_titles_of_references_and_replies_do_not_count() -> None:
    rest = """<body><p>Text.</p></body><back><ref-list><ref><element-citation><article-title>Cited</article-title>
        </element-citation></ref></ref-list></back><sub-article><front><article-meta><title-group><article-title>Reply
        </article-title></title-group><abstract><p>Thanks.</p></abstract></article-meta></front><body><p>We agree.</p>
        </body></sub-article>"""
    (found,) = articles(article(body=rest))
    assert (found.title, len(found.abstracts)) == ("Salt in coastal wells", 1)
    assert found.body == ("Text.",)
    assert "agree" not in read(article(body=rest), name="a.xml").text


def test_a_set_of_articles() -> None:
    inner = [article(str(number), doctype="").split(b"?>", 1)[1] for number in (1, 2, 3)]
    data = b"<pmc-articleset>" + b"".join(inner) + b"</pmc-articleset>"
    assert [found.ids["pmc"] for found in articles(data)] == ["1", "2", "3"]
    with pytest.raises(InputError, match="holds 3 articles"):
        read(data, name="set.xml")


def test_entities_of_the_dtd_are_read_as_html_knows_them() -> None:
    (found,) = articles(article(abstract="<p>The &beta;&ndash;catenin of caf&eacute;s &unknownthing; stays.</p>"))
    assert found.abstract == "The β–catenin of cafés stays."


def test_nothing_is_fetched() -> None:
    doctype = '<!DOCTYPE article SYSTEM "http://192.0.2.1/nowhere.dtd">'
    assert articles(article(doctype=doctype))[0].title == "Salt in coastal wells"


BOMB = '<!DOCTYPE article [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>'
FILE = '<!DOCTYPE article [<!ENTITY secret SYSTEM "file:///etc/passwd">]>'
PARAMETER = '<!DOCTYPE article [<!ENTITY % p SYSTEM "http://192.0.2.1/x"> %p;]>'


@pytest.mark.parametrize("doctype", [BOMB, FILE, PARAMETER])
def test_files_that_declare_entities_are_refused(doctype: str) -> None:
    with pytest.raises(Refused) as refusal:
        articles(article(abstract="<p>&c;&secret;</p>", doctype=doctype))
    assert refusal.value.reason == "entity-declaration"


def test_pictures_may_be_declared() -> None:
    doctype = '<!DOCTYPE article [<!NOTATION gif SYSTEM "gif"><!ENTITY f1 SYSTEM "f1.gif" NDATA gif>]>'
    assert articles(article(doctype=doctype))[0].title == "Salt in coastal wells"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "broken-xml"),
        (b"hello", "broken-xml"),
        (article()[:-20], "broken-xml"),
        (article(body="<body><p>Not closed</body>"), "broken-xml"),
        (article(body="<body><p>\x01</p></body>"), "broken-xml"),
        (b'<?xml version="1.0" encoding="no-such"?><article/>', "broken-xml"),
        (b"<article>\xff\xfe</article>", "broken-xml"),
        (b"<html><body>A page</body></html>", "not-jats"),
        (b"<article>" + b"<sec>" * 3000 + b"</sec>" * 3000 + b"</article>", "too-deep"),
    ],
)
def test_what_is_no_article_is_refused_by_name(data: bytes, reason: str) -> None:
    with pytest.raises(Refused) as refusal:
        articles(data)
    assert refusal.value.reason == reason
    with pytest.raises(InputError, match=r"x\.xml: cannot be read as JATS"):
        read(data, name="x.xml")


def test_notes_and_tables_come_after_the_paragraph_in_which_they_stand() -> None:
    table = "<table-wrap><label>Table 1.</label><caption><p>Wells.<fn><p>All.</p></fn></p></caption></table-wrap>"
    body = f"<body><sec><title>Ends</title><p>Pumps<xref ref-type='fn'>1</xref> run.{table} Daily.</p></sec></body>"
    assert articles(article(body=body))[0].body == ("Ends", "Pumps run. Daily.", "Table 1.", "Wells.", "All.")


@pytest.mark.parametrize(
    ("tag", "count", "reason"), [("<sec>", 600_000, "too-deep"), ("<break/>", 2_100_000, "too-large")]
)
def test_deep_and_large_bodies_are_refused_where_they_could_hurt(tag: str, count: int, reason: str) -> None:
    body = f"<body>{tag * count}{'</sec>' * count if tag == '<sec>' else ''}</body>"
    with pytest.raises(Refused) as refusal:
        articles(article(body=body))
    assert refusal.value.reason == reason


def test_an_article_within_an_article_does_no_harm() -> None:
    inner = article(doctype="").split(b"?>", 1)[1].decode()
    (found,) = articles(article(body=f"<body><p>Text.</p>{inner}</body>"))
    assert (found.title, found.body) == ("Salt in coastal wells", ("Text.",))


def test_other_encodings() -> None:
    text = article(title="Salz in Küstenbrunnen").decode()
    latin = text.replace('version="1.0"', 'version="1.0" encoding="iso-8859-1"').encode("latin-1")
    assert articles(latin)[0].title == articles(text.encode("utf-16"))[0].title == "Salz in Küstenbrunnen"
