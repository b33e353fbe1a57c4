"""The kernels of segmentation, with the shipped model of Japanese."""

from array import array
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from phrasemill.kernels.tokens import Class

from phrasemill import models
from phrasemill.kernels import lattice, lattice_units, lattice_words, segmentation
from phrasemill.models import shipped
from phrasemill.text.languages.segmentation import APART, SPARSE, TABLE, folding, tokenise

TEXT = "日本語のテスト"
texts = st.text(st.sampled_from("日本語のテスト中文分词委员会第123万abc·・ー。， \n𠮷") | st.characters(), max_size=40)
FOLD = folding(map(ord, "語"), map(ord, "语"))


class Loaded(NamedTuple):
    words: lattice_words.Words
    model: lattice.Model


@pytest.fixture(scope="module")
def loaded() -> Loaded:
    model = models.load(shipped("segmenter_ja.safetensors"))
    block = array("h", [-1]) * 0x10000
    for number, code in enumerate(model["codes"]):
        block[code] = number
    sparse = (model[name] for name in SPARSE)
    words = lattice_words.Words(model["fingerprints"], model["classes"])
    return Loaded(words, lattice.Model(*sparse, model["transitions"], block, array("i", model["contexts"])))


@given(text=texts, joins=st.booleans())
@settings(deadline=None)
def test_words_cover_the_tokens(loaded: Loaded, text: str, joins: bool) -> None:
    columns = tokenise(text)
    found = segmentation.segment(text, *columns, TABLE, Class.HAN, FOLD, *loaded, joins, APART)
    covered = [i for start, end in zip(*found[:2], strict=True) for i in range(start, end)]
    assert covered == [i for start, end in zip(*columns[:2], strict=True) for i in range(start, end)]


def test_every_unit_has_all_its_features_for_training(loaded: Loaded) -> None:
    (code, kind, _, _, _, joined), _, _ = lattice_units.units(TEXT, *tokenise(TEXT), TABLE, Class.HAN, FOLD, 0, 0)
    made = lattice.Lattice(code, kind, joined, loaded.words)
    assert len(made.unit_keys()) == lattice.NODE_KEYS * len(TEXT)
