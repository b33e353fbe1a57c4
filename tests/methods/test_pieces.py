"""The one way in which texts that are longer than a network reads at once are cut."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from phrasemill.methods.pieces import cut, padded


@given(st.lists(st.integers(1, 9), max_size=40), st.integers(5, 20), st.integers(0, 4), st.integers(0, 30))
def test_windows_take_as_many_words_as_they_hold(sizes: list[int], room: int, front: int, back: int) -> None:
    wanted, first = [], 0
    while first < len(sizes):
        space, last = room - (front if first else 0), first + 1
        while last < len(sizes) and sum(sizes[first : last + 1]) <= space:
            last += 1
        wanted.append((first, last))
        first = len(sizes) if last == len(sizes) else max(first + 1, last - back)
    starts = np.cumsum([0, *sizes])
    assert cut(starts, room, lambda _, last: last - back, front=front) == wanted


def test_rows_are_filled_up_to_the_longest() -> None:
    assert padded([[1, 2], [], [3]], fill=9).tolist() == [[1, 2], [9, 9], [3, 9]]
    assert padded([[1]], width=3).tolist() == [[1, 0, 0]]
