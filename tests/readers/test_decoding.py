"""From bytes to text: encodings that are read, and data that is refused with one clear line."""

import codecs
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phrasemill.errors import InputError
from phrasemill.readers.decoding import decode

TEXT = "Über-graphs, naïve “quotes” and 東京"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (TEXT.encode(), TEXT),
        (codecs.BOM_UTF8 + TEXT.encode(), TEXT),
        (codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"), TEXT),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), TEXT),
        (codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"), TEXT),
        (codecs.BOM_UTF32_BE + TEXT.encode("utf-32-be"), TEXT),
        ("café “society”".encode("cp1252"), "café “society”"),
        (b"na\xefve \x81 text", "na\xefve \x81 text"),  # \x81 is not in Windows-1252
        ("größe größe größe".encode()[:-3] + b"\xc3 end", "größe größe grö\ufffd end"),
        (b"graph\0theory of\0graphs", "graph theory of graphs"),
    ],
)
def test_encodings(data: bytes, text: str) -> None:
    assert decode(data, name="x") == text


def test_a_declared_encoding_is_used() -> None:
    assert decode("граф".encode("koi8-r"), name="x", declared="koi8-r") == "граф"
    assert decode(b"caf\xe9", name="x", declared="no-such-encoding") == "café"
    assert decode(b"caf\xe9", name="x", declared="utf-8") == "café"


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("paper.pdf", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3", "paper.pdf: looks like a PDF, not text; convert it to text"),
        ("-", b"%PDF-1.7\n", "standard input: looks like a PDF"),
        ("paper.docx", b"PK\x03\x04\x14\x00", "paper.docx: looks like a Word document"),
        ("files.zip", b"PK\x03\x04\x14\x00", "files.zip: looks like a zip archive"),
        ("chart.png", b"\x89PNG\r\n\x1a\n", "chart.png: looks like a PNG image"),
        ("text.gz", b"\x1f\x8b\x08\x00", "text.gz: looks like a gzip archive"),
        ("letter.rtf", b"{\\rtf1 hello}", "letter.rtf: looks like an RTF document"),
        ("noise", bytes(range(256)) * 4, "noise: looks like binary data, not text; convert it to UTF-8 text"),
        ("deflated", zlib.compress(bytes(range(256)) * 40), "deflated: looks like binary data"),
        ("nuls", b"\0" * 100, "nuls: looks like binary data"),
        ("x", codecs.BOM_UTF16_LE + b"\x00\xd8a", "x: begins like UTF-16 but is not; save it as UTF-8 text"),
    ],
)
def test_what_is_not_text_is_named(name: str, data: bytes, message: str) -> None:
    with pytest.raises(InputError) as caught:
        decode(data, name=name)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@given(st.binary(max_size=200))
def test_any_bytes_are_text_or_refused(data: bytes) -> None:
    try:
        text = decode(data, name="x")
    except InputError:
        return
    text.encode("utf-8")  # no lone surrogates


@given(st.text(alphabet=st.characters(exclude_categories=["Cc", "Cs"]), min_size=1))
def test_utf8_text_comes_back(text: str) -> None:
    data = text.encode()
    if not data.startswith((codecs.BOM_UTF8, b"%PDF-", b"%!PS", b"{\\rtf", b"PAR1", b"GIF8")):
        assert decode(data, name="x") == text
