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


def earned(predicted: list[str], gold: Sequence[Reference], **policy: object) -> list[float]:
    """What each prediction earns, by the differences of what the first k earn."""
    metrics = [f"P@{k}" for k in range(1, len(predicted) + 1)]
    totals = [k * p for k, p in enumerate(scored(predicted, gold, *metrics, **policy), start=1)]
    return [pytest.approx(after - before) for before, after in zip([0, *totals], totals, strict=False)]


def test_a_wording_in_two_clusters_finds_the_one_that_is_left() -> None:
    assert earned(["a", "b"], [("a", "b"), ("b", "c")]) == [1, 1]


@pytest.mark.parametrize(("dedupe", "credits"), [("match", [1, 0]), ("none", [1, 1])])
def test_a_repeat_finds_nothing_even_where_the_gold_repeats_itself(dedupe: str, credits: list[float]) -> None:
    assert earned(["a", "a"], ["a", "a"], dedupe=dedupe, dedupe_gold=False) == credits


def test_of_others_with_the_same_stem_each_earns_where_only_spelling_makes_repeats() -> None:
    predicted = ["heat pump", "Heat Pump", "heat pumps", "tide"]
    assert earned(predicted, ["heat pump"], dedupe="exact")[:3] == [1, 0, 0]
    assert earned(predicted, ["heat pump"], dedupe="spelling")[:3] == [1, 1, 0]
    assert scored(predicted, ["heat pump", "x"], "R@5", dedupe="spelling") == [1]


def test_hyphens_are_spaces_where_the_policy_says_so() -> None:
    assert scored(["heat-pump", "heat pump"], ["Heat-pumps"], "P@5", "P@5(hyphens='space')") == [1 / 2, 1]
    assert scored(["heat pump"], ["Heat-pumps"], "P@5", "P@5(hyphens='space')") == [0, 1]


def test_each_gold_keyphrase_earns_its_best_prediction_at_every_cut() -> None:
    """The naive oracle: for each k, the sum over the gold of the best similarity among the first k predictions."""
    predicted = ["grid", "salt", "grid computing", "salt water pump", "grid", "fresh water"]
    gold = ["grid computing", "salt water", "node"]
    for k in range(1, len(predicted) + 1):
        first = [one.split() for one in predicted[:k]]
        total = sum(max(partial(words, wanted.split()) for words in first) for wanted in gold)
        found = scored(predicted, gold, f"P@{k}", f"R@{k}", match="partial", credit="gold", dedupe="match")
        assert found == pytest.approx([total / k, total / len(gold)])


@pytest.mark.parametrize(("credit", "recall"), [("prediction", 2 / 3), ("gold", 1), ("pairs", 1)])
def test_a_repeated_answer_counts_by_the_credit(credit: str, recall: float) -> None:
    """The gold has `grid` twice and `node` once; both are predicted."""
    gold = ["grid", "grid", "node"]
    found = scored(["grid", "node"], gold, "R@5", credit=credit, dedupe_gold=False, dedupe="match")
    assert found == pytest.approx([recall])


@pytest.mark.parametrize(("dedupe", "precision"), [("match", 2 / 2), ("none", 4 / 2)])
def test_pairs_of_a_repeated_prediction(dedupe: str, precision: float) -> None:
    """Where repeats earn again, pairs can earn more than there are predictions."""
    found = scored(["grid", "grid"], ["grid", "grid"], "P@5", credit="pairs", dedupe_gold=False, dedupe=dedupe)
    assert found == pytest.approx([precision])


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


def test_by_meaning_one_makes_room_for_another(near: Near) -> None:
    """`a` is nearest to `x`, but the only match of `b` is `x`, and `a` is near to `y`, too."""
    degrees = {"x": "1 0", "a": "0.95 0.31", "y": "0.8 0.6", "b": "0.95 -0.31"}
    assert earned(["a", "b"], ["x", "y"], **near(degrees)) == [1, 1]


def test_by_meaning_the_nearer_is_met(near: Near) -> None:
    """`x` comes first, but `a` is nearer to `y`, which `b` meets, too."""
    degrees = {"x": "0.92 0.39", "a": "1 0", "y": "0.99 -0.14", "b": "0.8 -0.6"}
    assert scored(["a", "b"], ["x", "y"], "synonymous", dedupe="none", **near(degrees) | {"threshold": 0.85}) == [1]


@pytest.mark.parametrize(("dedupe", "credits"), [("match", [1, 0, 0, 0]), ("none", [1, 1, 1, 0])])
def test_by_meaning_a_keyphrase_is_found_once(near: Near, dedupe: str, credits: list[float]) -> None:
    """What follows the cut does not matter, and a repeat earns nothing even where the gold repeats itself."""
    assert earned(["car", "auto", "car", "lunch"], ["car"], dedupe=dedupe, **near(CARS)) == credits
    repeated = earned(["car", "car"], ["car", "car"], dedupe=dedupe, dedupe_gold=False, **near(CARS))
    assert repeated == [1, int(dedupe == "none")]


def test_semantic_credit_goes_to_every_gold_keyphrase_that_is_near(near: Near) -> None:
    for credit, recall in (("prediction", 1 / 2), ("gold", 1), ("pairs", 1)):
        assert scored(["car"], ["auto", "car"], "R@1", credit=credit, **near(CARS)) == pytest.approx([recall]), credit


def test_any_wording_of_a_cluster_is_found_once_and_no_gold_is_no_match(near: Near) -> None:
    assert earned(["auto", "car"], [("apple", "car"), "fruit"], **near(CARS)) == [1, 0]
    assert scored(["auto"], [], "P@5", empty_gold="zero", **near(CARS)) == [0]
    assert scored([], ["auto"], "P@5", **near(CARS)) == [0]


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
