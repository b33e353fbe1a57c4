"""From files and bytes to a `Document`.

A format is one module here with `read(data, *, name) -> Document`, and one line in `FORMATS`. Offsets of keyphrases
point into `Document.content`; plain text and Markdown keep it as long as the decoded file, HTML is taken apart.
"""

from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from phrasemill.errors import InputError, UnknownName
from phrasemill.types import Document

# The module of each format, and the file extensions it goes by.
FORMATS = {
    "plain": ("txt", "text"),
    "markdown": ("md", "markdown", "mdown", "mkd"),
    "html": ("html", "htm", "xhtml"),
}
BY_EXTENSION = {extension: name for name, extensions in FORMATS.items() for extension in extensions}
STDIN = "-"
# How far into a file without a telling name to look for the start of an HTML page.
SNIFFED = 1024


class Reader(Protocol):
    def read(self, data: bytes, *, name: str) -> Document: ...


def read(path: Path | str) -> Document:
    """The document in the file `path`; its id is the path as given."""
    name = str(path)
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{name}: {_reason(error)}") from error
    except ValueError as error:  # a NUL in the name
        raise InputError(f"{name!r}: not a file name") from error
    return read_bytes(data, name=name)


def read_bytes(data: bytes, *, name: str, format: str | None = None) -> Document:
    """The document in `data`: as `format` says, or else as the extension of `name`, or else as its first bytes say."""
    return _reader(format or _format_of(name, data)).read(data, name=name)


def _reader(name: str) -> Reader:
    module = BY_EXTENSION.get(name.lower(), name)
    if module not in FORMATS:
        raise UnknownName("format", name, FORMATS)
    return cast(Reader, import_module(f"{__name__}.{module}"))


def _format_of(name: str, data: bytes) -> str:
    extension = Path(name).suffix.removeprefix(".").lower()
    if extension in BY_EXTENSION:
        return BY_EXTENSION[extension]
    start = data[:SNIFFED].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    return "html" if start.startswith((b"<!doctype html", b"<html")) else "plain"


def _reason(error: OSError) -> str:
    """What went wrong with a file, and what to do, for the person who named it."""
    if isinstance(error, FileNotFoundError):
        return "no such file"
    if isinstance(error, IsADirectoryError):
        return "is a directory; name the files in it"
    if isinstance(error, PermissionError):
        return "permission denied; you may not read this file"
    return error.strerror or str(error)
