"""Tokens come out as people write them, and always slice back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phrasemill.text.analyse import analyse


def words(text: str) -> list[str]:
    return [token.text for token in analyse(text, language="en").tokens]


@pytest.mark.parametrize(
    "whole",
    [
        "property-casualty", "O'Neill", "rock'n'roll", "AT&T", "R&D", "TCP/IP", "and/or", "l'école",
        "U.S.", "e.g.", "i.e.", "Fig.", "Ph.D.", "U.S.A.",
        "3.14", "2.0.1", "1,000,000", "10:30", "20%", "-5", "$1.5", "€20", "US$5", "£3.2m",
        "IL-2", "CO2", "CO₂", "p53", "β-catenin", "TNF-α", "1,2-dichloroethane", "N,N-dimethylformamide", "5'-UTR",
        "CD4+", "Ca2+", "Na+", "Michaelis–Menten", "H2O",
        "AI", "EU", "C++", "C#", ".NET", "F#", "node.js", "@user", "#tag", "snake_case",
        "https://example.org/a?b=c&d=1", "john.doe@mail.example.org", "www.example.org",
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
        ("x+y=z", ["x", "+", "y", "=", "z"]),
        ("wait... what?!", ["wait", "...", "what", "?", "!"]),
        ("well--done", ["well", "--", "done"]),
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


@given(st.text())
def test_spans_are_ordered_disjoint_and_lose_nothing_visible(text: str) -> None:
    analysis = analyse(text, language="en")
    position = 0
    for start, end in zip(analysis.start, analysis.end, strict=True):
        assert position <= start < end <= len(text)
        assert not any(c.isalnum() for c in text[position:start])
        position = end
    assert not any(c.isalnum() for c in text[position:])


def test_a_lone_surrogate_does_no_harm() -> None:
    assert words("a \ud800 b") == ["a", "?", "b"]
