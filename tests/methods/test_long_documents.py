"""A document as long as a book goes through every method that needs no neural model."""

import math
import random
from functools import cache

import pytest

import phrasemill as pm
from phrasemill.catalogue import METHODS

pytestmark = pytest.mark.slow

WORDS = 100_000
PSEUDO = 4_000
NEURAL = {"bertkpe", "catseq", "catseqd", "generator", "copyrnn", "embedrank", "llm", "mderank"}
NOUNS = """
water salt farm river plain graph theory network model system method market house bank school music language history law
energy climate ocean forest animal disease cell protein gene drug patient hospital engine road city village government
election war peace art film book letter machine robot sensor signal image camera memory algorithm proof theorem number
equation matrix vector surface crystal metal glass paper stone wood fire wind rain
""".split()
FUNCTION = "the a of in and to with for on is are was that by from as it this which".split()
SYLLABLES = "ba ce di fo gu la me ni po ru sa te vi zo tra ble cri dro fla gre sho plu ster mon tal ver".split()


@cache
def book() -> str:
    """Sentences of a Zipf-like vocabulary, pseudo-words and nouns, with function words, in paragraphs."""
    source = random.Random(20260)
    made: dict[str, None] = {}
    while len(made) < PSEUDO:
        made["".join(source.choices(SYLLABLES, k=source.randint(2, 4)))] = None
    vocabulary = [*NOUNS, *made]
    source.shuffle(vocabulary)
    # Zipf and Mandelbrot: the commonest word that is no function word makes up well under one per cent of a book.
    weights = [1 / (rank + 60) for rank in range(len(vocabulary))]
    sentences, count = [], 0
    while count < WORDS:
        words: list[str] = []
        for _ in range(source.randint(3, 9)):
            words.append(source.choice(FUNCTION))
            words.extend(source.choices(vocabulary, weights, k=source.choice([1, 1, 1, 1, 2, 2, 3])))
            words.append(source.choice(["and", "is", "of", ",", ";"]))
        words[0] = words[0].capitalize()
        sentences.append(" ".join(words[:-1]) + ".")
        count += len(words) - 1
    paragraphs = [" ".join(sentences[at : at + 8]) for at in range(0, len(sentences), 8)]
    return "\n\n".join(paragraphs)


@pytest.mark.parametrize("name", [name for name in METHODS.names() if name not in NEURAL])
def test_a_long_document(name: str, trained: dict[str, str]) -> None:
    text = book()
    assert len(text.split()) >= WORDS
    keyphrases = pm.extract(text, method=trained.get(name, name), top=25)
    assert len(keyphrases) == 25
    scores = [keyphrase.score for keyphrase in keyphrases]
    assert all(math.isfinite(score) and score > 0 for score in scores)
    assert scores == sorted(scores, reverse=True)
    assert len({keyphrase.text for keyphrase in keyphrases}) == 25
    for keyphrase in keyphrases:
        start, end = keyphrase.spans[0]
        assert 0 <= start < end <= len(text)
        assert keyphrase.text in {" ".join(text[a:b].split()) for a, b in keyphrase.spans}
        assert keyphrase.text.split()[0].lower() not in FUNCTION
        assert list(keyphrase.spans) == sorted(set(keyphrase.spans))
