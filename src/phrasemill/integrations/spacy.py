"""Keyphrases in a spaCy pipeline (extra `spacy`): importing this module registers the component `phrasemill`.

    import phrasemill.integrations.spacy
    nlp.add_pipe("phrasemill", config={"method": "textrank", "top": 5, "longest": 3})
    nlp("...")._.keyphrases

It reads tokens, tags and sentences from the Doc, so it comes after the tagger; Phrasemill's own is not used. Spans are
character offsets into `doc.text`.
"""

from typing import Any

from phrasemill.errors import ConfigError
from phrasemill.extractor import prepared
from phrasemill.integrations import requires
from phrasemill.options import DEFAULT_METHOD, ExtractOptions
from phrasemill.text.language_codes import UNDETERMINED, known_language
from phrasemill.text.pretagged import from_tokens
from phrasemill.types import Analysis

with requires("spacy"):
    from spacy.language import Language
    from spacy.tokens import Doc

if not Doc.has_extension("keyphrases"):
    Doc.set_extension("keyphrases", default=())


DEFAULTS: dict[str, Any] = {
    "method": DEFAULT_METHOD,
    "style": None,
    "top": 10,
    "threshold": None,
    "exclude": [],
    "longest": None,
    "shortest": 1,
    "stopwords": [],
    "replace_stopwords": False,
    "redundancy": None,
    "diversity": 0.0,
}


@Language.factory("phrasemill", default_config=DEFAULTS)
def make(
    nlp: Language,
    name: str,
    method: str,
    style: str | None,
    top: int | float | str | None,
    threshold: float | None,
    exclude: list[str],
    longest: int | None,
    shortest: int,
    stopwords: list[str],
    replace_stopwords: bool,
    redundancy: str | None,
    diversity: float,
) -> "Component":
    """Build the component; its settings are options of `phrasemill.extract`."""
    return Component(
        method=method,
        style=style,
        top=top,
        threshold=threshold,
        exclude=exclude,
        longest=longest,
        shortest=shortest,
        stopwords=stopwords,
        replace_stopwords=replace_stopwords,
        redundancy=redundancy,
        diversity=diversity,
    )


class Component:
    """Set `doc._.keyphrases` of a tagged Doc. `options` are those of `phrasemill.extract`."""

    def __init__(self, **options: Any) -> None:
        self._find = prepared(ExtractOptions.of(options, without=("language",)))

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
