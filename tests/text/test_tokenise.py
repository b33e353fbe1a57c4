"""Tokens come out as people write them, and always slice back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from phrasemill.kernels.tokens import Rules

from phrasemill.text.analyse import analyse
from phrasemill.text.tokenise import TABLE, classify


def words(text: str) -> list[str]:
    return [token.text for token in analyse(text, language="en").tokens]


@pytest.mark.parametrize(
    "whole",
    [
        "property-casualty", "O'Neill", "rock'n'roll", "AT&T", "R&D", "TCP/IP", "and/or", "l'école",
        "U.S.", "e.g.", "i.e.", "Fig.", "Ph.D.", "U.S.A.", "U.S.A.F.",
        "3.14", "2.0.1", "1,000,000", "10:30", "20%", "-5", "$1.5", "€20", "US$5", "£3.2m",
        "IL-2", "CO2", "CO₂", "p53", "β-catenin", "TNF-α", "1,2-dichloroethane", "N,N-dimethylformamide", "5'-UTR",
        "CD4+", "Ca2+", "Na+", "NADPH+", "Michaelis–Menten", "H2O",
        "AI", "EU", "C++", "C#", ".NET", "F#", "node.js", "@user", "#tag", "snake_case",
        "https://example.org/a?b=c&d=1", "john.doe@mail.example.org", "me@host.org/-x", "www.example.org",
        "naïve", "nai\u0308ve", "soft\u00adhyphen", "key\u200bphrase", "Москва", "κόσμος", "한국어", "שלום",
    ],
)  # fmt: skip
def test_stays_whole(whole: str) -> None:
    assert words(f"we saw {whole} there") == ["we", "saw", whole, "there"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the insurer's stock", ["the", "insurer", "'s", "stock"]),
        ("the insurer’s stock", ["the", "insurer", "’s", "stock"]),
        ("Bayes' theorem", ["Bayes", "'", "theorem"]),
        ("don't can't we'll they've", ["do", "n't", "ca", "n't", "we", "'ll", "they", "'ve"]),
        ("one (two), three.", ["one", "(", "two", ")", ",", "three", "."]),
        ("an end.Another start", ["an", "end", ".", "Another", "start"]),
        ("see http://x.org/y.", ["see", "http://x.org/y", "."]),
        ("(https://x.org)", ["(", "https://x.org", ")"]),
        ("a, b; c: d", ["a", ",", "b", ";", "c", ":", "d"]),
        ("pages 12–15", ["pages", "12", "–", "15"]),
        ("plasma+ 4th# C### ", ["plasma", "+", "4th", "#", "C", "###"]),
        ("x+y=z", ["x", "+", "y", "=", "z"]),
        ("wait... what?!", ["wait", "...", "what", "?", "!"]),
        ("well--done", ["well", "--", "done"]),
        ("1,0000", ["1", ",", "0000"]),
        ("3,4 and 5", ["3", ",", "4", "and", "5"]),
        ("tab\tcr\r\nnul\x00end", ["tab", "cr", "nul", "end"]),
        ("\u200eשלום\u200f עולם", ["שלום", "עולם"]),
        ("🎉🎉 👩‍🔬 ok", ["🎉", "🎉", "👩‍🔬", "ok"]),
        ("", []),
        (" \n\t\x00\u200b", []),
    ],
)
def test_splits(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("机器学习是人工智能的分支。", ["机器学习", "是", "人工智能", "的", "分支", "。"]),
        ("私は日本語を勉強します。", ["私", "は", "日本語", "を", "勉強", "します", "。"]),
        ("データベースの検索", ["データベース", "の", "検索"]),
        ("ภาษาไทย ง่าย", ["ภาษาไทย", "ง่าย"]),
        ("ភាសា\u200bខ្មែរ", ["ភាសា", "ខ្មែរ"]),
    ],
)
def test_scripts_without_spaces_fall_back_to_runs(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_a_lone_surrogate_does_no_harm() -> None:
    assert words("a \ud800 b") == ["a", "?", "b"]


KNOWN = {"abc": 1, "Abd": 1, "straße": 1, "ÉT": 1, "abcdefgh": 1, "kb": 1, "κος": 1, "i̇st": 1}
letters = st.text("abcdefghkAÉétßKstrİΣ", min_size=2, max_size=9)


@given(st.one_of(letters, st.sampled_from([*KNOWN, *map(str.upper, KNOWN), *map(str.title, KNOWN), "İst"])))
def test_abbreviations_are_found_as_they_stand_or_in_small_letters(word: str) -> None:
    _, end, _ = Rules(TABLE, classify, KNOWN).tokenise(f"{word}. x")
    keeps = len(word) in range(2, 9) and bool(KNOWN.get(word) or KNOWN.get(word.lower()))
    assert (end[0] == len(word) + 1) == keeps


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dell'arte Dell’Arte nell'arte", ["dell'", "arte", "Dell’", "Arte", "nell'arte"]),
        ("all 's gut, 'S geht 'x", ["all", "'s", "gut", ",", "'S", "geht", "'", "x"]),
        ("('s", ["(", "'", "s"]),
        ("3. Mai, 12. mai, 123. m", ["3.", "Mai", ",", "12.", "mai", ",", "123", ".", "m"]),
        ("3. 4", ["3", ".", "4"]),
        ("nr. 5, nr. x, z. B. x, Z. x", ["nr.", "5", ",", "nr", ".", "x", ",", "z.", "B.", "x", ",", "Z.", "x"]),
        ("don't", ["don't"]),
    ],
)  # fmt: skip
def test_rules_of_a_language(text: str, expected: list[str]) -> None:
    rules = Rules(TABLE, classify, {"z": 1, "nr": 2}, {"dell'", "'s"}, True)
    start, end, _ = rules.tokenise(text)
    assert [text[a:b] for a, b in zip(start, end, strict=True)] == expected


def test_gaps_between_tokens_are_spaces_lines_or_paragraphs() -> None:
    glued, spaced, line, paragraph = range(4)
    _, _, gap = Rules(TABLE, classify, {}).tokenise("a, b\nc\r\nd\re\x85f\n \ng\x0ch\u2029i\u2028j ")
    assert list(gap) == [glued, spaced, line, line, line, line, paragraph, paragraph, paragraph, line, paragraph]


def test_an_error_in_a_character_table_is_raised() -> None:
    def refused(_: str) -> int:
        raise MemoryError("no room")

    table = bytearray(TABLE[:0x2600]) + bytearray(0x110000 - 0x2600)
    with pytest.raises(MemoryError, match="no room"):
        Rules(table, refused, {}).tokenise(f"{'graphs ' * 20_000}\N{SNOWMAN}")
