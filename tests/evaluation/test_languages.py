"""Scores of documents in other languages than English: stemmers of their own, and scripts without spaces."""

import json
from pathlib import Path

import pytest

from phrasemill.evaluation import evaluate, read_answers
from phrasemill.types import Document

GERMAN = "Die Pumpen der Stadt fördern zu viel Grundwasser, und deshalb dringt Salzwasser in die Brunnen ein."
CHINESE = "图论研究图的性质，图论在网络科学中很有用。"


def gold(text: str, *references: str, language: str = "") -> list[Document]:
    return [Document("d", text, language=language, references=references)]


def test_the_stemmer_is_that_of_the_language() -> None:
    # Porter's stemmer does not know that Brunnen and Brunnens are one word.
    for documents in (gold(GERMAN, "Brunnens"), gold("Zu kurz.", "Brunnens", language="de")):
        score = evaluate({"d": ["Brunnen"]}, documents, metrics=["F1@5"]).score("F1@5")
        assert score.value == 1
        assert "|match:stem(german)|lang:de|" in score.signature


def test_english_documents_are_scored_as_ever() -> None:
    score = evaluate({"d": ["wells"]}, gold("The wells are salty.", "well"), metrics=["F1@5"]).score("F1@5")
    assert score.value == 1
    assert "|match:stem(porter)|avg:" in score.signature


def test_a_stemmer_that_is_named_is_for_all() -> None:
    policy = {"stemmer": "none"}
    score = evaluate({"d": ["Brunnen"]}, gold(GERMAN, "Brunnens"), metrics=["F1@5"], policy=policy).score("F1@5")
    assert score.value == 0
    assert "|match:stem(none)|lang:de|" in score.signature


def test_several_languages_have_a_stemmer_each() -> None:
    documents = [*gold(GERMAN, "Brunnens"), Document("e", "The wells are salty.", references=("well",))]
    score = evaluate({"d": ["Brunnen"], "e": ["wells"]}, documents, metrics=["F1@5"]).score("F1@5")
    assert score.value == 1
    assert "|match:stem(own)|lang:de,en|" in score.signature


@pytest.mark.parametrize("predicted", ["网络科学", "网络 科学", "网络科学\u3000"])
def test_without_spaces_in_the_script_spaces_do_not_count(predicted: str) -> None:
    assert evaluate({"d": [predicted]}, gold(CHINESE, "网络科学"), metrics=["F1@5"])["F1@5"] == 1


def test_widths_of_letters_do_not_count() -> None:
    documents = gold("この論文ではＸ線の画像について述べる。", "Ｘ線")
    assert evaluate({"d": ["x線"]}, documents, metrics=["F1@5"])["F1@5"] == 1


def test_phrases_inside_a_run_of_characters_are_present() -> None:
    documents = gold(CHINESE, "网络科学", "机器学习")
    scores = evaluate(
        {"d": ["网络科学", "机器学习"]}, documents, metrics=["R@5(present='present')", "R@5(present='absent')"]
    )
    assert [len(score.statistics) for score in scores] == [1, 1]
    assert [score.value for score in scores] == [1, 1]


def test_the_language_of_a_record_is_read(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps({"id": "d", "language": "German", "keyphrases": ["Brunnens"]}), encoding="utf-8")
    answers = read_answers(path)
    assert answers.languages == {"d": "de"}
    assert evaluate({"d": ["Brunnen"]}, answers, metrics=["F1@5"])["F1@5"] == 1
