"""The compiled kernels of segmentation equal the same files interpreted."""

from array import array
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phrasemill import kernels, tensors
from phrasemill.kernels import lattice, lattice_path, lattice_units, lattice_words, segmentation
from phrasemill.shipped import shipped
from phrasemill.text.languages.segmentation import APART, SPARSE, TABLE, folding, tokenise
from phrasemill.text.tokenise import CLASS

TEXT = "日本語のテスト"
texts = st.text(st.sampled_from("日本語のテスト中文分词委员会第123万abc·・ー。， \n𠮷") | st.characters(), max_size=40)
FOLD = folding(map(ord, "語"), map(ord, "语"))
Form = SimpleNamespace  # the five kernels compiled, or interpreted, with the shipped model of Japanese


def interpreted() -> Form:
    """Return the kernels interpreted; none of them calls a compiled one."""
    form = Form(**{name: kernels.interpreted(name) for name in MODULES})
    form.lattice.best_path = form.lattice_path.best_path
    for name in ("edges", "look_up", "surroundings"):
        setattr(form.lattice, name, getattr(form.lattice_words, name))
    form.segmentation.units = form.lattice_units.units
    form.segmentation.Lattice, form.segmentation.decode = form.lattice.Lattice, form.lattice.decode
    return form


MODULES = {
    "lattice": lattice,
    "lattice_path": lattice_path,
    "lattice_units": lattice_units,
    "lattice_words": lattice_words,
    "segmentation": segmentation,
}


def with_model(form: Form) -> Form:
    model = tensors.load(shipped("segmenter_ja.safetensors"))
    block = array("h", [-1]) * 0x10000
    for number, code in enumerate(model["codes"]):
        block[code] = number
    sparse = (model[name] for name in SPARSE)
    form.words = form.lattice_words.Words(model["fingerprints"], model["classes"])
    form.model = form.lattice.Model(*sparse, model["transitions"], block, array("i", model["contexts"]))
    return form


@pytest.fixture(scope="module")
def both() -> tuple[Form, Form]:
    return with_model(Form(**MODULES)), with_model(interpreted())


def segment(form: Form, text: str, joins: bool) -> "tuple[array[int], ...]":
    columns = tokenise(text)
    return form.segmentation.segment(text, *columns, TABLE, CLASS["han"], FOLD, form.words, form.model, joins, APART)


@given(text=texts, joins=st.booleans())
@settings(deadline=None)
def test_compiled_and_interpreted_agree(both: tuple[Form, Form], text: str, joins: bool) -> None:
    assert segment(both[0], text, joins) == segment(both[1], text, joins)


@given(text=texts, joins=st.booleans())
@settings(deadline=None)
def test_words_cover_the_tokens(both: tuple[Form, Form], text: str, joins: bool) -> None:
    columns, found = tokenise(text), segment(both[0], text, joins)
    covered = [i for start, end in zip(*found[:2], strict=True) for i in range(start, end)]
    assert covered == [i for start, end in zip(*columns[:2], strict=True) for i in range(start, end)]


def test_features_for_training_are_the_same(both: tuple[Form, Form]) -> None:
    keys = []
    for form in both:
        columns, _, _ = form.lattice_units.units(TEXT, *tokenise(TEXT), TABLE, CLASS["han"], FOLD, 0, 0)
        code, kind, _, _, _, joined = columns
        made = form.lattice.Lattice(code, kind, joined, form.words)
        keys.append((made.unit_keys(), made.word_keys(*made.words())))
        assert len(keys[-1][0]) == form.lattice.NODE_KEYS * len(TEXT)
    assert keys[0] == keys[1]
