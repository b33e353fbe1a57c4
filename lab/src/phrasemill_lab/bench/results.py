"""Results as one JSON file per method and dataset, so that a stopped benchmark can be resumed."""

import json
import platform
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from phrasemill.errors import DataError
from phrasemill_lab.datasets.writing import lines

SHAPE = 2  # of the files; others are not read


@dataclass(frozen=True, slots=True)
class BenchScore:
    """A score from 0 to 1 with its interval and signature."""

    metric: str
    value: float
    low: float
    high: float
    signature: str


@dataclass(frozen=True, slots=True)
class BenchResult:
    """One method on one dataset. Where it `failed` there is only the reason; what was not measured is None.

    `documents` and `tokens` are those of the dataset; `seconds` of the processor, for all of them, one core; `peak` the
    most bytes that its process had, `before` those it had with the documents and without the method; `startup` the
    seconds from a fresh process to a first keyphrase; `model` the bytes of the data files that it opened.
    """

    method: str
    spec: str
    dataset: str
    title: str
    digest: str
    groups: int
    documents: int
    tokens: int
    sets: bool
    sampled: bool
    version: str
    quality: tuple[BenchScore, ...] | None = None
    seconds: float | None = None
    wall: float | None = None
    rounds: int | None = None
    peak: int | None = None
    before: int | None = None
    startup: float | None = None
    model: int | None = None
    model_files: tuple[str, ...] = ()
    failed: str = ""
    python: str = field(default_factory=platform.python_version)
    machine: str = field(default_factory=lambda: processor())

    @property
    def documents_a_second(self) -> float | None:
        return self.documents / self.seconds if self.seconds else None

    @property
    def tokens_a_second(self) -> float | None:
        return self.tokens / self.seconds if self.seconds else None

    @property
    def label(self) -> str:
        """The dataset, with its size where it is a sample."""
        return f"{self.dataset}@{self.groups}" if self.sampled else self.dataset

    def same(self, other: "BenchResult") -> bool:
        """Return whether both are of the same method, parameters, data and version."""
        names = ("spec", "dataset", "digest", "version", "sampled")
        return all(getattr(self, name) == getattr(other, name) for name in names)

    @property
    def measures(self) -> frozenset[str]:
        """What was measured; nothing where it failed."""
        known = {"quality": self.quality, "speed": self.seconds, "memory": self.peak, "startup": self.startup}
        return frozenset(name for name, value in known.items() if value is not None and not self.failed)


def save(result: BenchResult, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / file_name(result.label, result.spec)
    lines([json.dumps({"phrasemill_bench": SHAPE} | asdict(result), ensure_ascii=False, indent=1)], path)
    return path


def kept(result: BenchResult, folder: Path) -> BenchResult | None:
    """Return the stored result of the same method and dataset, if it can be read."""
    path = folder / file_name(result.label, result.spec)
    try:
        found = read(path)
    except (DataError, OSError):
        return None
    return found if found.same(result) else None


def read(path: Path) -> BenchResult:
    try:
        record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if record.pop("phrasemill_bench") != SHAPE:
            raise ValueError
        if record["quality"] is not None:
            record["quality"] = tuple([BenchScore(**one) for one in record["quality"]])
        record["model_files"] = tuple(record["model_files"])
        return BenchResult(**record)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise DataError(f"{path}: not a result of this version of phrasemill bench") from None


def read_folder(folder: Path) -> Iterator[BenchResult]:
    """Yield all results in a folder, by file name; other files are skipped."""
    for path in sorted(folder.glob("*.json")):
        try:
            yield read(path)
        except DataError:
            continue


def processor() -> str:
    """Return the name of the machine's processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def file_name(dataset: str, spec: str) -> str:
    """Return a readable name for the file of a result, different for different results."""
    plain = re.sub(r"[^A-Za-z0-9.]+", "-", spec).strip("-")
    if plain != spec:
        import hashlib

        plain = f"{plain[:60]}-{hashlib.sha256(spec.encode()).hexdigest()[:6]}"
    return f"{dataset}.{plain}.json"
