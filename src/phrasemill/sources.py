"""What an extraction reads: a text, a `Document`, a file by its `Path`, or an `Analysis` made elsewhere."""

import warnings
from collections.abc import Iterable, Mapping
from os.path import isfile  # takes a third of the time of `Path.is_file`
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from phrasemill.errors import InputError, PhrasemillWarning
from phrasemill.text.language_codes import UNDETERMINED, known_language, language_name
from phrasemill.text.languages.detect import detect, language_of
from phrasemill.types import Analysis, Document

Source: TypeAlias = "str | Document | Path | Analysis"
WANTED = "a text, a Document or a Path"
WATCHED = 10  # texts of a batch that are looked at
LONGEST_PATH = 250
# A text is plainly in a language if it has so many characters, and detection is so sure. Of 2,348 texts in 11
# languages, cut to this size, one was taken for another: a Japanese one that quotes an English title.
PLAIN_SIZE = 100
PLAIN = 0.95
SourceT = TypeVar("SourceT")


def warned(source: object, language: str | None, level: int = 3) -> bool:
    """Warn of what is probably a mistake, and tell whether there is one: a text that is the path of a file, and a
    language that a text is plainly not in. `level` is how far up the caller is who is told."""
    text, given = source, language
    if isinstance(source, Document):
        text, given = source.text, given or source.language
    elif isinstance(source, str) and len(source) <= LONGEST_PATH and "\n" not in source and isfile(source):  # noqa: PTH113
        told = f"{source!r} was read as a text, and is a file; to read the file, pass pathlib.Path({source!r})"
        warnings.warn(told, PhrasemillWarning, level)
        return True
    if not given or not isinstance(text, str) or len(text) < PLAIN_SIZE:
        return False
    code, middle = known_language(given), max(0, len(text) - PLAIN_SIZE) // 2
    if detect(text[middle : middle + PLAIN_SIZE]).language == code:
        return False  # nearly always, and a fourth of the work
    found = detect(text)
    if found.confidence < PLAIN or code in (None, UNDETERMINED, found.language) or found.language == UNDETERMINED:
        return False
    told = f"read as {language_name(code)}, as requested, but the text is in {language_name(found.language)}"
    warnings.warn(told, PhrasemillWarning, level)
    return True


class Watch:
    """Looks at the first few sources with `warned`. After a warning, and after the first few, it costs nothing."""

    def __init__(self, language: str | None) -> None:
        self._language, self._left = language, WATCHED

    def __call__(self, source: SourceT) -> SourceT:
        if self._left:
            self._left = 0 if warned(source, self._language, 4) else self._left - 1
        return source


def as_document(source: str | Document | Path, language: str | None = None) -> Document:
    """Return `source` as a document whose language is a code; the file at a path is read.

    `language` overrides that of the document; where neither names one, or it is `auto`, it is found from the text.
    """
    if isinstance(source, str):
        return Document("", source, language=language_of(source, language))
    if isinstance(source, Path):
        from phrasemill.readers import read

        source = read(source)
    if not isinstance(source, Document):
        raise InputError(f"expected {WANTED}, got {_advice(source)}")
    code = language_of(source, language)
    if code == source.language:
        return source
    return Document(source.id, source.text, source.title, code, source.references, source.metadata)


def as_sources(sources: Iterable[Source]) -> Iterable[Source]:
    """Return several sources; raise `InputError` for a single one, and for a data frame."""
    name = type(sources).__name__
    if isinstance(sources, str | bytes | bytearray | Document | Path | Analysis):
        raise InputError(f"extract_batch takes several texts, got one {name}; call extract, or pass a list")
    if hasattr(sources, "columns"):
        raise InputError(f"extract_batch takes texts, got a {name}; pass the column that holds them")
    if isinstance(sources, Mapping):
        raise InputError(f"extract_batch takes texts, got a {name}; pass its values()")
    if not isinstance(sources, Iterable):
        raise InputError(f"extract_batch takes several texts, got {name}")
    return sources


def _advice(source: Any) -> str:
    """Return the type of what is no source, and what to do about it."""
    name = type(source).__name__
    if isinstance(source, bytes | bytearray):
        return f"{name}; decode it first"
    if isinstance(source, Iterable) and not isinstance(source, Mapping):
        return f"{name}; extract_batch takes several"
    return name
