"""The features of candidates equal naive code written out, and do not depend on what was read before."""

import math
from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phrasemill.kernels import hashing
from phrasemill.methods.learned import background as module
from phrasemill.methods.learned.background import (
    DECODED,
    FEATURES,
    WIDTH,
    Background,
    CountTable,
    Vectors,
    encode,
    known_words,
)
from phrasemill.methods.learned.shapes import ADJECTIVE, NAME, Shapes, word_classes
from phrasemill.text.analyse import analyse
from phrasemill.text.word_frequencies import word_frequencies
from phrasemill.types import CAPITAL, STOPWORD, UPPER, WORD, Candidates

SOME = Shapes.of(
    {
        0x442: 0.7,
        0x1: 0.5,
        0x2: 0.1,
        0x3: 0.2,
        0x4: -0.1,
        0x41: 1.0,
        0x42: 1.1,
        0x11: 0.9,
        0x411: 0.8,
        0x1A1: -1.0,
        0x11111: 0.3,
    }
)
WORDS = "the of deep Neural network networks learning (CNN) IT real-time systems, analysis. is large 3 1998 Bonn \n"
STEMS = ["deep", "neural", "network", "learn", "system", "analysi"]
VERB, PARTICIPLE, PREPOSITION, OF, DETERMINER = 8, 7, 9, 10, 11
repeatable = settings(deadline=None, derandomize=True, max_examples=80)


@pytest.fixture(scope="module")
def background() -> Background:
    """Six words and two phrases, `neural network` and `network`, of a hundred documents."""
    hashes = hashing.stem_hashes(STEMS)
    words = {"df": [9, 5, 40, 30, 80, 60], "chosen": [1, 2, 9, 4, 2, 3], "head": [0, 0, 8, 3, 2, 1], "first": [1] * 6}
    places = (array("i", [0, 1, 2]), array("i", [0, 1]), array("i", [2, 2]), array("i", [1, 2]))
    phrases = CountTable.of(hashing.phrase_hashes(*places, hashes), {"df": [5, 40], "chosen": [7, 3]})
    vectors = [[math.sin(7 * i + j) for j in range(3)] for i in range(len(STEMS))]
    return Background(100, phrases, CountTable.of(hashes, words), Vectors.of(hashes, vectors, 3))


def rows_of(candidates: Candidates, background: Background) -> dict[str, dict[str, float]]:
    """Return the features of each candidate by form, made a few at a time."""
    rows, found = background.rows(candidates, SOME), array("f")
    for begin in range(0, len(candidates), 7):
        found += rows.some(begin, min(begin + 7, len(candidates)))
    every = [found[c * WIDTH : (c + 1) * WIDTH] for c in range(len(candidates))]
    return {candidates.form(c): dict(zip(FEATURES, row, strict=True)) for c, row in enumerate(every)}


def naive(candidates: Candidates, c: int) -> dict[str, float]:
    """Return some features of a candidate, where the text has no references and no title."""
    analysis = candidates.analysis
    classes, kind, count = word_classes(analysis), analysis.kind, len(analysis)
    tokens = [token.text for token in analysis.tokens]
    sentence = [sum(end <= i for end in analysis.sentences) for i in range(count)]
    places = [
        [(candidates.start[o], candidates.end[o]) for o in range(candidates.first[d], candidates.first[d + 1])]
        for d in range(len(candidates))
    ]
    own = places[c]
    n = own[0][1] - own[0][0]

    def beside(i: int, inside: int) -> int:
        """Return the class of a token in the same sentence, 0 elsewhere."""
        return classes[i] if 0 <= i < count and sentence[i] == sentence[inside] else 0

    def extends(i: int, inside: int, last: int) -> bool:
        return 1 <= beside(i, inside) <= last and not kind[i] & STOPWORD

    left, right = [extends(a - 1, a, 6) for a, _ in own], [extends(b, a, 3) for a, b in own]
    longer = [one for one in places if any(one[0] != (a, b) and one[0][0] <= a and b <= one[0][1] for a, b in own)]
    chosen = {("neural", "network"): encode(7), ("network",): encode(3)}
    code = [chosen.get(tuple(candidates.form(d).split()), 0) for d in range(len(candidates))]
    a0, b0 = own[0]
    parts = [code[d] for d, some in enumerate(places) if d != c and any(a0 <= a and b <= b0 for a, b in some)]
    content = [i for i in range(a0, b0) if n == 1 or not kind[i] & STOPWORD]
    often = [sum(analysis.stem[j] == analysis.stem[i] for j in range(count)) for i in range(count)]
    columns = {
        "determined": [beside(a - 1, a) == DETERMINER for a, _ in own],
        "after_preposition": [beside(a - 1, a) in (PREPOSITION, OF) for a, _ in own],
        "starts_sentence": [a == 0 or sentence[a - 1] != sentence[a] for a, _ in own],
        "before_verb": [beside(b, a) in (VERB, PARTICIPLE) for a, b in own],
        "extended_left": left,
        "extended_right": right,
        "whole": [not one and not other for one, other in zip(left, right, strict=True)],
        "capitals": [bool(kind[a] & CAPITAL) and (a == 0 or sentence[a - 1] == sentence[a]) for a, _ in own],
        "upper": [bool(kind[b - 1] & UPPER) for _, b in own],
        "named": [classes[a] == NAME == classes[b - 1] for a, b in own],
        "bracketed": [a > 0 and b < count and tokens[a - 1] == "(" and tokens[b] == ")" for a, b in own],
        "closed": [b == count or sentence[b] != sentence[a] or not kind[b] & WORD for a, b in own],
    }
    found = {name: sum(column) / len(own) for name, column in columns.items()}
    found |= {
        "count": math.log(1 + len(own)),
        "first": math.log(1 + a0),
        "spread": (own[-1][0] - a0) / count,
        "first_sentence": sentence[a0],
        "words": n,
        "characters": sum(len(tokens[i]) for i in range(a0, b0)) + n - 1,
        "digits": any(character.isdigit() for i in range(a0, b0) for character in tokens[i]),
        "hyphens": any("-" in tokens[i] for i in range(a0, b0)),
        "first_class": classes[a0],
        "last_class": classes[b0 - 1],
        "head_share": len(own) / often[b0 - 1],
        "parts_share": len(own) / min([often[i] for i in content], default=1),
        "word_count_sum": sum(math.log(1 + often[i]) for i in content),
        "longer_share": max((len(one) for one in longer), default=0) / len(own),
        "parts_chosen": math.log(1 + DECODED[max(parts, default=0)]),
    }
    return found


@given(st.lists(st.sampled_from(WORDS.split(" ")), min_size=1, max_size=50).map(" ".join))
@repeatable
def test_features_are_as_written_out(background: Background, text: str) -> None:
    candidates = SOME.propose(analyse(text, language="en"))
    found = rows_of(candidates, background)
    for c in range(len(candidates)):
        row = found[candidates.form(c)]
        expected = {name: float(value) for name, value in naive(candidates, c).items()}
        assert {name: row[name] for name in expected} == pytest.approx(expected, abs=1e-6), candidates.form(c)


def test_features_of_a_text_by_hand(background: Background) -> None:
    text = "Deep neural networks\nA neural network learns. Networks of systems (CNN) use Neural networks."
    by_form = rows_of(SOME.propose(analyse(text, language="en")), background)
    row, cnn = by_form["neural network"], by_form["cnn"]
    assert (row["in_title"], row["title_overlap"], row["listed"], row["tables"]) == (1, 1, 1, 1)
    assert row["idf"] == pytest.approx(math.log(101 / 6), rel=0.02)
    assert row["chosen"] == pytest.approx(math.log(1 + 7), rel=0.05)
    assert by_form["deep neural network"]["parts_chosen"] == row["chosen"]
    assert row["longer_kinds"] == pytest.approx(math.log(2))  # in "deep neural networks"
    five = rows_of(SOME.propose(analyse("The graph tree forest river bridge.", language="en")), background)
    assert [five[one]["longer_kinds"] for one in ("tree forest", "river")] == pytest.approx([math.log(2), math.log(4)])
    assert by_form["system"]["defined"] == cnn["bracketed"] == 1
    assert (row["class_before"], cnn["class_before"], cnn["class_after"]) == (ADJECTIVE, -2, -3)
    assert by_form["system"]["rare_least"] < cnn["rare_least"]


TEXTS = ["deep networks learn", "networks of networks", "deep sea", "a deep network learns networks"]


def test_words_are_looked_up_once_and_dropping_them_changes_nothing(
    background: Background, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rows() -> list[object]:
        return [rows_of(SOME.propose(analyse(text)), background) for text in TEXTS]

    def known() -> int:
        idle, _ = known_words(background, word_frequencies("en"))
        return sum(map(len, idle))

    expected, known_then = rows(), known()
    rows_of(SOME.propose(analyse("Xqzv xqzw xqzx.", language="en")), background)
    assert rows() == expected and known() == known_then, "no room for words that no table has"
    rows_of(SOME.propose(analyse("Graph theory. Rivers and harbours.", language="en")), background)
    assert rows() == expected and known() > known_then
    monkeypatch.setattr(module, "MOST_WORDS", 1)
    assert rows() == expected and known() == 0


def test_many_words_are_known() -> None:
    """More than fit into the first table of words. The theme is the mean of their vectors, by rarity."""
    words = [f"xq{one}" for one in range(1500)]
    hashes, none = hashing.stem_hashes(words), [0] * len(words)
    table = CountTable.of(hashes, {"df": range(len(words)), "chosen": none, "head": none, "first": none})
    vectors = Vectors.of(hashes, [[math.sin(one), math.cos(one)] for one in range(len(words))], 2)
    tables = Background(2000, CountTable.of(array("Q"), {"df": [], "chosen": []}), table, vectors)
    found = rows_of(SOME.propose(analyse(". ".join(words), language="en")), tables)
    assert len(found) > 1000
    rarity = [math.log(2001) - math.log(max(DECODED[encode(df)], 0.5) + 1) for df in range(len(words))]
    theme = [sum(weight * part(i) for i, weight in enumerate(rarity)) for part in (math.sin, math.cos)]
    for form, row in found.items():
        number = int(form.rpartition("xq")[2])
        near = (theme[0] * math.sin(number) + theme[1] * math.cos(number)) / math.hypot(*theme)
        if " " not in form:
            assert (row["head_idf"], row["theme"]) == pytest.approx((rarity[number], near), abs=0.02)


def test_the_list_of_references_is_not_counted(background: Background) -> None:
    body = "Graph theory studies graphs. " * 300
    text = f"{body}\nReferences\nSmith, J. Zebra crossings. Journal of Roads.\n"
    analysis = analyse(text)
    title, end = analysis.view.bounds
    assert title == 5 and text[analysis.start[end] :].startswith("References")
    found = rows_of(SOME.propose(analysis), background)
    assert not any(found["zebra"].values())
    assert found["graph theori"]["count"] == pytest.approx(math.log(301))
    for heading in ("4. Reference implementation", "References.", "A reference list of all the systems"):
        analysis = analyse(text.replace("References", heading))
        assert analysis.view.bounds[1] == len(analysis), heading
    assert analyse(text.replace("References", "Further reading and references")).view.bounds[1] == end


def test_looking_for_references_takes_time_in_proportion_to_the_text() -> None:
    """A text in one line that mentions references often once took an hour: this test would not end."""
    analysis = analyse("Graph theory has no reference for this. " * 20_000)
    assert analysis.view.bounds[1] == len(analysis)


def test_a_line_that_was_wrapped_goes_on(background: Background) -> None:
    text = "An account of the year, with all that went wrong in it.\nRivers\nFish live around the\nturbines."
    found = rows_of(SOME.propose(analyse(f"{text}\nCod\nEels")), background)
    headings = {form: row["in_headings"] > 0 for form, row in found.items()}
    assert headings["river"] and headings["cod"]
    assert not headings["turbin"] and not headings["eel"], "a heading has something below"
    for words, heads in ((9, True), (10, False)):
        analysis = analyse(f"{text}\n{'very ' * (words - 1)}otters\nBears", language="en")
        assert (rows_of(SOME.propose(analysis), background)["otter"]["in_headings"] > 0) == heads


@given(
    st.dictionaries(st.integers(0, 2**64 - 1), st.integers(0, 10**6), max_size=80),
    st.lists(st.integers(0, 2**64 - 1), max_size=20),
)
@repeatable
def test_tables_know_what_was_put_in(counts: dict[int, int], others: list[int]) -> None:
    # Two keys with the same lower half and nearby upper halves are one to the table; such are left out here.
    keys = list({key & 0xFFFFFFFF or 1: key for key in counts}.values())
    table = CountTable.of(array("Q", keys), {"df": [counts[key] for key in keys]})
    strangers = [key for key in others if (key & 0xFFFFFFFF or 1) not in {one & 0xFFFFFFFF or 1 for one in keys}]
    places = hashing.find(array("Q", [*keys, *strangers]), table.fingerprints)
    assert [table.columns["df"][place] for place in places[: len(keys)]] == [encode(counts[key]) for key in keys]
    assert all(place == -1 for place in places[len(keys) :])
    assert all(DECODED[encode(count)] == pytest.approx(count, rel=0.05) for count in counts.values())


def test_a_search_goes_on_at_the_beginning_of_a_table() -> None:
    keys = array("Q", [(0xFFFFFFFF << 32) + one for one in range(1, 20)])
    table = CountTable.of(keys, {"df": range(19)})
    assert list(hashing.find(keys, table.fingerprints)) == [
        *range(len(table.fingerprints) - 1, len(table.fingerprints)),
        *range(18),
    ]


def test_hashes_are_the_same_on_every_machine() -> None:
    # FNV-1a of the ASCII string, as published: http://www.isthe.com/chongo/tech/comp/fnv/
    assert hashing.stem_hashes(["a", "foobar"]).tolist() == [0xAF63DC4C8601EC8C, 0x85944171F73967E8]
