"""`evaluate`, policies and signatures."""

from dataclasses import FrozenInstanceError

import pytest

from phrasemill import extract
from phrasemill.errors import ConfigError, DataError, InputError, UnknownName
from phrasemill.evaluation import PRESETS, Answers, Policy, evaluate
from phrasemill.evaluation.metrics import F1
from phrasemill.evaluation.policies import CHOICES
from phrasemill.types import Document, Keyphrase

GOLD = {"d1": ["graph theory", "trees"], "d2": ["neural networks"]}
PREDICTIONS = {"d1": ["graph theory", "leaves"], "d2": ["neural network", "layers"]}


def test_scores_are_shares_with_signatures() -> None:
    scores = evaluate(PREDICTIONS, GOLD, metrics=["F1@5", "P@1"])
    assert scores["F1@5"] == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert scores.score("P@1").documents == {"d1": 1, "d2": 1}
    assert str(scores).splitlines()[1].endswith(" = 100.0")
    assert [score.name for score in scores] == ["F1@5", "P@1"]
    assert len(scores) == 2


def test_scores_are_frozen() -> None:
    scores = evaluate(PREDICTIONS, GOLD, metrics=["F1@5"])
    with pytest.raises(FrozenInstanceError):
        scores.system = "other"  # type: ignore[misc]


def test_missing_and_surplus_documents_are_named() -> None:
    scores = evaluate({"d1": ["graph theory"], "d9": ["x"]}, GOLD, metrics=["R@5"])
    assert scores.missing == ("d2",)
    assert scores.surplus == ("d9",)
    assert scores["R@5"] == 1 / 4
    assert evaluate({"d1": ["trees"]}, GOLD, metrics=["R@5(missing='skip')"]).scores[0].value == 1 / 2


def test_files_that_have_nothing_to_do_with_each_other_are_refused() -> None:
    with pytest.raises(DataError, match="no id in common; one has 'x', the other 'd1'"):
        evaluate({"x": ["graph theory"]}, GOLD, metrics=["R@5"])
    assert evaluate({}, GOLD, metrics=["R@5"])["R@5"] == 0


def test_keyphrases_and_documents_are_taken_as_they_are() -> None:
    documents = [Document("d1", "text", references=("graph theory", ("tree", "acyclic graph")))]
    scores = evaluate({"d1": [Keyphrase("acyclic graph", 0.5)]}, documents, metrics=["P@1", "R@1"])
    assert [score.value for score in scores] == [1, 1 / 2]


def test_lists_in_the_same_order_need_no_ids() -> None:
    lists, gold = list(PREDICTIONS.values()), list(GOLD.values())
    by_id = evaluate(PREDICTIONS, GOLD, metrics=["F1@5"])
    documents = [Document(id_, "", references=tuple(phrases)) for id_, phrases in GOLD.items()]
    for reference in (gold, iter(gold), documents):
        assert evaluate(lists, reference, metrics=["F1@5"])["F1@5"] == by_id["F1@5"]
    assert evaluate(lists, documents, metrics=["P@1"]).score("P@1").documents == {"d1": 1, "d2": 1}


def test_what_methods_return_can_be_scored_as_it_is() -> None:
    found = [extract("Salt water moves inland. Salt water is heavy.", method="firstphrases")]
    assert evaluate(found, [["salt water"]], metrics=["P@1"])["P@1"] == 1
    assert evaluate([[("salt water", 0.9)]], [["salt water"]], metrics=["P@1"])["P@1"] == 1


def test_ids_may_be_numbers() -> None:
    assert evaluate({1: ["a"]}, {1: ["a"]}, metrics=["P@1"])["P@1"] == 1  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("predictions", "gold", "message"),
    [
        ({"d1": "graph theory"}, GOLD, "system, document 'd1': a list of phrases belongs here, got the text 'graph"),
        (PREDICTIONS, {"d1": "graph theory"}, "gold, document 'd1': a list of phrases belongs here, got the text"),
        (PREDICTIONS, {"d1": 5}, "gold, document 'd1': a list of phrases belongs here, got int"),
        (PREDICTIONS, {"d1": [None]}, "gold, document 'd1': None where a phrase belongs"),
        (PREDICTIONS, "graph theory", "gold: a list of phrases belongs here, got the text 'graph theory'"),
        (["graph theory"], [["graph theory"]], "system: a list of phrases belongs here, got the text 'graph theory'"),
        (Keyphrase("graph theory", 1.0), [["graph theory"]], "system: a list of phrases belongs here, got Keyphrase"),
        ([["graph theory"]], GOLD, "system: lists without ids, but the gold is by id"),
        ([["graph theory"]], [["graph theory"], ["trees"]], "system: 1 lists of phrases, but the gold has 2"),
        ([], [["graph theory"]], "system: 0 lists of phrases, but the gold has 1"),
        (PREDICTIONS, [Document("d1", ""), ["trees"]], "gold: documents and lists of phrases are mixed"),
    ],
)
def test_what_is_no_list_of_phrases_is_told(predictions: object, gold: object, message: str) -> None:
    with pytest.raises(DataError) as error:
        evaluate(predictions, gold, metrics=["F1@5"])  # type: ignore[arg-type]
    assert str(error.value).startswith(message)


def test_a_metric_of_your_own_needs_no_registration() -> None:
    class First(F1):
        """F1 by another name."""

    scores = evaluate(PREDICTIONS, GOLD, metrics=[First(at="5"), "F1@5"])
    assert scores["First@5"] == scores["F1@5"]
    assert scores.score("First@5").signature.startswith("First@5")


def test_metrics_that_are_none() -> None:
    with pytest.raises(ConfigError, match=r"metrics must be a list, such as \['F1@5'\]; got the text 'F1@5'"):
        evaluate(PREDICTIONS, GOLD, metrics="F1@5")
    with pytest.raises(ConfigError, match="a metric is a name such as 'F1@5', or a Metric; got 5"):
        evaluate(PREDICTIONS, GOLD, metrics=[5])  # type: ignore[list-item]


def test_documents_with_one_id_are_refused() -> None:
    with pytest.raises(InputError, match="share the id"):
        evaluate({"d": []}, [Document("d", "a"), Document("d", "b")], metrics=["F1@5"])


def test_a_metrics_own_choices_win_over_the_policy_and_that_over_the_preset() -> None:
    def signature(metric: str, **policy: object) -> str:
        return evaluate(PREDICTIONS, GOLD, metrics=[metric], preset="chan2019", policy=policy).scores[0].signature

    assert "|avg:means|" in signature("F1@5")
    assert "|avg:micro|" in signature("F1@5", average="micro")
    assert "|avg:macro|" in signature("F1@5(average='macro')", average="micro")


def test_the_same_choices_give_the_same_signature_however_they_are_made() -> None:
    one = evaluate(PREDICTIONS, GOLD, metrics=["F1@5(stemmer='nltk')"]).scores[0].signature
    other = evaluate(PREDICTIONS, GOLD, metrics=["F1@5"], policy={"stemmer": "nltk"}).scores[0].signature
    assert one == other


def test_every_choice_shows_in_the_signature() -> None:
    gold = [Document("d", "a b c", references=("a", "z"))]
    default = evaluate({"d": ["a", "z"]}, gold, metrics=["F1@5"]).scores[0].signature
    others: dict[str, object] = {
        name: next(v for v in values if v != getattr(Policy(), name) and v not in ("semantic", "means"))
        for name, values in CHOICES.items()
        if name != "presence"
    }
    others |= {"stemmer": "nltk", "lowercase": False, "dedupe_gold": False}
    for name, value in others.items():
        signature = evaluate({"d": ["a", "z"]}, gold, metrics=["F1@5"], policy={name: value}).scores[0].signature
        assert signature != default, name


def test_the_checksum_is_of_ids_and_phrases_but_not_of_their_order() -> None:
    one = Answers("gold", {"a": ("x",), "b": ("y", ("z", "w"))}).checksum
    assert one == Answers("other name", {"b": ("y", ("z", "w")), "a": ("x",)}).checksum
    assert one != Answers("gold", {"a": ("x",), "b": ("y", "z", "w")}).checksum


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_scores_the_gold_itself_as_perfect(name: str) -> None:
    """At `M`, where nothing is cut and nothing padded."""
    texts = [Document(id_, " ".join(phrases), references=tuple(phrases)) for id_, phrases in GOLD.items()]
    scores = evaluate(GOLD, texts, metrics=["P@M", "R@M", "F1@M"], preset=name)
    assert [score.value for score in scores] == pytest.approx([1, 1, 1])


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_explains_itself_and_has_metrics(name: str) -> None:
    preset = PRESETS[name]
    assert preset.name == name
    assert preset.summary and preset.source and preset.consequence.endswith(".")
    texts = [Document(id_, "graph theory", references=tuple(phrases)) for id_, phrases in GOLD.items()]
    assert len(evaluate(PREDICTIONS, texts, preset=name)) == len(preset.metrics)


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("f1@5", "unknown metric 'f1@5' (did you mean 'F1@5'?)"),
        ("map@o", "unknown metric 'map@o' (did you mean 'MAP@O'?)"),
        ("F2@5", "unknown metric 'F2@5'; choose from"),
        ("F1@0", "after @ comes a number from 1, O or M; got '0'"),
        ("F1@five", "after @ comes"),
        ("F1@²", "after @ comes"),
        ("F1@5(match='fuzzy')", "unknown match 'fuzzy'"),
        ("F1@5(k=3)", "unknown policy 'k'"),
        ("F1@5('macro')", "write choices as name=value"),
        ("ECE(bins='x')", "bins must be at least 1, got 'x'"),
        ("F1@5(match=5)", "policy match cannot be 5"),
        ("MAP(average='micro')", "has no 'micro' average"),
        ("unique@5", "looks at whole lists"),
        ("ECE(bins=0)", "bins must be at least 1"),
        ("F1@5(match='semantic', embeddings='')", "embeddings must be minilm, a folder"),
        ("F1@5(stemmer='klingon')", "unknown stemmer"),
        ("R@5(present='absent')", "needs the text"),
        ("ECE", "needs a score for each prediction"),
    ],
)
def test_wrong_metrics_are_told_in_one_line(metric: str, message: str) -> None:
    with pytest.raises((ConfigError, DataError)) as error:
        evaluate(PREDICTIONS, GOLD, metrics=[metric])
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_wrong_policies_are_told() -> None:
    with pytest.raises(UnknownName, match="unknown policy 'averages'"):
        evaluate(PREDICTIONS, GOLD, policy={"averages": "micro"})
    with pytest.raises(ConfigError, match="policy lowercase cannot be 'yes'"):
        evaluate(PREDICTIONS, GOLD, policy={"lowercase": "yes"})
    with pytest.raises(UnknownName, match="unknown preset"):
        evaluate(PREDICTIONS, GOLD, preset="yuan2021")


def test_nothing_to_average_is_an_error() -> None:
    with pytest.raises(DataError, match="no document counts"):
        evaluate({"d": ["a"]}, {"d": []}, metrics=["F1@5"])
    with pytest.raises(DataError, match="no documents"):
        evaluate({}, {}, metrics=["F1@5"])


def test_scores_that_are_not_there() -> None:
    with pytest.raises(ConfigError, match=r"no score 'F1@10' here; there are F1@5"):
        evaluate(PREDICTIONS, GOLD, metrics=["F1@5"])["F1@10"]


def test_predictions_without_a_word_never_count() -> None:
    assert evaluate({"d": ["", "  ", "a"]}, {"d": ["a"]}, metrics=["P@1"])["P@1"] == 1


def test_stemmed_gold_is_not_stemmed_again() -> None:
    """Porter stems `databases` to `databas`, but `databas` to `databa`: stemming twice loses the match."""
    gold = Answers("g", {"d": ("databas",)}, stemmed=True)
    assert evaluate({"d": ["databases"]}, gold, metrics=["P@1"])["P@1"] == 1
    again = Answers("g", {"d": ("databas",)})
    assert evaluate({"d": ["databases"]}, again, metrics=["P@1"])["P@1"] == 0
    assert "|stemmed:gold|" in evaluate({"d": ["databases"]}, gold, metrics=["P@1"]).scores[0].signature


def test_case_can_matter() -> None:
    metrics = ["P@1", "P@1(lowercase=False)"]
    assert [s.value for s in evaluate({"d": ["Aids"]}, {"d": ["aids"]}, metrics=metrics)] == [1, 0]


def test_progress_counts_documents_times_metrics() -> None:
    seen: list[int] = []
    evaluate(PREDICTIONS, GOLD, metrics=["F1@5", "P@5", "F1@5(match='exact')"], progress=seen.append)
    assert sum(seen) == 2 * 3
