"""The transformer adds keyphrases to copies of documents."""

import asyncio

import pytest

import phrasemill as pm
from phrasemill.errors import UnknownName

pytest.importorskip("langchain_core")
from langchain_core.documents import Document

from phrasemill.integrations.langchain import KeyphraseTransformer

TEXT = "Salt water moves inland, and wells turn brackish."
BEST = pm.extract(TEXT, top=2)


def documents() -> list[Document]:
    return [Document(page_content=TEXT, metadata={"page": 3}, id="a"), Document(page_content="")]


def test_keyphrases_in_the_metadata_of_copies() -> None:
    given = documents()
    changed = KeyphraseTransformer(top=2, scores_key="scores").transform_documents(given)
    phrases, scores = [one.text for one in BEST], [one.score for one in BEST]
    assert changed[0].metadata == {"page": 3, "keyphrases": phrases, "scores": scores}
    assert changed[0].id == "a"
    assert changed[1].metadata == {"keyphrases": [], "scores": []}
    assert given == documents()


def test_asynchronously_the_same() -> None:
    transformer = KeyphraseTransformer(top=2, metadata_key="tags")
    assert asyncio.run(transformer.atransform_documents(documents())) == transformer.transform_documents(documents())


def test_unknown_options_are_refused() -> None:
    with pytest.raises(UnknownName, match="option 'topp'"):
        KeyphraseTransformer(topp=2)
