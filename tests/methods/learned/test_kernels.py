"""The kernels of `learned` equal naive code written out."""

import math
import random
import re
from array import array
from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phrasemill import kernels
from phrasemill.kernels import hashing, layout, shapes, trees
from phrasemill.methods.learned.background import DECODED, Background, CountTable, Vectors, encode
from phrasemill.methods.learned.features import FEATURES, body_end
from phrasemill.methods.learned.features import features as rows_of
from phrasemill.methods.learned.shapes import LONGEST, SUBORDINATORS, Shapes, _roles, word_classes
from phrasemill.text.analyse import analyse
from phrasemill.training.boosting import TreeColumns
from phrasemill.types import STOPWORD, UPPER, WORD

PASSES = [(kernels.FOLDER / f"{name}.pyx").read_text(encoding="utf-8") for name in ("features", "word_features")]
WORDS = st.sampled_from(
    "the of deep Neural network networks learning (CNN) IT real-time systems, analysis. is large 3 1998 Bonn \n".split(
        " "
    )
)
TEXTS = st.lists(WORDS, max_size=60).map(" ".join)
SOME = Shapes.of(
    {0x442: 0.7, 0x1: 0.5, 0x2: 0.1, 0x3: 0.2, 0x4: -0.1, 0x41: 1.0, 0x42: 1.1, 0x11: 0.9, 0x411: 0.8, 0x1A1: -1.0}
)


def background() -> Background:
    stems = ["deep", "neural", "network", "learn", "system", "analysi"]
    hashes = hashing.stem_hashes(stems)
    words = {
        "df": [9, 5, 40, 30, 80, 60],
        "chosen": [1, 2, 9, 4, 2, 3],
        "head": [0, 0, 8, 3, 2, 1],
        "first": [1, 2, 1, 1, 0, 0],
    }
    phrases = hashing.phrase_hashes(array("i", [0, 1]), array("i", [0]), array("i", [2]), array("i", [1, 2]), hashes)
    dice = random.Random(4)
    vectors = [[dice.uniform(-1, 1) for _ in range(3)] for _ in stems]
    return Background(
        100,
        CountTable.of(phrases, {"df": [5], "chosen": [3]}),
        CountTable.of(hashes, words),
        Vectors.of(hashes, vectors, 3),
    )


def test_columns_are_numbered_as_they_are_listed() -> None:
    numbered = dict(zip(FEATURES, map(str, range(len(FEATURES))), strict=True)) | {"WIDTH": str(len(FEATURES))}
    for source in PASSES:
        constants = dict(re.findall(r"^([A-Z_]+) = cython.declare\(cython.int, (\d+)\)", source, re.MULTILINE))
        columns = {name: number for name, number in constants.items() if name.lower() in FEATURES or name == "WIDTH"}
        assert columns.items() <= {name.upper(): number for name, number in numbered.items()}.items()


@given(TEXTS)
@settings(max_examples=60, deadline=None)
def test_runs_are_all_runs_of_known_shape(text: str) -> None:
    analysis = analyse(text)
    classes = word_classes(analysis)
    naive = []
    begin = 0
    for limit in analysis.sentences:
        for i in range(begin, limit):
            for j in range(i + 1, min(i + LONGEST, limit) + 1):
                code = int("".join(f"{classes[k]:x}" for k in range(i, j)), 16)
                kinds = analysis.kind[i:j]
                edges = [(kinds[0], classes[i]), (kinds[-1], classes[j - 1])]
                fine = all(not kind & STOPWORD or (kind & UPPER and shape in (1, 2, 3)) for kind, shape in edges)
                if all(classes[i:j]) and SOME.known[code] and fine and any(kind & WORD for kind in kinds):
                    naive.append((i, j))
        begin = limit
    stems = (analysis.stem, analysis.stems, frozenset())
    start, end = shapes.runs(classes, analysis.kind, *stems, analysis.sentences, SOME.known, LONGEST)
    assert list(zip(start, end, strict=True)) == naive


def test_units_after_numbers_and_labels_are_in_no_phrase() -> None:
    analysis = analyse("Mix 2 cups rice with a cup of ten pounds. Table 2 is a table.")
    classes = word_classes(analysis)
    words = [token.text for token in analysis.tokens]
    stems = (analysis.stem, list(analysis.stems))
    found = shapes.phrase_classes(classes, analysis.kind, *stems, frozenset({"cup", "pound"}), frozenset({"tabl"}))
    changed = [i for i in range(len(words)) if found[i] != classes[i]]
    assert [words[i] for i in changed] == ["cups", "pounds", "Table", "2"]
    assert not any(found[i] for i in changed)


@given(
    st.dictionaries(st.integers(0, 2**64 - 1), st.integers(0, 10**6), max_size=80),
    st.lists(st.integers(0, 2**64 - 1), max_size=20),
)
@settings(max_examples=60, deadline=None)
def test_tables_know_what_was_put_in(counts: dict[int, int], others: list[int]) -> None:
    # Two keys with the same lower half and nearby upper halves are one to the table; such are left out here.
    keys = list({key & 0xFFFFFFFF or 1: key for key in counts}.values())
    table = CountTable.of(array("Q", keys), {"df": [counts[key] for key in keys]})
    strangers = [key for key in others if (key & 0xFFFFFFFF or 1) not in {one & 0xFFFFFFFF or 1 for one in keys}]
    places = hashing.find(array("Q", [*keys, *strangers]), table.fingerprints)
    assert [table.columns["df"][place] for place in places[: len(keys)]] == [encode(counts[key]) for key in keys]
    assert all(place == -1 for place in places[len(keys) :])


def test_counts_come_back_within_five_per_cent() -> None:
    counts = [0, 1, 2, 3, 10, 99, 12345, 10**6]
    assert [DECODED[encode(count)] for count in counts] == pytest.approx(counts, rel=0.05)


@given(st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=3), max_size=12))
@settings(max_examples=60, deadline=None)
def test_candidates_are_found_in_a_table_of_phrases(phrases: list[list[int]]) -> None:
    """Every other phrase is in the table."""
    stem = array("i", [one for phrase in phrases for one in phrase])
    end = array("i", accumulate(map(len, phrases)))
    start, first = array("i", [0, *end][: len(end)]), array("i", range(len(phrases) + 1))
    hashes = hashing.stem_hashes(list("abcdef"))
    listed = {tuple(phrase): 10 * i for i, phrase in enumerate(phrases) if i % 2}
    keys = dict(zip(map(tuple, phrases), hashing.phrase_hashes(first, start, end, stem, hashes), strict=True))
    table = CountTable.of(
        array("Q", [keys[one] for one in listed]), {"df": list(listed.values()), "chosen": [3] * len(listed)}
    )
    columns = (table.fingerprints, table.columns["df"], table.columns["chosen"])
    df, chosen = hashing.phrase_counts(first, start, end, stem, hashes, *columns)
    known = [listed.get(tuple(phrase)) for phrase in phrases]
    assert list(df) == [0 if one is None else encode(one) for one in known]
    assert list(chosen) == [0 if one is None else encode(3) for one in known]


def test_hashes_are_the_same_on_every_machine() -> None:
    # FNV-1a of the ASCII string, as published: http://www.isthe.com/chongo/tech/comp/fnv/
    assert hashing.stem_hashes(["a", "foobar"]).tolist() == [0xAF63DC4C8601EC8C, 0x85944171F73967E8]


def test_trees_are_walked_as_written_out() -> None:
    # if x0 <= 1: (if x1 <= 5: 10 else 20) else 30;   and a tree that is one leaf, 0.5
    def leaf(value: float) -> dict[str, float]:
        return {"leaf_value": value}

    inner = {
        "split_feature": 1,
        "threshold": 5.0,
        "internal_value": 15.0,
        "left_child": leaf(10),
        "right_child": leaf(20),
    }
    whole = {"split_feature": 0, "threshold": 1.0, "internal_value": 17.0, "left_child": inner, "right_child": leaf(30)}

    class Booster:
        def dump_model(self, num_iteration: int | None = None) -> object:
            return {"tree_info": [{"tree_structure": whole}, {"tree_structure": leaf(0.5)}]}

    made = TreeColumns()
    forest = made.trees(made.add(Booster()))
    rows = array("f", [1, 5, 1, 6, 2, 0])
    thresholds = memoryview(forest.threshold).cast("B").cast("I")
    columns = (forest.numbers, forest.feature, thresholds, forest.leaf)
    bits = memoryview(rows).cast("B").cast("I")
    assert list(trees.predict(bits, 2, *trees.packed(*columns, array("i")), array("d"))) == [10.5, 20.5, 30.5]
    # After the first tree only what reached 20 goes on.
    parts = trees.packed(*columns, array("i", [1]))
    assert list(trees.predict(bits, 2, *parts, array("d", [20]))) == [10.0, 20.5, 30.5]
    assert forest.contributions([1, 6]) == (17.5, [-2.0, 5.0])
    assert forest.sound(2)
    assert not forest.sound(1)


def test_features_of_a_text_by_hand() -> None:
    text = "Deep neural networks\nA neural network learns. Networks of systems (CNN) use Neural networks."
    analysis = analyse(text)
    candidates = SOME.propose(analysis)
    table = rows_of(candidates, SOME, background())
    width = len(FEATURES)
    by_form = {
        candidates.form(c): dict(zip(FEATURES, table[c * width : (c + 1) * width], strict=True))
        for c in range(len(candidates))
    }
    row = by_form["neural network"]
    assert row["count"] == pytest.approx(math.log(1 + 3))
    assert (row["words"], row["first_sentence"], row["in_title"], row["title_overlap"]) == (2, 0, 1, 1)
    assert row["extended_left"] == pytest.approx(1 / 3)  # by "deep"
    assert row["whole"] == pytest.approx(2 / 3)
    assert row["idf"] == pytest.approx(math.log(101 / 6), rel=0.02)
    assert row["chosen"] == pytest.approx(math.log(1 + 3), rel=0.05)
    assert row["longer_kinds"] == pytest.approx(math.log(2))  # in "deep neural networks"
    assert by_form["system"]["defined"] == 1
    assert by_form["cnn"]["bracketed"] == 1
    assert row["head_share"] == pytest.approx(3 / 4)


def test_the_list_of_references_is_not_counted() -> None:
    body = "Graph theory studies graphs. " * 300
    text = f"{body}\nReferences\nSmith, J. Zebra crossings. Journal of Roads.\n"
    analysis = analyse(text)
    line, _ = layout.lines(text, analysis.start, analysis.end, analysis.sentences)
    end = body_end(analysis, line)
    assert text[analysis.start[end] :].startswith("References")
    candidates = SOME.propose(analysis)
    table = rows_of(candidates, SOME, background())
    zebra = next(c for c in range(len(candidates)) if candidates.form(c) == "zebra")
    assert not any(table[zebra * len(FEATURES) : (zebra + 1) * len(FEATURES)])


def test_looking_for_references_takes_time_in_proportion_to_the_text() -> None:
    """A text in one line that mentions references often once took an hour instead of seconds."""

    class Counted(list[int]):
        looks = 0

        def __getitem__(self, at: int) -> int:  # type: ignore[override]
            self.looks += 1
            return super().__getitem__(at)

    analysis = analyse("Graph theory has no reference for this. " * 500)
    line = Counted(layout.lines(analysis.text, analysis.start, analysis.end, analysis.sentences)[0])
    assert body_end(analysis, line) == len(analysis)  # type: ignore[arg-type]
    assert line.looks < 5 * len(analysis)


def test_a_line_that_was_wrapped_goes_on() -> None:
    text = "Rivers\nThe survey counted the fish that live around each of the\nturbines of the farm.\nCod came back."
    analysis = analyse(text)
    line, heading = layout.lines(text, analysis.start, analysis.end, analysis.sentences)
    ends = [i for i in range(1, len(line)) if line[i] != line[i - 1]]
    assert [text[analysis.start[i] :].split()[0] for i in ends] == ["The", "Cod"]
    assert list(heading) == [1, 0, 0]


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("The mobile app crashes when I upload a photo.", ["crashes", "upload"]),
        ("The council acts as the budget gap widens to nine million pounds.", ["acts", "widens"]),
        ("If the growth rate slides toward zero, the economy shrinks.", ["slides", "shrinks"]),
        ("The app crashes of last week were reported.", []),
        ("The machine parts in the box are new.", ["are"]),
        ("Cheap machine parts for old tractors.", []),  # no determiner: a heading, or an item of a list
        ("App crashes when exporting a report", ["crashes"]),
        ("Inflation stays high despite rate cuts", ["stays"]),
        ("We want to make public transport feel safe.", ["want", "make", "feel"]),
    ],
)
def test_verbs_are_hidden_and_a_clause_without_one_has_one_among_its_nouns(text: str, hidden: list[str]) -> None:
    analysis = analyse(text)
    classes = word_classes(analysis)
    before = list(classes)
    words = (analysis.word, _roles(analysis.tagset), list(analysis.words), SUBORDINATORS)
    shapes.hide_verbs(classes, analysis.tag, *words, analysis.sentences)
    changed = [analysis.words[analysis.word[i]] for i in range(len(analysis)) if classes[i] != before[i]]
    assert changed == hidden
