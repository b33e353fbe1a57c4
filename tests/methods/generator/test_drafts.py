"""Greedy search with guesses writes what greedy search writes, in fewer steps."""

import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from phrasemill.methods.generator.decode import greedy
from phrasemill.methods.generator.drafts import Guesses, drafted
from phrasemill.methods.generator.hypotheses import FloatArray, IntArray, RepetitionRule

BEGIN, END, SEPARATOR = 0, 1, 2
SIZE = 6  # tokens 3, 4, 5 are words


class Toy:
    """A model whose choices depend on its seed and on the last tokens that it has read; a state is what it has read."""

    def __init__(self, seed: int, memory: int) -> None:
        self.seed, self.memory, self.reads = seed, memory, 0

    def _best(self, said: tuple[int, ...]) -> tuple[float, int]:
        rng = np.random.default_rng(zlib.crc32(repr((self.seed, said[-self.memory :])).encode()))
        values = rng.normal(size=SIZE)
        values[BEGIN] = -np.inf
        return float(values.max()), int(values.argmax())

    def start(self, sources: Sequence[Sequence[str]]) -> Any:
        return [()]

    def step(self, state: Any, tokens: IntArray, k: int) -> Any:
        state, logs, numbers = self.read(state[0], tokens.tolist())
        return [state], logs[:, None], numbers[:, None]

    def select(self, state: Any, rows: IntArray) -> Any:
        return [state[row] for row in rows]

    def read(self, state: Any, tokens: Sequence[int]) -> tuple[Any, FloatArray, IntArray]:
        self.reads += 1
        found = [self._best((*state, *tokens[: at + 1])) for at in range(len(tokens))]
        return (*state, *tokens), np.array([log for log, _ in found]), np.array([number for _, number in found])

    def without_last(self, state: Any) -> Any:
        return state[:-1]


@given(
    seed=st.integers(0, 500),
    memory=st.integers(1, 4),
    source=st.lists(st.integers(END, SIZE - 1), max_size=12),
    length=st.integers(1, 20),
    patience=st.integers(0, 3),
)
def test_the_sequence_is_that_of_greedy_search(
    seed: int, memory: int, source: list[int], length: int, patience: int
) -> None:
    rule = RepetitionRule(END, SEPARATOR, patience=patience)
    plain, toy = Toy(seed, memory), Toy(seed, memory)
    [expected] = greedy(plain, [()], begin=BEGIN, rule=rule, length=length)
    assert drafted(toy, (), source, begin=BEGIN, rule=rule, length=length) == expected
    assert toy.reads <= plain.reads


def test_what_the_sequence_repeats_is_guessed() -> None:
    guesses = Guesses([3, 4, 5])
    guesses.say(3, 4, SEPARATOR)
    assert guesses.next(3, 4) == SEPARATOR


def test_what_the_source_says_next_is_guessed() -> None:
    guesses = Guesses([3, 4, 5, 3, 5, 4])
    assert guesses.next(3, 5) == 4
    assert guesses.next(SEPARATOR, 3) == 4
    assert guesses.next(4, SEPARATOR) is None
