"""The sequences that a search has written so far, one per row, and which tokens would repeat something in them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

IntArray: TypeAlias = npt.NDArray[np.int64]
FloatArray: TypeAlias = npt.NDArray[np.float64]
ONE, NONE = np.uint64(1), np.zeros(1, bool)
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
class RepetitionRule:
    """The token that ends a sequence, and what may not occur twice within one."""

    end: int
    separator: int | None = None  # between phrases
    ngram: int = 0  # how many tokens in a row may not occur again; 0 for any number
    phrase: bool = False  # whether phrases may not occur again; needs a separator
    patience: int = 0  # how many phrases in a row may repeat earlier ones before a sequence is ended; 0 for any number


@dataclass(slots=True)
class Hypotheses:
    """The sequences of all rows, as columns; a phrase is identified by a 64-bit hash."""

    rule: RepetitionRule
    tokens: IntArray  # (rows, length)
    steps: FloatArray  # (rows, length)
    ended: npt.NDArray[np.uint64]  # (rows, length): the hash of a phrase, at the separator that ended it
    phrase: npt.NDArray[np.uint64]  # (rows,): the hash of the unfinished phrase; 0 before its first token
    repeats: IntArray  # (rows,): how many phrases in a row repeated earlier ones
    count: int = 0

    @classmethod
    def empty(cls, rows: int, length: int, rule: RepetitionRule) -> "Hypotheses":
        shape = (rows, length)
        hashes, repeats = np.zeros(shape, np.uint64), np.zeros(rows, np.int64)
        return cls(rule, np.zeros(shape, np.int64), np.zeros(shape), hashes, np.zeros(rows, np.uint64), repeats)

    def select(self, rows: IntArray) -> "Hypotheses":
        columns = (self.tokens[rows], self.steps[rows], self.ended[rows], self.phrase[rows], self.repeats[rows])
        return Hypotheses(self.rule, *columns, self.count)

    def append(self, tokens: IntArray, steps: FloatArray) -> None:
        self.tokens[:, self.count], self.steps[:, self.count] = tokens, steps
        longer = self.phrase * HASH_PRIME + tokens.astype(np.uint64) + ONE
        ends = tokens == self.rule.separator if self.rule.separator is not None else NONE
        if ends.any():
            self.repeats = np.where(ends, np.where(self._repeated(), self.repeats + 1, 0), self.repeats)
            self.ended[:, self.count] = np.where(ends, self.phrase, 0)
            longer = np.where(ends, 0, longer)
        self.phrase = longer
        self.count += 1

    def _repeated(self) -> npt.NDArray[np.bool_]:
        """(rows,): whether the phrase so far equals an earlier one."""
        return (self.ended[:, : self.count] == self.phrase[:, None]).any(axis=1)

    def exhausted(self) -> npt.NDArray[np.bool_]:
        """(rows,): whether a row has repeated itself for so long that it should end."""
        return self.repeats >= (self.rule.patience or np.inf)

    def banned(self) -> IntArray:
        """(rows, the most that a row has): the tokens that would repeat something, padded with -1."""
        columns = [*self._ngrams(), *self._phrases()]
        if not columns:
            return np.empty((len(self.tokens), 0), np.int64)
        found = -np.sort(-np.concatenate(columns, axis=1), axis=1)
        return found[:, : int((found >= 0).sum(axis=1).max(initial=0))]

    def _ngrams(self) -> Iterable[IntArray]:
        n, tokens = self.rule.ngram, self.tokens[:, : self.count]
        if n and self.count >= n:
            windows = np.lib.stride_tricks.sliding_window_view(tokens, n, axis=1)  # (rows, places, n)
            again = (windows[..., :-1] == tokens[:, None, self.count - n + 1 :]).all(axis=2)
            if self.rule.separator is not None:
                again &= (windows != self.rule.separator).all(axis=2)
            yield np.where(again, windows[..., -1], -1)

    def _phrases(self) -> Iterable[IntArray]:
        if self.rule.phrase and self.rule.separator is not None:
            again = self._repeated() | (self.phrase == 0)
            yield np.where(again, self.rule.separator, -1)[:, None]
            if self.count:  # a sequence may be empty, but no phrase after a separator
                yield np.where(again, self.rule.end, -1)[:, None]

    def hypothesis(self, row: int, end: float | None = None) -> Hypothesis:
        """Return the sequence of a row; `end` is the log-probability of its ending there."""
        tokens, steps = (tuple(values[row, : self.count].tolist()) for values in (self.tokens, self.steps))
        return Hypothesis(tokens, steps, False) if end is None else Hypothesis(tokens, (*steps, end), True)
