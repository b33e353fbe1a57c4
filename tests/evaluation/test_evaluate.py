"""`evaluate`, policies and signatures, in English and in other languages."""

import pytest

from phrasemill import extract
from phrasemill.errors import ConfigError, PhrasemillError
from phrasemill.evaluation import METRICS, PRESETS, Answers, Policy, evaluate
from phrasemill.evaluation.cases import Case
from phrasemill.evaluation.metrics import Metric
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


def test_missing_and_surplus_documents_are_named() -> None:
    scores = evaluate({"d1": ["graph theory"], "d9": ["x"]}, GOLD, metrics=["R@5"])
    assert scores.missing == ("d2",)
    assert scores.surplus == ("d9",)
    assert scores["R@5"] == 1 / 4
    assert evaluate({"d1": ["trees"]}, GOLD, metrics=["R@5(missing='skip')"]).scores[0].value == 1 / 2


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


def test_a_metric_of_your_own_needs_no_registration() -> None:
    class First(Metric):
        """Whether the first prediction is right."""

        def score(self, case: Case, policy: Policy) -> float:
            return sum(match.credit for match in case.matches[:1])

    scores = evaluate(PREDICTIONS, GOLD, metrics=[First(), First("M", {"match": "exact"})])
    assert [score.value for score in scores] == [1, 0.5]
    assert scores.score("First@M(match='exact')").signature.startswith("First@M|match:exact|avg:macro|")


def test_a_metrics_own_choices_win_over_the_policy_and_that_over_the_preset() -> None:
    def signature(metric: str, **policy: object) -> str:
        return evaluate(PREDICTIONS, GOLD, metrics=[metric], preset="chan2019", policy=policy).scores[0].signature

    assert str(METRICS.build("F1@5(average='micro', match='exact')")) == "F1@5(match='exact', average='micro')"
    assert "|avg:means|" in signature("F1@5")
    assert "|avg:micro|" in signature("F1@5", average="micro")
    assert "|avg:macro|" in signature("F1@5(average='macro')", average="micro")


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


def test_scores_that_are_not_there() -> None:
    with pytest.raises(ConfigError, match=r"no score 'F1@10' here; there are F1@5"):
        evaluate(PREDICTIONS, GOLD, metrics=["F1@5"])["F1@10"]


def test_stemmed_gold_is_not_stemmed_again() -> None:
    """Porter stems `databases` to `databas`, but `databas` to `databa`: stemming twice loses the match."""
    gold = Answers("g", {"d": ("databas",)}, stemmed=True)
    assert evaluate({"d": ["databases"]}, gold, metrics=["P@1"])["P@1"] == 1
    again = Answers("g", {"d": ("databas",)})
    assert evaluate({"d": ["databases"]}, again, metrics=["P@1"])["P@1"] == 0
    assert "|stemmed:gold|" in evaluate({"d": ["databases"]}, gold, metrics=["P@1"]).scores[0].signature


def test_progress_counts_documents_times_metrics() -> None:
    seen: list[int] = []
    evaluate(PREDICTIONS, GOLD, metrics=["F1@5", "P@5", "F1@5(match='exact')"], progress=seen.append)
    assert sum(seen) == 2 * 3


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_explains_itself_and_scores_the_gold_itself_as_perfect(name: str) -> None:
    """At `M`, where nothing is cut and nothing padded."""
    preset = PRESETS[name]
    assert preset.summary and preset.source and preset.consequence.endswith(".")
    texts = [Document(id_, " ".join(phrases), references=tuple(phrases)) for id_, phrases in GOLD.items()]
    scores = evaluate(GOLD, texts, metrics=["P@M", "R@M", "F1@M"], preset=name)
    assert [score.value for score in scores] == pytest.approx([1, 1, 1])
    texts = [Document(id_, "graph theory", references=tuple(phrases)) for id_, phrases in GOLD.items()]
    assert len(evaluate(PREDICTIONS, texts, preset=name)) == len(preset.metrics)


@pytest.mark.parametrize(
    ("predicted", "gold", "metric", "value"),
    [
        (["", "  ", "a"], ["a"], "P@1", 1),  # what has no word never counts
        (["Aids"], ["aids"], "P@1", 1),
        (["Aids"], ["aids"], "P@1(lowercase=False)", 0),
        ([("a", 0.9)], ["a"], "P@1", 1),
        ([{"text": "a", "score": 0.9}], ["a"], "P@1", 1),
        (["\ud800 wells", "x"], ["\ud800 well", "\udfff"], "P@2", 0.5),  # no Unicode, and compared as it is
        (["grid", "grid node", "node"], ["grid node"], "R@3(match='partial')", 1),  # 7/3 is earned from one keyphrase
    ],
)
def test_small_cases(predicted: list[object], gold: list[str], metric: str, value: float) -> None:
    assert evaluate({1: predicted}, {1: gold}, metrics=[metric])[metric] == value  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("predictions", "gold", "options", "message"),
    [
        ({"d1": "salt water"}, GOLD, {}, "system, document 'd1': a list of phrases belongs here, got the text 'salt"),
        (PREDICTIONS, {"d1": "salt water"}, {}, "gold, document 'd1': a list of phrases belongs here, got the text"),
        (PREDICTIONS, {"d1": 5}, {}, "gold, document 'd1': a list of phrases belongs here, got int"),
        (PREDICTIONS, {"d1": [None]}, {}, "gold, document 'd1': None where a phrase belongs"),
        (PREDICTIONS, "salt water", {}, "gold: a list of phrases belongs here, got the text 'salt water'"),
        (["salt water"], [["salt water"]], {}, "system: a list of phrases belongs here, got the text 'salt water'"),
        (Keyphrase("salt water", 1.0), [["a"]], {}, "system: a list of phrases belongs here, got Keyphrase"),
        ([["salt water"]], GOLD, {}, "system: lists without ids, but the gold is by id"),
        ([["salt water"]], [["salt water"], ["trees"]], {}, "system: 1 lists of phrases, but the gold has 2"),
        ([], [["salt water"]], {}, "system: 0 lists of phrases, but the gold has 1"),
        (PREDICTIONS, [Document("d1", ""), ["trees"]], {}, "gold: documents and lists of phrases are mixed"),
        ({"d": []}, [Document("d", "a"), Document("d", "b")], {}, "gold, document 'd': repeats the id 'd'"),
        ({"x": ["trees"]}, GOLD, {}, "system and gold have no id in common; one has 'x', the other 'd1'"),
        ({"d": ["a"]}, {"d": []}, {}, "F1@5: no document counts"),
        ({}, {}, {}, "the gold has no documents"),
        (PREDICTIONS, GOLD, {"metrics": "F1@5"}, "metrics must be a list, such as ['F1@5']; got the text 'F1@5'"),
        (PREDICTIONS, GOLD, {"metrics": [5]}, "a metric is a name such as 'F1@5', or a Metric; got 5"),
        (PREDICTIONS, GOLD, {"preset": "yuan2021"}, "unknown preset 'yuan2021' (did you mean 'yuan2020'?)"),
        (PREDICTIONS, GOLD, {"policy": {"averages": "micro"}}, "unknown policy 'averages' (did you mean 'average'?)"),
        (PREDICTIONS, GOLD, {"policy": {"lowercase": "yes"}}, "policy lowercase cannot be 'yes'"),
        (PREDICTIONS, GOLD, {"policy": {"threshold": 2}}, "threshold must be above 0 and at most 1, got 2"),
        *[
            (PREDICTIONS, GOLD, {"metrics": [metric]}, message)
            for metric, message in (
                ("f1@5", "unknown metric 'f1@5' (did you mean 'F1@5'?)"),
                ("map@o", "unknown metric 'map@o' (did you mean 'MAP@O'?)"),
                ("F2@5", "unknown metric 'F2@5'; choose from"),
                ("F1@0", "after @ comes a number from 1, O or M; got '0'"),
                ("F1@five", "after @ comes"),
                ("F1@²", "after @ comes"),
                ("F1@5(match='fuzzy')", "unknown match 'fuzzy'"),
                ("F1@5(k=3)", "unknown policy 'k'"),
                ("F1@5('macro')", "F1@5('macro'): write choices as name=value"),
                ("F1@5(match=5)", "policy match cannot be 5"),
                ("MAP(average='micro')", "MAP has no 'micro' average"),
                ("unique@5", "unique looks at whole lists"),
                ("ECE(bins=0)", "bins must be at least 1, got 0"),
                ("ECE(bins='x')", "bins must be at least 1, got 'x'"),
                ("F1@5(match='semantic', embeddings='')", "embeddings must be minilm, a folder"),
                ("F1@5(stemmer='klingon')", "unknown stemmer 'klingon'"),
                ("R@5(present='absent')", "present='absent' needs the text"),
                ("ECE", "ECE needs a score for each prediction"),
            )
        ],
    ],
)
def test_what_is_wrong_is_told_in_one_line(
    predictions: object, gold: object, options: dict[str, object], message: str
) -> None:
    with pytest.raises(PhrasemillError) as error:
        evaluate(predictions, gold, **{"metrics": ["F1@5"]} | options)  # type: ignore[arg-type]
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


GERMAN = "Die Pumpen der Stadt fördern zu viel Grundwasser, und deshalb dringt Salzwasser in die Brunnen ein."
CHINESE = "图论研究图的性质，图论在网络科学中很有用。"
JAPANESE = "この論文ではＸ線の画像について述べる。"


@pytest.mark.parametrize(
    ("text", "language", "gold", "predicted", "choice", "value", "signature"),
    [
        # Porter's stemmer does not know that Brunnen and Brunnens are one word.
        (GERMAN, "", "Brunnens", "Brunnen", "", 1, "|match:stem(german)|lang:de|"),
        ("Zu kurz.", "de", "Brunnens", "Brunnen", "", 1, "|match:stem(german)|lang:de|"),
        (GERMAN, "", "Brunnens", "Brunnen", "(stemmer='none')", 0, "|match:stem(none)|lang:de|"),
        ("The wells are salty.", "", "well", "wells", "", 1, "|match:stem(porter)|avg:"),
        # Without spaces in the script, neither spaces nor the widths of letters count, and phrases are parts of runs.
        (CHINESE, "", "网络科学", "网络科学", "(present='present')", 1, "|lang:zh|"),
        (CHINESE, "", "机器学习", "机器学习", "(present='absent')", 1, "|lang:zh|"),
        (CHINESE, "", "网络科学", "网络 科学", "", 1, "|lang:zh|"),
        (CHINESE, "", "网络科学", "网络科学\u3000", "", 1, "|lang:zh|"),
        (JAPANESE, "", "Ｘ線", "x線", "", 1, "|lang:ja|"),
    ],
)
def test_the_stemmer_is_that_of_the_language(
    text: str, language: str, gold: str, predicted: str, choice: str, value: float, signature: str
) -> None:
    documents = [Document("d", text, language=language, references=(gold,))]
    [score] = evaluate({"d": [predicted]}, documents, metrics=[f"F1@5{choice}"])
    assert score.value == value
    assert signature in score.signature


def test_several_languages_have_a_stemmer_each() -> None:
    gold = Answers("g", {"d": ("Brunnens",), "e": ("well",)}, languages={"d": "de"})
    [score] = evaluate({"d": ["Brunnen"], "e": ["wells"]}, gold, metrics=["F1@5"])
    assert score.value == 1
    assert "|match:stem(own)|lang:de,en|" in score.signature
