"""PDF: pages as text, repaired; a clear word about those that have none."""

import sys
from pathlib import Path
from threading import Thread

import pytest

import made_files
from phrasemill import extract
from phrasemill.errors import InputError, MissingExtra
from phrasemill.readers import pdf as reader
from phrasemill.readers import read, read_bytes


def pages(*texts: list[str] | bytes, trailer: bytes = b"") -> bytes:
    return made_files.pdf(list(texts), trailer=trailer)


def test_the_pages_in_order(tmp_path: Path) -> None:
    path = tmp_path / "paper.pdf"
    path.write_bytes(pages(["Salt in wells", "Pumps draw groundwater."], ["Salt water moves (inland)."]))
    document = read(path)
    assert document.id == str(path)
    assert document.text == "Salt in wells\n\nPumps draw groundwater.\n\nSalt water moves (inland)."
    assert document.metadata == {"pages": 2, "pages_without_text": 0}


def test_broken_words_are_joined_and_spans_point_into_the_text() -> None:
    document = read_bytes(pages(["Pumps draw ground-", "water. The groundwater is salt."]), name="a.pdf")
    assert document.text == "Pumps draw groundwater. The groundwater is salt."
    for keyphrase in extract(document):
        for span in keyphrase.spans:
            assert document.content[span.start : span.end].lower() == keyphrase.text.lower()


def test_what_repeats_on_every_page_is_dropped() -> None:
    words = ["alpha", "beta", "gamma", "delta"]
    sheets = [
        ["The Journal of Wells", f"On {word} pumps we say this.", f"Page {i} of 4"] for i, word in enumerate(words, 1)
    ]
    text = read_bytes(pages(*sheets), name="a.pdf").text
    assert "Journal" not in text
    assert "Page" not in text
    assert text.split("\n\n") == [f"On {word} pumps we say this." for word in words]


def test_a_page_that_is_a_picture_among_others() -> None:
    document = read_bytes(pages(made_files.PICTURE, ["Wells."]), name="a.pdf")
    assert document.text == "Wells."
    assert document.metadata["pages_without_text"] == 1


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (pages(made_files.PICTURE), "a.pdf: its page has no text, most likely it is a scan; make it searchable"),
        (pages(made_files.PICTURE, b""), "a.pdf: its 2 pages have no text"),
        (pages(["Wells."], trailer=made_files.PASSWORD), "a.pdf: encrypted with a password; save it without one"),
        (pages(["Wells."], trailer=made_files.UNKNOWN_SCHEME), "a.pdf: encrypted in a way that we cannot read"),
        (b"%PDF-1.4\n", "a.pdf: damaged PDF"),
        (pages(["Wells."])[:200], "a.pdf: damaged PDF"),
        (b"<html><p>Please log in", "a.pdf: not a PDF, despite its name"),
        (b"", "a.pdf: not a PDF"),
    ],
)
def test_files_without_text_for_us(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        read_bytes(data, name="a.pdf")


def test_the_content_tells_a_pdf_of_another_name() -> None:
    for name in ("download", "paper.txt", "-"):
        assert read_bytes(pages(["Wells."]), name=name).text == "Wells."
    assert read_bytes(b"\n\n" + pages(["Wells."]), name="download").text == "Wells."


def test_too_many_pages_or_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    data = pages(["Wells."], ["Pumps."], ["Salt."])
    monkeypatch.setattr(reader, "MOST_PAGES", 2)
    with pytest.raises(InputError, match=r"a\.pdf: 3 pages; more than 2 are not read"):
        read_bytes(data, name="a.pdf")
    monkeypatch.setattr(reader, "MOST_PAGES", 3)
    monkeypatch.setattr(reader, "LONGEST_TEXT", 10)
    with pytest.raises(InputError, match="more than 10 characters"):
        read_bytes(data, name="a.pdf")


def test_threads_take_turns() -> None:
    data = pages(*[["Wells and pumps."]] * 20)
    texts: list[str] = []
    threads = [Thread(target=lambda: texts.append(read_bytes(data, name="a.pdf").text)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(texts) == 8
    assert len(set(texts)) == 1


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    with pytest.raises(MissingExtra, match=r"reading PDF files needs pypdfium2: pip install 'phrasemill\[pdf\]'"):
        read_bytes(pages(["Wells."]), name="a.pdf")
