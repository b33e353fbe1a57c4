"""Spans are whole words: of any method, on texts from any reader, none takes a space along or tears a word."""

from collections.abc import Callable
from unicodedata import combining

import pytest

import made_files
import phrasemill as pm
from phrasemill.catalogue import METHODS
from phrasemill.readers import read_bytes
from phrasemill.types import Document

pytestmark = pytest.mark.filterwarnings("ignore::phrasemill.PhrasemillWarning")  # texts in no or in other languages

# Words that tear easily: accents apart from their letters, soft and hard hyphens, apostrophes, odd spaces, symbols.
PARAGRAPHS = [
    "Salt\u00a0water intrusion reaches the café\u0301s and cafe\u0301 gardens of the coastal plain .",
    "State-of-the-art re\u00adcharge basins\u2009slow salt water intrusion; the farmers’ wells don’t recover.",
    "The U.S. survey’s C++ model of ground-water flow uses H2O tables,  k-ω closures and 3D meshes .",
    "“Groundwater recharge” (managed aquifer recharge) returns river water to the coastal plain …",
    "Salt water intrusion, groundwater recharge\tand river water: naïve façade models of the coastal plain!",
]
HTML = "".join(f"<p>{text} <b>salt water</b> <a href='#'>river water </a></p>\n" for text in PARAGRAPHS)
RTF = "".join("".join(c if ord(c) < 128 else rf"\u{ord(c)}?" for c in text) + "\\par\n" for text in PARAGRAPHS)
FILES: dict[str, Callable[[], bytes]] = {
    "a.txt": lambda: "\n".join(PARAGRAPHS).encode(),
    "a.md": lambda: "\n\n".join(f"## *{text}* `code` " for text in PARAGRAPHS).encode(),
    "a.html": lambda: f"<html lang='en'><title>Salt water</title><body>{HTML}</body></html>".encode(),
    "a.pdf": lambda: made_files.pdf([[text.encode("cp1252", "ignore").decode("cp1252") for text in PARAGRAPHS]]),
    "a.docx": lambda: made_files.docx("".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in PARAGRAPHS)),
    "a.odt": lambda: made_files.odt("".join(f"<text:p>{text} </text:p>" for text in PARAGRAPHS)),
    "a.epub": lambda: made_files.epub([HTML]),
    "a.rtf": lambda: ("{\\rtf1 " + RTF + "}").encode(),
}


def document(name: str) -> Document:
    if name == "a.pdf":
        pytest.importorskip("pypdfium2")
    return read_bytes(FILES[name](), name=name)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("method", METHODS.names())
def test_spans_are_whole_words(method: str, name: str, specs: dict[str, str]) -> None:
    found = document(name)
    text = found.content
    keyphrases = pm.extract(found, method=specs[method], language="en", top=None)
    assert keyphrases
    for keyphrase in keyphrases:
        for start, end in keyphrase.spans:
            piece = text[start:end]
            assert piece == piece.strip(), piece
            assert not _torn(text, start), (piece, text[max(0, start - 5) : start])
            assert not _torn(text, end), (piece, text[end : end + 5])


def _torn(text: str, at: int) -> bool:
    """Return whether there is a word on both sides of `at`, or an accent after its letter."""
    if not 0 < at < len(text):
        return False
    return (text[at - 1].isalnum() and text[at].isalnum()) or combining(text[at]) > 0 or text[at] == "\u00ad"
