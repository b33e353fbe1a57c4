"""Which reader a file gets, and what is said about files that cannot be read."""

import os
from importlib import import_module
from pathlib import Path

import pytest

from phrasemill.errors import InputError, UnknownName
from phrasemill.readers import FORMATS, RECORDS, read, read_bytes
from phrasemill.readers.sniffing import READERS

PAGE = b"<!DOCTYPE html>\n<html><body><p>Graph <b>theory</b></p></body></html>"


def test_the_id_is_the_path_as_given(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes("Zoë’s notes\r\n".encode())
    document = read(path)
    assert document.id == str(path)
    assert document.text == "Zoë’s notes\r\n"
    assert read(str(path)) == document


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("page.html", "Graph theory"),
        ("page.HTM", "Graph theory"),
        ("page", "Graph theory"),
        ("-", "Graph theory"),
        ("page.txt", PAGE.decode()),
    ],
)
def test_the_name_decides_before_the_content(name: str, text: str) -> None:
    assert read_bytes(PAGE, name=name).text == text


def test_a_format_can_be_given() -> None:
    assert read_bytes(PAGE, name="page.txt", format="html").text == "Graph theory"
    assert read_bytes(b"# A *b*", name="x", format="md").text == "  A  b "
    with pytest.raises(UnknownName, match="unknown format 'abc'; choose from csv, docx, epub, html, jats, jsonl"):
        read_bytes(b"", name="x", format="abc")


def test_every_format_has_a_function_that_reads_and_a_line_of_the_docs() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "readers.md").read_text(encoding="utf-8")
    for name, extensions in FORMATS.items():
        module, function = READERS[name]
        assert callable(getattr(import_module(f"phrasemill.readers.{module}"), function))
        assert (function == "read_all") is (name in RECORDS)
        assert all(f"`.{extension}`" in page for extension in extensions), name


@pytest.mark.parametrize("extension", [*FORMATS["plain"], *FORMATS["markdown"], *FORMATS["html"]])
def test_formats_of_bare_text(extension: str) -> None:
    assert read_bytes(b"some words", name=f"a.{extension}").text.strip() == "some words"


ARTICLE = b"""<?xml version="1.0"?>
<article><front><article-meta><title-group><article-title>Salt in wells</article-title></title-group>
<abstract><p>Pumps draw groundwater.</p></abstract></article-meta></front></article>"""


@pytest.mark.parametrize("name", ["a.xml", "a.nxml", "unnamed"])
def test_jats(name: str) -> None:
    document = read_bytes(ARTICLE, name=name)
    assert (document.title, document.text) == ("Salt in wells", "Pumps draw groundwater.")


def test_xml_that_is_no_article() -> None:
    with pytest.raises(InputError, match=r"a\.xml: cannot be read as JATS"):
        read_bytes(b"<rss/>", name="a.xml")


def test_empty_files_are_empty_documents() -> None:
    for name in ("a.txt", "a.md", "a.html", "a"):
        assert read_bytes(b"", name=name).content == ""


def test_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"missing\.txt: no such file"):
        read(tmp_path / "missing.txt")
    with pytest.raises(InputError, match="is a directory; name the files in it"):
        read(tmp_path)
    with pytest.raises(InputError, match="not a file name"):
        read("a\0b")

    def refuse(path: str, *_: object, **__: object) -> int:
        raise PermissionError(13, "Permission denied", path)

    (tmp_path / "secret.txt").write_bytes(b"")
    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(InputError, match=r"secret\.txt: permission denied"):
        read(tmp_path / "secret.txt")
