"""SingleRank and the word graph that it shares with TextRank, PositionRank and Topical PageRank."""

import pytest

import phrasemill as pm
from phrasemill.errors import ConfigError

TEXT = "Salt water fills deep wells. Farms on the coastal plain need wells. The salt moves inland with the water."
GRAPHS = ["positionrank", "singlerank", "textrank", "topicalpagerank"]


@pytest.mark.parametrize("name", GRAPHS)
def test_a_window_of_the_whole_text_is_the_widest(name: str) -> None:
    widest = pm.extract(TEXT, method=f"{name}(window=100)", top=None)
    assert pm.extract(TEXT, method=f"{name}(window=50)", top=None) == widest
    assert pm.extract(TEXT, method=f"{name}(window=1000000000000000)", top=None) == widest


@pytest.mark.parametrize("name", GRAPHS)
def test_without_damping_walks_only_jump(name: str) -> None:
    ranked = pm.extract(TEXT, method=f"{name}(damping=0)", top=None)
    if name in {"singlerank", "textrank"}:
        # All words are equal then, and a phrase is worth its length.
        each = ranked[-1].score / len(ranked[-1].text.split())
        assert [phrase.score for phrase in ranked] == pytest.approx([each * len(p.text.split()) for p in ranked])
    assert sum(phrase.score for phrase in ranked) > 0


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("singlerank(window=1)", "window must be at least 2, got 1"),
        ("singlerank(damping=1.0)", "damping must be at least 0 and below 1"),
        ("positionrank(window=0)", "window must be at least 2, got 0"),
        ("positionrank(longest=0)", "longest must be at least 1, got 0"),
    ],
)
def test_parameters_are_checked(spec: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        pm.extract(TEXT, method=spec)
