"""Candidates by shape equal naive code written out, and leave out what is in no phrase."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phrasemill.kernels import shapes
from phrasemill.methods.learned.shapes import LONGEST, SUBORDINATORS, Shapes, _roles, word_classes
from phrasemill.text.analyse import analyse
from phrasemill.types import STOPWORD, UPPER, WORD

WORDS = "the of deep Neural network networks learning (CNN) IT real-time systems, analysis. is large 3 1998 Bonn \n"
SOME = Shapes.of(
    {0x442: 0.7, 0x1: 0.5, 0x2: 0.1, 0x3: 0.2, 0x4: -0.1, 0x41: 1.0, 0x42: 1.1, 0x11: 0.9, 0x411: 0.8, 0x1A1: -1.0}
)
NONE: frozenset[str] = frozenset()


@given(st.lists(st.sampled_from(WORDS.split(" ")), max_size=60).map(" ".join))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_runs_are_all_runs_of_known_shape(text: str) -> None:
    analysis = analyse(text, language="en")
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
                dated = j == i + 1 and analysis.stems[analysis.stem[i]] == "bonn"
                if all(classes[i:j]) and SOME.known[code] and fine and any(kind & WORD for kind in kinds) and not dated:
                    naive.append((i, j))
        begin = limit
    start, end = shapes.Phrases(analysis.view, NONE, NONE).runs(SOME.known, LONGEST, frozenset({"bonn"}))
    assert list(zip(start, end, strict=True)) == naive


def left_out(text: str, phrases: shapes.Phrases) -> list[str]:
    analysis = analyse(text, language="en")
    before = word_classes(analysis)
    return [token.text for i, token in enumerate(analysis.tokens) if before[i] and not phrases.classes[i]]


def test_units_after_numbers_and_labels_are_in_no_phrase() -> None:
    text = "Mix 2 cups rice with a cup of ten pounds. Table 2 is a table. Table 230 stays."
    analysis = analyse(text, language="en")
    word_classes(analysis)
    phrases = shapes.Phrases(analysis.view, frozenset({"cup", "pound"}), frozenset({"tabl"}))
    assert left_out(text, phrases) == ["cups", "pounds", "Table", "2"]
    phrases.leave_out(text.index("stays"), len(text) - 1)
    assert left_out(text, phrases)[4:] == ["stays"]


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("The mobile app crashes when I upload a photo.", ["crashes", "upload"]),
        ("The council acts as the budget gap widens to nine million pounds.", ["acts", "widens"]),
        ("If the growth rate slides toward zero, the economy shrinks.", ["slides", "shrinks"]),
        ("The app crashes of last week were reported.", []),
        ("The machine parts in the box are new.", ["are"]),
        ("The machine parts in the box, all of them, are new.", ["are"]),
        ("Cheap machine parts for old tractors.", []),  # no determiner: a heading, or an item of a list
        ("App crashes when exporting a report", ["crashes"]),
        ("Inflation stays high despite rate cuts", ["stays"]),
        ("We want to make public transport feel safe.", ["want", "make", "feel"]),
    ],
)
def test_verbs_are_hidden_and_a_clause_without_one_has_one_among_its_nouns(text: str, hidden: list[str]) -> None:
    analysis = analyse(text, language="en")
    word_classes(analysis)
    phrases = shapes.Phrases(analysis.view, NONE, NONE)
    phrases.leave_out_verbs(_roles(analysis.tagset), SUBORDINATORS)
    assert left_out(text, phrases) == hidden
