"""Keyphrases in a spaCy pipeline (extra `spacy`): importing this module registers the component `phrasemill`.

    import phrasemill.integrations.spacy
    nlp.add_pipe("phrasemill", config={"method": "textrank", "top": 5})
    nlp("...")._.keyphrases

It reads tokens, tags and sentences from the Doc, so it comes after the tagger; Phrasemill's own is not used. Spans are
character offsets into `doc.text`.
"""

from typing import Any

from spacy.language import Language
from spacy.tokens import Doc

from phrasemill.errors import ConfigError
from phrasemill.options import DEFAULT_METHOD
from phrasemill.pipeline import build, extract
from phrasemill.text.language_codes import UNDETERMINED, known_language
from phrasemill.text.pretagged import from_tokens
from phrasemill.types import Analysis, Method

if not Doc.has_extension("keyphrases"):
    Doc.set_extension("keyphrases", default=())


@Language.factory("phrasemill", default_config={"method": DEFAULT_METHOD, "top": 10})
def make(nlp: Language, name: str, method: str, top: int | float | None) -> "Component":
    return Component(build(method), top)


class Component:
    """Sets `doc._.keyphrases` of a Doc that was tagged before."""

    def __init__(self, method: Method, top: int | float | None) -> None:
        self.method = method
        self.top = top

    def __call__(self, doc: Doc) -> Doc:
        doc._.keyphrases = tuple(extract(analysis_of(doc), method=self.method, top=self.top))
        return doc


def analysis_of(doc: Doc) -> Analysis:
    """Return a Doc as an `Analysis`, with Penn tags if it has them, else universal ones, and its sentences if any."""
    tokens: list[Any] = [token for token in doc if not token.is_space]
    if not doc.has_annotation("TAG") and not doc.has_annotation("POS"):
        raise ConfigError("the spaCy Doc has no tags: put phrasemill after a tagger in the pipeline")
    tags = [token.tag_ or token.pos_ for token in tokens]
    spans = [(token.idx, token.idx + len(token)) for token in tokens]
    ends = [i for i, token in enumerate(tokens) if i and token.is_sent_start]
    ends = [*ends, len(tokens)] if tokens else []
    return from_tokens(doc.text, spans, tags, ends, language=known_language(doc.lang_ or "en") or UNDETERMINED)
