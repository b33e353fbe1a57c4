"""The part-of-speech tagger of English: sentences of our own, damaged files. Other languages: test_profiles.py."""

from collections.abc import Callable

import pytest

from phrasemill.text.analyse import analyse
from phrasemill.text.tag import TAGS

SENTENCES = [
    "The/DT small/JJ boats/NNS crossed/VBD the/DT river/NN slowly/RB ./.",
    "We/PRP propose/VBP a/DT new/JJ method/NN for/IN keyphrase/NN extraction/NN ./.",
    "She/PRP does/VBZ n't/RB know/VB whether/IN Paris/NNP is/VBZ larger/JJR than/IN London/NNP ./.",
    "Two/CD hundred/CD patients/NNS were/VBD treated/VBN with/IN aspirin/NN (/-LRB- 75/CD mg/NN )/-RRB- ./.",
    "The/DT company/NN 's/POS profits/NNS rose/VBD to/TO $5/CD million/CD ,/, he/PRP said/VBD ./.",
    "He/PRP said/VBD ,/, \"/`` We/PRP will/MD win/VB \"/'' ./.",
    "support/NN vector/NN machines/NNS for/IN text/NN classification/NN",
    "the/DT best/JJS results/NNS are/VBP shown/VBN in/IN bold/JJ",
]
HEADING = "practical extraction of useful knowledge from large text collections"


def tagged(text: str) -> str:
    return " ".join(f"{token.text}/{token.tag}" for token in analyse(text, language="en").tokens)


def plain(sentence: str) -> str:
    return " ".join(token.rpartition("/")[0] for token in sentence.split()).replace(" n't", "n't").replace(" 's", "'s")


@pytest.mark.parametrize("sentence", SENTENCES)
def test_tags_of_plain_sentences(sentence: str) -> None:
    assert tagged(plain(sentence)) == sentence


def test_sentences_do_not_see_each_other() -> None:
    assert tagged("\n\n".join(map(plain, SENTENCES))) == " ".join(SENTENCES)


@pytest.mark.parametrize("change", [str.upper, str.lower])
def test_nouns_and_adjectives_survive_letter_case(change: Callable[[str], str]) -> None:
    tags = [token.tag[:2] for token in analyse(change(HEADING), language="en").tokens]
    assert tags == "JJ NN IN JJ NN IN JJ NN NN".split()


def test_title_case_may_turn_adjectives_into_names_but_not_into_verbs() -> None:
    tags = [token.tag[:2] for token in analyse(HEADING.title(), language="en").tokens]
    assert [tag in ("JJ", "NN") for tag in tags] == [tag != "IN" for tag in tags]
    assert tags.count("IN") == 2


def test_code_zero_is_no_tag_and_is_never_given() -> None:
    assert TAGS[0] == ""
    assert len(set(TAGS)) == len(TAGS) == 46
    assert all(analyse("\ud800 𝔘𝔫𝔦 ¶ " + "x" * 500, language="en").tag)
