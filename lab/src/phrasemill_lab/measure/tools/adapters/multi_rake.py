"""multi_rake: https://pypi.org/project/multi-rake/."""

from collections.abc import Callable

REQUIREMENTS = ("multi-rake==0.0.2",)
LICENCE = "MIT"
VARIANTS = {"rake": "rake"}


def extractor(variant: str) -> Callable[[str], list[str]]:
    from multi_rake import Rake

    rake = Rake(language_code="en")
    return lambda text: [phrase for phrase, _ in rake.apply(text)[:10]]
