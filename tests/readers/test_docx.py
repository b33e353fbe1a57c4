"""Word documents: the main text, and nothing that could hurt."""

import pytest

import made_files
from phrasemill.errors import InputError
from phrasemill.readers import archives, read_bytes
from phrasemill.readers import docx as reader

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def text(body: str) -> str:
    return read_bytes(made_files.docx(body), name="a.docx").text


def paragraph(*runs: str) -> str:
    return "<w:p>" + "".join(f"<w:r><w:t>{run}</w:t></w:r>" for run in runs) + "</w:p>"


def test_paragraphs_and_runs() -> None:
    assert text(paragraph("Salt in wells") + paragraph() + paragraph("Ground", "water &amp; pumps")) == (
        "Salt in wells\n\nGroundwater & pumps"
    )


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r></w:p>", "a\tb\nc"),
        ("<w:p><w:r><w:t>co</w:t><w:noBreakHyphen/><w:t>op</w:t></w:r></w:p>", "co-op"),
        ("<w:p><w:pPr><w:tabs><w:tab/></w:tabs></w:pPr><w:r><w:t>a</w:t></w:r></w:p>", "a"),
        (f"<w:tbl><w:tr><w:tc>{paragraph('a')}</w:tc><w:tc>{paragraph('b')}</w:tc></w:tr></w:tbl>", "a\n\nb"),
        ("<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:t>kept</w:t></w:r></w:p>", "kept"),
        ("<w:p><w:moveFrom><w:r><w:t>gone</w:t></w:r></w:moveFrom><w:r><w:t>kept</w:t></w:r></w:p>", "kept"),
        ("<w:p><w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:t>kept</w:t></w:r></w:p>", "kept"),
        (
            '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
            f"<mc:Choice>{paragraph('once')}</mc:Choice><mc:Fallback>{paragraph('once')}</mc:Fallback></mc:AlternateContent>",
            "once",
        ),
        ("", ""),
    ],
)
def test_what_counts_as_text(body: str, expected: str) -> None:
    assert text(body) == expected


def test_headers_and_notes_are_left_out() -> None:
    data = made_files.docx(
        paragraph("Wells"), files={"word/header1.xml": "<x>Journal</x>", "word/footnotes.xml": "<x/>"}
    )
    assert read_bytes(data, name="a.docx").text == "Wells"


def test_the_main_part_may_be_elsewhere() -> None:
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    relations = f'<Relationships><Relationship Id="1" Type="{kind}" Target="/word/document2.xml"/></Relationships>'
    data = made_files.docx(paragraph("Wells"), part="word/document2.xml", files={"_rels/.rels": relations})
    assert read_bytes(data, name="a.docx").text == "Wells"


def test_the_content_tells_a_word_document_of_another_name() -> None:
    for name in ("download", "notes.txt", "-"):
        assert read_bytes(made_files.docx(paragraph("Wells")), name=name).text == "Wells"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (OLE + "EncryptedPackage".encode("utf-16-le"), "a.docx: encrypted with a password; save it without one first"),
        (OLE + bytes(100), "a.docx: an old Word document; save it as .docx first"),
        (b"plain words", "a.docx: not a Word document, or damaged"),
        (b"", "a.docx: not a Word document, or damaged"),
        (made_files.docx(paragraph("Wells"))[:150], "a.docx: not a Word document, or damaged"),
        (made_files.archive({"a.txt": "Wells"}), "a.docx: a zip archive, but no Word document"),
        (made_files.docx("<w:p>"), "a.docx: damaged Word document"),
        (
            made_files.docx(paragraph("&bomb;"), head='<!DOCTYPE x [<!ENTITY bomb "aaaa">]>'),
            "a.docx: it declares the entity 'bomb'",
        ),
        (made_files.docx("<w:p>" * 2_000 + "</w:p>" * 2_000), "a.docx: nested more than 1,000 deep"),
    ],
)
def test_documents_that_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_bytes(data, name="a.docx")


def test_an_archive_that_decompresses_to_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "LARGEST", 10_000)
    with pytest.raises(InputError, match="decompresses to more than"):
        text(paragraph("a" * 20_000))


def test_an_archive_of_too_many_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_MEMBERS", 1)
    with pytest.raises(InputError, match="files in it; it looks like a bomb"):
        text(paragraph("a"))


def test_an_encrypted_file_within_the_archive() -> None:
    data = bytearray(made_files.docx(paragraph("Wells")))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):  # the flag that says so, in both directories
        at = data.find(mark)
        while at >= 0:
            data[at + place] |= 1
            at = data.find(mark, at + 4)
    with pytest.raises(InputError, match=r"a\.docx: encrypted with a password"):
        read_bytes(bytes(data), name="a.docx")


def styled(text: str, style: str) -> str:
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>'


CORE = '<c xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{}</dc:title></c>'


@pytest.mark.parametrize(
    ("body", "stated", "title", "expected"),
    [
        (paragraph("By us") + styled("Wells", "Title") + paragraph("Dry."), "", "Wells", "By us\n\nDry."),
        (styled("Wells", "Heading1") + paragraph("Dry."), "", "Wells", "Dry."),
        (paragraph("Dry.") + styled("Wells", "Heading1"), "", "", "Dry.\n\nWells"),
        (paragraph("Salt in wells") + paragraph("Dry."), "Salt in Wells", "Salt in wells", "Dry."),
        (paragraph("Dry."), "Salt in wells", "Salt in wells", "Dry."),
        (paragraph("Dry."), "Microsoft Word - draft3.doc", "", "Dry."),
        (styled("Wells", "Title"), "", "", "Wells"),
    ],
)
def test_the_title(body: str, stated: str, title: str, expected: str) -> None:
    data = made_files.docx(body, files={"docProps/core.xml": CORE.format(stated)})
    document = read_bytes(data, name="a.docx")
    assert (document.title, document.text) == (title, expected)
