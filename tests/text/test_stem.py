"""Porter's stemmer is the original one; the others are Snowball's."""

import pytest
import Stemmer
from nltk.stem.porter import PorterStemmer

from phrasemill.errors import UnknownName
from phrasemill.text.stem import default_stemmer, list_stemmer, stemmer

# Every suffix the algorithm knows, on roots of each measure and shape.
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
""".split()
WORDS = sorted({root + suffix for root in ROOTS for suffix in SUFFIXES} | set(ROOTS))


def test_porter_is_the_original_algorithm() -> None:
    reference = PorterStemmer(mode=PorterStemmer.ORIGINAL_ALGORITHM)
    stems = list_stemmer("porter")(WORDS)
    assert stems == list(map(stemmer("porter"), WORDS))
    different = [word for word, stem in zip(WORDS, stems, strict=True) if stem != reference.stem(word)]
    # Snowball's rendering undoubles the nine consonants that English doubles; the paper says "any but l, s, z".
    assert all(set("yvkcjwhx") & set(word) for word in different), different
    assert len(different) < len(WORDS) / 100


def test_other_languages_have_their_own() -> None:
    assert stemmer(default_stemmer("fr"))("continuellement") == "continuel"
    assert default_stemmer("en") == "porter"
    assert default_stemmer("ja") == "none"
    assert {default_stemmer(code) for code in ("de", "es", "ru")} <= set(Stemmer.algorithms())


def test_an_unknown_stemmer_lists_the_choices() -> None:
    with pytest.raises(UnknownName, match="none, "):
        stemmer("lancaster")


def test_a_very_long_word_is_left_alone() -> None:
    assert stemmer("porter")("running" * 20_000) == "running" * 20_000
