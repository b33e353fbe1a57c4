"""Which gold keyphrase a prediction finds, in the cases that definitions leave open."""

from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tiny_bert
from phrasemill.embeddings import load_encoder
from phrasemill.errors import InputError, ModelError
from phrasemill.evaluation import evaluate
from phrasemill.evaluation.matching import assign
from phrasemill.evaluation.similarity import partial
from phrasemill.types import Reference

Near = Callable[[Mapping[str, str]], dict[str, object]]


def scored(predicted: list[str], gold: Sequence[Reference], *metrics: str, **policy: object) -> list[float]:
    return [one.value for one in evaluate({"d": predicted}, {"d": gold}, metrics=metrics, policy=policy)]


GRIDS = ["grid", "grid", "node"]
PUMPS = ["heat pump", "Heat Pump", "heat pumps", "tide"]


@pytest.mark.parametrize(
    ("predicted", "gold", "policy", "scores"),
    [
        (["tree", "x", "trees"], ["tree"], {}, {"P@1": 1, "P@2": 1 / 2}),  # of repeats the first stays
        (["databas", "databa"], ["databas", "databa"], {"stemmed": "both"}, {"R@2": 1}),  # stems are not stemmed again
        # A wording in two clusters finds the one that is left.
        (["a", "b"], [("a", "b"), ("b", "c")], {}, {"P@1": 1, "P@2": 1}),
        # A repeat finds nothing even where the gold repeats itself, too.
        (["a", "a"], ["a", "a"], {"dedupe": "match", "dedupe_gold": False}, {"P@1": 1, "P@2": 1 / 2}),
        (["a", "a"], ["a", "a"], {"dedupe": "none", "dedupe_gold": False}, {"P@1": 1, "P@2": 1}),
        # Of others with the same stem each earns where only spelling makes repeats.
        (PUMPS, ["heat pump"], {"dedupe": "exact"}, {"P@1": 1, "P@2": 1 / 2, "P@3": 1 / 3}),
        (PUMPS, ["heat pump", "x"], {"dedupe": "spelling"}, {"P@1": 1, "P@2": 1, "P@3": 2 / 3, "R@5": 1}),
        (["heat-pump", "heat pump"], ["Heat-pumps"], {}, {"P@5": 1 / 2, "P@5(hyphens='space')": 1}),
        (["heat pump"], ["Heat-pumps"], {}, {"P@5": 0, "P@5(hyphens='space')": 1}),
        # A repeated answer counts by the credit.
        *(
            (["grid", "node"], GRIDS, {"credit": credit, "dedupe_gold": False, "dedupe": "match"}, {"R@5": recall})
            for credit, recall in (("prediction", 2 / 3), ("gold", 1), ("pairs", 1))
        ),
        # Where repeats earn again, pairs can earn more than there are predictions.
        *(
            (GRIDS[:2], GRIDS[:2], {"credit": "pairs", "dedupe_gold": False, "dedupe": dedupe}, {"P@5": precision})
            for dedupe, precision in (("match", 2 / 2), ("none", 4 / 2))
        ),
    ],
)
def test_what_is_found(
    predicted: list[str], gold: list[Reference], policy: dict[str, object], scores: dict[str, float]
) -> None:
    assert scored(predicted, gold, *scores, **policy) == pytest.approx(list(scores.values()))


def test_each_gold_keyphrase_earns_its_best_prediction_at_every_cut() -> None:
    """The naive oracle: for each k, the sum over the gold of the best similarity among the first k predictions."""
    predicted = ["grid", "salt", "grid computing", "salt water pump", "grid", "fresh water"]
    gold = ["grid computing", "salt water", "node"]
    for k in range(1, len(predicted) + 1):
        first = [one.split() for one in predicted[:k]]
        total = sum(max(partial(words, wanted.split()) for words in first) for wanted in gold)
        found = scored(predicted, gold, f"P@{k}", f"R@{k}", match="partial", credit="gold", dedupe="match")
        assert found == pytest.approx([total / k, total / len(gold)])


@pytest.mark.parametrize(
    ("phrase", "others"),
    [
        ("policy of school", ["school policies"]),
        ("school's policy", ["school policy"]),
        ("idle time of the processor", ["the processor idle time", "processor idle time"]),
    ],
)
def test_genitives_in_both_orders_match_where_the_policy_says_so(phrase: str, others: list[str]) -> None:
    """The first two are the examples of Kim et al. (2010), section 2.1, the third is from its keys."""
    for other in others:
        assert scored([other], [phrase], "P@1", "P@1(genitives='both')") == [0, 1]
    assert scored([*others, phrase], [phrase], "R@5(genitives='both')", "P@5(genitives='both')")[0] == 1
    assert scored(["grid", "of"], ["grid", "of"], "P@2(genitives='both')") == [1]


GAINS = st.lists(st.dictionaries(st.integers(0, 4), st.integers(1, 4), max_size=4), max_size=5)


def naive(gains: Sequence[Mapping[int, int]]) -> tuple[int, int]:
    """The most that can be matched and, with so many, the greatest sum of gains, by trying everything."""
    best = (0, 0)
    for order in permutations([*range(5), *[None] * len(gains)], len(gains)):
        used = [(p, gold) for p, gold in enumerate(order) if gold is not None]
        if all(gold in gains[p] for p, gold in used):
            best = max(best, (len(used), sum(gains[p][gold] for p, gold in used)))
    return best


@pytest.mark.slow
@settings(deadline=None)
@given(GAINS)
def test_every_beginning_is_assigned_as_well_as_can_be_and_gains_most(gains: list[dict[int, int]]) -> None:
    found = assign(gains)
    matched = [p for p, gold in enumerate(found) if gold is not None]
    taken = [gold for gold in found if gold is not None]
    assert len(set(taken)) == len(taken), "nothing is found twice"
    assert all(gold in gains[p] for p, gold in zip(matched, taken, strict=True))
    for cut in range(len(gains) + 1):
        assert sum(gold is not None for gold in found[:cut]) == naive(gains[:cut])[0]
        before = assign(gains[:cut])
        assert [gold is None for gold in before] == [gold is None for gold in found[:cut]], "the rest does not matter"
    total = sum(gains[p][gold] for p, gold in zip(matched, taken, strict=True))
    assert (len(matched), total) == naive([gains[p] for p in matched])


@pytest.fixture
def near(tmp_path: Path) -> Near:
    """Makes the policy of meaning by a file of these word vectors."""

    def made(vectors: Mapping[str, str]) -> dict[str, object]:
        path = tmp_path / "vectors.txt"
        path.write_text("5 2\n" + "".join(f"{word} {numbers}\n" for word, numbers in vectors.items()))
        return {"match": "semantic", "embeddings": str(path), "threshold": 0.9}

    return made


CARS = {"car": "1 0", "auto": "0.98 0.2", "fruit": "0 1", "apple": "0.1 0.99", "lunch": "0.7 0.7"}


def test_semantic_matching_by_word_vectors(near: Near) -> None:
    predictions, gold = {"d": ["auto", "apple", "lunch", "unknown"]}, {"d": ["car", "fruit", "house"]}
    score = evaluate(predictions, gold, metrics=["P@4"], policy=near(CARS)).scores[0]
    assert score.value == 1 / 2
    assert "|match:semantic(vectors.txt,0.9)|" in score.signature


# The only match of `b` is `x`, to which `a` is nearest; `a` is near to `y`, too.
ROOM = {"x": "1 0", "a": "0.95 0.31", "y": "0.8 0.6", "b": "0.95 -0.31"}
# `x` comes first, but `a` is nearer to `y`, which `b` meets, too.
NEARER = {"x": "0.92 0.39", "a": "1 0", "y": "0.99 -0.14", "b": "0.8 -0.6"}
REPEATS = ["car", "auto", "car", "lunch"]


@pytest.mark.parametrize(
    ("vectors", "predicted", "gold", "policy", "scores"),
    [
        (ROOM, ["a", "b"], ["x", "y"], {}, {"P@1": 1, "P@2": 1}),
        (NEARER, ["a", "b"], ["x", "y"], {"dedupe": "none", "threshold": 0.85}, {"synonymous": 1}),
        # What follows the cut does not matter, and a repeat earns nothing even where the gold repeats itself.
        (CARS, REPEATS, ["car"], {"dedupe": "match"}, {"P@1": 1, "P@2": 1 / 2, "P@3": 1 / 3, "P@4": 1 / 4}),
        (CARS, REPEATS, ["car"], {"dedupe": "none"}, {"P@1": 1, "P@2": 1, "P@3": 1, "P@4": 3 / 4}),
        (CARS, ["car", "car"], ["car", "car"], {"dedupe": "match", "dedupe_gold": False}, {"P@2": 1 / 2}),
        (CARS, ["car", "car"], ["car", "car"], {"dedupe": "none", "dedupe_gold": False}, {"P@2": 1}),
        # Credit goes to every gold keyphrase that is near.
        (CARS, ["car"], ["auto", "car"], {}, {"R@1": 1 / 2, "R@1(credit='gold')": 1, "R@1(credit='pairs')": 1}),
        (CARS, ["auto", "car"], [("apple", "car"), "fruit"], {}, {"P@1": 1, "P@2": 1 / 2}),
        (CARS, ["auto"], [], {"empty_gold": "zero"}, {"P@5": 0}),
        (CARS, [], ["auto"], {}, {"P@5": 0}),
    ],
)
def test_what_is_found_by_meaning(
    near: Near,
    vectors: dict[str, str],
    predicted: list[str],
    gold: list[Reference],
    policy: dict[str, object],
    scores: dict[str, float],
) -> None:
    assert scored(predicted, gold, *scores, **near(vectors) | policy) == pytest.approx(list(scores.values()))


def test_a_cosine_is_graded_credit(near: Near) -> None:
    """`auto` is (0.98, 0.2): its cosine with `car` is 0.98 / sqrt(0.98² + 0.2²); a negative one would be 0."""
    policy = {"match": "cosine", "embeddings": near(CARS)["embeddings"]}
    score = evaluate({"d": ["auto"]}, {"d": ["car"]}, metrics=["P@1"], policy=policy).scores
    assert score[0].value == pytest.approx(0.98 / (0.98**2 + 0.2**2) ** 0.5)
    assert "|match:cosine(vectors.txt)|" in score[0].signature


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("car 1 x\n", "line 1 is not a word and its numbers"),
        ("car 1 0\nauto 1\n", "has 1 numbers"),
        ("\n", "no word"),
        (None, "no such file"),
    ],
)
def test_damaged_vectors(content: str | None, message: str, tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        scored(["car"], ["auto"], "P@1", match="semantic", embeddings=str(path))


def test_semantic_matching_by_a_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="not a model folder"):
        scored(["car"], ["auto"], "P@1", match="semantic", embeddings=str(tmp_path))
    model = str(tiny_bert.make(tmp_path / "model"))
    vectors = load_encoder(model).encode(["auto", "fruit", "car"])
    other, same = sorted(vectors[:2] @ vectors[2])
    assert same > other
    policy = {"match": "semantic", "embeddings": model, "threshold": float(same + other) / 2}
    assert scored(["auto", "fruit"], ["car"], "P@2", **policy) == [1 / 2], "only the nearer of the two counts"
