"""Phrasemill: keyphrases from documents, and scores that can be checked."""

from typing import TYPE_CHECKING

import phrasemill.methods  # noqa: F401  # first, so that the function of this name stays in its place
from phrasemill.catalogue import methods
from phrasemill.errors import (
    ConfigError,
    DataError,
    InputError,
    MissingExtra,
    ModelError,
    PhrasemillError,
    PhrasemillWarning,
    UnknownName,
)
from phrasemill.extractor import Extractor, extract, extract_batch
from phrasemill.keyphrases import Keyphrases, highlight
from phrasemill.types import Analysis, Document, Keyphrase, Span

if TYPE_CHECKING:
    from phrasemill import engine, readers
    from phrasemill.evaluation import evaluate
    from phrasemill.readers import read
    from phrasemill.sets import extract_set
    from phrasemill.tags import Tags
    from phrasemill.text.languages.available import languages

__version__ = "0.1.0"

__all__ = [
    "Analysis",
    "ConfigError",
    "DataError",
    "Document",
    "Extractor",
    "InputError",
    "Keyphrase",
    "Keyphrases",
    "MissingExtra",
    "ModelError",
    "PhrasemillError",
    "PhrasemillWarning",
    "Span",
    "Tags",
    "UnknownName",
    "__version__",
    "engine",
    "evaluate",
    "extract",
    "extract_batch",
    "extract_set",
    "highlight",
    "languages",
    "methods",
    "read",
    "readers",
]

# What is not for extracting loads when it is first used: those who only extract do not wait for it.
_LATER = {
    "Tags": "tags",
    "evaluate": "evaluation",
    "extract_set": "sets",
    "languages": "text.languages.available",
    "read": "readers",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = import_module(f"{__name__}.{_LATER.get(name, name)}")
    return getattr(found, name) if name in _LATER else found


def __dir__() -> list[str]:
    return __all__
