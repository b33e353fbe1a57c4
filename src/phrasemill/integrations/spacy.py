"""Keyphrases in a spaCy pipeline (extra `spacy`): importing this module registers the component `phrasemill`.

    import phrasemill.integrations.spacy
    nlp.add_pipe("phrasemill", config={"method": "textrank", "top": 5, "longest": 3})
    nlp("...")._.keyphrases

It reads tokens, tags and sentences from the Doc, so it comes after the tagger; Phrasemill's own is not used. Spans are
character offsets into `doc.text`.
"""

from inspect import Signature, signature
from typing import Any

from phrasemill.errors import ConfigError
from phrasemill.extractor import Extractor
from phrasemill.integrations import requires
from phrasemill.options import OPTIONS, checked, parameters_of
from phrasemill.text.language_codes import UNDETERMINED, known_language
from phrasemill.text.pretagged import from_tokens
from phrasemill.types import Analysis

with requires("spacy"):
    from spacy.language import Language
    from spacy.tokens import Doc

if not Doc.has_extension("keyphrases"):
    Doc.set_extension("keyphrases", default=())


SETTINGS = {name: one for name, one in OPTIONS.items() if name != "language"}  # a Doc has a language of its own
DEFAULTS = {name: list(one.default) if one.default == () else one.default for name, one in SETTINGS.items()}


def make(nlp: Language, name: str, **options: Any) -> "Component":
    """Build the component; its settings are options of `phrasemill.extract`."""
    return Component(**options)


_given = list(signature(make).parameters.values())[:2]
make.__signature__ = Signature([*_given, *parameters_of(SETTINGS)])  # type: ignore[attr-defined]
Language.factory("phrasemill", default_config=DEFAULTS, func=make)


class Component:
    """Set `doc._.keyphrases` of a tagged Doc. `options` are those of `phrasemill.extract`."""

    def __init__(self, **options: Any) -> None:
        self._find = Extractor(**checked(options, SETTINGS)).find

    def __call__(self, doc: Doc) -> Doc:
        doc._.keyphrases = tuple(self._find(analysis_of(doc)))
        return doc


def analysis_of(doc: Doc) -> Analysis:
    """Return a Doc as an `Analysis`, with Penn tags if it has them, else universal ones, and with its sentences if it
    has any.
    """
    tokens: list[Any] = [token for token in doc if not token.is_space]
    if not doc.has_annotation("TAG") and not doc.has_annotation("POS"):
        raise ConfigError("the spaCy Doc has no tags: put phrasemill after a tagger in the pipeline")
    tags = [token.tag_ or token.pos_ for token in tokens]
    spans = [(token.idx, token.idx + len(token)) for token in tokens]
    ends = [i for i, token in enumerate(tokens) if i and token.is_sent_start]
    ends = [*ends, len(tokens)] if tokens else []
    return from_tokens(doc.text, spans, tags, ends, language=known_language(doc.lang_ or "en") or UNDETERMINED)
