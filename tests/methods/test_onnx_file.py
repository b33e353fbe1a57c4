"""Models that are several files."""

from pathlib import Path

import numpy as np
import pytest

from phrasemill.errors import ModelError
from phrasemill.methods.onnx_file import open_model
from phrasemill_lab.networks.onnx_files import write

WEIGHTS = {name: np.full((4, 8), number, np.float32) for number, name in enumerate("abcde")}  # 128 bytes each


def written(path: Path, *, largest: int = 0) -> list[str]:
    write(path, "toy model", {}, WEIGHTS, "some words", {"about": "toys"}, largest=largest)
    return sorted(one.name for one in path.parent.iterdir())


def test_a_model_in_several_files_is_the_same_model(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    assert written(path, largest=300) == ["model.1.safetensors", "model.2.safetensors", "model.safetensors"]
    found = open_model(path, "toy model")
    assert found.vocabulary == "some words" and found.metadata["about"] == "toys"
    assert {name: values.tolist() for name, values in found.others.items()} == {
        name: values.tolist() for name, values in WEIGHTS.items()
    }


def test_a_small_model_is_one_file(tmp_path: Path) -> None:
    assert written(tmp_path / "model.safetensors", largest=10_000) == ["model.safetensors"]


def test_a_missing_or_foreign_part_is_named(tmp_path: Path) -> None:
    path, part = tmp_path / "model.safetensors", tmp_path / "model.1.safetensors"
    written(path, largest=300)
    other = tmp_path / "model.2.safetensors"
    part.write_bytes(other.read_bytes())
    with pytest.raises(ModelError, match="checksum"):
        open_model(path, "toy model")
    part.unlink()
    with pytest.raises(ModelError, match=r"model\.1\.safetensors: no such file"):
        open_model(path, "toy model")
