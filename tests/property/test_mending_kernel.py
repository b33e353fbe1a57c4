"""The kernel that mends broken words: it equals expressions and naive code."""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from phrasemill.kernels import mending
from phrasemill.text.hyphens import BREAK, WORD

repeatable = settings(deadline=None, derandomize=True)
texts = st.text("aéß1-_\u00ad\u2010\u00ac .\r\n\t\u2028", max_size=40)


@repeatable
@given(text=texts)
def test_lines_that_end_with_a_hyphen(text: str) -> None:
    found = [match.start() for at in mending.hyphens(text) if (match := BREAK.match(text, at))]
    assert found == [match.start() for match in BREAK.finditer(text)]


@repeatable
@given(text=texts, wanted=st.sets(texts, max_size=6))
def test_words_are_counted(text: str, wanted: set[str]) -> None:
    text = text.replace("\u2010", "-")
    every = Counter(re.findall(WORD, text))
    keys = sorted(wanted | set(list(every)[::2]))
    assert mending.count_words(text, keys) == {word: every[word] for word in keys}


@repeatable
@given(lengths=st.lists(st.integers(1, 5), min_size=1, max_size=6), gap=st.integers(0, 3), dice=st.data())
def test_places_are_moved_to_those_of_the_original(lengths: list[int], gap: int, dice) -> None:
    starts = [sum(lengths[:i]) for i in range(len(lengths))]
    sources = [start + gap * i for i, start in enumerate(starts)]
    places = sorted(dice.draw(st.lists(st.integers(0, sum(lengths)), max_size=20)))
    for ends, bisect in ((False, bisect_right), (True, bisect_left)):
        pieces = [max(bisect(starts, place) - 1, 0) for place in places]
        expected = [place + sources[piece] - starts[piece] for place, piece in zip(places, pieces, strict=True)]
        moved = mending.moved(array("i", places), array("i", starts), array("i", sources), sum(lengths), ends)
        assert list(moved) == expected
