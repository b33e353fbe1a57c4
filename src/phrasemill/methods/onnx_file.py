"""A neural model in one file, for ONNX Runtime: small graphs without weights, weights, and the vocabulary.

Weights are float32, or for large matrices int8 with a scale per row, which are converted when the file is opened. A
graph that calculates in whole numbers keeps its weights (int8, uint8) as they are.
Like all models here it is a safetensors file: data, never code. A large model is several files, so that each stays
within what repositories and indexes accept: the first has the number of the others, which are beside it.
"""

import zlib
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from phrasemill import models
from phrasemill.errors import InputError, MissingExtra, ModelError

VERSION = 1
LARGE = 1 << 16  # elements of a matrix that is worth packing
GRAPH, SCALE, VOCABULARY, PARTS = "graph.", ".scale", "vocabulary", "parts"
Weights = Mapping[str, npt.NDArray[Any]]
CODES = {"float32": "f", "int32": "i", "int8": "b", "uint8": "B"}


class Graph(NamedTuple):
    """An ONNX model whose weights are outside, and the names of those it uses."""

    model: bytes
    weights: tuple[str, ...]


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


def write(
    path: Path,
    kind: str,
    graphs: Mapping[str, Graph],
    weights: Weights,
    vocabulary: str,
    metadata: Mapping[str, str],
    *,
    int8: bool = True,
    largest: int = 0,
) -> None:
    """Write a model of a kind, such as `catseqd model`; the same model gives the same bytes. With `largest`, the
    tensors of each file have at most so many bytes together: `model.safetensors`, `model.1.safetensors` …"""
    buffers: dict[str, array[Any]] = {GRAPH + name: array("B", graph.model) for name, graph in graphs.items()}
    buffers[VOCABULARY] = array("B", vocabulary.encode())
    shapes: dict[str, tuple[int, ...]] = {}
    for name, values in weights.items():
        shapes[name] = values.shape
        if values.dtype != np.float32:
            buffers[name] = array(CODES[values.dtype.name], values.tobytes())
        elif int8 and values.ndim == 2 and values.size >= LARGE:
            packed, scale = pack(values)
            buffers |= {name: array("b", packed.tobytes()), name + SCALE: array("f", scale.tobytes())}
        else:
            buffers[name] = array("f", values.tobytes())
    about = {**metadata, "kind": kind, "version": str(VERSION)}
    about |= {GRAPH + name: ",".join(graph.weights) for name, graph in graphs.items()}
    about["checksum"] = str(_checksum(buffers))
    first, *rest = _shares(buffers, largest)
    if rest:
        about[PARTS] = str(len(rest))
    try:
        models.save(path, first, about, shapes)
        for other, share in zip(_others(path, len(rest)), rest, strict=True):
            models.save(other, share, {"kind": _part(kind)}, shapes)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None


def _shares(buffers: Mapping[str, "array[Any]"], largest: int) -> list[dict[str, "array[Any]"]]:
    """Return the buffers, divided so that none of the shares is larger than `largest` bytes; 0 for one share."""
    shares: list[dict[str, array[Any]]] = [{}]
    used = 0
    for name, buffer in buffers.items():
        size = len(buffer) * buffer.itemsize
        if largest and used + size > largest and shares[-1]:
            shares.append({})
            used = 0
        shares[-1][name] = buffer
        used += size
    return shares


def _others(path: Path, count: int) -> list[Path]:
    """Return the paths of the other files of a model."""
    return [path.with_name(f"{path.stem}.{number}{path.suffix}") for number in range(1, count + 1)]


def _part(kind: str) -> str:
    return f"part of a {kind}"


def pack(values: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
    """Return a matrix in whole numbers from -127 to 127, and the scale of each row."""
    scale = np.maximum(np.abs(values).max(axis=1), 1e-12).astype(np.float32) / np.float32(127)
    return np.rint(values / scale[:, None]).astype(np.int8), scale


def unpack(packed: npt.NDArray[np.int8], scale: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    return packed * scale[:, None]


def open_model(path: Path, kind: str) -> OpenedModel:
    """Open the model at `path`; a `ModelError` says what is wrong with a file that is none."""
    file = _checked(path, kind)
    weights = {name: _values(file, name) for name in file.buffers if _is_weight(name)}
    names = [name for name in file.buffers if name.startswith(GRAPH)]
    try:
        sessions, others = {}, dict(weights)
        for name in names:
            used = {one: weights[one] for one in file.metadata[name].split(",")}
            sessions[name.removeprefix(GRAPH)] = _session(bytes(file[name]), used)
            others = {one: values for one, values in others.items() if one not in used}
        return OpenedModel(path, sessions, bytes(file[VOCABULARY]).decode(), file.metadata, others)
    except (RuntimeError, ValueError, KeyError) as error:
        raise ModelError(f"{path}: damaged ({str(error).splitlines()[0]})") from None


class StoredModel(NamedTuple):
    """What a file holds, without sessions: to write it again with other graphs."""

    weights: Weights
    vocabulary: str
    metadata: Mapping[str, str]


def read_weights(path: Path, kind: str) -> StoredModel:
    file = _checked(path, kind)
    weights = {name: _values(file, name) for name in file.buffers if _is_weight(name)}
    return StoredModel(weights, bytes(file[VOCABULARY]).decode(), file.metadata)


def _checked(path: Path, kind: str) -> models.Tensors:
    file = _whole(path, kind)
    if file.number("version") != VERSION:
        raise ModelError(f"{path}: made by another version; export it again")
    if file.number("checksum") != _checksum(file.buffers):
        raise ModelError(f"{path}: damaged (its checksum does not match)")
    return file


def _whole(path: Path, kind: str) -> models.Tensors:
    """Map the file at `path`, and the others if the model is several."""
    file = models.load(path, kind=kind)
    count = file.number(PARTS) if PARTS in file.metadata else 0
    parts = [file, *[models.load(other, kind=_part(kind)) for other in _others(path, count)]]
    buffers = {name: buffer for part in parts for name, buffer in part.buffers.items()}
    shapes = {name: shape for part in parts for name, shape in part.shapes.items()}
    return replace(file, buffers=buffers, shapes=shapes)


def _is_weight(name: str) -> bool:
    return not (name.startswith(GRAPH) or name.endswith(SCALE) or name == VOCABULARY)


def _values(file: models.Tensors, name: str) -> npt.NDArray[Any]:
    values = np.asarray(file[name]).reshape(file.shapes[name])
    return unpack(values, np.asarray(file[name + SCALE])) if name + SCALE in file.buffers else values


def _session(graph: bytes, weights: Weights) -> Any:
    try:
        import onnxruntime
    except ImportError:
        raise MissingExtra("onnxruntime", "neural", purpose="this model") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(np.ascontiguousarray(value)) for value in weights.values()]
    options.add_external_initializers(list(weights), values)
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def _checksum(buffers: Mapping[str, Any]) -> int:
    total = 0
    for name in sorted(buffers):
        total = zlib.crc32(buffers[name], zlib.crc32(name.encode(), total))
    return total
