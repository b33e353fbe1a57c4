"""The columns of an analysis agree with each other and with the text, however long it is."""

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from phrasemill.kernels.words import Lexicon, Strings

import made_texts
import phrasemill as pm
from phrasemill.text import analyse as analysing
from phrasemill.text.analyse import Analyser, analyse
from phrasemill.text.languages import UPOS, profile
from phrasemill.types import CAPITAL, NUMBER, STOPWORD, UPPER, WORD

JAPANESE = st.text(st.sampled_from("日本語のテスト中文分词123abc·・ー。， \n") | st.characters())
PIECES = st.sampled_from(
    "graph Theory U.S. e.g. 3.14 1,000 a@b.org http://x.y C++ don't 5'-UTR Dr. The etc. IL-2 l' dell’ 's a' L'U 3. 12."
    " z. B. Mai 机器 的 かな ไทย . ! ? ( ) [ ] , - – ' ’ $5 % # & / 🎉".split()
) | st.sampled_from(" \n\u200b\u0301\u200d\r\x0c")
TEXTS = st.one_of(st.text(), JAPANESE, st.lists(PIECES, max_size=60).map("".join))


@given(TEXTS, st.sampled_from("en fr de it ar tr ja zh eu th und".split()), st.booleans())
def test_columns_of_any_text(text: str, language: str, tag: bool) -> None:
    analysis = analyse(text, language=language, tag=tag)
    count, position = len(analysis), 0
    for column in (analysis.start, analysis.end, analysis.kind, analysis.tag, analysis.word, analysis.stem):
        assert len(column) == count
    assert list(analysis.sentences) == sorted(set(analysis.sentences))
    assert (analysis.sentences[-1] if count else 0) == count
    for column, strings in ((analysis.word, analysis.words), (analysis.stem, analysis.stems)):
        assert list(dict.fromkeys(column)) == list(range(len(strings))), "numbered by first occurrence"
    for token in analysis.tokens:
        assert text[token.span.start : token.span.end] == token.text
        assert position <= token.span.start < token.span.end
        assert not any(c.isalnum() for c in text[position : token.span.start])
        position = token.span.end
    assert not any(c.isalnum() for c in text[position:])
    own = profile(language)
    if tag and language != "en" and (own.tagger or own.segment):
        assert analysis.tagset == UPOS
    assert (0 not in analysis.tag) if analysis.tagged else set(analysis.tag) <= {0}


def test_what_a_token_knows() -> None:
    tokens = list(analyse("The IL-2 receptors of NASA cost $5.").tokens)
    assert [t.text for t in tokens] == ["The", "IL-2", "receptors", "of", "NASA", "cost", "$5", "."]
    assert [t.stem for t in tokens][2:5] == ["receptor", "of", "nasa"]
    kinds = [t.kind for t in tokens]
    assert kinds[:3] == [WORD | STOPWORD | CAPITAL, WORD | CAPITAL | UPPER, WORD]
    assert (kinds[4], kinds[6], kinds[7]) == (WORD | CAPITAL | UPPER, NUMBER, 0)
    assert tokens[2].tag == "NNS"


def test_one_word_however_it_is_encoded() -> None:
    analysis = analyse("ﬁeld field nai\u0308ve naïve key\u200bphrase keyphrase insurer’s insurer's Field")
    assert analysis.words == ["field", "naïve", "keyphrase", "insurer", "'s"]


def test_a_very_long_token_is_no_word() -> None:
    analysis = analyse("A" * 100_000 + " graph")
    assert [kind & WORD for kind in analysis.kind] == [0, WORD]


def test_a_word_that_a_line_end_breaks_is_one_token() -> None:
    text = "The town plans a network that takes its warmth from the waste-\nwater plant, and raises the tempera-\nture."
    words = {text[t.span.start : t.span.end]: t.word for t in analyse(text).tokens}
    assert (words["waste-\nwater"], words["tempera-\nture"]) == ("wastewater", "temperature")


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


@pytest.mark.parametrize("change", [str, lambda text: text.replace("o", "𝐨"), lambda text: text.replace("e", "é")])
def test_a_long_text_has_the_tokens_and_sentences_of_its_paragraphs(change: Callable[[str], str]) -> None:
    text = made_texts.text(1, sentences=400).replace("The ", "Fig. 2 and the Ph.D. of U.K.-based Dr. Who, ")
    paragraphs = [f"{one}.\n\n" for one in change(text).split(". ") if one]
    expected, ends, begin, number = [], [], 0, 0
    for part in map(partial(analyse, language="en"), paragraphs):
        expected += [(one.text, begin + one.span.start, one.kind, one.tag, one.stem) for one in part.tokens]
        ends += [number + end for end in part.sentences]
        begin, number = begin + len(part.text), number + len(part)
    whole = analyse("".join(paragraphs), language="en")
    found = [(one.text, one.span.start, one.kind, one.tag, one.stem) for one in whole.tokens]
    assert (found, list(whole.sentences)) == (expected, ends)
    assert number > 5000


@pytest.mark.filterwarnings("ignore:read as:phrasemill.PhrasemillWarning")  # the text is English
@pytest.mark.parametrize("language", ["en", "de", "zh"])
def test_a_text_of_more_words_than_a_lexicon_takes(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = made_texts.text(2, sentences=300)
    text = text.replace(". ", ".\n").replace("The ", 'Dr. Who said "no." (see [3]) The ') + "Ω naïve 地下水位下降 \n\n"
    text += " ".join(f"Well{i} in town{i}." if i % 7 else f"w{i}" for i in range(3000))
    whole, expected = Analyser(language).analyse(text), list(pm.extract(text, language=language, top=None))
    assert isinstance(whole.words, list)
    monkeypatch.setattr(analysing, "Lexicon", partial(Lexicon, most=300, least=1100))
    parts = Analyser(language).analyse(text)
    assert isinstance(parts.words, Strings), "one lexicon was enough"
    assert list(parts.tokens) == list(whole.tokens)
    assert (parts.sentences, parts.word, parts.stem) == (whole.sentences, whole.word, whole.stem)
    assert (list(parts.words), list(parts.stems)) == (whole.words, whole.stems)
    assert list(pm.extract(parts, top=None)) == expected
    pm.extract(parts, explain=True, method="topicrank" if language == "en" else "tfidf")


def test_lexicons_do_not_grow_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysing, "Lexicon", partial(Lexicon, most=50))
    analyser = Analyser()
    before = analyser.analyse("graph theory matters")
    assert len(analyser._idle) == 1
    for i in range(200):
        analyser.analyse(f"word{i} other{i}")
        assert not any(lexicon.full for lexicon in analyser._idle)
    assert list(analyser.analyse("graph theory matters").tokens) == list(before.tokens)
