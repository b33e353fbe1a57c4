"""The extractor takes the place of LlamaIndex's own, which asks a language model."""

import asyncio

import pytest

import phrasemill as pm
from phrasemill.errors import UnknownName

pytest.importorskip("llama_index.core")
from llama_index.core import Document
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.schema import TextNode

from phrasemill.integrations.llama_index import KeyphraseExtractor

TEXT = "Salt water moves inland, and wells turn brackish."
PHRASES = ", ".join(one.text for one in pm.extract(TEXT, top=2))


def test_excerpt_keywords_of_each_node() -> None:
    nodes = [TextNode(text=TEXT), TextNode(text="")]
    found = asyncio.run(KeyphraseExtractor(top=2).aextract(nodes))
    assert found == [{"excerpt_keywords": PHRASES}, {"excerpt_keywords": ""}]


def test_metadata_of_a_node_is_not_read() -> None:
    node = TextNode(text=TEXT, metadata={"file_name": "quarterly revenue report"})
    assert KeyphraseExtractor(top=2).extract([node]) == [{"excerpt_keywords": PHRASES}]


def test_in_a_pipeline() -> None:
    [node] = IngestionPipeline(transformations=[KeyphraseExtractor(top=2)]).run(documents=[Document(text=TEXT)])
    assert node.metadata["excerpt_keywords"] == PHRASES


def test_saved_and_loaded_it_does_the_same() -> None:
    made = KeyphraseExtractor(top=2, longest=2, metadata_key="phrases", separator="; ")
    again = KeyphraseExtractor.from_dict(made.to_dict())
    assert again.extract([TextNode(text=TEXT)]) == made.extract([TextNode(text=TEXT)])
    assert again.options == {"top": 2, "longest": 2}


def test_unknown_options_are_refused() -> None:
    with pytest.raises(UnknownName, match="option 'topp'"):
        KeyphraseExtractor(options={"topp": 2})
