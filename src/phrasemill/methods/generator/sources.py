"""A batch of sources in numbers, and which rows share a source: what steppers of recurrent models have in common."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from phrasemill.methods.generator.hypotheses import IntArray
from phrasemill.methods.generator.words import PAD, UNKNOWN, Words

SOURCE_LIMIT = 1000  # words of a source that are read when decoding (Yuan et al., 2020, appendix C)


@dataclass(frozen=True, slots=True)
class Sources:
    """Words as numbers, unknown ones from the vocabulary's size up; a source without words is one unknown word."""

    numbers: IntArray  # (sources, the longest one's words), padded
    lengths: IntArray  # (sources,)
    words: int  # the vocabulary's and the most that a source adds

    @classmethod
    def read(cls, sources: Sequence[Sequence[str]], vocabulary: Words, limit: int) -> "Sources":
        found = [vocabulary.source(source[:limit]) for source in sources]
        lengths = np.array([max(1, len(numbers)) for numbers, _ in found], np.int64)
        padded = np.full((len(found), lengths.max()), PAD, np.int64)
        padded[:, 0] = UNKNOWN
        for row, (numbers, _) in enumerate(found):
            padded[row, : len(numbers)] = numbers
        return cls(padded, lengths, len(vocabulary) + max(len(unknown) for _, unknown in found))


def shared(sources: IntArray) -> IntArray:
    """The sources without the repetitions of neighbours, if all are repeated equally often; or else as they are."""
    starts = np.flatnonzero(np.diff(sources, prepend=-1))
    lengths = np.diff(starts, append=len(sources))
    return sources[starts] if len(set(lengths.tolist())) == 1 else sources
