"""Rich text (.rtf): its paragraphs; fonts, styles, pictures, fields, headers, footers and notes are left out.

Control words are read in one pass. A group whose first word is not text, or that an asterisk marks as one to skip, is
silent as a whole.
"""

import codecs
import re

from phrasemill.errors import InputError
from phrasemill.readers.flow import BODY, FIRST_LEVEL, Passage, titled
from phrasemill.types import Document

TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z\r\n])|([{}])|(\\?[\r\n]+)|([^\\{}\r\n]+)|(\\)"
)
SILENT = frozenset(
    b"fonttbl colortbl stylesheet info pict object header headerl headerr headerf footer footerl footerr footerf"
    b" footnote annotation fldinst themedata datastore listtable listoverridetable rsidtbl generator xmlnstbl filetbl"
    b" latentstyles revtbl bkmkstart bkmkend nonshppict shpinst txe rxe xe tc mmathPr".split()
)
SIGNS = {b"tab": "\t", b"line": "\n", b"cell": "\t", b"emdash": "—", b"endash": "–", b"bullet": "•", b"emspace": " "}
SIGNS |= {b"lquote": "‘", b"rquote": "’", b"ldblquote": "“", b"rdblquote": "”", b"enspace": " ", b"qmspace": " "}
SYMBOLS = {b"~": " ", b"_": "-", b"-": "\u00ad", b"{": "{", b"}": "}", b"\\": "\\"}
PARAGRAPHS = frozenset(b"par sect page row".split())
DEEPEST = 1_000
CODE_PAGES = {437, 850, 852, 866, 874, 932, 936, 949, 950, 1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258}
TITLE = re.compile(rb"\{\\title ([^{}]{1,400})\}")


class _State:
    """What a group inherits: whether it is silent, how many characters stand for one of Unicode, the style."""

    __slots__ = ("kind", "silent", "skipped")

    def __init__(self, silent: bool = False, skipped: int = 1, kind: str = BODY) -> None:
        self.silent, self.skipped, self.kind = silent, skipped, kind


def read(data: bytes, *, name: str) -> Document:
    if not data.lstrip().startswith(b"{\\rtf"):
        raise InputError(f"{name}: not an RTF document, despite its name")
    passages = _Reader(data, name).passages
    stated = TITLE.search(data[:100_000])
    title, text = titled(passages, _plain(stated[1]) if stated else "")
    return Document(id=name, text=text, title=title)


def _plain(source: bytes) -> str:
    return re.sub(r"\\'[0-9a-fA-F]{2}|\\[a-z]+-?\d* ?", "", source.decode("cp1252", "replace"))


class _Reader:
    def __init__(self, data: bytes, name: str) -> None:
        self.passages: list[Passage] = []
        self._pieces: list[str] = []
        self._bytes = bytearray()  # of text in the code page that are not decoded yet: two may be one character
        self._encoding = "cp1252"
        self._stack = [_State()]
        self._skip = 0  # characters that stand for one of Unicode, for old programs
        self._name = name
        at = 0
        while found := TOKEN.match(data, at):
            self._token(*found.groups())
            binary = found[1] == b"bin" and found[2]
            at = found.end() + (max(0, int(found[2])) if binary else 0)
        self._end_paragraph()

    def _token(self, *groups: bytes | None) -> None:
        word, number, code, symbol, brace, _, text, _ = groups
        if word is not None:
            self._word(word, int(number) if number else None)
        elif code is not None:
            self._raw(bytes([int(code, 16)]))
        elif symbol is not None:
            self._symbol(symbol)
        elif brace is not None:
            self._brace(brace)
        elif text is not None:
            self._raw(text)

    def _brace(self, brace: bytes) -> None:
        self._skip = 0
        if brace == b"{":
            state = self._stack[-1]
            if len(self._stack) > DEEPEST:
                raise InputError(f"{self._name}: nested more than {DEEPEST:,} deep; it looks like a bomb")
            self._stack.append(_State(state.silent, state.skipped, state.kind))
        elif len(self._stack) > 1:
            self._stack.pop()

    def _word(self, word: bytes, number: int | None) -> None:
        state = self._stack[-1]
        if word in SILENT:
            state.silent = True
        elif word == b"uc":
            state.skipped = max(0, min(number or 0, 10))
        elif word == b"ansicpg" and number in CODE_PAGES:
            self._encoding = f"cp{number}"
        elif word == b"u" and number is not None and not state.silent:
            self._write(_character(number))
            self._skip = state.skipped
        elif word in PARAGRAPHS and not state.silent:
            self._end_paragraph()
        elif word == b"pard":
            state.kind = BODY
        elif word == b"outlinelevel" and number == 0:
            state.kind = FIRST_LEVEL
        elif word in SIGNS and not state.silent:
            self._write(SIGNS[word])

    def _symbol(self, symbol: bytes) -> None:
        if symbol == b"*":
            self._stack[-1].silent = True
        elif not self._stack[-1].silent:
            self._write(SYMBOLS.get(symbol, ""))

    def _raw(self, data: bytes) -> None:
        if self._stack[-1].silent:
            return
        skipped = min(self._skip, len(data))
        self._skip -= skipped
        self._bytes += data[skipped:]

    def _write(self, text: str) -> None:
        self._flush()
        self._pieces.append(text)

    def _flush(self) -> None:
        if self._bytes:
            self._pieces.append(codecs.decode(bytes(self._bytes), self._encoding, "replace").replace("\0", " "))
            self._bytes.clear()

    def _end_paragraph(self) -> None:
        self._flush()
        text = "".join(self._pieces)
        # Characters beyond the first plane are written as two halves.
        self.passages.append(
            Passage(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"), self._stack[-1].kind)
        )
        self._pieces = []


def _character(number: int) -> str:
    """Return the character of a code, which is negative beyond 32,767."""
    code = number % 0x10000
    return chr(code) if code else " "
