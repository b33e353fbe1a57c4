"""rapid-textrank, in Rust: https://pypi.org/project/rapid-textrank/."""

from collections.abc import Callable

REQUIREMENTS = ("rapid-textrank==0.1.4",)
LICENCE = "MIT"
NATIVE = True
VARIANTS = {
    "BaseTextRank": "textrank",
    "SingleRank": "singlerank",
    "PositionRank": "positionrank",
    "TopicalPageRank": "topicalpagerank",
    "MultipartiteRank": "multipartiterank",
}


def extractor(variant: str) -> Callable[[str], list[str]]:
    import rapid_textrank

    extract = getattr(rapid_textrank, variant)(top_n=10, language="en").extract_keywords
    return lambda text: [phrase.text for phrase in extract(text).phrases]
