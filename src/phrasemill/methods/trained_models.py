"""The model files of trained methods, which have document frequencies in them.

A model is one safetensors file: data, never code. It has a kind, a version and a checksum, so that a damaged file, one
of another method and one of an older version each get an error of their own.
"""

import zlib
from array import array
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from phrasemill import models
from phrasemill.errors import ConfigError, InputError, ModelError
from phrasemill.statistics import DocumentFrequencies

VERSION = 1
Model = TypeVar("Model")


def save(
    path: Path,
    method: str,
    frequencies: DocumentFrequencies,
    buffers: Mapping[str, "array[Any]"],
    metadata: Mapping[str, str] | None = None,
) -> None:
    """Write a model of `method`; the same model gives the same bytes."""
    every = dict(buffers) | counted_buffers(frequencies.counts, "forms", "counts")
    every_metadata = dict(metadata or {}) | {
        "kind": kind(method),
        "version": str(VERSION),
        "language": frequencies.language,
        "documents": str(frequencies.documents),
        "longest": str(frequencies.longest),
        "least": str(frequencies.least),
    }
    try:
        models.save(path, every, every_metadata | {"checksum": str(_checksum(every, every_metadata))})
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None


def load(path: Path, method: str) -> tuple[models.Tensors, DocumentFrequencies]:
    """Read what `save` wrote."""
    file = models.load(path, kind=kind(method))
    if file.number("version") != VERSION:
        raise ModelError(f"{path}: made by another version; train it again: {command(method)}")
    metadata = {key: value for key, value in file.metadata.items() if key != "checksum"}
    if file.number("checksum") != _checksum(file.buffers, metadata):
        raise ModelError(f"{path}: damaged (its checksum does not fit); train it again: {command(method)}")
    frequencies = DocumentFrequencies(
        file.number("documents"),
        counted(file, "forms", "counts"),
        file.metadata.get("language", ""),
        file.number("longest"),
        file.number("least"),
    )
    return file, frequencies


def counted_buffers(counts: Mapping[str, int], names: str, numbers: str) -> dict[str, "array[Any]"]:
    """Return counts of strings as two buffers: `names` with one string per line, and `numbers`."""
    strings = sorted(counts)
    return {
        names: array("B", "\n".join(strings).encode()),
        numbers: array("I", [counts[string] for string in strings]),
    }


def counted(file: models.Tensors, names: str, numbers: str) -> dict[str, int]:
    """Return what `counted_buffers` was given."""
    try:
        strings = bytes(file[names]).decode().split("\n") if len(file[names]) else []
        return dict(zip(strings, file[numbers].tolist(), strict=True))
    except ValueError:
        raise ModelError(f"{file.path}: damaged ({names} and {numbers} do not fit together)") from None


def opened(path: str | None, method: str, read: Callable[[Path], Model]) -> Model:
    """Return the model at `path`, read once per process as long as the file stays as it is."""
    if path is None:
        raise ConfigError(
            f"{method} needs a model: train one with {command(method)}, then write {method}(model='MODEL')"
        )
    try:
        stat = Path(path).stat()
    except OSError:
        raise ModelError(f"{path}: no such file; train one with {command(method)}") from None
    model: Model = _read(read, path, stat.st_mtime_ns, stat.st_size)
    return model


@lru_cache(maxsize=16)
def _read(read: Callable[[Path], Any], path: str, modified: int, size: int) -> Any:
    return read(Path(path))


def summary(frequencies: DocumentFrequencies, keyphrases: int, examples: int) -> dict[str, str]:
    """Return the lines that every trainer prints about what it learned from."""
    return {
        "documents": f"{frequencies.documents:,}",
        "phrases to learn from": f"{examples:,}, of which {keyphrases:,} are keyphrases",
        "document frequencies": f"{len(frequencies.counts):,} phrases",
    }


def kind(method: str) -> str:
    return f"{method} model"


def command(method: str) -> str:
    return f"phrasemill train {method} --data FILE.jsonl -o MODEL"


def _checksum(buffers: Mapping[str, Any], metadata: Mapping[str, str]) -> int:
    total = zlib.crc32("\n".join(f"{key}={metadata[key]}" for key in sorted(metadata)).encode())
    for name in sorted(buffers):
        total = zlib.crc32(bytes(buffers[name]), zlib.crc32(name.encode(), total))
    return total
