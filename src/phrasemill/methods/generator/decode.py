"""From next-token probabilities to keyphrases: greedy and beam search over any model that can take a step.

A model is a `Stepper`: it reads sources, then returns the likeliest next tokens step by step, whether it runs on a GPU,
in ONNX Runtime or as a toy in a test. This file handles only token numbers and log-probabilities, in NumPy. Numbers
from the size of a model's vocabulary up may stand for words of the source that the vocabulary lacks.
"""

import heapq
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from phrasemill.methods.generator.hypotheses import FloatArray, Hypotheses, Hypothesis, IntArray, RepetitionRule

__all__ = ["FloatArray", "Hypothesis", "IntArray", "RepetitionRule", "Stepper", "beam", "greedy", "phrases"]


class Stepper(Protocol):
    """A model that reads sources and then, step by step, one token per row."""

    def start(self, sources: Sequence[Sequence[str]]) -> Any:
        """Return a state with one row per source."""
        ...

    def step(self, state: Any, tokens: IntArray, k: int) -> tuple[Any, FloatArray, IntArray]:
        """Read one token per row; return the new state, and log-probabilities and numbers of the k likeliest next
        tokens, best first: fewer than k columns where there are fewer tokens."""
        ...

    def select(self, state: Any, rows: IntArray) -> Any:
        """Return the state of these rows: reordered, repeated or dropped."""
        ...


def greedy(
    stepper: Stepper,
    sources: Sequence[Sequence[str]],
    *,
    begin: int | Sequence[int],
    rule: RepetitionRule,
    length: int = 40,
) -> list[Hypothesis]:
    """Return one hypothesis per source: the likeliest token at every step, until the end, `length` tokens, or the
    rule's `patience`."""
    if not sources:
        return []
    written = Hypotheses.empty(len(sources), length, rule)
    state, tokens, owner = stepper.start(sources), _begins(begin, len(sources)), np.arange(len(sources))
    found: dict[int, Hypothesis] = {}
    going = np.ones(len(sources), bool)
    while going.any() and written.count < length:
        state, logs, numbers = _step(stepper, state, tokens, written.banned(), 1)
        if numbers.shape[1] > 1:  # the likeliest may be banned
            best = logs.argmax(axis=1)[:, None]
            numbers, logs = np.take_along_axis(numbers, best, 1), np.take_along_axis(logs, best, 1)
        tokens, steps = numbers[:, 0], logs[:, 0]
        stuck = np.isneginf(steps)
        over = going & (stuck | (tokens == rule.end))
        for row in over.nonzero()[0].tolist():
            found[int(owner[row])] = written.hypothesis(row, None if stuck[row] else float(steps[row]))
        written.append(tokens, steps)
        exhausted = going & ~over & written.exhausted()
        found |= {int(owner[row]): written.hypothesis(row) for row in exhausted.nonzero()[0].tolist()}
        going &= ~(over | exhausted)
        # Rows that ended stay until they are a quarter of all: moving the others costs more than a step.
        if 4 * going.sum() <= 3 * len(going):
            kept = np.flatnonzero(going)
            state, written, owner, tokens = stepper.select(state, kept), written.select(kept), owner[kept], tokens[kept]
            going = going[kept]
    found |= {source: written.hypothesis(row) for row, source in enumerate(owner.tolist()) if going[row]}
    return [found[source] for source in range(len(sources))]


def beam(
    stepper: Stepper,
    sources: Sequence[Sequence[str]],
    *,
    begin: int | Sequence[int],
    rule: RepetitionRule,
    width: int = 50,
    length: int = 40,
    kept: int | None = None,
    normalise: float = 0.0,
) -> list[list[Hypothesis]]:
    """Return up to `kept` hypotheses per source (`width` unless told), best first: by the sum of log-probabilities
    over (number of steps)^normalise.

    At each step the `width` best continuations that do not end go on; those among the `width` best that end are kept
    while they are among the best `kept` that ended. A source leaves the batch when nothing that goes on can overtake
    the worst of these. Sequences cut at `length` come after those that ended. A width of 1 without normalisation is
    greedy search.
    """
    if not sources:
        return []
    written = Hypotheses.empty(len(sources), length, rule)
    state, tokens, owner = stepper.start(sources), _begins(begin, len(sources)), np.arange(len(sources))
    score = np.zeros((len(sources), 1))  # (sources, rows of each)
    kept = width if kept is None else kept
    ended = [_Finished(kept) for _ in sources]
    while True:
        state, logs, numbers = _step(stepper, state, tokens, written.banned(), width + 1)
        options = _Continuations.of(score, logs, numbers, width)
        ends = options.token == rule.end
        value = options.total / (written.count + 1) ** normalise
        for at, column in np.argwhere(ends[:, :width] & (options.total[:, :width] > -np.inf)).tolist():
            best = ended[owner[at]]
            if value[at, column] > best.floor:
                row, step = int(options.row[at, column]), float(options.step[at, column])
                best.add(value[at, column], written.hypothesis(row, step))
        options = options.take(np.argsort(ends, axis=1, kind="stable")[:, :width])
        score = np.where(options.token == rule.end, -np.inf, options.total)
        hopes = score.max(axis=1) / length**normalise
        last = written.count + 1 == length
        going = np.flatnonzero((hopes > [ended[source].floor for source in owner]) | last)
        if not len(going):
            return [best.sorted() for best in ended]
        rows, tokens = options.row[going].ravel(), options.token[going].ravel()
        written, score, owner = written.select(rows), score[going], owner[going]
        written.append(tokens, options.step[going].ravel())
        if last:
            cut = _unfinished(written, score, owner)
            return [[*best.sorted(), *cut.get(source, [])][:kept] for source, best in enumerate(ended)]
        state = stepper.select(state, rows)


@dataclass(frozen=True, slots=True)
class _Continuations:
    """The continuations of each source's rows, best first; arrays of (sources, continuations)."""

    total: FloatArray
    step: FloatArray
    token: IntArray
    row: IntArray  # which of all rows it continues

    @classmethod
    def of(cls, score: FloatArray, logs: FloatArray, numbers: IntArray, width: int) -> "_Continuations":
        """Return the best twice `width`: as each row can end in one way only, at least half of them do not end."""
        sources, each = score.shape
        total = (score.reshape(-1, 1) + logs).reshape(sources, -1)
        row = np.arange(sources * each).repeat(logs.shape[1]).reshape(sources, -1)
        every = cls(total, logs.reshape(sources, -1), numbers.reshape(sources, -1), row)
        return every.take(np.argsort(-total, axis=1, kind="stable")[:, : 2 * width])

    def take(self, order: IntArray) -> "_Continuations":
        return _Continuations(
            np.take_along_axis(self.total, order, 1),
            np.take_along_axis(self.step, order, 1),
            np.take_along_axis(self.token, order, 1),
            np.take_along_axis(self.row, order, 1),
        )


@dataclass(slots=True)
class _Finished:
    """The best hypotheses that ended; of equals the earlier."""

    most: int
    heap: list[tuple[float, int, Hypothesis]] = field(default_factory=list)
    seen: int = 0

    @property
    def floor(self) -> float:
        """Return the score that a new hypothesis must exceed."""
        return self.heap[0][0] if len(self.heap) == self.most else -np.inf

    def add(self, value: float, hypothesis: Hypothesis) -> None:
        self.seen += 1
        push = heapq.heappush if len(self.heap) < self.most else heapq.heappushpop
        push(self.heap, (value, -self.seen, hypothesis))

    def sorted(self) -> list[Hypothesis]:
        return [hypothesis for _, _, hypothesis in sorted(self.heap, reverse=True)]


def phrases(
    hypotheses: Sequence[Hypothesis],
    decode: Callable[[tuple[int, ...]], tuple[str, ...]],
    *,
    separator: int | None = None,
    order: str = "appearance",
) -> list[tuple[tuple[str, ...], float]]:
    """Return unique phrases, best first, each with a score; `decode` turns tokens into words.

    Hypotheses are split at the separator; without one, each is a phrase. A phrase that was cut off is left out. Orders:
    `appearance`, the order of first appearance from the best hypothesis to the worst, scored by the phrase's
    probability there (given what precedes it); `best`, its highest probability anywhere; `total`, the share of the
    hypotheses' probability that belongs to those which contain it.
    """
    totals = np.array([hypothesis.score for hypothesis in hypotheses])
    mass = np.exp(totals - totals.max(initial=-np.inf)) if order == "total" else None
    scores: dict[tuple[str, ...], float] = {}
    for number, hypothesis in enumerate(hypotheses):
        seen = set()
        for tokens, log in _phrases_of(hypothesis, separator):
            words = decode(tokens)
            if not words:
                continue
            if order == "best":
                scores[words] = max(scores.get(words, 0.0), float(np.exp(log)))
            elif mass is None:
                scores.setdefault(words, float(np.exp(log)))
            elif words not in seen:
                scores[words] = scores.get(words, 0.0) + float(mass[number] / mass.sum())
            seen.add(words)
    found = list(scores.items())
    return found if order == "appearance" else sorted(found, key=lambda item: -item[1])


def _phrases_of(hypothesis: Hypothesis, separator: int | None) -> Iterable[tuple[tuple[int, ...], float]]:
    """Yield the complete phrases, each with the log-probability of its tokens and of the mark that closed it."""
    first = 0
    for at, token in enumerate(hypothesis.tokens):
        if token == separator:
            yield hypothesis.tokens[first:at], sum(hypothesis.steps[first : at + 1])
            first = at + 1
    if hypothesis.finished:
        yield hypothesis.tokens[first:], sum(hypothesis.steps[first:])


def _step(stepper: Stepper, state: Any, tokens: IntArray, banned: IntArray, k: int) -> tuple[Any, FloatArray, IntArray]:
    """Take a step that gives k continuations per row even without the banned ones, whose log-probability is -inf."""
    state, logs, numbers = stepper.step(state, tokens, k + banned.shape[1])
    if banned.shape[1]:
        is_banned = (numbers[:, :, None] == banned[:, None, :]).any(axis=2)
        logs = np.where(is_banned, -np.inf, logs)
    return state, logs, numbers


def _unfinished(written: Hypotheses, score: FloatArray, owner: IntArray) -> dict[int, list[Hypothesis]]:
    """Return the hypotheses of each source that were cut before they ended."""
    found: dict[int, list[Hypothesis]] = {}
    for at, column in np.argwhere(score > -np.inf).tolist():
        found.setdefault(int(owner[at]), []).append(written.hypothesis(at * score.shape[1] + column))
    return found


def _begins(begin: int | Sequence[int], sources: int) -> IntArray:
    return np.broadcast_to(np.asarray(begin, np.int64), (sources,)).copy()
