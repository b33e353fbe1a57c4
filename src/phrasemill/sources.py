"""What an extraction reads: a text, a `Document`, a file by its `Path`, or an `Analysis` made elsewhere."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from phrasemill.errors import ConfigError, InputError
from phrasemill.text.languages.detect import document_language, text_language
from phrasemill.types import Analysis, Document

Source: TypeAlias = "str | Document | Path | Analysis"
WANTED = "a text, a Document or a Path"


def as_source(source: Source, language: str | None = None) -> Document | Analysis:
    """Return a source as a document; an analysis, which has a language of its own, as it is."""
    if not isinstance(source, Analysis):
        return as_document(source, language)
    if language not in (None, source.language):
        raise ConfigError(f"an Analysis has a language, {source.language!r}; leave out language={language!r}")
    return source


def as_document(source: str | Document | Path, language: str | None = None) -> Document:
    """Return `source` as a document whose language is a code; the file at a path is read.

    `language` overrides that of the document; where neither names one, or it is `auto`, it is found from the text.
    """
    if isinstance(source, str):
        return Document("", source, language=text_language(source, language))
    if isinstance(source, Path):
        from phrasemill.readers import read

        source = read(source)
    if not isinstance(source, Document):
        raise InputError(f"expected {WANTED}, got {_advice(source)}")
    code = document_language(source, language)
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
