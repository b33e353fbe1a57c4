"""The model files of trained methods, which have document frequencies in them.

A model is one safetensors file: data, never code. It has a kind, a version and a checksum, so that a damaged file, one
of another method and one of an older version each get an error of their own.
"""

from array import array
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from phrasemill import models
from phrasemill.errors import ConfigError, InputError
from phrasemill.models import Tensors, checksum, kept
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
        models.save(path, every, every_metadata | {"checksum": checksum(every, every_metadata)})
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None


@contextmanager
def reading(path: Path, method: str, own: Mapping[str, str]) -> Iterator[tuple[Tensors, DocumentFrequencies]]:
    """Open what `save` wrote, with a method's own columns, for a block that takes from it what it needs."""
    with models.reading(
        path,
        kind(method),
        {"forms": "B", "counts": "I", **own},
        version=VERSION,
        checksum=lambda file: checksum(file.buffers, file.metadata),
        again=f"train it again: {command(method)}",
    ) as file:
        documents, longest, least = map(file.number, ("documents", "longest", "least"))
        counts, language = counted(file, "forms", "counts"), file.metadata.get("language", "")
        yield file, DocumentFrequencies(documents, counts, language, longest, least)


def counted_buffers(counts: Mapping[str, int], names: str, numbers: str) -> dict[str, "array[Any]"]:
    """Return counts of strings as two buffers: `names` with one string per line, and `numbers`."""
    strings = sorted(counts)
    return {
        names: array("B", "\n".join(strings).encode()),
        numbers: array("I", [counts[string] for string in strings]),
    }


def counted(file: Tensors, names: str, numbers: str) -> dict[str, int]:
    """Return what `counted_buffers` was given."""
    strings = bytes(file[names]).decode().split("\n") if len(file[names]) else []
    return dict(zip(strings, file[numbers].tolist(), strict=True))


def opened(path: str | None, method: str, read: Callable[..., Model], *more: object) -> Model:
    """Return the model at `path` as `read` gives it, once per process as long as the file stays as it is."""
    if path is None:
        raise ConfigError(
            f"{method} needs a model: train one with {command(method)}, then write {method}(model='MODEL')"
        )
    return kept(Path(path), read, *more, absent=f"no such file; train one with {command(method)}")


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
