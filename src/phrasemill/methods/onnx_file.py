"""A neural model in one file, for ONNX Runtime: small graphs without weights, weights, and the vocabulary.

Weights are float32, or for large matrices int8 with a scale per row, which are converted when the file is opened. A
graph that calculates in whole numbers keeps its weights (int8, uint8) as they are.
Like all models here it is a safetensors file: data, never code. A large model is several files, so that each stays
within what repositories and indexes accept: the first has the number of the others, which are beside it.
`phrasemill_lab.networks.onnx_files` writes them.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from phrasemill.errors import MissingExtra, ModelError
from phrasemill.models import Tensors, checksum, reading

VERSION = 1
GRAPH, SCALE, VOCABULARY = "graph.", ".scale", "vocabulary"
Weights = Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True, slots=True)
class OpenedModel:
    """A model ready to run: a session per graph; `others` are the columns that no graph uses."""

    path: Path
    sessions: Mapping[str, Any]
    vocabulary: str
    metadata: Mapping[str, str]
    others: Weights

    def session(self, name: str) -> Any:
        return self._item(self.sessions, name)

    def about(self, name: str) -> str:
        """Return a value of the metadata."""
        return str(self._item(self.metadata, name))

    def _item(self, items: Mapping[str, Any], name: str) -> Any:
        if name not in items:
            raise ModelError(f"{self.path}: damaged, or of another version ({name!r} is missing)")
        return items[name]


def open_model(path: Path, kind: str) -> OpenedModel:
    """Open the model at `path`; a `ModelError` says what is wrong with a file that is none."""
    with checked(path, kind) as file:
        weights = weights_of(file)
        sessions, others = {}, dict(weights)
        for name in file.buffers:
            if name.startswith(GRAPH):
                used = {one: weights[one] for one in file.metadata[name].split(",")}
                sessions[name.removeprefix(GRAPH)] = session(bytes(file[name]), used)
                others = {one: values for one, values in others.items() if one not in used}
        return OpenedModel(path, sessions, bytes(file[VOCABULARY]).decode(), file.metadata, others)


def checked(path: Path, kind: str) -> AbstractContextManager[Tensors]:
    """Open the file at `path`, and the others if the model is several, to take from it what is needed."""
    return reading(path, kind, version=VERSION, checksum=lambda file: checksum(file.buffers), again="export it again")


def weights_of(file: Tensors) -> dict[str, npt.NDArray[Any]]:
    """Return all weights of a file; those in int8 with a scale per row in float32."""
    found = {}
    for name, buffer in file.buffers.items():
        if name.startswith(GRAPH) or name.endswith(SCALE) or name == VOCABULARY:
            continue
        values = np.asarray(buffer).reshape(file.shapes[name])
        if name + SCALE in file.buffers:
            values = values * np.asarray(file[name + SCALE]).reshape(-1, *[1] * (values.ndim - 1))
        found[name] = values
    return found


def session(graph: bytes, weights: Weights) -> Any:
    """Return a graph ready to run on one thread, with its weights."""
    try:
        import onnxruntime
    except ImportError:
        raise MissingExtra("onnxruntime", "neural", purpose="this model") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(np.ascontiguousarray(value)) for value in weights.values()]
    options.add_external_initializers(list(weights), values)
    try:
        return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # its errors have no common class
        raise ValueError(str(error).splitlines()[0]) from None
