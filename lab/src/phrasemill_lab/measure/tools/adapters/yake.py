"""YAKE by its authors: https://pypi.org/project/yake/. Its metadata name both LGPL and GPL 3."""

from collections.abc import Callable

REQUIREMENTS = ("yake==0.7.3",)
LICENCE = "LGPL/GPL-3.0"
VARIANTS = {"yake": "yake"}


def extractor(variant: str) -> Callable[[str], list[str]]:
    from yake import KeywordExtractor

    extract = KeywordExtractor(top=10).extract_keywords
    return lambda text: [phrase for phrase, _ in extract(text)]
