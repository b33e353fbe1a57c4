"""Every method on random texts: sound spans, ordered scores, the same answer each time."""

import math
import re

import pytest

import phrasemill as pm
import random_texts
from phrasemill.catalogue import METHODS

pytestmark = pytest.mark.filterwarnings("ignore::phrasemill.PhrasemillWarning")  # texts in no or in other languages
NETWORKS = {"bertkpe", "catseq", "catseqd", "copyrnn", "embedrank", "encoder", "generator", "mderank", "summarise"}


@pytest.mark.parametrize("name", METHODS.names())
def test_random_texts(name: str, specs: dict[str, str], effort: int) -> None:
    """A thousand texts per method that needs no network, 25,000 with `--deep`."""
    count = (8 if name in NETWORKS else 1_000) * effort
    first = [_checked(specs[name], seed) for seed in range(count)]
    again = [pm.extract(random_texts.text(seed), method=specs[name], language="en") for seed in reversed(range(count))]
    assert again == first[::-1], "what was read before does not matter"


def _checked(spec: str, seed: int) -> list[pm.Keyphrase]:
    text = random_texts.text(seed)
    found = pm.extract(text, method=spec, language="en")
    scores = [keyphrase.score for keyphrase in found]
    assert len(found) <= 10, seed
    assert all(type(score) is float and math.isfinite(score) for score in scores), seed
    assert scores == sorted(scores, reverse=True), seed
    for keyphrase in found:
        assert keyphrase.text == " ".join(keyphrase.text.split()) != "", seed
        assert all(0 <= start < end <= len(text) for start, end in keyphrase.spans), seed
        assert list(keyphrase.spans) == sorted(set(keyphrase.spans)), seed
        wordings = [" ".join(text[start:end].split()) for start, end in keyphrase.spans]
        assert not wordings or keyphrase.text in wordings or _plain(keyphrase.text) in map(_plain, wordings), seed
    return found


def _plain(wording: str) -> str:
    """Return a wording without what may differ from the text: capitals of headlines, hyphens at line ends."""
    return re.sub("[-\u2010\u00ad\u00ac] ?", "", wording).casefold()
