"""Which reader a file gets, and what is said about files that cannot be read."""

from pathlib import Path

import pytest

from phrasemill.errors import InputError, UnknownName
from phrasemill.readers import FORMATS, read, read_bytes

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
    with pytest.raises(UnknownName, match="unknown format 'docx'; choose from html, markdown, plain"):
        read_bytes(b"", name="x", format="docx")


def test_every_format_is_a_module_that_reads() -> None:
    for name, extensions in FORMATS.items():
        for extension in extensions:
            assert read_bytes(b"some words", name=f"a.{extension}").text.strip() == "some words", name


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

    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(InputError, match=r"secret\.txt: permission denied"):
        read("secret.txt")
