"""Sentence ends survive abbreviations, initials, decimals, citations and headings."""

from itertools import pairwise

import pytest

from phrasemill.text.analyse import analyse


def sentences(text: str) -> list[str]:
    analysis = analyse(text)
    result, begin = [], 0
    for end in analysis.sentences:
        result.append(text[analysis.start[begin] : analysis.end[end - 1]])
        begin = end
    return result


@pytest.mark.parametrize(
    "parts",
    [
        ["It rained.", "We stayed in."],
        ["Dr. J. R. Smith et al. (2010) agree.", "We do not."],
        ["See Fig. 3 and Eq. 4, e.g. the U.S. figures.", "They rose by 3.5 percent."],
        ["He moved to the U.S.", "The rest stayed."],
        ["It sells apples, pears, etc.", "However, it lost money."],
        ["Did it work?", "Yes!", "It did."],
        ['"It works," she said.', "He left."],
        ['She said "it works."', "He left."],
        ["This was shown before [12].", "It holds [3, 4]."],
        ["This was shown.[12]", "It holds."],
        ["It cost approx. five dollars in Jan. 2010 at Acme Inc. in Ohio."],
        ["Growth was strong ... and then it fell."],
        ["The meeting is at 5 p.m. on Monday at St. Mary's."],
        ["An end.", "Another start."],
    ],
)
def test_splits(parts: list[str]) -> None:
    assert sentences(" ".join(parts)) == parts


def test_a_missing_space_after_a_full_stop() -> None:
    assert sentences("One thing ended.Another began.") == ["One thing ended.", "Another began."]


def test_no_space_after_an_ideographic_stop() -> None:
    assert sentences("一句。两句。") == ["一句。", "两句。"]


def test_headings_without_a_full_stop() -> None:
    text = (
        "A study of rivers\n"
        "We study rivers in a text of which every paragraph is one long line, as most programs write it, however long "
        "it may become in the end.\n\n2. Methods\nWe looked at them."
    )
    assert [s.split()[0] for s in sentences(text)] == ["A", "We", "2.", "We"]


def test_wrapped_lines_are_joined_but_short_ones_end() -> None:
    text = (
        "Wrapped text breaks its lines at some width, and so a break in\n"
        "the middle of a sentence, even before a Capital, means nothing\n"
        "at all. The last line of a paragraph is short\n"
        "\n"
        "Results\n"
        "Another paragraph begins here, and it goes on over the end of\n"
        "Lines that start with capitals, as names of people may do too.\n"
    )
    assert [" ".join(s.split()) for s in sentences(text)] == [
        "Wrapped text breaks its lines at some width, and so a break in the middle of a sentence, even before a "
        "Capital, means nothing at all.",
        "The last line of a paragraph is short",
        "Results",
        "Another paragraph begins here, and it goes on over the end of Lines that start with capitals, as names of "
        "people may do too.",
    ]


def test_text_without_punctuation_is_cut_so_that_work_stays_linear() -> None:
    lengths = [end - begin for begin, end in pairwise([0, *analyse("word " * 5000).sentences])]
    assert lengths == [1000] * 5


def test_a_short_wrapped_text_is_joined() -> None:
    text = "Researchers have developed a new method for solar\nenergy storage that uses molten salt."
    assert sentences(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "How to keep the water of a heated pool warm\nthe answer is a cover, and it is one long line of text "
        + "that goes on, and on, and on, as paragraphs do that no program has wrapped at any width at all",
        "how to keep the water of a heated pool warm\nthe answer is a cover",  # no capitals anywhere
        "Tell me where the old stone bridge of town was\n    indented = code",
        "Flour\nbutter\nsugar",
    ],
)
def test_lines_that_end_where_they_were_meant_to(text: str) -> None:
    assert len(sentences(text)) == text.count("\n") + 1


def test_verses_end_at_their_lines() -> None:
    verse = (
        "The river runs below the mill at night\nThe miller sleeps and does not hear it go\n"
        "Upon the hill there stands a single light\nAnd all the fields are white with early snow\n"
    )
    assert len(sentences(verse)) == 4
