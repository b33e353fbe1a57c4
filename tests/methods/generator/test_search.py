"""Searches against exhaustive enumeration and a plain beam search, on a toy whose choices depend on all it has said."""

import math
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phrasemill.methods.generator.hypotheses import Hypothesis, RepetitionRule
from phrasemill.methods.generator.search import Marks, beam, generate, phrases
from phrasemill.methods.writing import Search

BEGIN, END, SEPARATOR = 0, 1, 2
SIZE = 6  # tokens 3, 4, 5 are words
LENGTH = 4


def logs(source: str, said: tuple[int, ...]) -> np.ndarray:
    """Log-probabilities of the next token after `said`; the begin mark never comes again."""
    rng = np.random.default_rng(zlib.crc32(repr((source, said)).encode()))
    values = rng.normal(size=SIZE) * 2
    values[BEGIN] = -np.inf
    return values - np.log(np.exp(values).sum())


class Toy:
    """A state is a list of (source, what its row has said)."""

    def __init__(self) -> None:
        self.rows = 0

    def start(self, sources: Sequence[Sequence[str]]) -> Any:
        return [(" ".join(source), None) for source in sources]

    def step(self, state: Any, tokens: np.ndarray, k: int) -> Any:
        self.rows += len(tokens)
        state = [
            (source, () if said is None else (*said, token))
            for (source, said), token in zip(state, tokens.tolist(), strict=True)
        ]
        table = np.stack([logs(*row) for row in state])
        order = np.argsort(-table, axis=1, kind="stable")[:, :k]
        return state, np.take_along_axis(table, order, 1), order

    def select(self, state: Any, rows: np.ndarray) -> Any:
        return [state[row] for row in rows.tolist()]


def endings(source: str, said: tuple[int, ...] = (), score: float = 0.0) -> Iterator[tuple[float, tuple[int, ...]]]:
    """Every sequence that ends within LENGTH steps."""
    if len(said) == LENGTH:
        return
    table = logs(source, said)
    yield score + table[END], said
    for token in range(2, SIZE):
        yield from endings(source, (*said, token), score + table[token])


def plain_beam(source: str, width: int, kept: int | None = None) -> list[tuple[float, tuple[int, ...]]]:
    alive: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    done: list[tuple[float, tuple[int, ...]]] = []
    for _ in range(LENGTH):
        every = [
            (score + logs(source, said)[token], (*said, token)) for score, said in alive for token in range(1, SIZE)
        ]
        every.sort(reverse=True)
        done += [(score, said[:-1]) for score, said in every[:width] if said[-1] == END]
        alive = [(score, said) for score, said in every if said[-1] != END][:width]
    return sorted(done, reverse=True)[: kept or width]


def marks(
    *,
    separator: int | None = None,
    no_repeat_ngram: int = 0,
    no_repeat_phrase: bool = False,
    patience: int = 0,
    **options: Any,
) -> dict[str, Any]:
    rule = RepetitionRule(END, separator, no_repeat_ngram, no_repeat_phrase, patience)
    return {"length": LENGTH, "rule": rule, **options}


def searched(toy: Toy, sources: list[list[str]], **options: Any) -> list[list[Hypothesis]]:
    return beam(toy, sources, begins=[BEGIN] * len(sources), **marks(**options))


def greedy(toy: Toy, sources: list[list[str]], **options: Any) -> list[Hypothesis]:
    return [one for [one] in searched(toy, sources, **options)]


sources = st.lists(st.text("abc", min_size=1, max_size=3).map(lambda text: [text]), min_size=1, max_size=4)


def ended(found: list[Hypothesis]) -> list[tuple[int, ...]]:
    return [one.tokens for one in found if one.finished]


@settings(max_examples=50, deadline=None)
@given(sources, st.integers(1, 9), st.integers(0, 40))
def test_the_search_is_a_plain_beam_search(sources: list[list[str]], width: int, kept: int) -> None:
    for source, found in zip(sources, searched(Toy(), sources, width=width, kept=kept), strict=True):
        wanted = plain_beam(source[0], width, kept)
        assert ended(found) == [said for _, said in wanted]
        assert [one.score for one in found if one.finished] == pytest.approx([score for score, _ in wanted])
        assert len(found) <= (kept or width)


@pytest.mark.parametrize("source", ["a", "b", "cab"])
def test_a_beam_as_wide_as_the_tree_finds_the_best_of_all(source: str) -> None:
    best = sorted(endings(source), reverse=True)
    [whole] = searched(Toy(), [[source]], width=400)
    assert ended(whole) == [said for _, said in best]
    [plain] = searched(Toy(), [[source]], width=400, no_repeat_ngram=1)
    assert ended(plain) == [said for _, said in best if len(set(said)) == len(said)]
    [long] = searched(Toy(), [[source]], width=400, normalise=1.0)
    assert ended(long) == [said for _, said in sorted(best, key=lambda item: -item[0] / (len(item[1]) + 1))]


def test_greedy_takes_the_likeliest_at_each_step() -> None:
    (found,) = greedy(Toy(), [["a"]])
    said: tuple[int, ...] = ()
    while len(said) < LENGTH and (token := int(logs("a", said).argmax())) != END:
        said = (*said, token)
    assert found.tokens == said
    steps = [logs("a", said[:at])[token] for at, token in enumerate((*said, END)[:LENGTH])]
    assert found.steps == pytest.approx(steps)


@settings(max_examples=30, deadline=None)
@given(sources, st.integers(1, 3), st.integers(1, 6))
def test_no_ngram_comes_twice(sources: list[list[str]], n: int, width: int) -> None:
    found = searched(Toy(), sources, width=width, length=12, no_repeat_ngram=n, separator=SEPARATOR)
    for hypothesis in (hypothesis for several in found for hypothesis in several):
        tokens = hypothesis.tokens
        grams = [tokens[at : at + n] for at in range(len(tokens) - n + 1)]
        grams = [gram for gram in grams if SEPARATOR not in gram]
        assert len(grams) == len(set(grams))
        assert math.isfinite(hypothesis.score)


@settings(max_examples=30, deadline=None)
@given(sources, st.integers(1, 6))
def test_no_phrase_comes_twice_and_none_is_empty(sources: list[list[str]], width: int) -> None:
    found = searched(Toy(), sources, width=width, length=12, no_repeat_phrase=True, separator=SEPARATOR)
    for hypothesis in (hypothesis for several in found for hypothesis in several):
        said = " ".join(map(str, hypothesis.tokens)).split(str(SEPARATOR))
        whole = said if hypothesis.finished else said[:-1]
        assert len(set(whole)) == len(whole)
        assert hypothesis.tokens == () or all(phrase.strip() for phrase in whole)


def test_rows_leave_the_batch_when_they_are_done() -> None:
    class Once(Toy):
        def step(self, state: Any, tokens: np.ndarray, k: int) -> Any:
            state, _, _ = super().step(state, tokens, k)
            table = np.array([[0.9, 0.1] if len(said) >= len(source) else [0.1, 0.9] for source, said in state])
            order = np.argsort(-table, axis=1)[:, :k]
            return state, np.log(np.take_along_axis(table, order, 1)), np.array([END, 3])[order]

    toy = Once()
    found = greedy(toy, [["a"], ["aaa"]], length=9)
    assert [hypothesis.tokens for hypothesis in found] == [(3,), (3, 3, 3)]
    assert toy.rows == 2 + 4


def test_a_sequence_that_only_repeats_itself_is_given_up_for_good() -> None:
    class Parrot(Toy):
        """Says its source's letters as phrases of one token, over and over; where they are `ab`, it ends at last."""

        def step(self, state: Any, tokens: np.ndarray, k: int) -> Any:
            state, _, _ = super().step(state, tokens, k)
            said = [3 + "ab".index(s[len(t) // 2 % len(s)]) if len(t) % 2 == 0 else SEPARATOR for s, t in state]
            said = [END if s == "ab" and len(t) == 8 else one for one, (s, t) in zip(said, state, strict=True)]
            return state, np.zeros((len(said), 1)), np.array(said)[:, None]

    a, b, sep = 3, 4, SEPARATOR
    given: dict[str, Any] = {"length": 12, "separator": SEPARATOR}
    once, twice = (a, sep, b, sep, a, sep, b, sep), (a, sep, a, sep, b, sep, a, sep, a, sep)
    found = greedy(Parrot(), [["ab"], ["aab"], ["aab"], ["aab"], ["aab"]], patience=2, **given)
    assert found == [Hypothesis(said, (0.0,) * len(said), False) for said in (once, *[twice] * 4)]
    patient = greedy(Parrot(), [["ab"], ["aab"]], **given)
    assert [(len(one.tokens), one.finished) for one in patient] == [(8, True), (12, False)]


def test_a_sequence_after_which_nothing_may_follow_is_cut() -> None:
    class Stutter(Toy):
        def step(self, state: Any, tokens: np.ndarray, k: int) -> Any:
            state, _, _ = super().step(state, tokens, k)
            return state, np.zeros((len(tokens), 1)), np.full((len(tokens), 1), 3)

    for width in (1, 3):
        [[found]] = searched(Stutter(), [["a"]], width=width, no_repeat_ngram=1)
        assert found == Hypothesis((3,), (0.0,), False)


def test_each_source_may_begin_its_own_way() -> None:
    class Echo(Toy):
        def step(self, state: Any, tokens: np.ndarray, k: int) -> Any:
            return state, np.zeros((len(tokens), 1)), np.where(tokens >= 3, END, tokens + 3)[:, None]

    found = beam(Echo(), [["a"], ["b"]], begins=[0, 2], rule=RepetitionRule(END), length=3)
    assert [one.tokens for [one] in found] == [(3,), (5,)]
    assert searched(Toy(), []) == []


def say(tokens: tuple[int, ...]) -> tuple[str, ...]:
    return tuple("_  abc"[token] for token in tokens)


def hypothesis(tokens: tuple[int, ...], *probabilities: float, finished: bool = True) -> Hypothesis:
    return Hypothesis(tokens, tuple(math.log(p) for p in probabilities), finished)


BEAMS = [
    hypothesis((3, 2, 4), 0.5, 1, 0.8, 1),  # a; b
    hypothesis((4, 2, 3, 5, 2, 3), 0.9, 1, 0.2, 1, 1, 1, 1),  # b; a c; a
    hypothesis((5, 2, 5, 4), 0.1, 1, 0.9, 1, finished=False),  # c; and "c b", cut off
]


@pytest.mark.parametrize(
    ("order", "scores"),
    [
        ("appearance", {"a": 0.5, "b": 0.8, "a c": 0.2, "c": 0.1}),
        ("best", {"a": 1.0, "b": 0.9, "a c": 0.2, "c": 0.1}),
        ("total", {"a": 0.58 / 0.67, "b": 0.58 / 0.67, "a c": 0.18 / 0.67, "c": 0.09 / 0.67}),
    ],
)
def test_phrases_are_ordered_by_appearance_or_probability(order: str, scores: dict[str, float]) -> None:
    found = {" ".join(words): score for words, score in phrases(BEAMS, say, separator=SEPARATOR, order=order)}
    assert list(found) == list(scores) and found == pytest.approx(scores)


def test_without_a_separator_each_hypothesis_is_a_phrase() -> None:
    found = phrases([hypothesis((3, 4), 0.5, 0.5, 1), hypothesis((), 0.1), hypothesis((4,), 0.1, 1)], say)
    assert [words for words, _ in found] == [("a", "b"), ("b",)]


class Letters:
    def decoder(self, source: Sequence[str]) -> Any:
        return say


def test_phrases_of_all_kinds_are_ranked_together() -> None:
    kinds = Marks(begin=BEGIN, end=END, kinds=(BEGIN, SEPARATOR))
    search = Search("beam", width=400, phrase_length=LENGTH)
    [found] = generate(Toy(), [["a"]], Letters(), kinds, search)
    best = dict(found)
    for score, said in endings("a"):
        if SEPARATOR not in said and said:
            assert best[say(said)] == pytest.approx(math.exp(score))
    assert [score for _, score in found] == sorted(best.values(), reverse=True)


def test_a_phrase_may_repeat_where_there_is_no_separator() -> None:
    search = Search(length=LENGTH, no_repeat_phrase=True)
    [found] = generate(Toy(), [["a"]], Letters(), Marks(BEGIN, END), search)
    assert found == phrases(greedy(Toy(), [["a"]]), say)


@pytest.mark.parametrize("source", ["bc", "dd", "aab"])  # patience or the length of a sequence decides
def test_what_each_kind_of_search_counts(source: str) -> None:
    given: dict[str, Any] = {"separator": SEPARATOR, "length": 16}
    [greedily] = searched(Toy(), [[source]], patience=1, **given)
    [many] = searched(Toy(), [[source]], width=3, normalise=1.0, **given)
    for kind, counted in (("greedy", greedily), ("top", many[:1]), ("beam", many)):
        search = Search(kind, width=3, length=16, patience=1)
        [found] = generate(Toy(), [[source]], Letters(), Marks(BEGIN, END, SEPARATOR, normalise=1.0), search)
        assert found == phrases(counted, say, separator=SEPARATOR)
