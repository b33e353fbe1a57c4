"""What a text far from abstracts is to give, and not to give."""

from typing import NamedTuple


class Case(NamedTuple):
    """Among the first `top` keyphrases, `some` of `wanted` must be, and nothing of `unwanted`."""

    name: str
    text: str
    wanted: tuple[str, ...]
    some: int
    unwanted: tuple[str, ...]
    top: int = 10
