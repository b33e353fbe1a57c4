"""Word, OpenDocument, EPUB, RTF and what xberg reads: paragraphs, headings and titles; nothing that could hurt."""

import sys
from email.message import EmailMessage

import pytest

import made_files
from phrasemill.errors import InputError, MissingExtra
from phrasemill.readers import office, read_bytes
from phrasemill.types import Document

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
RTF_HEAD = r"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fswiss Arial;}}{\info{\title Salt in wells}}{\*\generator X;}"
CORE = '<c xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{}</dc:title></c>'


def paragraph(text: str, style: str = "") -> str:
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>'


def docx(body: str, stated: str = "") -> Document:
    return read_bytes(made_files.docx(body, files={"docProps/core.xml": CORE.format(stated)}), name="a.docx")


def odt(body: str, **options: str) -> Document:
    return read_bytes(made_files.odt(body, **options), name="a.odt")  # type: ignore[arg-type]


def rtf(body: str) -> Document:
    return read_bytes((RTF_HEAD + body + "}").encode("cp1252"), name="a.rtf")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"{paragraph('Salt')}<w:p/><w:p><w:r><w:t>Ground</w:t></w:r><w:r><w:t>water &amp;</w:t></w:r></w:p>", None),
        ("<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r></w:p>", "a\tb\nc"),
        ("<w:p><w:r><w:t>co</w:t><w:noBreakHyphen/><w:t>op</w:t></w:r></w:p>", "co-op"),
        ("<w:p><w:pPr><w:tabs><w:tab/></w:tabs></w:pPr><w:r><w:t>a</w:t></w:r></w:p>", "a"),
        (f"<w:tbl><w:tr><w:tc>{paragraph('a')}</w:tc><w:tc>{paragraph('b')}</w:tc></w:tr></w:tbl>", "a\n\nb"),
        ("<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:t>kept</w:t></w:r></w:p>", "kept"),
        ("<w:p><w:moveFrom><w:r><w:t>gone</w:t></w:r></w:moveFrom><w:r><w:t>kept</w:t></w:r></w:p>", "kept"),
        ("<w:p><w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:t>kept</w:t></w:r></w:p>", "kept"),
        (
            '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice>'
            f"{paragraph('once')}</mc:Choice><mc:Fallback>{paragraph('once')}</mc:Fallback></mc:AlternateContent>",
            "once",
        ),
        (f"<w:p><w:r><w:t>around</w:t><w:pict>{paragraph('frame')}</w:pict></w:r></w:p>", "frame\n\naround"),
        ("", ""),
    ],
)
def test_the_text_of_word_documents(body: str, expected: str | None) -> None:
    assert docx(body).text == ("Salt\n\nGroundwater &" if expected is None else expected)


@pytest.mark.parametrize(
    ("body", "stated", "title", "expected"),
    [
        (paragraph("By us") + paragraph("Wells", "Title") + paragraph("Dry."), "", "Wells", "By us\n\nDry."),
        (paragraph("Wells", "Heading1") + paragraph("Dry."), "", "Wells", "Dry."),
        (paragraph("Dry.") + paragraph("Wells", "Heading1"), "", "", "Dry.\n\nWells"),
        (paragraph("Salt in wells") + paragraph("Dry."), "Salt in Wells", "Salt in wells", "Dry."),
        (paragraph("Dry."), "Salt in wells", "Salt in wells", "Dry."),
        (paragraph("Dry."), "Microsoft Word - draft3.doc", "", "Dry."),
        (paragraph("Wells", "Title"), "", "", "Wells"),
    ],
)
def test_the_title(body: str, stated: str, title: str, expected: str) -> None:
    document = docx(body, stated)
    assert (document.title, document.text) == (title, expected)


def test_the_main_part_of_a_word_document() -> None:
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    relations = f'<Relationships><Relationship Id="1" Type="{kind}" Target="/word/document2.xml"/></Relationships>'
    others = {"_rels/.rels": relations, "word/header1.xml": "<x>Journal</x>", "word/footnotes.xml": "<x/>"}
    data = made_files.docx(paragraph("Wells"), part="word/document2.xml", files=others)
    assert read_bytes(data, name="a.docx").text == "Wells"
    strict = "http://purl.oclc.org/ooxml/wordprocessingml/main"
    part = f'<w:document xmlns:w="{strict}"><w:body>{paragraph("Wells")}</w:body></w:document>'
    assert read_bytes(made_files.archive({"word/document.xml": part}), name="a.docx").text == "Wells"


def test_opendocument() -> None:
    found = odt(
        '<text:h text:outline-level="1">Salt in wells</text:h><text:p>Pumps<text:s text:c="2"/>draw <text:span>ground'
        "</text:span>water.<text:line-break/>Daily.</text:p><text:list><text:list-item><text:p>one</text:p>"
        "</text:list-item></text:list><text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:p>Wells"
        "<text:note><text:p>a note</text:p></text:note> dry.<office:annotation><text:p>why?</text:p>"
        "</office:annotation></text:p>"
    )
    assert (found.title, found.text) == ("Salt in wells", "Pumps  draw groundwater.\nDaily.\n\none\n\nWells dry.")
    assert found.language == "fr"
    assert odt("<text:p>Pumps draw.</text:p>", title="Salt in wells").title == "Salt in wells"
    assert odt("<text:p>Pumps draw.</text:p>", title="untitled1.odt").title == ""


def test_chapters_in_the_order_of_the_spine() -> None:
    data = made_files.epub(["<h1>One</h1><p>Pumps draw.</p>", "<nav>menu</nav><p>Wells &amp; salt run dry.</p>"])
    found = read_bytes(data, name="a.epub")
    assert (found.title, found.language) == ("Wells", "en")
    assert found.text == "One\n\nPumps draw.\n\nWells & salt run dry."


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"\pard Pumps draw.\par Wells run {\b dry}.\par", "Pumps draw.\n\nWells run dry."),
        (r"caf\'e9 \u8211? \'93wells\'94", "café – “wells”"),
        (r"\uc0\u-10179\u-8704 deep", "\U0001f600deep"),
        (r"one{\footnote a note} two{\field{\*\fldinst PAGE}{\fldrslt 3}}", "one two3"),
        (r'see {\field{\*\fldinst{HYPERLINK "http://example.org"}}{\fldrslt{the wells}}}', "see the wells"),
        (r"a\{b\}\\c\emdash d", "a{b}\\c—d"),
        ("split\r\nline", "splitline"),
    ],
)
def test_rich_text(body: str, text: str) -> None:
    found = rtf(body)
    assert (found.title, found.text) == ("Salt in wells", text)


def test_mail_and_slides(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("xberg")
    mail = EmailMessage()
    mail["Subject"], mail["From"], mail["To"] = "Salt in wells", "a@example.org", "b@example.org"
    mail.set_content("Pumps draw too much groundwater.\n")
    found = read_bytes(bytes(mail), name="a.eml")
    assert (found.title, found.text.strip()) == ("Salt in wells", "Pumps draw too much groundwater.")
    assert read_bytes(made_files.pptx("Wells run dry."), name="a.pptx").text.strip() == "Wells run dry."
    with pytest.raises(InputError, match=r"a\.pptx: cannot be read \(.*Zip"):
        read_bytes(b"words", name="a.pptx")
    monkeypatch.setitem(sys.modules, "xberg", None)
    with pytest.raises(MissingExtra, match=r"needs xberg: pip install 'phrasemill\[formats\]'"):
        read_bytes(bytes(mail), name="a.eml")


@pytest.mark.parametrize("name", ["download", "notes.txt", "-"])
def test_the_content_tells_documents_of_another_name(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_bytes(made_files.docx(paragraph("Wells")), name=name).text == "Wells"
    assert read_bytes(made_files.odt("<text:p>Wells</text:p>"), name=name).text == "Wells"
    assert read_bytes(made_files.epub(["<p>Wells</p>"]), name=name).text == "Wells"
    assert read_bytes(rb"{\rtf1 Wells}", name=name).text == "Wells"
    monkeypatch.setitem(sys.modules, "striprtf.striprtf", None)
    with pytest.raises(MissingExtra, match=r"needs striprtf: pip install 'phrasemill\[rtf\]'"):
        read_bytes(rb"{\rtf1 Wells}", name=name)


@pytest.mark.parametrize(
    ("data", "name", "message"),
    [
        (OLE + "EncryptedPackage".encode("utf-16-le"), "a.docx", "encrypted with a password; save it without one"),
        (OLE + bytes(100), "a.docx", "an old Word document; save it as .docx first"),
        (b"plain words", "a.docx", "not a Word document, or damaged"),
        (b"", "a.docx", "not a Word document, or damaged"),
        (made_files.docx(paragraph("Wells"))[:150], "a.docx", "not a Word document, or damaged"),
        (made_files.archive({"a.txt": "Wells"}), "a.docx", "a zip archive, but no Word document"),
        (made_files.docx("<w:p>"), "a.docx", "damaged Word document"),
        (
            made_files.docx(paragraph("&bomb;"), head='<!DOCTYPE x [<!ENTITY bomb "aaaa">]>'),
            "a.docx",
            "it declares the entity 'bomb'",
        ),
        (made_files.docx("<w:p>" * 2_000 + "</w:p>" * 2_000), "a.docx", "nested more than 250 deep"),
        (made_files.encrypted(made_files.docx(paragraph("Wells"))), "a.docx", "encrypted with a password"),
        (b"plain words", "a.odt", "not an OpenDocument text, or damaged"),
        (made_files.archive({"a.txt": "x"}), "a.odt", "a zip archive, but no OpenDocument text"),
        (made_files.archive({"content.xml": "<a>"}), "a.odt", "damaged OpenDocument text"),
        (made_files.odt("", files={"META-INF/manifest.xml": "<encryption-data/>"}), "a.odt", "encrypted with a pass"),
        (b"plain words", "a.epub", "not an EPUB book, or damaged"),
        (made_files.archive({"a.txt": "x"}), "a.epub", "a zip archive, but no EPUB book"),
        (made_files.epub([], files={"META-INF/rights.xml": "<r/>"}), "a.epub", "protected against copying"),
        (b"plain words", "a.rtf", "not an RTF document, despite its name"),
        (rb"{\rtf1\uc x}", "a.rtf", "damaged RTF document"),
    ],
)
def test_documents_that_are_refused(data: bytes, name: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_bytes(data, name=name)
    assert str(caught.value).startswith(f"{name}: {message}")
    assert "\n" not in str(caught.value)


def test_an_archive_that_decompresses_to_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(office, "LARGEST", 10_000)
    with pytest.raises(InputError, match="decompresses to more than"):
        docx(paragraph("a" * 20_000))
