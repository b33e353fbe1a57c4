"""The kernels of the analysis and of graphs: what holds for any input, and naive code written out."""

from array import array
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phrasemill.kernels import graph, spans

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


def edges(first: "array[int]", neighbour: "array[int]", weight: "array[int]") -> Counter[tuple[int, int]]:
    found: Counter[tuple[int, int]] = Counter()
    for v in range(len(first) - 1):
        for e in range(first[v], first[v + 1]):
            found[v, neighbour[e]] += weight[e]
    return found


@given(st.lists(st.integers(-1, 6), max_size=80).map(lambda v: array("i", v)), st.integers(2, 12))
def test_cooccurrences(node: "array[int]", window: int) -> None:
    nodes = max(node, default=-1) + 1
    result = graph.cooccurrences(node, nodes, window)
    naive: Counter[tuple[int, int]] = Counter()
    for i, a in enumerate(node):
        for b in node[i + 1 : i + window]:
            if a >= 0 and b >= 0 and a != b:
                naive[a, b] += 1
                naive[b, a] += 1
    assert edges(*result) == naive


def test_cooccurrences_of_a_vocabulary_that_outgrows_the_first_table() -> None:
    node = array("i", [i * 7919 % 503 for i in range(3000)])
    result = graph.cooccurrences(node, 503, 10)
    assert sum(result[2]) == 2 * sum(node[i] != other for i in range(len(node)) for other in node[i + 1 : i + 10])


@given(st.lists(st.integers(-1, 6), max_size=80).map(lambda v: array("i", v)), st.floats(0, 0.95), st.booleans())
def test_random_walk(node: "array[int]", damping: float, biased: bool) -> None:
    nodes = max(node, default=-1) + 1
    web = graph.cooccurrences(node, nodes, 3)
    jump = array("d", [(v + 1) / (nodes * (nodes + 1) / 2) for v in range(nodes)] if biased else [])
    ranks = graph.random_walk(*web, jump, damping, 1e-10, 1000)
    if nodes:
        assert sum(ranks) == pytest.approx(1)
        # The defining equation, node by node; nodes without edges always jump.
        links = edges(*web)
        total = Counter({v: sum(w for (a, _), w in links.items() if a == v) for v in range(nodes)})
        loose = sum(ranks[v] for v in range(nodes) if not total[v])
        for v in range(nodes):
            into = sum(ranks[a] * w / total[a] for (a, b), w in links.items() if b == v)
            jumping = (1 - damping + damping * loose) * (jump[v] if biased else 1 / nodes)
            assert ranks[v] == pytest.approx(jumping + damping * into, abs=1e-8)
