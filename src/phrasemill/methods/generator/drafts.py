"""Greedy search that guesses the next token and checks its guess in the same step.

A step costs hardly more for two tokens than for one, because most of its time goes into reading the weights. So a step
reads the last token and, where there is one, a guess of the next: what followed the same tokens in the sequence itself,
or else in the source (Leviathan et al., 2023, with a look-up instead of a small model). A right guess saves a step, a
wrong one is dropped. Guesses change probabilities only as far as products of two rows add up in another order than
those of one; as the network rounds to whole numbers, that now and then is another phrase.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Protocol

from phrasemill.methods.generator.hypotheses import FloatArray, Hypothesis, IntArray, RepetitionRule


class Reader(Protocol):
    """A model that reads one source and then several tokens of one row in a step."""

    def read(self, state: Any, tokens: Sequence[int]) -> tuple[Any, FloatArray, IntArray]:
        """Return the new state, and log-probability and number of the likeliest token after each of these."""
        ...

    def without_last(self, state: Any) -> Any:
        """Return the state before the last token."""
        ...


class Guesses:
    """What may follow two tokens: what did in the sequence, or else in the source, where one token must do at times."""

    def __init__(self, source: Sequence[int]) -> None:
        self.after_two: dict[tuple[int, int], int] = {}
        self.after_one: dict[int, int] = {}
        for (first, second), third in zip(pairwise(source), source[2:], strict=False):
            self.after_two.setdefault((first, second), third)
        for first, second in pairwise(source):
            self.after_one.setdefault(first, second)
        self.said: dict[tuple[int, int], int] = {}

    def next(self, before: int, last: int) -> int | None:
        """Return a guess of the token after these two."""
        pair = (before, last)
        found = self.said.get(pair, self.after_two.get(pair))
        return self.after_one.get(last) if found is None else found

    def say(self, before: int, last: int, token: int) -> None:
        self.said[before, last] = token


def drafted(
    reader: Reader, state: Any, source: Sequence[int], *, begin: int, rule: RepetitionRule, length: int
) -> Hypothesis:
    """Return what `decode.greedy` returns for one source, in fewer steps; no token may be banned by the rule."""
    sequence, guesses = _Sequence(rule, length), Guesses(source)
    before, last = -1, begin
    while True:
        guess = guesses.next(before, last) if sequence.room > 1 else None
        state, logs, numbers = reader.read(state, [last] if guess is None else [last, guess])
        found = list(zip(numbers.tolist(), logs.tolist(), strict=True))
        if guess is not None and found[0][0] != guess:
            state = reader.without_last(state)
            del found[1]
        for token, step in found:
            guesses.say(before, last, token)
            before, last = last, token
            if sequence.ends_with(token, step):
                return sequence.hypothesis


class _Sequence:
    """One row of `hypotheses.Hypotheses` without rules that ban tokens, as lists."""

    def __init__(self, rule: RepetitionRule, length: int) -> None:
        self.rule, self.length, self.finished = rule, length, False
        self.tokens: list[int] = []
        self.steps: list[float] = []
        self.phrases: set[tuple[int, ...]] = set()
        self.first, self.repeats = 0, 0  # where the phrase begins, and how many phrases in a row were repeated

    @property
    def room(self) -> int:
        return self.length - len(self.tokens)

    @property
    def hypothesis(self) -> Hypothesis:
        return Hypothesis(tuple(self.tokens), tuple(self.steps), self.finished)

    def ends_with(self, token: int, step: float) -> bool:
        """Add a token; return whether the sequence ends there."""
        self.steps.append(step)
        if token == self.rule.end:
            self.finished = True
            return True
        self.tokens.append(token)
        if token == self.rule.separator:
            self._close()
        return self.room == 0 or 0 < self.rule.patience <= self.repeats

    def _close(self) -> None:
        phrase = tuple(self.tokens[self.first : -1])
        self.first = len(self.tokens)
        # As in `Hypotheses`, an empty phrase repeats something wherever it is, except at the very beginning.
        again = phrase in self.phrases if phrase else self.first > 1
        self.repeats = self.repeats + 1 if again else 0
        self.phrases.add(phrase)
