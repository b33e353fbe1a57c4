"""Phrasemill: keyphrases from documents, and scores that can be checked."""

from typing import TYPE_CHECKING

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
from phrasemill.extractor import extract, extract_batch
from phrasemill.keyphrases import Keyphrases, highlight
from phrasemill.types import Analysis, Document, Keyphrase, Span

if TYPE_CHECKING:
    from phrasemill import compat, engine, readers
    from phrasemill.catalogue import methods
    from phrasemill.evaluation import evaluate
    from phrasemill.extractor import Extractor
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
    "compat",
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
    "Extractor": "phrasemill.extractor:Extractor",
    "Tags": "phrasemill.tags:Tags",
    "compat": "phrasemill.compat",
    "engine": "phrasemill.engine",
    "evaluate": "phrasemill.evaluation:evaluate",
    "extract_set": "phrasemill.sets:extract_set",
    "languages": "phrasemill.text.languages.available:languages",
    "methods": "phrasemill.methods",  # a package that can be called
    "read": "phrasemill.readers:read",
    "readers": "phrasemill.readers",
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module, _, attribute = _LATER[name].partition(":")
    found = import_module(module)
    return getattr(found, attribute) if attribute else found


def __dir__() -> list[str]:
    return __all__
