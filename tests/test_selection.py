"""What is returned of what was scored."""

import pytest

import phrasemill as pm
from phrasemill.candidates import ngrams
from phrasemill.errors import ConfigError, UnknownName
from phrasemill.select import Selection, select, wording
from phrasemill.text.analyse import analyse
from phrasemill.types import Span

TEXT = "Graph theory is fun. A support vector machine beats graphs. Support vector machines win."


def chosen(scores: dict[str, float], **options: object) -> list[str]:
    candidates = ngrams(analyse(TEXT))
    column = [scores.get(candidates.form(c), 0.0) for c in range(len(candidates))]
    return [keyphrase.text for keyphrase in select(candidates, column, Selection(**options))]  # type: ignore[arg-type]


def test_best_first_and_ties_by_position_then_length() -> None:
    scores = {"graph theori": 2.0, "fun": 3.0, "win": 2.0, "graph": 2.0}
    assert chosen(scores, top=4) == ["fun", "Graph", "Graph theory", "win"]


def test_top_as_a_number_a_share_and_all() -> None:
    total = len(ngrams(analyse(TEXT)))
    assert len(chosen({}, top=3)) == 3
    assert len(chosen({}, top=0.5)) == -(-total // 2)
    assert len(chosen({}, top=1.0)) == len(chosen({}, top=None)) == total
    assert len(chosen({}, top=0.0001)) == 1


@pytest.mark.parametrize("top", [0, -1, 0.0, 1.5, -0.1, True, "5", float("nan")])
def test_a_senseless_top(top: object) -> None:
    with pytest.raises(ConfigError, match="top"):
        Selection(top=top)  # type: ignore[arg-type]


@pytest.mark.parametrize("threshold", [True, float("nan"), "0.5"])
def test_a_senseless_threshold(threshold: object) -> None:
    with pytest.raises(ConfigError, match="threshold must be a number"):
        pm.extract(TEXT, threshold=threshold)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("redundancy", "message"),
    [
        ("none(3)", "redundancy none takes no parameters"),
        ("nested(bogus=1)", "redundancy nested takes no parameters"),
        ("similarity(foo=0.9)", "redundancy similarity takes one number"),
        ("similarity(0.9, 0.1)", "redundancy similarity takes one number"),
    ],
)
def test_parameters_that_a_redundancy_rule_lacks(redundancy: str, message: str) -> None:
    for method in ("learned", "tfidf"):
        with pytest.raises(ConfigError, match=message):
            pm.extract(TEXT, method=method, redundancy=redundancy)


def test_threshold_keeps_what_reaches_it() -> None:
    assert chosen({"fun": 0.5, "win": 0.4}, threshold=0.5) == ["fun"]


def test_exclusion_is_by_stem_and_leaves_longer_phrases() -> None:
    scores = {"graph": 5.0, "graph theori": 4.0, "support vector machin": 3.0}
    assert chosen(scores, top=2, exclude=frozenset({"Graphs"})) == ["Graph theory", "support vector machine"]


def test_redundancy_by_inclusion_drops_parts_of_better_phrases() -> None:
    scores = {"support vector machin": 5.0, "vector machin": 4.0, "vector": 3.0, "graph": 2.0, "graph theori": 1.0}
    assert chosen(scores, top=3, redundancy="inclusion") == ["support vector machine", "Graph", "Graph theory"]
    assert chosen(scores, top=2) == ["support vector machine", "vector machine"]


def test_a_nested_phrase_stands_only_inside_better_ones() -> None:
    scores = {"support vector machin": 5.0, "vector": 4.0, "graph theori": 3.0, "graph": 2.0}
    assert chosen(scores, threshold=1, redundancy="nested") == ["support vector machine", "Graph theory", "Graph"]


def test_a_phrase_that_occurs_once_around_a_better_one_is_nested() -> None:
    scores = {"graph": 5.0, "machin beat": 4.0, "machin": 4.5, "vector": 3.0, "support vector machin": 2.0}
    assert chosen(scores, threshold=1, redundancy="nested") == ["Graph", "machine", "vector", "support vector machine"]


def test_the_phrase_that_opens_the_text_is_not_nested() -> None:
    scores = {"graph": 5.0, "graph theori": 4.0}
    assert chosen(scores, threshold=1, redundancy="nested") == ["Graph", "Graph theory"]


def test_inclusion_is_of_words_not_of_letters() -> None:
    candidates = ngrams(analyse("art. smart art dealer."))
    scores = {"smart art dealer": 3.0, "art": 2.0, "smart": 1.0}
    column = [scores.get(candidates.form(c), 0.0) for c in range(len(candidates))]
    kept = [k.text for k in select(candidates, column, Selection(top=5, redundancy="inclusion"))]
    assert kept == ["smart art dealer"]


def test_redundancy_by_similarity() -> None:
    candidates = ngrams(analyse("color model. colour model. shape."), longest=2)
    scores = {"color model": 3.0, "colour model": 2.0, "shape": 1.0}
    column = [scores.get(candidates.form(c), 0.0) for c in range(len(candidates))]

    def kept(redundancy: str) -> list[str]:
        return [k.text for k in select(candidates, column, Selection(threshold=1, redundancy=redundancy))]

    assert kept("none") == ["color model", "colour model", "shape"]
    assert kept("similarity") == kept("similarity(0.9)") == ["color model", "shape"]
    assert kept("similarity(0.95)") == ["color model", "colour model", "shape"]


def test_a_part_is_not_similar() -> None:
    candidates = ngrams(analyse("support vector machine."))
    scores = [float(len(candidates.stem_ids(c))) for c in range(len(candidates))]
    assert len(select(candidates, scores, Selection(redundancy="similarity"))) == len(candidates)


def test_unknown_redundancy() -> None:
    with pytest.raises(UnknownName, match="inclusion, meaning, nested, none, similarity"):
        Selection(redundancy="magic")
    with pytest.raises(ConfigError, match="similarity must be above 0"):
        Selection(redundancy="similarity(7)")


def test_the_most_frequent_wording_wins_then_the_earliest() -> None:
    text = "Neural net. neural nets. neural nets. Neural  net."
    spans = [Span(0, 10), Span(12, 23), Span(25, 36), Span(38, 49)]
    assert wording(text, spans) == "Neural net"
    assert wording(text, spans[1:]) == "neural nets"
    assert wording("neural\n  nets", [Span(0, 13)]) == "neural nets"


def test_a_fraction_of_a_hundred_phrases_is_a_percentage_of_them() -> None:
    text = ", ".join(f"pump{i}" for i in range(100))
    assert len(pm.extract(text, method="tfidf", top="all")) == 100
    assert len(pm.extract(text, method="tfidf", top=0.07)) == 7, "0.07 * 100 is 7.000000000000001"


def test_words_with_a_slash_are_compared_in_parts() -> None:
    text = "Client/server systems scale. The client server system fails."
    found = pm.extract(text, method="tfidf", redundancy="variants", top="all").texts
    assert "Client/server systems" in found
    assert "client server system" not in found
