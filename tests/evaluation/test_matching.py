"""Which gold keyphrase a prediction finds, in the cases that definitions leave open."""

from pathlib import Path

import pytest

import tiny_bert
from phrasemill.embeddings import load_encoder
from phrasemill.errors import InputError, ModelError
from phrasemill.evaluation import evaluate
from phrasemill.evaluation.genitives import alternations
from phrasemill.evaluation.matching import NOTHING, match_keys, match_partly
from phrasemill.evaluation.similarity import partial


def test_a_wording_in_two_clusters_finds_the_one_that_is_left() -> None:
    matches = match_keys(["a", "b"], [("a", "b"), ("b", "c")])
    assert [match.gold for match in matches] == [0, 1]


def test_a_repeat_finds_nothing_even_where_the_gold_repeats_itself() -> None:
    assert [match.credit for match in match_keys(["a", "a"], [("a",), ("a",)])] == [1, 0]
    assert [match.credit for match in match_keys(["a", "a"], [("a",), ("a",)], again=True)] == [1, 1]


def test_phrases_that_are_no_unicode_are_compared_as_they_are() -> None:
    scores = evaluate({"a": ["\ud800 wells", "x"]}, {"a": ["\ud800 well", "\udfff"]}, metrics=["P@2"])
    assert scores.score("P@2").value == 0.5


def test_a_miss_meets_nothing() -> None:
    assert match_keys(["x"], [("a",)])[0].gold == NOTHING
    assert match_partly(["x"], [("a",)], partial)[0].gold == NOTHING


def test_several_predictions_may_earn_from_one_keyphrase_by_partial_credit() -> None:
    """So recall has to be held at 1."""
    predicted = ["grid", "grid computing", "computing"]
    scores = evaluate({"d": predicted}, {"d": ["grid computing"]}, metrics=["P@3", "R@3"], policy={"match": "partial"})
    assert [score.value for score in scores] == pytest.approx([(2 / 3 + 1 + 2 / 3) / 3, 1])


def test_each_gold_keyphrase_earns_its_best_prediction_at_every_cut() -> None:
    """The naive oracle: for each k, the sum over the gold of the best similarity among the first k predictions."""
    predicted = ["grid", "salt", "grid computing", "salt water pump", "grid", "fresh water"]
    gold = ["grid computing", "salt water", "node"]
    policy = {"match": "partial", "credit": "gold", "dedupe": "match"}
    for k in range(1, len(predicted) + 1):
        first = [one.split() for one in predicted[:k]]
        earned = sum(max(partial(words, wanted.split()) for words in first) for wanted in gold)
        scores = evaluate({"d": predicted}, {"d": gold}, metrics=[f"P@{k}", f"R@{k}"], policy=policy)
        assert [score.value for score in scores] == pytest.approx([earned / k, earned / len(gold)])


@pytest.mark.parametrize(("credit", "recall"), [("prediction", 2 / 3), ("gold", 1), ("pairs", 1)])
def test_a_repeated_answer_counts_by_the_credit(credit: str, recall: float) -> None:
    """The gold has `grid` twice and `node` once; both are predicted."""
    policy = {"credit": credit, "dedupe_gold": False, "dedupe": "match"}
    scores = evaluate({"d": ["grid", "node"]}, {"d": ["grid", "grid", "node"]}, metrics=["R@5"], policy=policy)
    assert scores["R@5"] == pytest.approx(recall)


@pytest.mark.parametrize(("dedupe", "precision"), [("match", 2 / 2), ("none", 4 / 2)])
def test_pairs_of_a_repeated_prediction(dedupe: str, precision: float) -> None:
    """Where repeats earn again, pairs can earn more than there are predictions."""
    policy = {"credit": "pairs", "dedupe_gold": False, "dedupe": dedupe}
    scores = evaluate({"d": ["grid", "grid"]}, {"d": ["grid", "grid"]}, metrics=["P@5"], policy=policy)
    assert scores["P@5"] == pytest.approx(precision)


def test_semantic_credit_goes_to_every_gold_keyphrase_that_is_near(vectors: Path) -> None:
    policy = {"match": "semantic", "embeddings": str(vectors), "threshold": 0.9}
    for credit, recall in (("prediction", 1 / 2), ("gold", 1), ("pairs", 1)):
        scores = evaluate({"d": ["car"]}, {"d": ["auto", "car"]}, metrics=["R@1"], policy=policy | {"credit": credit})
        assert scores["R@1"] == pytest.approx(recall), credit


@pytest.mark.parametrize(
    ("phrase", "others"),
    [
        ("policy of school", ("policy of school", "school policy")),
        ("school's policy", ("school's policy", "school policy")),
        (
            "idle time of the processor",
            ("idle time of the processor", "the processor idle time", "processor idle time"),
        ),
        ("grid computing", ("grid computing",)),
        ("of", ("of",)),
    ],
)
def test_genitive_alternations(phrase: str, others: tuple[str, ...]) -> None:
    """The first two are the examples of Kim et al. (2010), section 2.1, the third is from its keys."""
    assert alternations(phrase) == others


def test_genitives_in_both_orders_match_where_the_policy_says_so() -> None:
    predictions, gold = {"d": ["school policies", "policy of school"]}, {"d": ["policy of school"]}
    metrics = ["P@1(genitives='listed')", "P@1(genitives='both')", "P@2(genitives='both')"]
    assert [score.value for score in evaluate(predictions, gold, metrics=metrics)] == [0, 1, 1 / 2]


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    path = tmp_path / "vectors.txt"
    path.write_text("5 2\ncar 1 0\nauto 0.98 0.2\nfruit 0 1\napple 0.1 0.99\nlunch 0.7 0.7\n", encoding="utf-8")
    return path


def test_semantic_matching_by_word_vectors(vectors: Path) -> None:
    policy = {"match": "semantic", "embeddings": str(vectors), "threshold": 0.9}
    predictions, gold = {"d": ["auto", "apple", "lunch", "unknown"]}, {"d": ["car", "fruit", "house"]}
    score = evaluate(predictions, gold, metrics=["P@4"], policy=policy).scores[0]
    assert score.value == 1 / 2
    assert "|match:semantic(vectors.txt,0.9)|" in f"|{score.signature}"


def test_a_cosine_is_graded_credit(vectors: Path) -> None:
    """`auto` is (0.98, 0.2): its cosine with `car` is 0.98 / sqrt(0.98² + 0.2²); a negative one would be 0."""
    policy = {"match": "cosine", "embeddings": str(vectors)}
    score = evaluate({"d": ["auto"]}, {"d": ["car"]}, metrics=["P@1"], policy=policy).scores[0]
    assert score.value == pytest.approx(0.98 / (0.98**2 + 0.2**2) ** 0.5)
    assert "|match:cosine(vectors.txt)|" in f"|{score.signature}"


def test_a_keyphrase_is_semantically_found_once(vectors: Path) -> None:
    policy = {"match": "semantic", "embeddings": str(vectors), "threshold": 0.9}
    assert evaluate({"d": ["car", "auto"]}, {"d": ["car"]}, metrics=["P@2"], policy=policy)["P@2"] == 1 / 2
    scores = evaluate({"d": ["auto", "car"]}, {"d": ["car"]}, metrics=["P@1", "P@2"], policy=policy)
    assert [score.value for score in scores] == [1, 1 / 2], "what follows the cut does not matter"


@pytest.mark.parametrize(
    ("content", "message"),
    [("car 1 x\n", "line 1 is not a word and its numbers"), ("car 1 0\nauto 1\n", "has 1 numbers"), ("\n", "no word")],
)
def test_damaged_vectors(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text(content, encoding="utf-8")
    policy = {"match": "semantic", "embeddings": str(path)}
    with pytest.raises(InputError, match=message):
        evaluate({"d": ["car"]}, {"d": ["auto"]}, metrics=["P@1"], policy=policy)


def test_vectors_that_are_not_there(tmp_path: Path) -> None:
    policy = {"match": "semantic", "embeddings": str(tmp_path / "none.txt")}
    with pytest.raises(InputError, match="no such file"):
        evaluate({"d": ["car"]}, {"d": ["auto"]}, metrics=["P@1"], policy=policy)


def test_a_folder_that_is_no_model(tmp_path: Path) -> None:
    policy = {"match": "semantic", "embeddings": str(tmp_path)}
    with pytest.raises(ModelError, match="not a model folder"):
        evaluate({"d": ["car"]}, {"d": ["auto"]}, metrics=["P@1"], policy=policy)


def test_semantic_matching_by_a_model(tmp_path: Path) -> None:
    model = str(tiny_bert.make(tmp_path / "model"))
    vectors = load_encoder(model).encode(["auto", "fruit", "car"])
    near, far = sorted(vectors[:2] @ vectors[2], reverse=True)
    assert near > far
    policy = {"match": "semantic", "embeddings": model, "threshold": float(near + far) / 2}
    scores = evaluate({"d": ["auto", "fruit"]}, {"d": ["car"]}, metrics=["P@2"], policy=policy)
    assert scores["P@2"] == 1 / 2, "only the nearer of the two counts"
