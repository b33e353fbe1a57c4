"""Sentence ends survive abbreviations, initials, decimals, citations and headings."""

from array import array
from itertools import pairwise
from textwrap import fill
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st
from phrasemill.kernels.sentences import split
from phrasemill.kernels.tokens import Rules

import made_texts
from phrasemill.text.analyse import analyse
from phrasemill.text.tokenise import ABBREVIATIONS, TABLE, classify

LONG_LINE = f"a line of text that goes on {12 * 'and on '}as paragraphs do that no program has wrapped"
WRAPPED = "Wrapped text breaks its lines at some width, and so a break in\n"


# A bar stands before each sentence but the first.
@pytest.mark.parametrize(
    "marked",
    [
        "It rained. |We stayed in.",
        "Dr. J. R. Smith et al. (2010) agree. |We do not.",
        "See Fig. 3 and Eq. 4, e.g. the U.S. figures. |They rose by 3.5 percent.",
        "He moved to the U.S. |The rest stayed.",
        "It sells apples, pears, etc. |However, it lost money.",
        "Did it work? |Yes! |It did.",
        '"It works," she said. |He left.',
        'She said "it works." |He left.',
        'He said "go."|Then he left.',
        "This was shown before [12]. |It holds [3, 4].",
        "This was shown.[12] |It holds.",
        "This was shown.12 |It holds.",
        "This was shown.[1][2][3][4] |It holds.",
        "This was shown.[1][2][3][4][5] It holds.",  # too much to belong to it
        "It cost approx. five dollars in Jan. 2010 at Acme Inc. in Ohio.",
        "We met Prof. An at noon.",
        "Growth was strong ... état d'urgence.",
        "Growth was strong ... and then it fell.",
        "The meeting is at 5 p.m. on Monday at St. Mary's.",
        "2. Methods follow. |They work.",
        "There are 2. |Methods follow.",
        "One thing ended.|Another began.",  # a missing space
        "One thing ended.another began.",
        "一句。|两句。",
        f"A study of rivers\n|We study rivers in a text, {LONG_LINE}.\n\n|2. Methods\n|We looked at them.",
        f"{WRAPPED}the middle of a sentence, even before a Capital, means nothing\n"
        "at all. |The last line of a paragraph is short\n\n"
        "|Results\n|Another paragraph begins here, and it goes on over the end of\n"
        "Lines that start with capitals, as names of people may do too.",
        # A break is meant where the next word would have fitted.
        f"{WRAPPED}the middle of it is nothing to\n|Mind, if it goes on as the lines of text do that are wrapped at\n"
        "any width, since all of them are about as long as one another.",
        # It would have fitted here, but not by some margin.
        f"{WRAPPED}the middle of a sentence, before words such as\n"
        "Paris or any other name, says nothing at all to you and to me,\n"
        "who read the lines of a text as if they were none.",
        "Researchers have developed a new method for solar\nenergy storage that uses molten salt.",
        f"How to keep the water of a heated pool warm\n|the answer is a cover, {LONG_LINE}",
        "how to keep the water of a heated pool warm\n|the answer is a cover",  # no capitals anywhere
        "Tell me where the old stone bridge of town was\n|    indented = code",
        "Flour\n|butter\n|sugar",
        f"Flour\n|butter\n|sugar\n|eggs\n|milk\n|{WRAPPED}the middle of a list of things is nothing at all\n|Oil",
        "The river runs below the mill at night\n|The miller sleeps and does not hear it go\n"
        "|Upon the hill there stands a single light\n|And all the fields are white with early snow\n",
    ],
)
def test_sentences(marked: str) -> None:
    text = marked.replace("|", "")
    analysis = analyse(text, language="en")
    bounds = pairwise([0, *analysis.sentences])
    found = [text[analysis.start[begin] : analysis.end[end - 1]] for begin, end in bounds]
    assert found == [part.strip() for part in marked.split("|")]


def test_text_without_punctuation_is_cut_so_that_work_stays_linear() -> None:
    lengths = [end - begin for begin, end in pairwise([0, *analyse("word " * 5000).sentences])]
    assert lengths == [1000] * 5


@given(st.lists(st.tuples(st.integers(0, 255), st.integers(0, 3)), max_size=40), st.integers(0, 9))
def test_sentences_of_tokens_of_any_role(tokens: list[tuple[int, int]], first: int) -> None:
    count = len(tokens)
    start, end = array("i", range(0, 2 * count, 2)), array("i", range(1, 2 * count, 2))
    gap, roles = array("B", [gap for _, gap in tokens]), array("B", range(256))
    types = array("i", [role for role, _ in tokens[first:]])
    ends = split("a " * count, start, end, gap, types, roles, min(first, count))
    assert list(ends) == sorted(set(ends)) and (ends[-1] if ends else 0) == len(types)
    assert {i + 1 for i, (_, one) in enumerate(tokens[first:]) if one == 3} <= set(ends)


def test_sentences_from_any_one_on_are_those_of_the_whole_text() -> None:
    text = fill(made_texts.text(3, sentences=60), 70)
    columns = Rules(TABLE, classify, ABBREVIATIONS).tokenise(text)
    words = [text[start:end] for start, end in zip(*columns[:2], strict=True)]
    types, roles = array("i", [crc32(word.encode()) % 256 for word in words]), array("B", range(256))
    whole = list(split(text, *columns, types, roles))
    for i, first in enumerate(whole):
        assert [first + end for end in split(text, *columns, types[first:], roles, first)] == whole[i + 1 :]
