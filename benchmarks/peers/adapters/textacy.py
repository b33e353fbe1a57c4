"""textacy, over spaCy: https://pypi.org/project/textacy/. The time is that of the whole pipeline of the spaCy model."""

from collections.abc import Callable

REQUIREMENTS = ("textacy==0.13.0", "spacy==3.8.18")
LICENCE = "Apache-2.0"
VARIANTS = {"textrank": "textrank", "yake": "yake"}
MODEL = "--spacy-model"


def extractor(variant: str, model: str) -> Callable[[str], list[str]]:
    import spacy
    from textacy.extract import keyterms

    pipeline = spacy.load(model)
    extract = getattr(keyterms, variant)
    return lambda text: [phrase for phrase, _ in extract(pipeline(text), topn=10)]
