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
    "data",
    [
        TEXT.encode(),
        codecs.BOM_UTF8 + TEXT.encode(),
        codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
        codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"),
        codecs.BOM_UTF32_BE + TEXT.encode("utf-32-be"),
    ],
    ids=["utf-8", "utf-8 bom", "utf-16 le", "utf-16 be", "utf-32 le", "utf-32 be"],
)
def test_unicode_encodings(data: bytes) -> None:
    assert decode(data, name="x") == TEXT


def test_old_western_files_are_read_as_windows_1252() -> None:
    assert decode("café “society”".encode("cp1252"), name="x") == "café “society”"
    assert decode(b"na\xefve \x81 text", name="x") == "na\xefve \x81 text"  # \x81 is not in Windows-1252


def test_a_broken_byte_in_utf8_does_not_change_the_encoding() -> None:
    damaged = "größe größe größe".encode()[:-3] + b"\xc3 end"
    assert decode(damaged, name="x").startswith("größe größe gr")


def test_a_declared_encoding_is_used() -> None:
    assert decode("граф".encode("koi8-r"), name="x", declared="koi8-r") == "граф"
    assert decode(b"caf\xe9", name="x", declared="no-such-encoding") == "café"
    assert decode(b"caf\xe9", name="x", declared="utf-8") == "café"


def test_stray_nuls_become_spaces() -> None:
    assert decode(b"graph\0theory of\0graphs", name="x") == "graph theory of graphs"


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("paper.pdf", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3", "a PDF"),
        ("paper.docx", b"PK\x03\x04\x14\x00", "a Word document"),
        ("files.zip", b"PK\x03\x04\x14\x00", "a zip archive"),
        ("chart.png", b"\x89PNG\r\n\x1a\n", "a PNG image"),
        ("text.gz", b"\x1f\x8b\x08\x00", "a gzip archive"),
        ("letter.rtf", b"{\\rtf1 hello}", "an RTF document"),
        ("noise", bytes(range(256)) * 4, "binary data"),
        ("deflated", zlib.compress(bytes(range(256)) * 40), "binary data"),
        ("nuls", b"\0" * 100, "binary data"),
    ],
)
def test_what_is_not_text_is_named(name: str, data: bytes, kind: str) -> None:
    with pytest.raises(InputError) as caught:
        decode(data, name=name)
    message = str(caught.value)
    assert message.startswith(f"{name}: looks like {kind}")
    assert "convert it to" in message
    assert "\n" not in message


def test_damaged_utf16_is_refused() -> None:
    with pytest.raises(InputError, match="x: begins like UTF-16 but is not"):
        decode(codecs.BOM_UTF16_LE + b"\x00\xd8a", name="x")


def test_standard_input_is_called_so() -> None:
    with pytest.raises(InputError, match="standard input: looks like a PDF"):
        decode(b"%PDF-1.4", name="-")


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
