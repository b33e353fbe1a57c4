"""What a lexicon computes of each word type."""

import string

from hypothesis import given
from hypothesis import strategies as st

from phrasemill.text.lexicon import Lexicon, _plain_role

WORDS = st.text(string.ascii_letters, min_size=1, max_size=8) | st.sampled_from(["The", "the", "THE", "IT", "It", "us"])


@given(WORDS)
def test_words_of_ascii_letters_are_like_any_other(word: str) -> None:
    lexicon = Lexicon(str, frozenset({"the", "it", "us", "a"}), frozenset(), None)
    kind = lexicon._kind_of(word, word.lower())
    assert lexicon._plain_kind(word, word.lower()) == kind
    assert _plain_role(kind) == lexicon._role_of(word, word.lower(), kind)
