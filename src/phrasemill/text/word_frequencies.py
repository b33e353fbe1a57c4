"""How rare words are in a language at large, whatever the text: one table of stems per language.

The tables are made from the word lists of wordfreq (Speer, 2022) by `phrasemill make`. Rarity is the
negative logarithm of a stem's share of all words, in steps of 1 / SCALE.
"""

from array import array
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from phrasemill.kernels import hashing
from phrasemill.models import reading, save, shipped

KIND = "word frequencies"
SCALE = 12.0


@dataclass(frozen=True, slots=True, eq=False)
class WordFrequencies:
    """A hash table (kernels/hashing.py) of stems: fingerprints, and the rarity at every place."""

    fingerprints: Any  # an array or a memoryview, as is rarity
    rarity: Any

    @classmethod
    def of(cls, keys: "array[int]", rarity: "array[int]") -> "WordFrequencies":
        """Return a table of the hashes of stems with these rarities, a fifth of whose places stay free."""
        fingerprints = array("I", bytes(4 * (len(keys) * 5 // 4 + 1)))
        column = array("B", bytes(len(fingerprints)))
        for place, value in zip(hashing.fill(keys, fingerprints), rarity, strict=True):
            column[place] = value
        return cls(fingerprints, column)

    def save(self, path: Path, language: str) -> None:
        metadata = {"kind": KIND, "language": language}
        save(path, {"fingerprints": self.fingerprints, "rarity": self.rarity}, metadata)

    def __bool__(self) -> bool:
        return len(self.fingerprints) > 0


NONE = WordFrequencies(array("I"), array("B"))


def path_of(language: str) -> Path:
    return shipped(f"words_{language}.safetensors")


@cache
def word_frequencies(language: str) -> WordFrequencies:
    """Return the table of a language, or an empty one where there is none."""
    path = path_of(language)
    return load(path) if path.exists() else NONE


def load(path: Path) -> WordFrequencies:
    """Return the table at `path`; raise a `ModelError` that says what is wrong with a damaged file."""
    with reading(path, KIND, {"fingerprints": "I", "rarity": "B"}) as file:
        fingerprints, rarity = file["fingerprints"], file["rarity"]
        if len(fingerprints) != len(rarity) or not hashing.has_room(fingerprints):
            raise ValueError("its columns do not fit together")
        return WordFrequencies(fingerprints, rarity)
