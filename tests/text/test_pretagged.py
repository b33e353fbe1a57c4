"""Text that was tagged elsewhere goes through the same methods."""

import pytest

import phrasemill as pm
from phrasemill.catalogue import METHODS
from phrasemill.errors import InputError
from phrasemill.text.analyse import analyse
from phrasemill.text.pretagged import from_tagged, from_tokens

SENTENCES = [
    [("Neural", "JJ"), ("networks", "NNS"), ("learn", "VBP"), ("fast", "RB"), (".", ".")],
    [("A", "DT"), ("neural", "JJ"), ("network", "NN"), ("has", "VBZ"), ("layers", "NNS"), (".", ".")],
]


def test_words_and_tags_become_an_analysis() -> None:
    analysis = from_tagged(SENTENCES)
    assert analysis.text == "Neural networks learn fast .\nA neural network has layers ."
    assert [(token.text, token.tag) for token in analysis.tokens] == [pair for one in SENTENCES for pair in one]
    assert list(analysis.sentences) == [5, 11]
    assert analysis.stems[:2] == ["neural", "network"]


@pytest.mark.parametrize("name", sorted(set(METHODS.names()) - {"embedrank", "mderank"}))
def test_every_method_takes_it(name: str, trained: dict[str, str]) -> None:
    analysis = from_tagged(SENTENCES)
    phrases = pm.extract(analysis, method=trained.get(name, name), top=None)
    assert phrases
    for phrase in phrases:
        assert not phrase.present or phrase.text in [analysis.text[start:end] for start, end in phrase.spans]


def test_the_same_tags_give_the_same_keyphrases() -> None:
    text = "Groundwater supplies most farms. Salt water moves inland when pumps draw groundwater."
    ours = analyse(text)
    spans = [token.span for token in ours.tokens]
    adopted = from_tokens(text, spans, [token.tag for token in ours.tokens], ours.sentences)
    assert pm.extract(adopted, method="multipartiterank") == pm.extract(text, method="multipartiterank")


def test_universal_tags_open_the_graph_methods_to_other_languages() -> None:
    french = [[("La", "DET"), ("théorie", "NOUN"), ("spectrale", "ADJ"), ("des", "ADP"), ("graphes", "NOUN")]]
    phrases = pm.extract(from_tagged(french, language="fr"), method="singlerank")
    assert {phrase.text for phrase in phrases} == {"théorie spectrale", "graphes"}


def test_nothing_is_nothing() -> None:
    assert pm.extract(from_tagged([]), method="textrank") == []
    assert pm.extract(from_tagged([[], []]), method="textrank") == []


@pytest.mark.parametrize("pair", ["word", ("word",), ("word", 3), (" ", "NN")])
def test_what_is_no_pair(pair: object) -> None:
    with pytest.raises(InputError, match="expected a"):
        from_tagged([[pair]])  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("spans", "tags", "ends"),
    [
        ([(0, 1)], [], [1]),
        ([(0, 1)], ["NN"], []),
        ([(0, 1), (2, 3)], ["NN", "NN"], [1]),
        ([(0, 1)], ["NN"], [0, 1]),
        ([(2, 3), (0, 1)], ["NN", "NN"], [2]),
        ([(0, 0)], ["NN"], [1]),
        ([(0, 99)], ["NN"], [1]),
    ],
)
def test_columns_that_do_not_fit(spans: list[tuple[int, int]], tags: list[str], ends: list[int]) -> None:
    with pytest.raises(InputError):
        from_tokens("a b", spans, tags, ends)
