"""What analysis has to know about a language: one profile each, read on first use.

A profile is `data/language_<code>.toml`, with the tagger's weights beside it in `data/tagger_<code>.safetensors`. Both
are optional: without the one, words are cut at spaces and punctuation and the abbreviations are those of English;
without the other, there are no tags. docs/how-to/add-a-language.md says how to add a language.
"""

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Protocol

from phrasemill.kernels.tokens import Rules
from phrasemill.models import FOLDER, shipped
from phrasemill.text.language_codes import UNDETERMINED
from phrasemill.text.tokenise import (
    ABBREVIATIONS,
    BOUND,
    FUNCTION_CHARACTERS,
    KEEPS,
    KEEPS_BEFORE_NUMBER,
    NUMBERED,
    TABLE,
    classify,
)

DATES = """monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
september october november december today yesterday tomorrow"""
UNITS = """ml cl dl litre liter g mg kg gram kilogram oz ounce lb pound tsp tbsp teaspoon tablespoon cup pint quart
gallon pinch clove mm cm m km metre meter kilometre kilometer inch foot feet yard mile percent second minute hour
kb mb gb tb"""
LABELS = "table figure fig fig. equation eq eq. appendix section sect sect. sec sec."
# Tags of Universal Dependencies (https://universaldependencies.org/u/pos/), by the code that a token has; 0 is for text
# that was not tagged.
UPOS: tuple[str, ...] = (
    "", "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ",
    "SYM", "VERB", "X",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Language:
    """The profile of one language."""

    code: str
    abbreviations: Mapping[str, int] = field(default_factory=lambda: ABBREVIATIONS)  # how each keeps its full stop
    bound: frozenset[str] = BOUND | NUMBERED  # those that never end a sentence
    apostrophes: frozenset[str] | None = frozenset()  # words with one at an end; None is for the clitics of English
    function_words: frozenset[str] = frozenset()  # stopwords that follow from the above: `l'`, `bzw.`
    ordinals: bool = False  # whether numbers keep a full stop before a word
    joins: frozenset[str] = frozenset()  # prepositions that join nouns, as `of` does
    dates: frozenset[str] = frozenset()  # names of days and months, which are no phrases alone
    units: frozenset[str] = frozenset()  # of measurement, which after a number are part of no phrase
    labels: frozenset[str] = frozenset()  # what numbered parts of a text are called: `Table 2`
    noun_phrase: str = ""  # a pattern of tags (candidates.py), "" for that of English
    compounds: bool = False  # whether terms are compounds, so that keyphrases are single words as a rule
    noun_capitals: bool = False  # whether all nouns begin with a capital, which then marks no name
    segment: str | None = None  # the module here that cuts scripts without spaces into tagged words: see `Segmenter`
    tagger: Path | None = None

    def rules(self) -> Rules:
        """Return how texts of the language are cut into tokens."""
        return Rules(TABLE, classify, self.abbreviations, self.apostrophes, self.ordinals)


class Segmenter(Protocol):
    """What `segmenter(code)` of the module that a profile names returns, for scripts without spaces."""

    tags: tuple[str, ...]

    def segment(self, text: str) -> tuple["array[int]", "array[int]", "array[int]", "array[int]"]:
        """Return start and end of each word, what separates it from the next one (kernels/tokens.py), and its tag."""


def segmenter(language: Language) -> Segmenter | None:
    """Return what cuts texts of the language into words, where spaces do not."""
    if language.segment is None:
        return None
    module = import_module(f"phrasemill.text.languages.{language.segment}")
    found: Segmenter = module.segmenter(language.code)
    return found


@cache
def profile(code: str) -> Language:
    """Return the profile of the language with this code; one without a file has the defaults."""
    if code == "en":
        return Language(
            code,
            apostrophes=None,
            joins=frozenset({"of"}),
            dates=frozenset(DATES.split()),
            units=frozenset(UNITS.split()),
            labels=frozenset(LABELS.split()),
            tagger=_tagger(code),
        )
    if code == UNDETERMINED:
        return Language(code, apostrophes=None)
    path = shipped(f"language_{code}.toml")
    return read(code, path) if path.is_file() else Language(code, tagger=_tagger(code))


def tagged_languages() -> frozenset[str]:
    """Return the codes of the languages whose words are tagged, by a tagger or by a segmenter."""
    models = [*FOLDER.glob("tagger_*.safetensors"), *FOLDER.glob("segmenter_*.safetensors")]
    return frozenset({"en", *(path.stem.partition("_")[2] for path in models)})


def _tagger(code: str) -> Path | None:
    path = shipped("tagger.safetensors" if code == "en" else f"tagger_{code}.safetensors")
    return path if path.is_file() else None


def read(code: str, path: Path) -> Language:
    """Return the profile in the file at `path`."""
    import tomllib  # not needed for English

    entries = tomllib.loads(path.read_text(encoding="utf-8"))
    abbreviations, closing, numbered, apostrophes, joins, dates = (
        frozenset[str](entries.get(name, ()))
        for name in ("abbreviations", "closing", "numbered", "apostrophes", "joins", "dates")
    )
    kept = abbreviations | closing
    return Language(
        code,
        abbreviations=dict.fromkeys(numbered, KEEPS_BEFORE_NUMBER) | dict.fromkeys(kept | FUNCTION_CHARACTERS, KEEPS),
        bound=numbered | abbreviations,
        apostrophes=apostrophes,
        function_words=apostrophes | {f"{word}." for word in kept | numbered},
        ordinals=entries.get("ordinals", False),
        joins=joins,
        dates=dates,
        noun_phrase=entries.get("noun_phrase", ""),
        compounds=entries.get("compounds", False),
        noun_capitals=entries.get("noun_capitals", False),
        segment=entries.get("segment"),
        tagger=_tagger(code),
    )
