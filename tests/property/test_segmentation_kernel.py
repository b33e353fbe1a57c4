"""Segmentation, with the shipped model of Japanese: every character of a token is in one word, in order."""

from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phrasemill import models
from phrasemill.models import shipped
from phrasemill.text.languages.segmentation import Segmenter, tokenise

texts = st.text(st.sampled_from("日本語のテスト中文分词委员会第123万abc·・ー。， \n𠮷") | st.characters(), max_size=40)


@pytest.fixture(scope="module", params=[False, True], ids=["apart", "joined"])
def segmenter(request: pytest.FixtureRequest) -> Segmenter:
    buffers = dict(models.load(shipped("segmenter_ja.safetensors")).buffers)
    folding = {"variants": array("H", map(ord, "語")), "usual": array("H", map(ord, "语"))}
    return Segmenter(buffers | folding, joins=request.param)


@given(text=texts)
@settings(deadline=None)
def test_words_cover_the_tokens(segmenter: Segmenter, text: str) -> None:
    found, tokens = segmenter.segment(text), tokenise(text)
    covered = [i for start, end in zip(*found[:2], strict=True) for i in range(start, end)]
    assert covered == [i for start, end in zip(*tokens[:2], strict=True) for i in range(start, end)]
    assert all(0 < tag <= 17 for tag in found[3])
