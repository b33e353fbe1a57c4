"""What trained methods share: counts and positions of candidates, of which features are made, and model files, which
have document frequencies in them.

A model is one safetensors file: data, never code. It has a kind, a version and a checksum, so that a damaged file, one
of another method and one of an older version each get an error of their own.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

from phrasemill import models
from phrasemill.errors import ConfigError, InputError
from phrasemill.models import Tensors, checksum, kept
from phrasemill.ranker import Ranked
from phrasemill.statistics import DocumentFrequencies
from phrasemill.types import NUMBER, WORD, Candidates

VERSION = 1
Model = TypeVar("Model")


@dataclass(frozen=True, slots=True)
class CandidateStatistics:
    """One entry per candidate: how often it occurs, the shares of the text before its first and last occurrence, and
    its words. `size` is how many words and numbers the text has, at least 1."""

    size: int
    counts: "array[int]"
    first: "array[float]"
    last: "array[float]"
    words: "array[int]"

    def only(self, chosen: Iterable[int]) -> "CandidateStatistics":
        """Return the entries of these candidates alone."""
        kept = list(chosen)
        return CandidateStatistics(
            self.size,
            array("i", [self.counts[c] for c in kept]),
            array("d", [self.first[c] for c in kept]),
            array("d", [self.last[c] for c in kept]),
            array("i", [self.words[c] for c in kept]),
        )


def statistics_of(candidates: Candidates) -> CandidateStatistics:
    """Return the statistics of `candidates`; positions are counted in tokens, punctuation included."""
    first, start, end = candidates.first, candidates.start, candidates.end
    tokens = max(1, len(candidates.analysis))
    words = sum(1 for bits in candidates.analysis.kind if bits & (WORD | NUMBER))
    return CandidateStatistics(
        max(1, words),
        array("i", [after - before for before, after in pairwise(first)]),
        array("d", [start[o] / tokens for o in first[:-1]]),
        array("d", [start[o - 1] / tokens for o in first[1:]]),
        array("i", [end[o] - start[o] for o in first[:-1]]),
    )


def by_score(candidates: Candidates, scores: Sequence[float], ties: Sequence[float]) -> Ranked:
    """Return candidates and scores, with the highest of `ties` first."""
    order = sorted(range(len(candidates)), key=ties.__getitem__, reverse=True)
    return Ranked(candidates.keep(order), array("d", [scores[c] for c in order]))


def save(
    path: Path,
    method: str,
    frequencies: DocumentFrequencies,
    buffers: Mapping[str, "array[Any]"],
    **facts: object,
) -> None:
    """Write a model of `method`; the same model gives the same bytes."""
    every = dict(buffers) | counted_buffers(frequencies.counts, "forms", "counts")
    facts |= {"kind": f"{method} model", "version": VERSION}
    facts |= {name: getattr(frequencies, name) for name in ("language", "documents", "longest", "least")}
    metadata = {name: str(value) for name, value in facts.items()}
    try:
        models.save(path, every, metadata | {"checksum": checksum(every, metadata)})
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None


@contextmanager
def reading(path: Path, method: str, own: Mapping[str, str]) -> Iterator[tuple[Tensors, DocumentFrequencies]]:
    """Open what `save` wrote, with a method's own columns, for a block that takes from it what it needs."""
    with models.reading(
        path,
        f"{method} model",
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


def command(method: str) -> str:
    return f"phrasemill train {method} --data FILE.jsonl -o MODEL"
