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
    from phrasemill import engine, readers
    from phrasemill.evaluation import evaluate
    from phrasemill.lab.datasets import load_dataset
    from phrasemill.sets import extract_set

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
    "engine",
    "evaluate",
    "extract",
    "extract_batch",
    "extract_set",
    "load_dataset",
    "readers",
]


def __getattr__(name: str) -> object:
    """What is not for extracting loads when it is first used: those who only extract do not wait for it."""
    if name in ("engine", "readers"):
        from importlib import import_module

        return import_module(f"phrasemill.{name}")
    if name == "evaluate":
        from phrasemill.evaluation import evaluate

        return evaluate
    if name == "extract_set":
        from phrasemill.sets import extract_set

        return extract_set
    if name == "load_dataset":
        from phrasemill.lab.datasets import load_dataset

        return load_dataset
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
