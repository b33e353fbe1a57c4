"""Choosing the best, telling how the text says them, and the walk through trees: both forms, and naive code."""

import math
from array import array

from hypothesis import given, settings
from hypothesis import strategies as st

from phrasemill import kernels
from phrasemill.candidates import ngrams
from phrasemill.kernels import choice, columns, trees
from phrasemill.text.analyse import analyse
from phrasemill.types import Span

TWINS = {name: kernels.interpreted(name) for name in ("choice", "columns", "trees")}
repeatable = settings(deadline=None, derandomize=True, max_examples=60)
SINGLE = st.floats(width=32, allow_nan=False)
NODES = 2**trees.DEPTH


def bits(floats: "array[float]") -> memoryview:
    return memoryview(floats).cast("B").cast("I")


@given(st.lists(st.sampled_from([0.0, -1.0, 0.5, 2.0, -math.inf]) | st.floats(allow_nan=False)), st.integers(0, 12))
@repeatable
def test_the_best_are_those_a_stable_sort_puts_first(scores: list[float], most: int) -> None:
    expected = sorted(range(len(scores)), key=scores.__getitem__, reverse=True)[:most]
    for kernel in (choice, TWINS["choice"]):
        assert kernel.best(array("d", scores), most).tolist() == expected


@given(
    st.lists(
        st.sampled_from(["Graph", "graph", "GRAPH", "graphs", "the", "tree\n", "tree", "line  line", "."]), max_size=30
    )
)
@repeatable
def test_places_and_wordings(words: list[str]) -> None:
    analysis = analyse(" ".join(words))
    candidates = ngrams(analysis)
    asked = [*range(0, len(candidates), 2)]
    for kernel in (choice, TWINS["choice"]):
        bounds = (candidates.first, candidates.start, candidates.end, analysis.start, analysis.end)
        told, doubtful = kernel.phrases(analysis.text, asked, *bounds, Span)
        assert doubtful == [i for i, (wording, _) in enumerate(told) if wording.isupper()]
        for c, (wording, spans) in zip(asked, told, strict=True):
            assert spans == candidates.spans(c)
            assert all(type(span) is Span for span in spans)
            lines = [" ".join(analysis.text[start:end].split()) for start, end in spans]
            assert wording == max(lines, key=lines.count)


@given(st.lists(st.sampled_from("abcdef")), st.dictionaries(st.sampled_from("abcd"), st.integers(0, 9)))
@repeatable
def test_numbers_of_strings(strings: list[str], known: dict[str, int]) -> None:
    for kernel in (columns, TWINS["columns"]):
        found, missing = kernel.numbers(strings, known)
        assert found.tolist() == [known.get(string, -1) for string in strings]
        assert missing == [string for string in strings if string not in known]
        places = array("i", range(0, len(strings), 2))
        assert kernel.pick(strings, places) == strings[::2]


@given(st.lists(SINGLE | st.sampled_from([0.0, -0.0, math.inf, -math.inf]), min_size=2, max_size=2))
@repeatable
def test_whole_numbers_in_the_order_of_floats(pair: list[float]) -> None:
    for kernel in (trees, TWINS["trees"]):
        a, b = kernel.ordered(bits(array("f", pair)))
        assert ((a < b), (a == b)) == ((pair[0] < pair[1]), (pair[0] == pair[1]))


@given(st.randoms(use_true_random=False), st.integers(0, 11), st.integers(0, 9), st.integers(0, 12))
@repeatable
def test_trees_are_walked_one_step_after_the_other(dice, count: int, rows: int, early: int) -> None:
    width, numbers = 3, array("i", [dice.randrange(4) for _ in range(count)])
    feature = array("B", [dice.randrange(width) for _ in range(4 * (NODES - 1))])
    threshold = array("f", [dice.choice([-1.0, 0.0, 0.25, math.inf]) for _ in range(4 * (NODES - 1))])
    leaf = array("f", [dice.uniform(-1, 1) for _ in range(4 * NODES)])
    values = array("f", [dice.choice([-2.0, -0.0, 0.0, 0.2, 0.3, 7.0]) for _ in range(rows * width)])
    expected = []
    for row in range(rows):
        total = 0.0
        for done, number in enumerate(numbers):
            if done == early and total < 0.1:
                break
            place = 0
            while place < NODES - 1:
                node = number * (NODES - 1) + place
                place = 2 * place + 1 + (values[row * width + feature[node]] > threshold[node])
            total += leaf[number * NODES + place - (NODES - 1)]
        expected.append(total)
    for kernel in (trees, TWINS["trees"]):
        packed = kernel.packed(numbers, feature, kernel.ordered(bits(threshold)), leaf)
        found = kernel.predict(kernel.ordered(bits(values)), width, *packed, array("i", [early]), array("d", [0.1]))
        assert found.tolist() == expected
