"""Correlation with people: the groups and the statistics of Kim, Baldwin and Kan (2010)."""

import json
from pathlib import Path

import pytest

from phrasemill.errors import ConfigError, DataError, InputError
from phrasemill.evaluation import evaluate
from phrasemill.evaluation.phrases import normaliser
from phrasemill_lab.papers.judgements import Judged, read_judgements
from phrasemill_lab.papers.meta_evaluation import (
    _tags,
    agreement_table,
    correlate,
    correlate_documents,
    correlation,
    human_bound,
    kinds,
    majority,
)

PAIRS = [
    Judged("effective grid", ("effective grid computing algorithm",), (1, 1, 2)),
    Judged("grid computing", ("effective grid computing algorithm",), (2, 2, 1)),
    Judged("computing algorithm", ("effective grid computing algorithm",), (3, 2, 3)),
    Judged("grid computing algorithm", ("effective grid computing algorithm",), (4, 3, 4)),
    Judged("apple pie", ("effective grid computing algorithm",), (0, 0, 0)),
]


def test_majority_breaks_ties_by_the_median() -> None:
    """1 and 4 are both given twice; the median of 1 1 3 4 4 is 3, and 4 is nearer to it."""
    assert majority([1, 1, 3, 4, 4]) == 4
    assert majority([2, 2, 0]) == 2


def test_correlation_by_hand() -> None:
    """Ranks 1 2 3 4 against 1 3 2 4: rho = 1 - 6 · 2 / (4 · 15) = 0.8; 5 of 6 pairs agree: tau = 4/6."""
    assert correlation([1, 2, 3, 4], [1, 3, 2, 4], "spearman") == pytest.approx(0.8)
    assert correlation([1, 2, 3, 4], [1, 3, 2, 4], "kendall") == pytest.approx(4 / 6)
    assert correlation([1, 1, 1], [1, 2, 3], "spearman") is None


def test_the_human_bound_leaves_one_out() -> None:
    """Two annotators who agree in order; a third who reverses them: (rho(a, bc) + rho(b, ac) + rho(c, ab)) / 3."""
    assert human_bound([(1, 1), (2, 2), (3, 5)], max, "spearman") == pytest.approx(1)
    assert human_bound([(1,), (2,)], max, "spearman") is None


@pytest.mark.parametrize(
    ("candidate", "keyphrase", "groups"),
    [
        ("computing algorithm", "grid computing algorithm", {"up to 4 words", "up to 3 words", "overlap: head"}),
        ("effective grid", "effective grid computing algorithm", {"up to 4 words", "overlap: first"}),
        ("grid computing", "effective grid computing algorithm", {"up to 4 words", "overlap: middle"}),
        ("apple", "banana", {"overlap: none"}),
        ("service", "quality of service", {"with preposition", "overlap: head"}),
        ("performance", "performance and scalability", {"with conjunction", "overlap: first"}),
        ("network", "neural network", {"adjective-noun", "simple"}),
        ("intrusion", "intrusion detection system", {"noun-noun", "simple", "overlap: first"}),
    ],
)
def test_kinds_of_pairs(candidate: str, keyphrase: str, groups: set[str]) -> None:
    """The examples are the paper's, sections 2 and 4.3."""
    key = normaliser("porter").key
    assert groups <= set(kinds(key(candidate).split(), key(keyphrase).split(), _tags(keyphrase, "en")))


def test_word_classes_need_a_tagger() -> None:
    groups = {one.group for one in correlate(PAIRS, metrics=["partial"], language="eo")}
    assert "simple" not in groups
    assert "overlap: head" in groups


@pytest.mark.parametrize(
    ("keyphrase", "groups"),
    [
        ("politique culturelle", {"adjective-noun", "simple"}),
        ("eau de mer", {"with preposition"}),
        ("formation et emploi", {"with conjunction"}),
    ],
)
def test_word_classes_by_universal_tags(keyphrase: str, groups: set[str]) -> None:
    assert groups <= set(kinds(["mer"], keyphrase.split(), _tags(keyphrase, "fr")))


def test_metrics_are_correlated_for_every_group() -> None:
    agreements = correlate(PAIRS, metrics=["r-precision", "modified-r-precision", "exact"])
    by_group = {one.group: one for one in agreements}
    assert [one.group for one in agreements][:2] == ["all", "up to 4 words"]
    everything = by_group["all"]
    assert everything.judgements == 5
    # By position every candidate gets its own place, in the order of the people's average.
    assert everything.spearman["modified-r-precision"] == pytest.approx(1)
    assert 0 < (everything.spearman["r-precision"] or 0) < 1
    assert everything.spearman["exact"] is None
    assert everything.spearman["human"] is not None
    grid = agreement_table(agreements, statistic="kendall")
    assert grid.header == ("judgements", "n", "human", "r-precision", "modified-r-precision", "exact")
    assert grid.rows[0][-1] == "-"


@pytest.mark.parametrize(("pairs", "count"), [("all", 6), ("near-misses", 5), ("parts", 4)])
def test_judgements_are_restricted_to_near_misses(pairs: str, count: int) -> None:
    """`apple pie` shares nothing; `algorithm of a grid` shares words, but neither phrase is part of the other."""
    judged = [*PAIRS, Judged("algorithm of a grid", ("effective grid computing algorithm",), (2, 2, 2))]
    (everything, *_) = correlate(judged, metrics=["r-precision"], pairs=pairs)
    assert everything.judgements == count


def test_exact_matches_are_no_near_misses() -> None:
    judged = [Judged("grids", ("grid",), (4,)), Judged("grid", ("node", "grid"), (4,))]
    with pytest.raises(DataError, match="none of the 2 judgements is of near-misses"):
        correlate(judged, metrics=["r-precision"], pairs="near-misses")
    with pytest.raises(ConfigError, match="unknown pairs 'substrings'"):
        correlate(judged, pairs="substrings")


def test_graded_similarity_by_embeddings(tmp_path: Path) -> None:
    """`auto` points almost where `car` does, `fruit` elsewhere: people and cosines agree on the order."""
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("car 1 0\nauto 0.9 0.1\nvan 0.7 0.7\nfruit 0 1\n", encoding="utf-8")
    judged = [Judged("auto", ("car",), (4,)), Judged("van", ("car",), (2,)), Judged("fruit", ("car",), (0,))]
    (everything, *_) = correlate(judged, metrics=["cosine", "r-precision"], embeddings=str(vectors))
    assert everything.spearman == {"human": None, "cosine": pytest.approx(1), "r-precision": None}


def test_whole_answers_are_correlated() -> None:
    gold = {id_: ["a", "b"] for id_ in "123"}
    scores = evaluate({"1": ["a", "b"], "2": ["a", "x"], "3": ["x"]}, gold, metrics=["F1@5"])
    judged = [Judged("1", (), (5,)), Judged("2", (), (3,)), Judged("3", (), (1,))]
    assert correlate_documents(scores, judged).spearman["F1@5"] == pytest.approx(1)
    with pytest.raises(DataError, match="no judged document"):
        correlate_documents(scores, [Judged("9", (), (1,))])


def test_what_cannot_be_correlated() -> None:
    with pytest.raises(ConfigError, match="combine annotators 'median'"):
        correlate(PAIRS, combine="median")
    with pytest.raises(ConfigError, match="unknown similarity"):
        correlate(PAIRS, metrics=["levenshtein"])
    with pytest.raises(DataError, match="no keyphrase to compare with"):
        correlate([Judged("d1", (), (1,))])


def lines(tmp_path: Path, *records: object) -> Path:
    path = tmp_path / "human.jsonl"
    path.write_text("\n".join(json.dumps(record) for record in records), encoding="utf-8")
    return path


def test_judgements_are_read(tmp_path: Path) -> None:
    pair = {"keyphrase": "a b", "candidate": "a", "scores": {"anna": 1, "ben": 2}}
    swapped = {"keyphrase": "c", "candidate": "d", "scores": {"ben": 4, "anna": 3}}
    assert read_judgements(lines(tmp_path, pair, swapped)) == [
        Judged("a", ("a b",), (1, 2)),
        Judged("d", ("c",), (3, 4)),
    ]
    ratings = [{"phrase": "x", "score": 2.0, "kind": "pertinence"}, {"phrase": "y", "score": 0, "kind": "silence"}]
    listed = {"id": "d", "keyphrases": ["x", "z"], "judgements": ratings}
    assert read_judgements(lines(tmp_path, listed)) == [Judged("x", ("x", "z"), (2,))]
    assert read_judgements(lines(tmp_path, {"id": "d", "scores": [1, 2]})) == [Judged("d", (), (1, 2))]
    wordings = {"id": "d", "keyphrases": ["x", ["z", "zed"]], "judgements": ratings[:1]}
    assert read_judgements(lines(tmp_path, wordings)) == [Judged("x", ("x", "z", "zed"), (2,))]


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([], "no judgements"),
        (["text"], "not a record"),
        ([{"candidate": "a"}], "neither a keyphrase"),
        ([{"id": "a"}], "needs scores"),
        ([{"id": "a", "scores": ["high"]}], "'high' where a score should be"),
        ([{"id": "a", "scores": {"x": 1}}, {"id": "b", "scores": {"y": 1}}], "lacks a score by x"),
        ([{"id": "a", "scores": [1]}, {"id": "b", "scores": [1, 2]}], "not every judgement"),
        ([{"id": "a", "keyphrases": [], "judgements": [{"score": 1}]}], "without a phrase"),
        ([{"id": "a", "keyphrases": [["x", 1]], "judgements": []}], "where a keyphrase should be"),
    ],
)
def test_damaged_judgements(records: list[object], message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        read_judgements(lines(tmp_path, *records))
