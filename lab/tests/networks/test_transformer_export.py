"""The generator without PyTorch says what it says with it."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnxruntime")
pytest.importorskip("onnx")

import tiny_generator  # noqa: E402
from phrasemill.errors import ModelError  # noqa: E402
from phrasemill.methods.generator import onnx_models  # noqa: E402
from phrasemill.methods.generator import pieces as p  # noqa: E402
from phrasemill.methods.generator.onnx_models import GeneratorModel  # noqa: E402
from phrasemill.methods.writing import SEARCHES, Search  # noqa: E402
from phrasemill_lab.models.generator import TransformerLearner  # noqa: E402
from phrasemill_lab.networks.transformer_export import export, export_again  # noqa: E402

pytestmark = pytest.mark.training

SOURCES = [tuple("salt water moves inland and the wells of the coastal plain turn salt".split()), ("river", "wells")]


@pytest.fixture(scope="module")
def learner() -> TransformerLearner:
    return tiny_generator.untrained()


def saved(learner: TransformerLearner, path: Path, *, int8: bool) -> GeneratorModel:
    export(learner.module, learner.vocabulary, path, int8=int8, source=64, target=24)
    return GeneratorModel.load(path)


@pytest.mark.parametrize("search", SEARCHES)
def test_float_weights_say_the_same(learner: TransformerLearner, tmp_path: Path, search: str) -> None:
    model = saved(learner, tmp_path / "model", int8=False)
    options = Search(search, width=4, length=20, phrase_length=6)
    expected = learner.generate(SOURCES, options)
    found = [model.generate(source, options) for source in SOURCES]
    assert [[words for words, _ in one] for one in found] == [[words for words, _ in one] for one in expected]
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose([score for _, score in one], [score for _, score in other], rtol=1e-4)


def test_int8_weights_are_close(learner: TransformerLearner, tmp_path: Path) -> None:
    model = saved(learner, tmp_path / "model", int8=True)
    reference, count = learner.stepper("author"), len(learner.vocabulary)
    for source in SOURCES:
        begin = np.array([p.SEQUENCE, p.ABSENT])
        _, logs, numbers = model.step(model.start([source, source]), begin, count)
        _, expected, order = reference.step(reference.start([source, source]), begin, count)
        by_piece = np.take_along_axis(np.exp(logs), np.argsort(numbers, axis=1), 1)
        wanted = np.take_along_axis(np.exp(expected), np.argsort(order, axis=1), 1)
        np.testing.assert_allclose(by_piece, wanted, atol=0.02)


def test_a_state_is_of_one_source(learner: TransformerLearner, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="start each on its own"):
        saved(learner, tmp_path / "model", int8=True).start(SOURCES)


def test_a_file_written_again_says_the_same(learner: TransformerLearner, tmp_path: Path) -> None:
    model = saved(learner, tmp_path / "old", int8=True)
    export_again(tmp_path / "old", tmp_path / "new")
    again, search = GeneratorModel.load(tmp_path / "new"), Search(length=20)
    assert [again.generate(source, search) for source in SOURCES] == [model.generate(one, search) for one in SOURCES]


def test_styles_differ(learner: TransformerLearner, tmp_path: Path) -> None:
    model = saved(learner, tmp_path / "model", int8=False)
    begin = np.array([p.SEQUENCE])
    styled = [model.in_style(style) for style in ("author", "tags")]
    first = [one.step(one.start(SOURCES[:1]), begin, 3)[1] for one in styled]
    assert not np.allclose(*first)


def test_the_same_model_gives_the_same_bytes(learner: TransformerLearner, tmp_path: Path) -> None:
    for name in "ab":
        saved(learner, tmp_path / name, int8=True)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_file_of_another_version_is_refused(
    learner: TransformerLearner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved(learner, tmp_path / "model", int8=True)
    monkeypatch.setattr(onnx_models, "READ", ("states", "key_0"))
    with pytest.raises(ModelError, match="made by another version; export it again"):
        GeneratorModel.load(tmp_path / "model")
