"""The kernels of the analysis and of graphs: what holds for any input, and naive code written out."""

from array import array
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from phrasemill.kernels.language import Parts
from phrasemill.kernels.tokens import Rules

from phrasemill.kernels import graph, sentences, spans
from phrasemill.text.languages.scripts import PAGES
from phrasemill.text.tokenise import ABBREVIATIONS, TABLE, classify

# Text with everything that tokeniser and splitter look at, as well as plain noise.
pieces = st.sampled_from(
    "graph Theory U.S. e.g. 3.14 1,000 a@b.org http://x.y C++ don't 5'-UTR Dr. The etc. IL-2 机器 的 かな ไทย".split()
    + ". ! ? ( ) [ ] , - – ' ’ $5 % # & / 🎉".split()
    + [" ", " ", "\n", "\n\n", "\u200b", "\u0301", "\u200d", "\r\n", "\x0c"]
)
texts = st.one_of(st.text(), st.lists(pieces, max_size=60).map("".join))
small = st.integers(0, 6)
columns = st.lists(small, max_size=40).map(lambda values: array("i", values))


APOSTROPHES = frozenset({"l'", "dell'", "'s", "a'"})


other_pieces = st.one_of(pieces, st.sampled_from("l' dell’ 's a' L'U 3. 12. z. B. Mai".split()))


@given(st.lists(other_pieces, max_size=40).map("".join))
def test_tokenise_with_rules_of_a_language(text: str) -> None:
    start, end, _gap = Rules(TABLE, classify, ABBREVIATIONS | {"z": 1}, APOSTROPHES, True).tokenise(text)
    assert all(left < right for left, right in zip(start, end, strict=True))
    assert all(right <= left for right, left in zip(end, start[1:], strict=False))


@given(texts, st.randoms(use_true_random=False))
def test_sentences(text: str, random) -> None:
    start, end, gap = Rules(TABLE, classify, ABBREVIATIONS).tokenise(text)
    types = array("i", range(len(start)))
    roles = array("B", [random.randrange(256) for _ in start])
    ends = sentences.split(text, start, end, gap, types, roles)
    assert list(ends) == sorted(set(ends))
    assert not start or ends[-1] == len(start)


@given(st.lists(st.integers(1, 200), max_size=60))
def test_wrap_width(lengths: list[int]) -> None:
    "\n".join("x" * length for length in lengths)


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


@given(st.one_of(texts, st.text(st.characters(whitelist_categories=["L", "M", "Zs"]))), st.integers(0, 4))
def test_language(text: str, script: int) -> None:
    lower = text.lower()
    parts = Parts(lower, PAGES, script, 6)
    assert all(0 <= row < 64 for row in parts.rows)
    weights = memoryview(array("b", [(31 * i) % 255 - 127 for i in range(64 * 5)]))
    bias = array("i", [3, -2, 0, 5, 1])
    sums = [bias[k] + sum(weights[5 * row + k] for row in parts.rows) for k in range(5)]
    best, ahead, ahead_of_default = parts.best(weights, bias, 2)
    assert best == sums.index(max(sums))
    assert ahead == max(sums) - sorted(sums)[-2]
    assert ahead_of_default == max(sums) - sums[2]
