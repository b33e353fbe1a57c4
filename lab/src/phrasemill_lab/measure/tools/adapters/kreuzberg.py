"""kreuzberg, in Rust: https://pypi.org/project/kreuzberg/. The time includes its reading of the bytes as plain text."""

from collections.abc import Callable

REQUIREMENTS = ("kreuzberg==4.10.4",)
LICENCE = "MIT"
NATIVE = True
VARIANTS = {"Yake": "yake", "Rake": "rake"}


def extractor(variant: str) -> Callable[[str], list[str]]:
    from kreuzberg import ExtractionConfig, KeywordAlgorithm, KeywordConfig, extract_bytes_sync

    keywords = KeywordConfig(algorithm=getattr(KeywordAlgorithm, variant), max_keywords=10, language="en")
    config = ExtractionConfig(keywords=keywords, use_cache=False)

    def extract(text: str) -> list[str]:
        found = extract_bytes_sync(text.encode(), "text/plain", config).extracted_keywords
        return [keyword.text for keyword in found or []]

    return extract
