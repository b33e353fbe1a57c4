"""Small PDF and Word files, written byte by byte, for tests of the readers."""

import zipfile
from io import BytesIO

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
# Protected by a password that nobody knows, and by a scheme that nobody knows.
PASSWORD = b"/Encrypt << /Filter /Standard /V 1 /R 2 /O <%s> /U <%s> /P -44 >> /ID [<00> <00>]" % (
    b"41" * 32,
    b"42" * 32,
)
UNKNOWN_SCHEME = b"/Encrypt << /Filter /Unheard /V 1 >> /ID [<00> <00>]"
PICTURE = b"q 500 0 0 500 50 100 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x80 EI Q"


def pdf(pages: list[list[str] | bytes], *, trailer: bytes = b"", title: bytes = b"") -> bytes:
    """A PDF whose pages have these lines of text, or this content as it is; with this title in its metadata."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count %d /Kids [%s] >>"
        % (len(pages), b" ".join(b"%d 0 R" % (4 + 2 * i) for i in range(len(pages)))),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for i, page in enumerate(pages):
        content = page if isinstance(page, bytes) else _lines(page)
        resources = b"/Resources << /Font << /F1 3 0 R >> >>"
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] %s /Contents %d 0 R >>" % (resources, 5 + 2 * i)
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
    if title:
        objects.append(b"<< /Title (%s) >>" % title)
        trailer += b" /Info %d 0 R" % len(objects)
    data, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    return (
        data
        + head
        + b"trailer << /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n"
        % (
            len(objects) + 1,
            trailer,
            len(data),
        )
    )


def _lines(lines: list[str]) -> bytes:
    escaped = [
        line.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)") for line in lines
    ]
    return b"BT /F1 12 Tf 72 720 Td 14 TL " + b" ".join(b"(%s) Tj T*" % line for line in escaped) + b" ET"


def docx(body: str, *, part: str = "word/document.xml", files: dict[str, str] | None = None, head: str = "") -> bytes:
    """A Word document with this XML as its body, and with other files beside it."""
    source = f'<?xml version="1.0"?>{head}<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
    return archive({"[Content_Types].xml": "<Types/>", part: source, **(files or {})})


def odt(body: str, *, title: str = "", files: dict[str, str] | None = None) -> bytes:
    """An OpenDocument text with this XML as its body."""
    spaces = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "text"))
    content = f"<office:document-content {spaces}><office:body><office:text>{body}</office:text></office:body>"
    meta = (
        f'<m xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{title}</dc:title><dc:language>fr</dc:language></m>'
    )
    kind = {"mimetype": "application/vnd.oasis.opendocument.text"}
    return archive({**kind, "content.xml": f"{content}</office:document-content>", "meta.xml": meta, **(files or {})})


def epub(chapters: list[str], *, title: str = "Wells", files: dict[str, str] | None = None) -> bytes:
    """An EPUB book with these pages, in this order, after a list of contents."""
    names = [f"c{i}.xhtml" for i in range(len(chapters))]
    items = "".join(f'<item id="{name}" href="{name}" media-type="application/xhtml+xml"/>' for name in names)
    items += '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
    order = "".join(f'<itemref idref="{name}"/>' for name in ("nav", *names))
    package = (
        f'<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
        f"<dc:title>{title}</dc:title><dc:language>en</dc:language></metadata><manifest>{items}</manifest>"
        f"<spine>{order}</spine></package>"
    )
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
    )
    pages = {f"OEBPS/{name}": f"<html><body>{page}</body></html>" for name, page in zip(names, chapters, strict=True)}
    pages["OEBPS/nav.xhtml"] = "<html><body><p>Contents</p></body></html>"
    base = {"mimetype": "application/epub+zip", "META-INF/container.xml": container, "OEBPS/book.opf": package}
    return archive({**base, **dict(reversed(pages.items())), **(files or {})})


def archive(files: dict[str, str]) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, content in files.items():
            zipped.writestr(name, content, zipfile.ZIP_STORED if name == "mimetype" else None)
    return buffer.getvalue()


def pptx(text: str) -> bytes:
    """Slides, of which there is one, with this text."""
    spaces = "".join(
        f' xmlns:{prefix}="http://schemas.openxmlformats.org/{name}/2006/{part}"'
        for prefix, name, part in (
            ("a", "drawingml", "main"),
            ("p", "presentationml", "main"),
            ("r", "officeDocument", "relationships"),
        )
    )
    kinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"

    def relation(kind: str, target: str) -> str:
        head = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        return f'{head}<Relationship Id="rId1" Type="{kinds}{kind}" Target="{target}"/></Relationships>'

    shape = f"<p:sp><p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
    return archive(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": relation("officeDocument", "ppt/presentation.xml"),
            "ppt/presentation.xml": f'<p:presentation{spaces}><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst>'
            "</p:presentation>",
            "ppt/_rels/presentation.xml.rels": relation("slide", "slides/slide1.xml"),
            "ppt/slides/slide1.xml": f"<p:sld{spaces}><p:cSld><p:spTree>{shape}</p:spTree></p:cSld></p:sld>",
        }
    )


def encrypted(data: bytes) -> bytes:
    """A zip archive all of whose files claim to be encrypted."""
    changed = bytearray(data)
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):  # the flag that says so, in both directories
        at = changed.find(mark)
        while at >= 0:
            changed[at + place] |= 1
            at = changed.find(mark, at + 4)
    return bytes(changed)
