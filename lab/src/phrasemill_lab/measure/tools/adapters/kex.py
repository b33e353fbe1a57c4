"""Kex (Ushio et al., 2021): https://pypi.org/project/kex/."""

from collections.abc import Callable

REQUIREMENTS = ("kex==2.0.6",)
LICENCE = "MIT"
VARIANTS = {
    "TextRank": "textrank",
    "SingleRank": "singlerank",
    "PositionRank": "positionrank",
    "TopicRank": "topicrank",
    "FirstN": "firstphrases",
}


def extractor(variant: str) -> Callable[[str], list[str]]:
    import kex

    extract = getattr(kex, variant)().get_keywords
    return lambda text: [found["raw"][0] for found in extract(text, n_keywords=10)]
