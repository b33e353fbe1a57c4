"""The columns of an analysis agree with each other and with the text."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from phrasemill.kernels.words import Lexicon

from phrasemill.text.analyse import Analyser, analyse
from phrasemill.text.languages import UPOS
from phrasemill.types import CAPITAL, NUMBER, STOPWORD, UPPER, WORD, Analysis


def check(analysis: Analysis) -> None:
    count = len(analysis)
    for column in (analysis.start, analysis.end, analysis.kind, analysis.tag, analysis.word, analysis.stem):
        assert len(column) == count
    assert list(analysis.sentences) == sorted(set(analysis.sentences))
    assert (analysis.sentences[-1] if count else 0) == count
    seen: list[int] = []
    for stem in analysis.stem:
        if stem not in seen:
            seen.append(stem)
    assert seen == list(range(len(analysis.stems))), "stems are numbered by first occurrence"
    for token in analysis.tokens:
        assert analysis.text[token.span.start : token.span.end] == token.text


@given(st.text())
def test_any_text(text: str) -> None:
    check(analyse(text))


@given(st.text(), st.sampled_from(["fr", "de", "ar", "tr"]))
def test_any_text_in_languages_with_a_tagger(text: str, language: str) -> None:
    analysis = analyse(text, language=language)
    check(analysis)
    assert analysis.tagset == UPOS
    assert 0 not in analysis.tag


@given(
    st.text(st.sampled_from("日本語のテスト中文分词123abc·・ー。， \n") | st.characters()),
    st.sampled_from(["ja", "zh"]),
)
def test_any_text_in_scripts_without_spaces(text: str, language: str) -> None:
    analysis = analyse(text, language=language)
    check(analysis)
    assert 0 not in analysis.tag
    assert set(analyse(text, language=language, tag=False).tag) <= {0}


@given(st.text(), st.sampled_from(["eu", "th", "und"]))
def test_any_text_in_languages_without_a_tagger(text: str, language: str) -> None:
    analysis = analyse(text, language=language)
    check(analysis)
    assert not analysis.tagged
    assert set(analysis.tag) <= {0}


def test_what_a_token_knows() -> None:
    tokens = list(analyse("The IL-2 receptors of NASA cost $5.").tokens)
    assert [t.text for t in tokens] == ["The", "IL-2", "receptors", "of", "NASA", "cost", "$5", "."]
    assert [t.stem for t in tokens][2:5] == ["receptor", "of", "nasa"]
    kinds = [t.kind for t in tokens]
    assert kinds[0] == WORD | STOPWORD | CAPITAL
    assert kinds[1] == WORD | CAPITAL | UPPER
    assert kinds[2] == WORD
    assert kinds[4] == WORD | CAPITAL | UPPER
    assert kinds[6] == NUMBER
    assert kinds[7] == 0
    assert tokens[2].tag == "NNS"


def test_one_word_however_it_is_encoded() -> None:
    analysis = analyse("ﬁeld field nai\u0308ve naïve key\u200bphrase keyphrase insurer’s insurer's Field")
    assert analysis.words == ["field", "naïve", "keyphrase", "insurer", "'s"]


def test_the_stemmer_is_a_choice() -> None:
    assert analyse("skies", stem="none").stems == ["skies"]
    assert analyse("skies", stem="porter").stems == ["ski"]


def test_the_lexicon_does_not_grow_without_end(monkeypatch) -> None:
    monkeypatch.setattr("phrasemill.text.analyse.Lexicon", partial(Lexicon, most=50))
    analyser = Analyser()
    before = analyser.analyse("graph theory matters")
    for i in range(200):
        analyser.analyse(f"word{i} other{i}")
    assert not any(lexicon.full for lexicon in analyser._idle)
    after = analyser.analyse("graph theory matters")
    assert list(after.tokens) == list(before.tokens)


def test_a_very_long_token_is_no_word() -> None:
    analysis = analyse("A" * 100_000 + " graph")
    assert [kind & WORD for kind in analysis.kind] == [0, WORD]


def test_a_word_that_a_line_end_breaks_is_one_token() -> None:
    text = "The town plans a network that takes its warmth from the waste-\nwater plant, and raises the tempera-\nture."
    words = {text[t.span.start : t.span.end]: t.word for t in analyse(text).tokens}
    assert words["waste-\nwater"] == "wastewater"
    assert words["tempera-\nture"] == "temperature"


@pytest.mark.parametrize(
    "text",
    [
        "The sea-\ngirt isle",  # a verse
        "They offer short-\nand long-term loans to all who ask for them in time",
        "All prices are in the list for the years of 2010-\n2012 and later ones",
        "price -\ndiscount is what everybody has to pay at the end of the day",
    ],
)
def test_other_line_ends_break_no_word(text: str) -> None:
    assert not any("\n" in text[t.span.start : t.span.end] for t in analyse(text).tokens)
