"""Split multipart/form-data into parts, in memory or on disk.

A part with a file name is written to a file object that the caller opens; any other part is a short field.
"""

import codecs
from collections.abc import Callable, Iterable
from io import BytesIO
from typing import Any, BinaryIO, NamedTuple

from phrasemill.service.problems import Refusal

MOST_FIELDS = 20
LONGEST_FIELD = 1 << 16  # bytes of a field that is no file


class FilePart(NamedTuple):
    """A file of a form: its name as it was sent, and where its bytes were written."""

    name: str
    file: Any  # a `BinaryIO`


class Parts(NamedTuple):
    """The files and the fields of a form, each in order; names of fields may be repeated."""

    files: list[FilePart]
    fields: list[tuple[str, str]]


def in_memory(number: int) -> BinaryIO:
    """Open the file of a part in memory."""
    return BytesIO()


def parts(
    pieces: Iterable[bytes],
    content_type: str,
    *,
    files: int,
    opened: Callable[[int], BinaryIO] = in_memory,
    ended: Callable[[BinaryIO], None] = lambda file: None,
) -> Parts:
    """Return the parts of a form with at most `files` files; `opened` makes the file of each, by its number from 0, and
    `ended` is called with it when all of it is written. Raise a `Refusal` for what is not such a form."""
    from python_multipart.exceptions import FormParserError
    from python_multipart.multipart import MultipartParser, parse_options_header

    _, options = parse_options_header(content_type)
    if b"boundary" not in options:
        raise malformed("the boundary is missing")
    reader = _Reader(_charset(options.get(b"charset", b"utf-8")), files, opened, ended)
    try:
        parser = MultipartParser(options[b"boundary"], reader.callbacks())  # type: ignore[arg-type]
        for piece in pieces:
            parser.write(piece)
        parser.finalize()
    except FormParserError as error:
        raise malformed(f"this is not multipart/form-data: {error}") from None
    if not reader.complete:
        raise malformed("the form is cut off")
    return reader.parts


def malformed(detail: str) -> Refusal:
    return Refusal("malformed-request", detail)


class _Reader:
    """Receives the parser's callbacks, part by part."""

    def __init__(
        self, charset: str, most: int, opened: Callable[[int], BinaryIO], ended: Callable[[BinaryIO], None]
    ) -> None:
        self.parts = Parts([], [])
        self.complete = False
        self._charset, self._most, self._opened, self._ended = charset, most, opened, ended
        self._header, self._value, self._disposition = bytearray(), bytearray(), b""
        self._name, self._field = "", bytearray()
        self._file: BinaryIO | None = None

    def callbacks(self) -> dict[str, Callable[..., None]]:
        return {
            "on_part_begin": self._begin,
            "on_header_field": lambda data, start, end: self._header.extend(data[start:end]),
            "on_header_value": lambda data, start, end: self._value.extend(data[start:end]),
            "on_header_end": self._header_end,
            "on_headers_finished": self._headers_end,
            "on_part_data": self._data,
            "on_part_end": self._end,
            "on_end": self._all_read,
        }

    def _begin(self) -> None:
        self._disposition, self._file, self._field = b"", None, bytearray()

    def _header_end(self) -> None:
        if self._header.lower() == b"content-disposition":
            self._disposition = bytes(self._value)
        self._header.clear()
        self._value.clear()

    def _headers_end(self) -> None:
        from python_multipart.multipart import parse_options_header

        _, options = parse_options_header(self._disposition)
        if b"name" not in options:
            raise malformed("a part has no name; send Content-Disposition: form-data; name=…")
        self._name = _decoded(options[b"name"], self._charset)
        if b"filename" in options:
            if len(self.parts.files) >= self._most:
                raise Refusal("too-many-documents", f"at most {self._most:,} files in one request")
            self._file = self._opened(len(self.parts.files))
            self.parts.files.append(FilePart(_decoded(options[b"filename"], self._charset), self._file))
        elif len(self.parts.fields) >= MOST_FIELDS:
            raise malformed(f"at most {MOST_FIELDS} fields besides files")

    def _data(self, data: bytes, start: int, end: int) -> None:
        if self._file is not None:
            self._file.write(data[start:end])
        elif len(self._field) + end - start > LONGEST_FIELD:
            raise malformed(f"{self._name}: at most {LONGEST_FIELD:,} bytes in a field")
        else:
            self._field += data[start:end]

    def _end(self) -> None:
        if self._file is not None:
            self._ended(self._file)
        else:
            self.parts.fields.append((self._name, _decoded(bytes(self._field), self._charset)))

    def _all_read(self) -> None:
        self.complete = True


def _charset(name: bytes) -> str:
    """Return the name of a character set that Python has; Latin-1, which decodes everything, where it has not."""
    try:
        found = codecs.lookup(name.decode("latin-1"))
    except (LookupError, ValueError):
        return "latin-1"
    return found.name if found._is_text_encoding else "latin-1"


def _decoded(data: bytes, charset: str) -> str:
    try:
        return data.decode(charset)
    except (UnicodeDecodeError, LookupError):
        return data.decode("latin-1")
