"""The component adds keyphrases to copies of documents, in pipelines of both kinds, and can be saved."""

import asyncio
import os

import pytest

import phrasemill as pm
from phrasemill.errors import UnknownName

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
pytest.importorskip("haystack")
from haystack import Document, Pipeline

from phrasemill.integrations.haystack import KeyphraseExtractor

TEXT = "Salt water moves inland, and wells turn brackish."
BEST = pm.extract(TEXT, top=2)


def test_keyphrases_in_the_meta_of_copies() -> None:
    given = [Document(content=TEXT, meta={"page": 3}), Document(content=None)]
    changed = KeyphraseExtractor(top=2, scores_key="scores").run(given)["documents"]
    phrases, scores = [one.text for one in BEST], [one.score for one in BEST]
    assert changed[0].meta == {"page": 3, "keyphrases": phrases, "scores": scores}
    assert changed[0].id == given[0].id
    assert changed[1].meta["keyphrases"] == []
    assert given[0].meta == {"page": 3}


def test_asynchronously_the_same() -> None:
    extractor, given = KeyphraseExtractor(top=2), [Document(content=TEXT)]
    assert asyncio.run(extractor.run_async(given)) == extractor.run(given)


def test_a_pipeline_is_saved_and_loaded() -> None:
    pipeline = Pipeline()
    pipeline.add_component("keyphrases", KeyphraseExtractor(top=2, stopwords=("inland",), meta_key="tags"))
    loaded = Pipeline.loads(pipeline.dumps(), allowed_modules=["phrasemill.integrations.haystack"])
    found = loaded.run({"keyphrases": {"documents": [Document(content=TEXT)]}})["keyphrases"]["documents"]
    assert found[0].meta["tags"] == [one.text for one in pm.extract(TEXT, top=2, stopwords=["inland"])]


def test_unknown_options_are_refused() -> None:
    with pytest.raises(UnknownName, match="option 'topp'"):
        KeyphraseExtractor(topp=2)
