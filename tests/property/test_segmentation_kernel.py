"""The compiled segmentation kernel equals the same file interpreted."""

from array import array
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phrasemill import kernels, tensors
from phrasemill.kernels import segmentation
from phrasemill.shipped import shipped
from phrasemill.text.languages.segmentation import APART, SPARSE, TABLE, folding, tokenise
from phrasemill.text.tokenise import CLASS

TEXT = "日本語のテスト"
texts = st.text(st.sampled_from("日本語のテスト中文分词委员会123abc·・ー。， \n𠮷") | st.characters(), max_size=40)
FOLD = folding(map(ord, "語"), map(ord, "语"))


def tables(kernel: ModuleType) -> tuple[Any, Any]:
    """Return the shipped model of Japanese for `kernel`, with contexts for the first characters of each block."""
    model = tensors.load(shipped("segmenter_ja.safetensors"))
    block = array("h", [-1]) * 0x10000
    for number, code in enumerate(model["codes"]):
        block[code] = number
    sparse = (model[name] for name in SPARSE)
    contexts = array("i", model["contexts"])
    return (
        kernel.Words(model["fingerprints"], model["classes"]),
        kernel.Model(*sparse, model["transitions"], block, contexts),
    )


@pytest.fixture(scope="module")
def both() -> dict[ModuleType, tuple[Any, Any]]:
    return {kernel: tables(kernel) for kernel in (segmentation, kernels.interpreted("segmentation"))}


@given(text=texts, joins=st.booleans())
@settings(deadline=None)
def test_compiled_and_interpreted_agree(both: dict[ModuleType, tuple[Any, Any]], text: str, joins: bool) -> None:
    found, expected = (
        kernel.segment(text, *tokenise(text), TABLE, CLASS["han"], FOLD, *model, joins, APART)
        for kernel, model in both.items()
    )
    assert found == expected


@given(text=texts, joins=st.booleans())
@settings(deadline=None)
def test_words_cover_the_tokens(both: dict[ModuleType, tuple[Any, Any]], text: str, joins: bool) -> None:
    columns = tokenise(text)
    found = segmentation.segment(text, *columns, TABLE, CLASS["han"], FOLD, *both[segmentation], joins, APART)
    covered = [i for start, end in zip(*found[:2], strict=True) for i in range(start, end)]
    assert covered == [i for start, end in zip(*columns[:2], strict=True) for i in range(start, end)]


def test_features_for_training_are_the_same(both: dict[ModuleType, tuple[Any, Any]]) -> None:
    keys = []
    for kernel, (words, _) in both.items():
        columns, _, _ = kernel.units(TEXT, *tokenise(TEXT), TABLE, CLASS["han"], FOLD, 0, 0)
        code, kind, _, _, _, joined = columns
        lattice = kernel.Lattice(code, kind, joined, words)
        keys.append((lattice.unit_keys(), lattice.word_keys(*lattice.words())))
        assert len(keys[-1][0]) == kernel.NODE_KEYS * len(TEXT)
    assert keys[0] == keys[1]
