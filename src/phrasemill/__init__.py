"""Phrasemill: keyphrases from documents, and scores that can be checked."""

from phrasemill.errors import (
    ConfigError,
    DataError,
    InputError,
    MissingExtra,
    ModelError,
    PhrasemillError,
    UnknownName,
)
from phrasemill.pipeline import extract, extract_batch
from phrasemill.types import Analysis, Document, Keyphrase, Span

__version__ = "0.1.0"

__all__ = [
    "Analysis",
    "ConfigError",
    "DataError",
    "Document",
    "InputError",
    "Keyphrase",
    "MissingExtra",
    "ModelError",
    "PhrasemillError",
    "Span",
    "UnknownName",
    "__version__",
    "extract",
    "extract_batch",
]
