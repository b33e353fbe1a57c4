"""The base of methods for sets, which `choose` among the phrases of all documents after each was read alone."""

from collections.abc import Sequence
from typing import ClassVar

from phrasemill.select import Selection
from phrasemill.sets.reading import ReadDocument
from phrasemill.sets.results import ChosenPhrase
from phrasemill.specs import Specified
from phrasemill.types import Method


class SetMethod(Specified):
    """A method that finds the keyphrases of a set.

    Subclasses are frozen dataclasses whose fields are the parameters; `SET_METHODS.describe()` shows the first line of
    their docstring.
    """

    __slots__ = ()
    needs: ClassVar[str] = "several documents"
    # How many phrases of each document are kept; a parameter of some methods.
    keep: int | None = None

    @property
    def function_words(self) -> bool:
        """Whether phrases may begin and end with function words: where the method for single documents returns such."""
        return bool(getattr(getattr(self, "method", None), "function_words", False))

    def extractor(self, language: str) -> Method | None:
        """Return what is run over each document by itself; None where nothing is."""
        return None

    def choose(self, readings: Sequence[ReadDocument], wanted: int | None, counting: Selection) -> list[ChosenPhrase]:
        """Return phrases, best first: at least `wanted` if there are as many, all of them for None.

        In `readings` are phrases that count by `counting`; a method that looks for phrases itself must keep to it.
        """
        raise NotImplementedError
