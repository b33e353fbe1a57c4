"""Scores of documents in other languages than English: stemmers of their own, and scripts without spaces."""

import json
from pathlib import Path

import pytest

from phrasemill.evaluation import evaluate, read_answers
from phrasemill.types import Document

GERMAN = "Die Pumpen der Stadt fördern zu viel Grundwasser, und deshalb dringt Salzwasser in die Brunnen ein."
CHINESE = "图论研究图的性质，图论在网络科学中很有用。"
JAPANESE = "この論文ではＸ線の画像について述べる。"


@pytest.mark.parametrize(
    ("text", "language", "gold", "predicted", "policy", "value", "signature"),
    [
        # Porter's stemmer does not know that Brunnen and Brunnens are one word.
        (GERMAN, "", "Brunnens", "Brunnen", {}, 1, "|match:stem(german)|lang:de|"),
        ("Zu kurz.", "de", "Brunnens", "Brunnen", {}, 1, "|match:stem(german)|lang:de|"),
        (GERMAN, "", "Brunnens", "Brunnen", {"stemmer": "none"}, 0, "|match:stem(none)|lang:de|"),
        ("The wells are salty.", "", "well", "wells", {}, 1, "|match:stem(porter)|avg:"),
        # Without spaces in the script, neither spaces nor the widths of letters count.
        (CHINESE, "", "网络科学", "网络科学", {}, 1, "|lang:zh|"),
        (CHINESE, "", "网络科学", "网络 科学", {}, 1, "|lang:zh|"),
        (CHINESE, "", "网络科学", "网络科学\u3000", {}, 1, "|lang:zh|"),
        (JAPANESE, "", "Ｘ線", "x線", {}, 1, "|lang:ja|"),
    ],
)
def test_the_stemmer_is_that_of_the_language(
    text: str, language: str, gold: str, predicted: str, policy: dict[str, object], value: float, signature: str
) -> None:
    documents = [Document("d", text, language=language, references=(gold,))]
    score = evaluate({"d": [predicted]}, documents, metrics=["F1@5"], policy=policy).score("F1@5")
    assert score.value == value
    assert signature in score.signature


def test_several_languages_have_a_stemmer_each() -> None:
    documents = [
        Document("d", GERMAN, references=("Brunnens",)),
        Document("e", "The wells are salty.", references=("well",)),
    ]
    score = evaluate({"d": ["Brunnen"], "e": ["wells"]}, documents, metrics=["F1@5"]).score("F1@5")
    assert score.value == 1
    assert "|match:stem(own)|lang:de,en|" in score.signature


def test_phrases_inside_a_run_of_characters_are_present() -> None:
    documents = [Document("d", CHINESE, references=("网络科学", "机器学习"))]
    metrics = ["R@5(present='present')", "R@5(present='absent')"]
    scores = evaluate({"d": ["网络科学", "机器学习"]}, documents, metrics=metrics)
    assert [(len(score.statistics), score.value) for score in scores] == [(1, 1), (1, 1)]


def test_the_language_of_a_record_is_read(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps({"id": "d", "language": "German", "keyphrases": ["Brunnens"]}), encoding="utf-8")
    answers = read_answers(path)
    assert answers.languages == {"d": "de"}
    assert evaluate({"d": ["Brunnen"]}, answers, metrics=["F1@5"])["F1@5"] == 1
