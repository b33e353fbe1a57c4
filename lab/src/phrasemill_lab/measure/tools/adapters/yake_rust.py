"""yake-rust, in Rust: https://pypi.org/project/yake-rust/. Phrases of up to three words, as the YAKE of its authors."""

from collections.abc import Callable

REQUIREMENTS = ("yake-rust==1.2.1",)
LICENCE = "MIT"
NATIVE = True
VARIANTS = {"yake": "yake"}


def extractor(variant: str) -> Callable[[str], list[str]]:
    from yake_rust import Yake

    extract = Yake(language="en", ngrams=3).get_n_best
    return lambda text: [phrase for phrase, _ in extract(text, n=10)]
