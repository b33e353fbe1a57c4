"""Columns, and the walk through trees, beside naive code."""

import math
from array import array
from itertools import accumulate

from hypothesis import given, settings
from hypothesis import strategies as st

from phrasemill.kernels import columns, trees

repeatable = settings(deadline=None, derandomize=True, max_examples=60)
SINGLE = st.floats(width=32, allow_nan=False)
NODES = 2**trees.DEPTH


def bits(floats: "array[float]") -> memoryview:
    return memoryview(floats).cast("B").cast("I")


@given(st.lists(st.sampled_from("abcdef")), st.dictionaries(st.sampled_from("abcd"), st.integers(0, 9)))
@repeatable
def test_numbers_of_strings(strings: list[str], known: dict[str, int]) -> None:
    found, missing = columns.numbers(strings, known)
    assert found.tolist() == [known.get(string, -1) for string in strings]
    assert missing == [string for string in strings if string not in known]


@given(st.lists(SINGLE | st.sampled_from([0.0, -0.0, math.inf, -math.inf]), min_size=2, max_size=2))
@repeatable
def test_whole_numbers_in_the_order_of_floats(pair: list[float]) -> None:
    a, b = trees.ordered(bits(array("f", pair)))
    assert ((a < b), (a == b)) == ((pair[0] < pair[1]), (pair[0] == pair[1]))


@given(st.randoms(use_true_random=False), st.integers(0, 19), st.integers(0, 9), st.integers(0, 20))
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
    packed = trees.packed(numbers, feature, bits(threshold), leaf, array("i", [early]))
    found = trees.predict(bits(values), width, *packed, array("d", [0.1]))
    assert found.tolist() == expected


@given(
    st.lists(st.text("aBé中\0-", min_size=1) | st.sampled_from(["a" * 24, "a" * 25]), max_size=40), st.integers(0, 2)
)
@repeatable
def test_types_are_those_of_a_dictionary(words: list[str], sets: int) -> None:
    text, end = "".join(words), array("i", accumulate(map(len, words)))
    start = array("i", [0, *end][: len(end)])
    expected = list(dict.fromkeys(words))
    known: dict[str, int] = {}
    recent = columns.recent_words(2**sets)
    for again in (False, True):
        fresh: list[str] = []
        types = columns.look_up(text, start, end, known, fresh, recent, 0, 0, 10**6, 10**6)
        assert fresh == ([] if again else expected)
        assert [expected[number] for number in types] == words


@given(st.lists(st.integers(0, 2), max_size=30), st.integers(0, 5))
@repeatable
def test_first_places_of_a_number(column: list[int], most: int) -> None:
    assert columns.places(array("i", column), 1, most) == [i for i, one in enumerate(column) if one == 1][:most]


@given(st.lists(st.integers(0, 5), max_size=30))
@repeatable
def test_words_and_stems_are_numbered_by_first_occurrence(types: list[int]) -> None:
    word_of, stem_of, kind_of = array("i", [0, 1, 2, 3, 0, 4]), array("i", [0, 0, 1, 1, 0, 2]), array("B", range(6))
    words, stems = list("abcde"), list("xyz")
    found_words = list(dict.fromkeys(words[word_of[one]] for one in types))
    found_stems = list(dict.fromkeys(stems[stem_of[one]] for one in types))
    scratch = array("i", [-1] * 5)
    kind, word, stem, *found = columns.within_document(
        array("i", types), word_of, stem_of, kind_of, words, stems, scratch
    )
    assert list(kind) == types
    assert [found_words[one] for one in word] == [words[word_of[one]] for one in types]
    assert [found_stems[one] for one in stem] == [stems[stem_of[one]] for one in types]
    assert found == [found_words, found_stems]
    assert list(scratch) == [-1] * 5
