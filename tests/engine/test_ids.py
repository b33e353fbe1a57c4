"""Ids that several documents of a corpus have."""

from hypothesis import given, settings
from hypothesis import strategies as st

from phrasemill.engine.ids import MOST_NAMED, SeenIds


@settings(deadline=None)  # the first example imports NumPy
@given(st.lists(st.lists(st.sampled_from("abcdefghijklmnopqrst"), max_size=6), max_size=20))
def test_documents_whose_id_came_before_are_counted(chunks: list[list[str]]) -> None:
    seen, before, expected = SeenIds(), set[str](), []
    for ids in chunks:
        seen.add(ids)
        for one in ids:
            expected += [one] if one in before else []
            before.add(one)
    assert seen.duplicates == len(expected)
    assert seen.first == list(dict.fromkeys(expected))[:MOST_NAMED]


def test_a_million_ids_take_little_memory() -> None:
    seen = SeenIds()
    for start in range(0, 1_000_000, 50_000):
        seen.add([f"d{number}" for number in range(start, start + 50_000)])
    assert seen.duplicates == 0
    seen.add(["d17"])
    assert (seen.duplicates, seen.first) == (1, ["d17"])
    assert sum(array.nbytes for array in seen._sorted) == 8_000_000
