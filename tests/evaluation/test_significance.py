"""Intervals and tests against what is known about them."""

import random
from itertools import product

import pytest

from phrasemill.errors import ConfigError
from phrasemill.evaluation import Answers, Scores, compare, evaluate
from phrasemill.evaluation.scores import Interval
from phrasemill.evaluation.significance import Difference, holm, interval


def system(name: str, rights: list[int], metric: str = "P@4") -> Scores:
    """A system with so many right predictions of four in each document."""
    gold = {str(i): [f"right{j}" for j in range(4)] for i in range(len(rights))}
    predictions = {
        str(i): tuple([f"right{j}" for j in range(right)] + [f"wrong{j}" for j in range(4 - right)])
        for i, right in enumerate(rights)
    }
    return evaluate(Answers(name, predictions), gold, metrics=[metric])


def test_an_interval_holds_the_score_and_narrows_with_documents() -> None:
    draw = random.Random(3)
    few, many = ([draw.randint(0, 4) for _ in range(n)] for n in (20, 500))
    one, other = (interval(system("s", rights).scores[0], resamples=500) for rights in (few, many))
    for bounds, rights in ((one, few), (other, many)):
        assert bounds.low < sum(rights) / len(rights) / 4 < bounds.high
    assert other.high - other.low < one.high - one.low


def test_the_bootstrap_of_a_micro_average_is_of_the_pooled_counts() -> None:
    """Two documents: the resamples are (a, a), (a, b), (b, b), so the ends are the two documents' own scores."""
    score = system("s", [0, 4], "P@4(average='micro')").scores[0]
    bounds = interval(score, resamples=400, level=0.9)
    assert (bounds.low, bounds.high) == (0, 1)
    assert bounds == interval(score, resamples=400, level=0.9, seed=1) != interval(score, resamples=400, seed=1)
    agreed = interval(system("s", [2, 2, 2]).scores[0], resamples=50)
    assert (agreed.low, agreed.high) == (0.5, 0.5)


@pytest.mark.parametrize("test", ["bootstrap", "randomisation"])
def test_equal_systems_do_not_differ_and_different_ones_do(test: str) -> None:
    draw = random.Random(5)
    rights = [draw.randint(0, 3) for _ in range(60)]
    same, better = system("a", rights), system("b", [right + 1 for right in rights])
    found = compare([same, system("c", rights), better], test=test, resamples=300)
    by_pair = {(d.a, d.b): d for d in found}
    assert by_pair["a", "c"].p == 1
    assert by_pair["a", "b" if ("a", "b") in by_pair else "c"].documents == 60
    assert by_pair["c", "b"].p == pytest.approx(1 / 301)
    assert by_pair["c", "b"].value == pytest.approx(1 / 4)


def test_randomisation_against_every_swap() -> None:
    """With five documents all 32 ways to swap can be tried: the estimate must come near the exact share."""
    a, b = [0, 1, 2, 3, 1], [2, 1, 4, 3, 2]
    gaps = [y - x for x, y in zip(a, b, strict=True)]
    sums = [abs(sum(s * g for s, g in zip(signs, gaps, strict=True))) for signs in product((1, -1), repeat=5)]
    exact = sum(s >= abs(sum(gaps)) for s in sums) / 32
    (found,) = compare([system("a", a), system("b", b)], test="randomisation", resamples=20_000)
    assert found.p == pytest.approx(exact, abs=0.02)


def test_holm_by_hand() -> None:
    """Holm (1979): p-values 0.01, 0.04, 0.03 become 0.03, 0.06 (not below the one before), 0.06."""
    nothing = Interval(0, 0, 0.95)
    given = [Difference("m", "a", "b", 0, 0, p, p, nothing, 1) for p in (0.01, 0.04, 0.03)]
    assert [d.adjusted for d in holm(given)] == pytest.approx([0.03, 0.06, 0.06])


def test_only_documents_of_both_systems_are_compared() -> None:
    gold = {"a": ["x"], "b": ["y"]}
    one = evaluate({"a": ["x"], "b": ["y"]}, gold, metrics=["P@1"], policy={"missing": "skip"})
    other = evaluate({"a": ["z"]}, gold, metrics=["P@1"], policy={"missing": "skip"})
    (found,) = compare([one, other], resamples=10)
    assert (found.documents, found.a_value, found.b_value) == (1, 1, 0)


@pytest.mark.parametrize(
    ("systems", "options", "message"),
    [
        ([system("a", [1, 2])], {}, "needs two systems"),
        ([system("a", [1, 2]), system("b", [1, 2, 3])], {}, "different gold"),
        ([system("a", [1, 2]), system("b", [1, 2])], {"test": "t"}, "unknown test"),
        ([system("a", [1, 2]), system("b", [1, 2])], {"resamples": 0}, "resamples must be"),
        (
            [evaluate([["a"]], [["a"]], metrics=["P@1"], preset=one) for one in ("default", "zeroshot")],
            {},
            "different choices",
        ),
    ],
)
def test_what_cannot_be_compared(systems: list[Scores], options: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        compare(systems, **options)  # type: ignore[arg-type]
