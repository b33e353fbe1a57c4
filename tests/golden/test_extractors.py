"""Scores of the extractors worked out by hand; where a linear system is left, the test solves it."""

import math
from array import array
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import phrasemill as pm
from phrasemill import models
from phrasemill.catalogue import METHODS
from phrasemill.statistics import DocumentFrequencies, topic_model
from phrasemill.text.analyse import analyse
from phrasemill.types import Analysis

# Walks stop when they change by less than 1e-4 in sum, so they are this far from their limit at most.
CLOSE = 5e-4


def scores(text: str, method: str) -> dict[str, float]:
    return {phrase.text: phrase.score for phrase in pm.extract(text, method=method, top=None, redundancy="none")}


def tagged(line: str) -> Analysis:
    """An analysis with the tags that `line` says (`salt/NN water/NN`), whatever the tagger makes of the words."""
    pairs = [one.rsplit("/", 1) for one in line.split()]
    analysis = analyse(" ".join(word for word, _ in pairs))
    assert [token.text for token in analysis.tokens] == [word for word, _ in pairs]
    return replace(analysis, tag=array("B", [analysis.tagset.index(tag) for _, tag in pairs]))


def ranked(analysis: Analysis, method: str) -> dict[str, float]:
    candidates, values, *_ = METHODS.build(method).ranked(analysis)
    firsts = [candidate.spans[0] for candidate in candidates]
    return {analysis.text[start:end]: value for (start, end), value in zip(firsts, values, strict=True)}


def stationary(weights: list[list[float]], jump: list[float], damping: float = 0.85) -> list[float]:
    """r = (1 - d) jump + d r P, where P are the rows of `weights` made to sum to 1."""
    moves = np.array(weights) / np.sum(weights, axis=1, keepdims=True)
    return np.linalg.solve(np.eye(len(jump)) - damping * moves.T, (1 - damping) * np.array(jump)).tolist()


# RAKE. Between stopwords and full stops stand: deep learning | neural networks | popular || deep learning | neural
# networks || networks learn features. By stem, degree / frequency:
#   deep 4/2, learn (2 + 2 + 3)/3, neural 4/2, network (2 + 2 + 3)/3, popular 1/1, feature 3/1.
# "deep learning" and "neural networks" are joined by "of" twice, which makes one more candidate.
RAKE_TEXT = (
    "Deep learning of neural networks is popular. They like deep learning of neural networks. Networks learn features."
)


def test_rake() -> None:
    pair = 2 + 7 / 3
    assert scores(RAKE_TEXT, "rake") == pytest.approx(
        {
            "Deep learning of neural networks": 2 * pair,
            "Networks learn features": 7 / 3 + 7 / 3 + 3,
            "Deep learning": pair,
            "neural networks": pair,
            "popular": 1,
        }
    )


def test_rake_limits_the_length_of_candidates_after_words_are_scored() -> None:
    kept = {"Deep learning": 13 / 3, "neural networks": 13 / 3, "popular": 1}
    assert scores(RAKE_TEXT, "rake(longest=3)") == pytest.approx({"Networks learn features": 23 / 3, **kept})
    assert scores(RAKE_TEXT, "rake(longest=2)") == pytest.approx(kept)


def test_rake_joins_only_what_occurs_twice_in_the_same_order() -> None:
    once = "Deep learning of neural networks is popular. Neural networks of deep learning are popular."
    assert set(scores(once, "rake")) == {"Deep learning", "neural networks", "popular"}


# YAKE. Two sentences; content words: salt 2, water 2, moves, inland, wells, Malta, fail 1, so that
#   mean TF = 9/7, variance = (2 (5/7)^2 + 5 (2/7)^2) / 7 = 10/49, mean + deviation = (9 + sqrt 10) / 7, max TF = 2.
YAKE_TEXT = "Salt water moves inland. The salt water wells of Malta fail."
SCALE = (9 + math.sqrt(10)) / 7
# water: never a capital; in sentences 0 and 1, median 0.5, spread 2/2; 1 kind of left neighbours in 2 (salt), 2 in 2 on
# the right (moves, wells); relatedness 1 + (1/2 + 1) 2/2 = 2.5. salt: its capital opens a sentence; left 1 in 1 (the),
# right 1 in 2: the same 2.5.
WATER = SALT = 2.5 * math.log(math.log(3.5)) / (0 + (2 / SCALE) / 2.5 + 1 / 2.5)
# Malta: one capital over 1 + ln 1; sentence 1, spread 1/2; relatedness 1 + (1 + 1) 1/2 = 2. wells: alike, no capital.
MALTA = 2 * math.log(math.log(4)) / (1 + (1 / SCALE) / 2 + (1 / 2) / 2)
WELLS = 2 * math.log(math.log(4)) / (0 + (1 / SCALE) / 2 + (1 / 2) / 2)


def test_yake() -> None:
    found = scores(YAKE_TEXT, "yake")
    # One word: S(kw) = S / (KF (1 + S)); the score is 1 / (1 + S(kw)).
    assert found["Malta"] == pytest.approx(1 / (1 + MALTA / (1 + MALTA)))
    assert found["wells"] == pytest.approx(1 / (1 + WELLS / (1 + WELLS)))
    assert found["water"] == pytest.approx(1 / (1 + WATER / (2 * (1 + WATER))))
    # Two words, twice.
    assert found["Salt water"] == pytest.approx(1 / (1 + SALT * WATER / (2 * (1 + SALT + WATER))))
    # "of" always follows wells and always precedes Malta: both probabilities are 1, and it changes nothing.
    assert found["wells of Malta"] == pytest.approx(1 / (1 + WELLS * MALTA / (1 + WELLS + MALTA)))
    assert "wells of" not in found
    assert "inland The" not in found


def test_yake_counts_an_acronym_wherever_it_stands() -> None:
    # Two sentences of one word: TF 1, mean 1, deviation 0, no neighbours, spread 1/2; casing is 1 for the acronym.
    found = scores("NASA. Engines.", "yake")
    acronym = math.log(math.log(3)) / (1 + 1 + 1 / 2)
    plain = math.log(math.log(4)) / (0 + 1 + 1 / 2)
    expected = {"NASA": 1 / (1 + acronym / (1 + acronym)), "Engines": 1 / (1 + plain / (1 + plain))}
    assert found == pytest.approx(expected)


# KP-Miner. Eleven tokens; salt, water and "salt water" three times, pumps once, first at token 9. In a background of
# seven documents salt is in 1, water in 3, pumps in none; a phrase counts as in 1.
MINER_TEXT = "Salt water. Salt water. Salt water. Pumps."


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "df.safetensors"
    DocumentFrequencies(7, {"salt": 1, "water": 3, "salt water": 3}).save(path)
    return repr(str(path))


def miner(boost: float, **more: float) -> dict[str, float]:
    return {
        "Salt": 3 * math.log(8 / 2),
        "water": 3 * math.log(8 / 4),
        "Salt water": 3 * math.log(8 / 2) * boost,
        **more,
    }


def test_kpminer_boosts_phrases(table: str) -> None:
    # Below half of 400 words `least` is 3 - 2 = 1. Of four candidates one is a phrase: boost 4 / (1 * 2.3).
    pumps = math.log(8 / 1)
    assert scores(MINER_TEXT, f"kpminer(frequencies={table})") == pytest.approx(miner(4 / 2.3, Pumps=pumps))
    limited = scores(MINER_TEXT, f"kpminer(sigma=1.5, frequencies={table})")
    assert limited == pytest.approx(miner(1.5, Pumps=pumps))


def test_kpminer_wants_to_see_a_phrase_as_often_as_the_text_is_long(table: str) -> None:
    # 11 < 16 but not below 8: `least` is 2, and pumps go. Now one of three is a phrase.
    found = scores(MINER_TEXT, f"kpminer(cutoff=16, frequencies={table})")
    assert found == pytest.approx(miner(3 / 2.3))
    assert scores(MINER_TEXT, f"kpminer(cutoff=11, frequencies={table})") == pytest.approx(miner(3 / 2.3))
    assert scores(MINER_TEXT, f"kpminer(cutoff=11, least=4, frequencies={table})") == {}


def test_kpminer_ignores_what_comes_late(table: str) -> None:
    assert "Pumps" in scores(MINER_TEXT, f"kpminer(cutoff=10, least=1, frequencies={table})")
    late = scores(MINER_TEXT, f"kpminer(cutoff=9, least=1, frequencies={table})")
    assert late == pytest.approx(miner(3 / 2.3))


def test_kpminer_in_a_language_without_a_table_counts_every_word_as_rare(table: str) -> None:
    text = "Théorie. Théorie. Graphes."
    found = {k.text: k.score for k in pm.extract(text, method=f"kpminer(frequencies={table})", language="fr")}
    assert found == pytest.approx({"Théorie": 2 * math.log(8 / 2), "Graphes": math.log(8 / 2)})


# SingleRank and PositionRank. With a window of 3 (up to two tokens apart) these meet: salt and water once (0, 1),
# water and wells once (1, 3), wells and salt twice (3, 5 and 5, 6).
BRINE = "salt/NN water/NN fills/VBZ wells/NNS ./. salt/NN wells/NNS ./."
MET = [[0, 1, 2], [1, 0, 1], [2, 1, 0]]  # salt, water, wells


def test_singlerank() -> None:
    # Salt and wells are alike, x; water is y = 0.05 + 0.85 (x/3 + x/3), and 2 x + y = 1, so y = 1 / 3.85.
    y = 1 / 3.85
    x = (1 - y) / 2
    expected = {"salt water": x + y, "wells": x, "salt wells": 2 * x}
    assert ranked(tagged(BRINE), "singlerank(window=3)") == pytest.approx(expected, abs=CLOSE)
    assert stationary(MET, [1 / 3] * 3) == pytest.approx([x, y, x]), "the tests that follow trust this"


def test_singlerank_weighs_edges_and_textrank_does_not() -> None:
    found = ranked(tagged(BRINE), "textrank(window=3, keep=1)")
    assert found == pytest.approx({"salt water": 2 / 3, "wells": 1 / 3, "salt wells": 2 / 3}, abs=CLOSE)


def test_singlerank_candidates_may_end_with_an_adjective() -> None:
    found = ranked(tagged("deep/JJ wells/NNS deep/JJ ,/, salt/NN ./."), "singlerank")
    assert list(found) == ["deep wells deep", "salt"]


def test_positionrank() -> None:
    # Jumps by the sum of 1 / position: salt at 1 and 6, water at 2, wells at 4 and 7.
    early = [1 + 1 / 6, 1 / 2, 1 / 4 + 1 / 7]
    salt, water, wells = stationary(MET, [one / sum(early) for one in early])
    expected = {"salt water": salt + water, "wells": wells, "salt wells": salt + wells}
    assert ranked(tagged(BRINE), "positionrank(window=3)") == pytest.approx(expected, abs=CLOSE)
    shorter = ranked(tagged(BRINE), "positionrank(window=3, longest=1)")
    assert shorter == pytest.approx({"wells": wells}, abs=CLOSE)


def test_positionrank_without_edges_is_the_order_of_words() -> None:
    # Nobody is near anybody, so every step is a jump: by 1 / 1 and 1 / 3.
    apart = tagged("salt/NN fills/VBZ wells/NNS ./.")
    assert ranked(apart, "positionrank(window=2)") == pytest.approx({"salt": 3 / 4, "wells": 1 / 4}, abs=CLOSE)


# TopicRank and MultipartiteRank. Tokens: salt water 0-1, wells 3, fresh water 5-6, pipes 8. Both waters share one
# stem of three, 1/3 >= 0.26: one topic.
WATERS = "salt/NN water/NN fills/VBZ wells/NNS ./. fresh/JJ water/NN fills/VBZ pipes/NNS ./."
THREE = "salt/NN water/NN fills/VBZ wells/NNS ./. fresh/JJ water/NN ./."


def test_topicrank_names_a_topic_by_its_first_candidate() -> None:
    # Two topics, joined to each other alone.
    assert ranked(tagged(THREE), "topicrank") == pytest.approx({"salt water": 0.5, "wells": 0.5}, abs=CLOSE)
    apart = ranked(tagged(THREE), "topicrank(similarity=0.34)")
    assert list(apart) == ["salt water", "wells", "fresh water"], "beyond 1/3 they are two topics"


def test_topicrank() -> None:
    # One over the tokens from the last of the earlier to the first of the later:
    #   waters - wells 1/(3 - 1) + 1/(5 - 3); waters - pipes 1/(8 - 1) + 1/(8 - 6); wells - pipes 1/(8 - 3).
    a, b, c = 1 / 2 + 1 / 2, 1 / 7 + 1 / 2, 1 / 5
    waters, wells, pipes = stationary([[0, a, b], [a, 0, c], [b, c, 0]], [1 / 3] * 3)
    expected = {"salt water": waters, "wells": wells, "pipes": pipes}
    assert ranked(tagged(WATERS), "topicrank") == pytest.approx(expected, abs=CLOSE)


@pytest.mark.parametrize("alpha", [1.1, 0.0])
def test_multipartiterank(alpha: float) -> None:
    # salt water (topic A, first) - wells (topic B) - fresh water (topic A); both edges weigh 1/2. From wells, at
    # token 3, into salt water goes also alpha exp(1 / (1 + 3)) times what binds wells to fresh water.
    into_first = 1 / 2 + alpha * math.exp(1 / 4) * 1 / 2
    share = into_first / (into_first + 1 / 2)
    # Both waters lead to wells alone: w = 0.05 + 0.85 (1 - w).
    wells = 0.9 / 1.85
    expected = {
        "salt water": 0.05 + 0.85 * share * wells,
        "wells": wells,
        "fresh water": 0.05 + 0.85 * (1 - share) * wells,
    }
    assert ranked(tagged(THREE), f"multipartiterank(alpha={alpha})") == pytest.approx(expected, abs=CLOSE)


# Topical PageRank, with two topics: salt is in the first alone, water in the second alone, all else unknown.


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = tmp_path / "topics.safetensors"
    highest = topic_model.LEVELS - 1
    buffers = {"words": array("B", b"salt\nwater"), "levels": array("B", [highest, 0, 0, highest])}
    models.save(path, buffers, {"kind": topic_model.KIND, "language": "en", "topics": "2"})
    return repr(str(path))


def test_topicalpagerank(model: str) -> None:
    # salt 2, water 1: with one word of smoothing, theta = (2 + 1/2, 1 + 1/2) / 4, so jumps lead to salt : water as 5
    # : 3. Either leads to the other: s = 0.15 * 5/8 + 0.85 (1 - s).
    salt = (0.15 * 5 / 8 + 0.85) / 1.85
    found = ranked(tagged("salt/NN fills/VBZ water/NN and/CC salt/NN ./."), f"topicalpagerank(model={model})")
    assert found == pytest.approx({"salt": salt, "water": 1 - salt}, abs=CLOSE)


def test_topicalpagerank_never_jumps_to_words_that_the_model_does_not_know(model: str) -> None:
    # A triangle; jumps lead to salt and water evenly. x = 0.075 + 0.85 (x/2 + l/2), l = 0.85 (x/2 + x/2), 2 x + l = 1.
    x = 1 / 2.85
    found = ranked(tagged("salt/NN fills/VBZ water/NN ,/, wells/NNS ./."), f"topicalpagerank(model={model})")
    assert found == pytest.approx({"salt": x, "water": x, "wells": 0.85 * x}, abs=CLOSE)


def test_topicalpagerank_of_unknown_words_is_singlerank(model: str) -> None:
    unknown = tagged("pipes/NNS fill/VBP wells/NNS and/CC deep/JJ pipes/NNS and/CC lakes/NNS ./.")
    assert ranked(unknown, f"topicalpagerank(model={model})") == ranked(unknown, "singlerank")


# EmbedRank, with vectors made up for the purpose. To the document, x, the pumps are as close as 0.8, the pump stations
# 0.75, the lakes 0.6; pumps and stations are almost the same, lakes are different.
VECTORS = {
    "pumps": (0.8, 0.6, 0.0),
    "pump stations": (0.75, math.sqrt(1 - 0.75**2), 0.0),
    "lakes": (0.6, 0.0, 0.8),
}
PLACES = "the/DT pumps/NNS feed/VBP pump/NN stations/NNS ,/, not/RB lakes/NNS ./."


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    seen: list[str] = []

    class Fake:
        def encode(self, texts: Sequence[str]) -> np.ndarray:
            seen.extend(texts)
            return np.array([VECTORS.get(text, (1.0, 0.0, 0.0)) for text in texts])

    monkeypatch.setattr("phrasemill.embeddings.load_encoder", lambda folder: Fake())
    return seen


def test_embedrank(encoder: list[str]) -> None:
    assert ranked(tagged(PLACES), "embedrank") == pytest.approx({"pumps": 0.8, "pump stations": 0.75, "lakes": 0.6})
    assert encoder == ["pumps pump stations lakes", *VECTORS], "of the document, nouns and adjectives"


def test_embedrank_chooses_by_marginal_relevance(encoder: list[str]) -> None:
    # Half of the relevance less half of the greatest similarity to what was chosen. First pumps, 0.4. Then lakes with
    # 0.3 - 0.48 / 2 = 0.06, since stations have 0.375 - 0.997 / 2 < 0. Stations last.
    alike = 0.8 * 0.75 + 0.6 * math.sqrt(1 - 0.75**2)
    found = ranked(tagged(PLACES), "embedrank(diversity=0.5)")
    assert found == pytest.approx({"pumps": 0.4, "lakes": 0.06, "pump stations": 0.375 - alike / 2})
    assert sorted(found, key=lambda text: -found[text]) == ["pumps", "lakes", "pump stations"]
