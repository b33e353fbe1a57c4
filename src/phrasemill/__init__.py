"""Phrasemill: keyphrases from documents, and scores that can be checked."""

from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from phrasemill.evaluation import evaluate

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
    "evaluate",
    "extract",
    "extract_batch",
]


def __getattr__(name: str) -> object:
    """`evaluate` loads when it is first used: those who only extract do not wait for it."""
    if name == "evaluate":
        from phrasemill.evaluation import evaluate

        return evaluate
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
