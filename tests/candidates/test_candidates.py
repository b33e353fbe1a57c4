"""Candidates: n-grams, noun phrases by the papers' rules, and patterns of the user's own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phrasemill.candidates import RULE_1, RULE_2, ngrams, noun_phrases
from phrasemill.errors import ConfigError
from phrasemill.text.analyse import analyse
from phrasemill.types import NUMBER, STOPWORD, WORD, Candidates

SENTENCE = "The performance of grid computing depends on large web services, and grid computing is cheap."


def surfaces(candidates: Candidates) -> list[str]:
    text = candidates.analysis.text
    return [text[start:end] for c in candidates for start, end in c.spans]


def test_ngrams_neither_start_nor_end_with_stopwords_or_punctuation() -> None:
    found = surfaces(ngrams(analyse("The quality of service, of course, matters in 2010.")))
    assert found == ["quality", "quality of service", "service", "course", "matters", "matters in 2010"]


def naive_ngrams(text: str, longest: int) -> set[tuple[int, int]]:
    tokens = list(analyse(text).tokens)
    found, begin = set(), 0
    for end in analyse(text).sentences:
        for i in range(begin, end):
            for j in range(i + 1, min(i + longest, end) + 1):
                run = tokens[i:j]
                if (
                    all(t.kind & (WORD | NUMBER) for t in run)
                    and any(t.kind & WORD for t in run)
                    and not run[0].kind & STOPWORD
                    and not run[-1].kind & STOPWORD
                ):
                    found.add((run[0].span.start, run[-1].span.end))
        begin = end
    return found


text_like = st.lists(
    st.sampled_from(["graph", "Graphs", "of", "the", "theory", "5", ",", ".", "(", "learning", "a-b", "is"])
).map(" ".join)


@given(text_like, st.integers(1, 5))
def test_ngrams_equal_the_naive_ones(text: str, longest: int) -> None:
    candidates = ngrams(analyse(text), longest=longest)
    spans = [tuple(span) for c in candidates for span in c.spans]
    assert set(spans) == naive_ngrams(text, longest)
    assert len(spans) == len(set(spans))


@given(text_like)
def test_occurrences_are_grouped_by_stemmed_form(text: str) -> None:
    candidates = ngrams(analyse(text))
    forms = [c.form for c in candidates]
    assert len(set(forms)) == len(forms)
    for number, candidate in enumerate(candidates):
        assert list(candidate.spans) == sorted(candidate.spans)
        assert candidates.count(number) == len(candidate.spans)
        for start, end in candidate.spans:
            inside = analyse(text[start:end])
            assert " ".join(inside.stems[s] for s in inside.stem) == candidate.form
    firsts = [c.spans[0] for c in candidates]
    assert firsts == sorted(firsts), "in order of first occurrence"


def test_noun_phrases_are_maximal() -> None:
    assert surfaces(noun_phrases(analyse(SENTENCE))) == [
        "performance", "grid computing", "grid computing", "large web services"
    ]  # fmt: skip


def test_rule_2_adds_prepositional_phrases_and_keeps_what_is_inside() -> None:
    found = surfaces(noun_phrases(analyse(SENTENCE), patterns=(RULE_1, RULE_2)))
    assert "performance of grid computing" in found
    assert "grid computing" in found
    assert "performance" in found


@pytest.mark.parametrize("pattern", ["(JJ.*)*(NN.*)+", "<JJ.*>*<NN.*>+", "<JJ|JJR|JJS>* <NN|NNS|NNP|NNPS>+"])
def test_ways_to_write_one_pattern(pattern: str) -> None:
    text = "Large neural networks learn fast heuristics."
    assert surfaces(noun_phrases(analyse(text), patterns=(pattern,))) == ["Large neural networks", "fast heuristics"]


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("(NN", "missing"),
        ("NN % JJ", "cannot read '% JJ'"),
        ("(ZZ.*)+", "no tag is called 'ZZ.*'"),
        ("(NN)*", "matches nothing at all"),
        ("*NN", "nothing to repeat"),
    ],
)
def test_a_bad_pattern_says_what_is_wrong(pattern: str, message: str) -> None:
    with pytest.raises(ConfigError) as error:
        noun_phrases(analyse("graph theory"), patterns=(pattern,))
    assert message in str(error.value)


def test_punctuation_is_in_no_noun_phrase() -> None:
    for surface in surfaces(noun_phrases(analyse("% & * [graph] <theory> = ~ ^ @ # tree / leaf | 5 § ° «x»"))):
        assert not set(surface) & set("%&*[]<>=~^@#/|§°«»")


def test_no_tags_no_noun_phrases() -> None:
    with pytest.raises(ConfigError, match="no tagger for 'eu'"):
        noun_phrases(analyse("grafoen teoria", language="eu"))
    assert len(noun_phrases(analyse("", language="eu"))) == 0


def test_ngrams_need_a_length() -> None:
    with pytest.raises(ConfigError, match="at least 1"):
        ngrams(analyse("a"), longest=0)


def test_function_words_can_be_words_like_all_others() -> None:
    found = surfaces(ngrams(analyse("The coast of a bay, he said.", tag=False), function_words=True))
    assert {"The", "The coast", "coast of", "The coast of", "bay", "he said"} <= set(found)
    assert not any("a" in one.split() or "," in one for one in found), "single letters and punctuation break a run"
