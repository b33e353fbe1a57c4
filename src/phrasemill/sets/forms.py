"""Forms, by which sets tell phrases apart: the stems of a phrase, in the language of its document.

Equal stems of two languages are two forms: the English `pumps` and the German `Pumpen` have the same stem and nothing
else in common.
"""

from typing import NamedTuple, TypeAlias

from phrasemill.text.analyse import analyse

Word: TypeAlias = tuple[str, str]  # a language and a stem


class Form(NamedTuple):
    """A phrase as sets compare it."""

    language: str
    stems: tuple[str, ...]

    @classmethod
    def of(cls, phrase: str, language: str) -> "Form":
        """Return the form of `phrase` in a text in `language`."""
        analysis = analyse(phrase, language=language, tag=False)
        return cls(language, tuple([analysis.stems[stem] for stem in analysis.stem]))

    @property
    def words(self) -> tuple[Word, ...]:
        """The stems, each with the language."""
        return tuple([(self.language, stem) for stem in self.stems])

    @property
    def parts(self) -> tuple[Word, ...]:
        """The same, words with hyphens in parts."""
        parts = [part for stem in self.stems for part in stem.split("-") if part]
        return tuple([(self.language, part) for part in parts]) or self.words
