"""The grouping of candidates, beside naive code."""

from array import array

from hypothesis import given
from hypothesis import strategies as st

from phrasemill.kernels import spans

small = st.integers(0, 6)
columns = st.lists(small, max_size=40).map(lambda values: array("i", values))


@given(columns, st.lists(st.tuples(st.integers(0, 39), st.integers(1, 4)), max_size=60))
def test_group(stem: "array[int]", pairs: list[tuple[int, int]]) -> None:
    bounds = [(start, min(start + length, len(stem))) for start, length in pairs if start < len(stem)]
    start, end = array("i", [b[0] for b in bounds]), array("i", [b[1] for b in bounds])
    first, starts, ends = spans.group(stem, start, end)
    naive: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    for a, b in bounds:
        naive.setdefault(tuple(stem[a:b]), []).append((a, b))
    groups = [list(zip(starts, ends, strict=True))[first[g] : first[g + 1]] for g in range(len(first) - 1)]
    assert groups == list(naive.values())
