"""What the rows of a search have said so far, and what they must not say again."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from phrasemill.errors import ConfigError

IntArray: TypeAlias = npt.NDArray[np.int64]
FloatArray: TypeAlias = npt.NDArray[np.float64]
HASH_PRIME = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio, odd (Knuth's multiplicative hashing)


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One sequence: its tokens without the first and the final mark, and the log-probability of each and of the end."""

    tokens: tuple[int, ...]
    steps: tuple[float, ...]
    finished: bool

    @property
    def score(self) -> float:
        return float(sum(self.steps))


@dataclass(frozen=True, slots=True)
class Repetition:
    """What may not be said twice within a sequence."""

    end: int
    separator: int | None
    ngram: int
    phrase: bool
    patience: int = 0  # how many phrases in a row may repeat earlier ones before nothing more is expected; 0 for any

    def __post_init__(self) -> None:
        if self.ngram < 0:
            raise ConfigError(f"no_repeat_ngram must be 0 (off) or more, got {self.ngram}")
        if self.patience < 0:
            raise ConfigError(f"patience must be 0 (endless) or more, got {self.patience}")
        if self.phrase and self.separator is None:
            raise ConfigError("no_repeat_phrase needs a separator between phrases")


@dataclass(slots=True)
class Said:
    """What every row has said so far, as columns; a phrase is known by a 64-bit hash."""

    rule: Repetition
    tokens: IntArray  # (rows, length)
    steps: FloatArray  # (rows, length)
    ended: npt.NDArray[np.uint64]  # (rows, length): the hash of a phrase, at the separator that ended it
    phrase: npt.NDArray[np.uint64]  # (rows,): the phrase being said; 0 before its first token
    stale: IntArray  # (rows,): how many phrases in a row were said before
    count: int = 0

    @classmethod
    def nothing(cls, rows: int, length: int, rule: Repetition) -> "Said":
        shape = (rows, length)
        hashes, stale = np.zeros(shape, np.uint64), np.zeros(rows, np.int64)
        return cls(rule, np.zeros(shape, np.int64), np.zeros(shape), hashes, np.zeros(rows, np.uint64), stale)

    def select(self, rows: IntArray) -> "Said":
        columns = (self.tokens[rows], self.steps[rows], self.ended[rows], self.phrase[rows], self.stale[rows])
        return Said(self.rule, *columns, self.count)

    def append(self, tokens: IntArray, steps: FloatArray) -> None:
        self.tokens[:, self.count], self.steps[:, self.count] = tokens, steps
        ends = np.zeros(len(tokens), bool) if self.rule.separator is None else tokens == self.rule.separator
        again = (self.ended[:, : self.count] == self.phrase[:, None]).any(axis=1)
        self.stale = np.where(ends, np.where(again, self.stale + 1, 0), self.stale)
        self.ended[:, self.count] = np.where(ends, self.phrase, 0)
        self.phrase = np.where(ends, 0, self.phrase * HASH_PRIME + tokens.astype(np.uint64) + np.uint64(1))
        self.count += 1

    def spent(self) -> npt.NDArray[np.bool_]:
        """(rows,): whether a row has said nothing new for so long that nothing is expected of it."""
        return self.stale >= (self.rule.patience or np.inf)

    def banned(self) -> IntArray:
        """(rows, as many as a row needs): the tokens that would repeat something, padded with -1."""
        columns = [*self._ngrams(), *self._phrases()]
        if not columns:
            return np.empty((len(self.tokens), 0), np.int64)
        found = -np.sort(-np.concatenate(columns, axis=1), axis=1)
        return found[:, : int((found >= 0).sum(axis=1).max(initial=0))]

    def _ngrams(self) -> Iterable[IntArray]:
        n, said = self.rule.ngram, self.tokens[:, : self.count]
        if n and self.count >= n:
            windows = np.lib.stride_tricks.sliding_window_view(said, n, axis=1)  # (rows, places, n)
            again = (windows[..., :-1] == said[:, None, self.count - n + 1 :]).all(axis=2)
            if self.rule.separator is not None:
                again &= (windows != self.rule.separator).all(axis=2)
            yield np.where(again, windows[..., -1], -1)

    def _phrases(self) -> Iterable[IntArray]:
        if self.rule.phrase and self.rule.separator is not None:
            again = (self.ended[:, : self.count] == self.phrase[:, None]).any(axis=1) | (self.phrase == 0)
            yield np.where(again, self.rule.separator, -1)[:, None]
            if self.count:  # nothing at all may be said, but not nothing after a separator
                yield np.where(again, self.rule.end, -1)[:, None]

    def hypothesis(self, row: int, end: float | None = None) -> Hypothesis:
        """What a row has said; `end` is the log-probability of its ending there."""
        tokens, steps = (tuple(values[row, : self.count].tolist()) for values in (self.tokens, self.steps))
        return Hypothesis(tokens, steps, False) if end is None else Hypothesis(tokens, (*steps, end), True)
