"""OpenDocument, EPUB and RTF: paragraphs, headings and titles; nothing that could hurt."""

import pytest

import made_files
from phrasemill.errors import InputError
from phrasemill.readers import read_bytes
from phrasemill.types import Document

RTF_HEAD = r"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fswiss Arial;}}{\info{\title Salt in wells}}{\*\generator X;}"


def odt(body: str, **options: str) -> Document:
    return read_bytes(made_files.odt(body, **options), name="a.odt")  # type: ignore[arg-type]


def rtf(body: str) -> Document:
    return read_bytes((RTF_HEAD + body + "}").encode("cp1252"), name="a.rtf")


def test_opendocument_paragraphs_headings_and_lists() -> None:
    found = odt(
        '<text:h text:outline-level="1">Salt in wells</text:h><text:p>Pumps<text:s text:c="2"/>draw <text:span>ground'
        "</text:span>water.<text:line-break/>Daily.</text:p><text:list><text:list-item><text:p>one</text:p>"
        "</text:list-item></text:list>"
    )
    assert (found.title, found.text) == ("Salt in wells", "Pumps  draw groundwater.\nDaily.\n\none")
    assert found.language == "fr"


def test_opendocument_leaves_out_notes_comments_and_deletions() -> None:
    found = odt(
        "<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:p>Wells<text:note><text:p>a note"
        "</text:p></text:note> dry.<office:annotation><text:p>why?</text:p></office:annotation></text:p>"
    )
    assert found.text == "Wells dry."


def test_the_title_of_the_metadata_where_the_text_has_none() -> None:
    assert odt("<text:p>Pumps draw.</text:p>", title="Salt in wells").title == "Salt in wells"
    assert odt("<text:p>Pumps draw.</text:p>", title="untitled1.odt").title == ""


def test_chapters_in_the_order_of_the_spine() -> None:
    data = made_files.epub(["<h1>One</h1><p>Pumps draw.</p>", "<nav>menu</nav><p>Wells &amp; salt.</p>"])
    found = read_bytes(data, name="a.epub")
    assert (found.title, found.language) == ("Wells", "en")
    assert found.text == "One\n\nPumps draw.\n\nWells & salt."


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"\pard Pumps draw.\par Wells run {\b dry}.\par", "Pumps draw.\n\nWells run dry."),
        (r"caf\'e9 \u8211? \'93wells\'94", "café – “wells”"),
        (r"\uc0\u-10179\u-8704 deep", "\U0001f600deep"),
        (r"one{\footnote a note} two{\field{\*\fldinst PAGE}{\fldrslt 3}}", "one two3"),
        (r"a\{b\}\\c\~d\emdash e", "a{b}\\c d—e"),
        (r"a{\pict\bin5 }}}}}b}c", "ac"),
        ("split\r\nline", "splitline"),
    ],
)
def test_rich_text(body: str, text: str) -> None:
    assert rtf(body).text == text


def test_the_title_of_rich_text() -> None:
    assert rtf(r"\pard Pumps draw.\par").title == "Salt in wells"
    found = rtf(r"\pard\outlinelevel0 Deep wells\par\pard They run dry.\par")
    assert (found.title, found.text) == ("Deep wells", "They run dry.")


@pytest.mark.parametrize("name", ["download", "notes.txt", "-"])
def test_the_content_tells_documents_of_another_name(name: str) -> None:
    assert read_bytes(made_files.odt("<text:p>Wells</text:p>"), name=name).text == "Wells"
    assert read_bytes(made_files.epub(["<p>Wells</p>"]), name=name).text == "Wells"
    assert read_bytes(rb"{\rtf1 Wells}", name=name).text == "Wells"


@pytest.mark.parametrize(
    ("data", "name", "message"),
    [
        (b"plain words", "a.odt", "a.odt: not an OpenDocument text, or damaged"),
        (made_files.archive({"a.txt": "x"}), "a.odt", "a.odt: a zip archive, but no OpenDocument text"),
        (made_files.archive({"content.xml": "<a>"}), "a.odt", "a.odt: damaged OpenDocument text"),
        (
            made_files.odt("", files={"META-INF/manifest.xml": "<encryption-data/>"}),
            "a.odt",
            "a.odt: encrypted with a password",
        ),
        (b"plain words", "a.epub", "a.epub: not an EPUB book, or damaged"),
        (made_files.archive({"a.txt": "x"}), "a.epub", "a.epub: a zip archive, but no EPUB book"),
        (made_files.epub([], files={"META-INF/rights.xml": "<r/>"}), "a.epub", "a.epub: protected against copying"),
        (b"plain words", "a.rtf", "a.rtf: not an RTF document, despite its name"),
        (b"{\\rtf1" + b"{" * 2_000, "a.rtf", "a.rtf: nested more than 1,000 deep"),
    ],
)
def test_documents_that_are_refused(data: bytes, name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_bytes(data, name=name)
