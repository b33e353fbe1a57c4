"""The exported network against the one in PyTorch."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiny_recurrent
from phrasemill.errors import MissingExtra
from phrasemill.methods.generator.onnx_models import RecurrentModel, first_places
from phrasemill.methods.generator.words import BEGIN
from phrasemill.methods.writing import Search
from phrasemill_lab.models.recurrent import RecurrentLearner
from phrasemill_lab.networks.onnx_files import pack
from phrasemill_lab.networks.recurrent import MODELS
from phrasemill_lab.networks.recurrent_export import export

pytestmark = pytest.mark.training

SOURCES = [
    "salt water moves inland near wells near the delta".split(),
    "farms".split(),
    [],
    "unheard of words salt unheard salt of the plain".split(),
]


def both(name: str, folder: Path, *, int8: bool = False) -> tuple[RecurrentLearner, RecurrentModel]:
    learner = tiny_recurrent.untrained(name)
    export(learner.module, learner.vocabulary, folder / "model", name=name, int8=int8)
    return learner, RecurrentModel.load(folder / "model", name)


@pytest.mark.parametrize("name", MODELS)
def test_steps_are_those_of_pytorch(name: str, tmp_path: Path) -> None:
    learner, ours = both(name, tmp_path)
    theirs = learner.stepper("author")
    for source in SOURCES:
        mine, other = ours.start([source] * 3), theirs.start([source] * 3)
        tokens = np.array([BEGIN, 7, 9])
        for k in (1, 3, 9, 60):
            mine, logs, numbers = ours.step(mine, tokens, k)
            other, wanted, wanted_numbers = theirs.step(other, tokens, k)
            for row in range(len(logs)):
                count = int(np.isfinite(logs[row]).sum())
                assert count == min(int(np.isfinite(wanted[row]).sum()), logs.shape[1])
                assert logs[row, :count] == pytest.approx(wanted[row, :count], abs=1e-4)
                assert numbers[row, :count].tolist() == wanted_numbers[row, :count].tolist()
            rows = np.array([2, 0, 1])
            mine, other, tokens = ours.select(mine, rows), theirs.select(other, rows), wanted_numbers[rows, 0]


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("search", ["greedy", "top", "beam"])
def test_searches_find_the_same(name: str, search: str, tmp_path: Path) -> None:
    learner, model = both(name, tmp_path)
    options = Search(search, width=6, length=9)
    for source, other in zip(SOURCES, learner.generate(SOURCES, options), strict=True):
        one = model.generate(source, options)
        assert [words for words, _ in one] == [words for words, _ in other]
        assert [score for _, score in one] == pytest.approx([score for _, score in other], rel=1e-3)


def test_a_packed_model_says_what_it_learned(tmp_path: Path) -> None:
    learner = tiny_recurrent.taught()
    export(learner.module, learner.vocabulary, tmp_path / "model", name="catseq", int8=True)
    model = RecurrentModel.load(tmp_path / "model", "catseq")
    for text, phrases in tiny_recurrent.LESSONS.items():
        assert [" ".join(words) for words, _ in model.generate(text.split(), Search())] == list(phrases)


@given(st.lists(st.lists(st.floats(-100, 100, width=32), min_size=3, max_size=3), min_size=1, max_size=4))
def test_packing_loses_at_most_half_a_step(rows: list[list[float]]) -> None:
    values = np.array(rows, np.float32)
    packed, scale = pack(values)
    assert packed.dtype == np.int8
    assert (np.abs(packed * scale[:, None] - values) <= 0.5001 * scale[:, None] + 1e-9).all()


def test_large_matrices_are_packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("phrasemill_lab.networks.onnx_files.LARGE", 100)
    learner, model = both("catseqd", tmp_path, int8=True)
    plain = tmp_path / "plain"
    export(learner.module, learner.vocabulary, plain, name="catseqd", int8=False)
    assert (tmp_path / "model").stat().st_size < plain.stat().st_size
    wanted = learner.stepper("author").start(SOURCES[:1]).memory.states.numpy()
    assert model.start(SOURCES[:1]).source["states"] == pytest.approx(wanted, abs=0.05)


def test_the_same_model_gives_the_same_bytes(tmp_path: Path) -> None:
    both("catseqd", tmp_path)
    first = (tmp_path / "model").read_bytes()
    both("catseqd", tmp_path)
    assert (tmp_path / "model").read_bytes() == first


def test_first_places() -> None:
    assert first_places(np.array([7, 8, 7, 0, 0])).tolist() == [0, 1, 0, 3, 3]


def test_without_onnx_runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    both("catseq", tmp_path)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingExtra, match=r"pip install 'phrasemill\[neural\]'"):
        RecurrentModel.load(tmp_path / "model", "catseq")


def test_the_runtime_needs_no_torch(tmp_path: Path) -> None:
    both("copyrnn", tmp_path)
    code = f"""
import sys
sys.modules["torch"] = sys.modules["onnx"] = None
import phrasemill as pm
found = pm.extract("Salt water moves inland.", method="copyrnn(model={str(tmp_path / "model")!r})")
assert found, found
"""
    done: Any = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
