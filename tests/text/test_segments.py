"""Words as generators read them, and the way back to the text."""

from hypothesis import given
from hypothesis import strategies as st

from phrasemill.text.segments import mask_digits, masked_words, segment, segmented


def test_hyphens_are_spaces_and_punctuation_stands_alone() -> None:
    words, spans = segmented("Real-time (3D) parsing, in 2004.")
    assert words == ("real", "time", "(", "3d", ")", "parsing", ",", "in", "2004", ".")
    assert masked_words(words)[-2:] == ("<digit>", ".")
    assert spans[1] == (5, 9)


def test_a_limit_counts_words() -> None:
    assert segmented("one two three", 2)[0] == ("one", "two")


def test_text_that_is_masked_already() -> None:
    assert segmented("the bionlp <digit> task")[0] == ("the", "bionlp", "<digit>", "task")
    assert mask_digits("3.5 in b2b") == "<digit>.<digit> in b2b"


@given(st.text(max_size=60))
def test_every_word_stands_where_it_says(text: str) -> None:
    words, spans = segmented(text)
    assert [text[start:end].lower() for start, end in spans] == list(words)
    assert segment(text).lower().split() == [part for word in words for part in word.split()]
