"""NLTK's Porter is what it says, checked against NLTK, which published scores were computed with."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer

from phrasemill.errors import UnknownName
from phrasemill.evaluation.phrases import stemmer

# Every suffix the algorithm knows, on roots of each measure and shape, and NLTK's special cases.
SUFFIXES = """
s es ies sses ss ed ied eed ing y ational tional enci anci izer bli abli alli entli eli ousli ization ation ator
alism iveness fulness ousness aliti iviti biliti fulli logi icate ative alize iciti ical ful ness al ance ence er ic
able ible ant ement ment ent sion tion ou ism ate iti ous ive ize e ll lle
""".split()
ROOTS = """
b by bl tr tree tre oat ov cr cry cri spy play enjoy hop hopp fall fil fizz fail conflat troubl siz plast motor agre
relat condit ration val digit conform radic differ vile analog vietnam predic oper feudal decis hope callous form
sensit sensib triplic electr good reviv allow infer airlin gyroscop adjust defens irrit replac adop depend adopt
homolog commun activ angular effect bowdler prob rat ceas contr roll yy ayy sky di dy
skies dying lying news innings proceed as is dies flies
""".split()


def test_nltk_variant_on_every_suffix() -> None:
    reference, words = PorterStemmer(), sorted({root + suffix for root in ROOTS for suffix in ("", *SUFFIXES)})
    assert {word: stemmer("nltk")(word) for word in words} == {word: reference.stem(word) for word in words}


@given(st.text(alphabet="abcdeghilmnorstuyz'-é1", max_size=20))
@example("y" * 60)
def test_nltk_variant_on_any_word(word: str) -> None:
    assert stemmer("nltk")(word) == PorterStemmer().stem(word)


def test_an_unknown_stemmer_lists_the_choices() -> None:
    assert [stemmer(name)("skies") for name in ("porter", "nltk", "none")] == ["ski", "sky", "skies"]
    with pytest.raises(UnknownName, match=r"nltk, none, .*porter-parts"):
        stemmer("lancaster")
