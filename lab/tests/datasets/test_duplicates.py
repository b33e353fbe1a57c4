"""Near-duplicates against a naive comparison of everything with everything."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phrasemill.errors import ConfigError
from phrasemill.types import Document
from phrasemill_lab.datasets.duplicates import Duplicate, TestSet


def document(id_: str, text: str, title: str = "") -> Document:
    return Document(id_, text, title)


def test_repeats_go_and_the_rest_stays() -> None:
    words = "groundwater supplies most farms near the coast and pumps draw too much of it every summer"
    tests = TestSet([document("t1", words), document("t2", "an entirely different text about graph theory")])
    train = [
        document("a", words.upper() + "!"),
        document("b", words.replace("summer", "winter")),
        document("c", "nothing of the kind is said in this one, which is about weather"),
    ]
    assert [d.id for d in tests.without(train)] == ["c"]
    assert tests.removed[0] == Duplicate("a", "t1", 1.0)
    assert tests.removed[1].of == "t1"
    assert tests.removed[1].overlap == pytest.approx(15 / 17)
    assert len(tests) == 2


def test_the_same_long_title_is_enough() -> None:
    tests = TestSet([document("t", "old words here", "On the Ranking of Long Titles")])
    assert tests.match(document("a", "new text altogether", "on the ranking of long titles")) is not None
    short = TestSet([document("t", "old words here", "Editorial")])
    assert short.match(document("a", "new text altogether", "Editorial")) is None


def test_empty_documents_are_no_duplicates_of_each_other() -> None:
    assert TestSet([document("t", "")]).match(document("a", "")) is None


def test_values_that_make_no_sense() -> None:
    with pytest.raises(ConfigError, match="threshold"):
        TestSet([], threshold=0)
    with pytest.raises(ConfigError, match="title_words"):
        TestSet([], title_words=0)


WORDS = st.lists(st.sampled_from("abcdefghij"), min_size=0, max_size=12).map(" ".join)


@settings(max_examples=200, deadline=None)
@given(st.lists(WORDS, max_size=6), WORDS, st.floats(0.1, 1.0))
def test_no_pair_is_missed(tests: list[str], text: str, threshold: float) -> None:
    found = TestSet([document(str(i), t) for i, t in enumerate(tests)], threshold=threshold).match(document("x", text))
    words = set(text.split())
    shares = [len(words & set(t.split())) / len(words | set(t.split())) if words or t else 0.0 for t in tests]
    best = max(shares, default=0.0)
    if best >= threshold:
        assert found == Duplicate("x", str(shares.index(best)), best)
    else:
        assert found is None
