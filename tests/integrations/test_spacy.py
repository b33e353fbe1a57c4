"""The component fills `doc._.keyphrases` from what the Doc says, not from a tagger of ours."""

import pytest
import spacy
from spacy.tokens import Doc

import phrasemill.integrations.spacy
from phrasemill.errors import ConfigError, UnknownName
from phrasemill.integrations.spacy import Component, analysis_of

WORDS = ["Neural", "networks", "learn", ".", "A", "neural", "network", "has", "layers", "."]
TAGS = ["JJ", "NNS", "VBP", ".", "DT", "JJ", "NN", "VBZ", "NNS", "."]


def tagged() -> Doc:
    starts = [i in (0, 4) for i in range(len(WORDS))]
    return Doc(spacy.blank("en").vocab, words=WORDS, tags=TAGS, sent_starts=starts)


def test_reads_tokens_tags_and_sentences() -> None:
    doc = tagged()
    analysis = analysis_of(doc)
    assert analysis.text == doc.text
    assert [token.tag for token in analysis.tokens] == TAGS
    assert list(analysis.sentences) == [4, 10]


def test_spans_point_into_the_doc() -> None:
    doc = Component(method="textrank(keep=1)", top=5)(tagged())
    best = doc._.keyphrases[0]
    assert best.text == "Neural networks"
    assert [doc.text[start:end] for start, end in best.spans] == ["Neural networks", "neural network"]


def test_in_a_pipeline_after_a_tagger() -> None:
    assert phrasemill.integrations.spacy
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("attribute_ruler")
    ruler.add([[{"LOWER": {"IN": ["wells", "groundwater"]}}]], {"TAG": "NNS"})
    ruler.add([[{"LOWER": "draw"}]], {"TAG": "VBP"})
    nlp.add_pipe("phrasemill", config={"method": "firstphrases", "top": 3})
    assert [phrase.text for phrase in nlp("Wells draw groundwater")._.keyphrases] == ["Wells", "groundwater"]


def test_settings_are_options_of_an_extraction() -> None:
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("attribute_ruler")
    ruler.add([[{"LOWER": {"IN": ["deep", "old"]}}]], {"TAG": "JJ"})
    ruler.add([[{"LOWER": {"IN": ["wells", "farms", "groundwater"]}}]], {"TAG": "NNS"})
    ruler.add([[{"LOWER": "feed"}]], {"TAG": "VBP"})
    chosen = {"method": "firstphrases", "longest": 2, "shortest": 2, "stopwords": ["old"], "exclude": ["deep wells"]}
    nlp.add_pipe("phrasemill", config=chosen)
    assert nlp("Deep wells feed old farms")._.keyphrases == ()
    nlp.replace_pipe("phrasemill", "phrasemill", config={**chosen, "exclude": [], "diversity": 0.5})
    assert [phrase.text for phrase in nlp("Deep wells feed old farms")._.keyphrases] == ["Deep wells"]


def test_style_and_replaced_stopwords_reach_the_method() -> None:
    nlp = spacy.blank("en")
    with pytest.raises(ConfigError, match="has no style; styles are for"):
        nlp.add_pipe("phrasemill", config={"method": "rake", "style": "news"})
    nlp.add_pipe("phrasemill", config={"method": "rake", "stopwords": ["learn"], "replace_stopwords": True})
    found = nlp.get_pipe("phrasemill")(tagged())._.keyphrases
    assert "A neural network has layers" in [phrase.text for phrase in found]


def test_the_language_is_that_of_the_doc() -> None:
    with pytest.raises(UnknownName, match="unknown option 'language'"):
        Component(language="en")


def test_without_tags_it_says_what_to_do() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("phrasemill")
    with pytest.raises(ConfigError, match="put phrasemill after a tagger"):
        nlp("Wells draw groundwater")
