"""summa's TextRank: https://pypi.org/project/summa/. It keeps a fifth of the words; the first ten count."""

from collections.abc import Callable

REQUIREMENTS = ("summa==1.2.0",)
LICENCE = "MIT"
VARIANTS = {"textrank": "textrank"}


def extractor(variant: str) -> Callable[[str], list[str]]:
    from summa.keywords import keywords

    return lambda text: list(keywords(text, split=True)[:10])
