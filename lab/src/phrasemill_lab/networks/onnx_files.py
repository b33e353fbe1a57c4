"""Files of models for ONNX Runtime, as `phrasemill.methods.onnx_file` opens them."""

from array import array
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from phrasemill import models
from phrasemill.errors import InputError
from phrasemill.methods import onnx_file
from phrasemill.methods.onnx_file import GRAPH, SCALE, VERSION, VOCABULARY, Weights

LARGE = 1 << 16  # elements of a matrix that is worth packing
CODES = {"float32": "f", "int32": "i", "int8": "b", "uint8": "B"}


class Graph(NamedTuple):
    """An ONNX model whose weights are outside, and the names of those it uses."""

    model: bytes
    weights: tuple[str, ...]


class StoredModel(NamedTuple):
    """What a file holds, without sessions: to write it again with other graphs."""

    weights: Weights
    vocabulary: str
    metadata: Mapping[str, str]


def read(path: Path, kind: str) -> StoredModel:
    with onnx_file.checked(path, kind) as file:
        return StoredModel(onnx_file.weights_of(file), bytes(file[VOCABULARY]).decode(), file.metadata)


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
    about["checksum"] = models.checksum(buffers)
    first, *rest = _shares(buffers, largest)
    if rest:
        about[models.PARTS] = str(len(rest))
    try:
        models.save(path, first, about, shapes)
        for other, share in zip(models.beside(path, len(rest)), rest, strict=True):
            models.save(other, share, {"kind": models.part_of(kind)}, shapes)
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


def pack(values: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
    """Return an array in whole numbers from -127 to 127, and the scale of each row."""
    rows = values.reshape(len(values), -1)
    scale = np.maximum(np.abs(rows).max(axis=1), 1e-12).astype(np.float32) / np.float32(127)
    return np.rint(rows / scale[:, None]).astype(np.int8).reshape(values.shape), scale
