"""From next-token probabilities to keyphrases: one beam search, over any model that can take a step.

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
from phrasemill.methods.writing import Phrases, Search, Words

ROWS_AT_ONCE = 400  # 8 sources with a beam of 50: a gigabyte with a vocabulary of 50,000
SOURCES_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Marks:
    """The tokens that begin and end what a model writes.

    Without a separator a sequence is one phrase. A model with `kinds` also writes single phrases of each kind, which an
    exhaustive search then looks for instead of sequences. Sequences of a beam are compared by the sum of their
    log-probabilities over (number of steps)^normalise.
    """

    begin: int
    end: int
    separator: int | None = None
    kinds: tuple[int, ...] = ()
    normalise: float = 0.0


class Decoder(Protocol):
    """A vocabulary that turns the tokens written for a source into words."""

    def decoder(self, source: Sequence[str]) -> Callable[[tuple[int, ...]], Words]: ...


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


def generate(
    stepper: Stepper,
    sources: Sequence[Sequence[str]],
    vocabulary: Decoder,
    marks: Marks,
    search: Search,
    *,
    rows_at_once: int = ROWS_AT_ONCE,
) -> list[Phrases]:
    """Return the unique phrases of each source; sources of similar length are searched together.

    Greedy search is a beam of one. An exhaustive search with a model that writes single phrases looks for `width`
    phrases of each kind, all kinds in one search, to fill the batch.
    """
    kinds = marks.kinds if search.kind == "beam" else ()
    begins = kinds or (marks.begin,)
    options: dict[str, Any] = {"rule": RepetitionRule(marks.end), "width": search.width, "length": search.phrase_length}
    at_once = max(1, rows_at_once // (search.width * len(begins)))
    if not kinds:
        repeats = (search.no_repeat_ngram, search.no_repeat_phrase and marks.separator is not None)
        options |= {"rule": RepetitionRule(marks.end, marks.separator, *repeats), "length": search.length}
        options |= {"kept": search.kept, "normalise": marks.normalise}
    if search.kind == "greedy":
        rule = RepetitionRule(marks.end, marks.separator, *repeats, search.patience)
        options |= {"rule": rule, "width": 1, "kept": 1, "normalise": 0.0}
        at_once = SOURCES_AT_ONCE
    by_length = sorted(range(len(sources)), key=lambda number: len(sources[number]))
    found: dict[int, Phrases] = {}
    for first in range(0, len(by_length), at_once):
        numbers = by_length[first : first + at_once]
        batch = [sources[number] for number in numbers for _ in begins]
        lists = iter(beam(stepper, batch, begins=begins * len(numbers), **options))
        for number in numbers:
            hypotheses = [one for _ in begins for one in next(lists)]
            decode = vocabulary.decoder(sources[number])
            if kinds:
                ranked = phrases(hypotheses, decode, order="best")
                found[number] = sorted(ranked, key=lambda item: (-item[1], item[0]))
            else:
                counted = hypotheses[:1] if search.kind == "top" else hypotheses
                found[number] = phrases(counted, decode, separator=marks.separator, order=search.order)
    return [found[number] for number in range(len(sources))]


def beam(
    stepper: Stepper,
    sources: Sequence[Sequence[str]],
    *,
    begins: Sequence[int],
    rule: RepetitionRule,
    width: int = 1,
    length: int = 40,
    kept: int = 0,
    normalise: float = 0.0,
) -> list[list[Hypothesis]]:
    """Return up to `kept` hypotheses per source (0: `width`), best first: by the sum of log-probabilities over
    (number of steps)^normalise.

    At each step the `width` best continuations that do not end go on; those among the `width` best that end are kept
    while they are among the best `kept` that ended. A source is done when nothing that goes on can overtake the worst
    of these. Sequences that were cut come after those that ended: at `length` tokens, by the rule's `patience`, or
    because nothing may follow.
    """
    written = Hypotheses.empty(len(sources), length, rule)
    state, tokens, owner = stepper.start(sources) if sources else None, np.array(begins), np.arange(len(sources))
    score, going = np.zeros((len(sources), 1)), np.ones(len(sources), bool)  # score: (sources, rows of each)
    found = [_Found(kept or width) for _ in sources]
    # Greedy search needs no continuation beside one that ends, and a model finds one in less time than two.
    most = 1 if width == (kept or width) == 1 and not normalise else width + 1
    while going.any():
        state, logs, numbers = _step(stepper, state, tokens, written.banned(), most)
        step, token, source = logs.ravel(), numbers.ravel(), np.arange(len(score))[:, None]
        total = (score.reshape(-1, 1) + logs).ravel()
        # The best twice `width` continuations of each source: as each row can end in one way only, half do not end.
        order = np.argsort(-total.reshape(len(score), -1), axis=1, kind="stable")[:, : 2 * width]
        best = order + source * (len(total) // len(score))
        ends = token[best] == rule.end
        for at, column in np.argwhere(ends[:, :width]).tolist() if ends.any() else ():
            place = int(best[at, column])
            value = float(total[place]) / (written.count + 1) ** normalise
            if value > found[owner[at]].floor:
                found[owner[at]].add(value, written.hypothesis(place // logs.shape[1], float(step[place])))
        if ends.any():
            best = best[source, np.argsort(ends, axis=1, kind="stable")]
        best = best[:, :width]
        before, score = score, np.where(token[best] == rule.end, -np.inf, total[best])
        hopes = score.max(axis=1)
        for at in np.flatnonzero(going & (hopes == -np.inf)).tolist():
            found[owner[at]].cut(written, at, before[at])
        going &= hopes / length**normalise > [found[number].floor for number in owner]
        # Sources that are done stay until they are a quarter of all: moving the others costs more than a step.
        if 4 * np.count_nonzero(going) <= 3 * len(going):
            best, score, owner, going = best[going], score[going], owner[going], going[going]
        rows, tokens = best.ravel() // logs.shape[1], token[best].ravel()
        if width > 1 or len(rows) < len(written.tokens):
            state, written = stepper.select(state, rows), written.select(rows)
        written.append(tokens, step[best].ravel())
        over = going & (written.exhausted().reshape(score.shape).all(axis=1) | (written.count == length))
        for at in np.flatnonzero(over).tolist():
            found[owner[at]].cut(written, at, score[at])
        going &= ~over
        score[~going] = -np.inf
    return [one.best() for one in found]


@dataclass(slots=True)
class _Found:
    """The best hypotheses of a source that ended, of equals the earlier, and those that were cut."""

    most: int
    heap: list[tuple[float, int, Hypothesis]] = field(default_factory=list)
    seen: int = 0
    unfinished: list[Hypothesis] = field(default_factory=list)

    @property
    def floor(self) -> float:
        """Return the score that a new hypothesis must exceed."""
        return self.heap[0][0] if len(self.heap) == self.most else -np.inf

    def add(self, value: float, hypothesis: Hypothesis) -> None:
        self.seen += 1
        push = heapq.heappush if len(self.heap) < self.most else heapq.heappushpop
        push(self.heap, (value, -self.seen, hypothesis))

    def cut(self, written: Hypotheses, at: int, score: FloatArray) -> None:
        """Add what was written in the rows of source number `at`, of these scores."""
        rows = at * len(score) + np.flatnonzero(score > -np.inf)
        self.unfinished = [written.hypothesis(row) for row in rows.tolist()]

    def best(self) -> list[Hypothesis]:
        ended = [hypothesis for _, _, hypothesis in sorted(self.heap, reverse=True)]
        return [*ended, *self.unfinished][: self.most]


def _step(stepper: Stepper, state: Any, tokens: IntArray, banned: IntArray, k: int) -> tuple[Any, FloatArray, IntArray]:
    """Take a step that gives k continuations per row even without the banned ones, whose log-probability is -inf."""
    state, logs, numbers = stepper.step(state, tokens, k + banned.shape[1])
    if banned.shape[1]:
        is_banned = (numbers[:, :, None] == banned[:, None, :]).any(axis=2)
        logs = np.where(is_banned, -np.inf, logs)
    return state, logs, numbers


def phrases(
    hypotheses: Sequence[Hypothesis],
    decode: Callable[[tuple[int, ...]], Words],
    *,
    separator: int | None = None,
    order: str = "appearance",
) -> Phrases:
    """Return unique phrases, best first, each with a score; `decode` turns tokens into words.

    Hypotheses are split at the separator; without one, each is a phrase. A phrase that was cut off is left out. Orders:
    `appearance`, the order of first appearance from the best hypothesis to the worst, scored by the phrase's
    probability there (given what precedes it); `best`, its highest probability anywhere; `total`, the share of the
    hypotheses' probability that belongs to those which contain it.
    """
    totals = np.array([hypothesis.score for hypothesis in hypotheses])
    mass = np.exp(totals - totals.max(initial=-np.inf)) if order == "total" else None
    scores: dict[Words, float] = {}
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
