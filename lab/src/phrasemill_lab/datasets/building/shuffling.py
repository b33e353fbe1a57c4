"""A random order that depends on ids and seed alone, over more records than fit in memory.

Every record has a digest of its id, keyed with the seed. Records are thrown into buckets by the first bits of the
digest, each bucket is sorted, and the buckets are read one after the other: that is the order of the digests. Where
two records share an id, the one whose source has the smaller name stays.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from phrasemill.errors import ConfigError, DataError
from phrasemill.workers import checked_jobs
from phrasemill_lab.datasets.building import sources
from phrasemill_lab.datasets.building.parts import BuildFolder, Progress, Work
from phrasemill_lab.datasets.building.sources import BuildBatch, FoundFile

BUCKET_BYTES = 32 << 20
MOST_BUCKETS = 250  # open at the same time
ACCEPTED, REJECTED, COUNTED = b"A", b"R", b"C"
DUPLICATE = "duplicate-id"
REJECTIONS = "rejections.jsonl"


class BuiltRecord(NamedTuple):
    """One accepted document: numbers for the statistics, and what is written, as JSON."""

    id: str
    numbers: tuple[int, ...]
    payload: bytes


def accepted(id: str, source: str, numbers: tuple[int, ...], payload: str, *, seed: int) -> bytes:
    """Return the line of an accepted document in a part."""
    digest = hashlib.blake2b(id.encode("utf-8", "replace"), key=str(seed).encode()[:64], digest_size=16).hexdigest()
    columns = (digest, json.dumps(id), json.dumps(source), " ".join(map(str, numbers)), payload)
    return ACCEPTED + b"\t" + "\t".join(columns).encode("utf-8", "replace") + b"\n"


def rejected(source: str, reason: str, detail: str = "") -> bytes:
    """Return the line of a rejection."""
    record = {"source": source, "reason": reason, **({"detail": detail[:200]} if detail else {})}
    return REJECTED + b"\t" + json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def counted(counts: dict[str, int]) -> bytes:
    """Return the line of what is neither accepted nor rejected, such as answers among questions."""
    return COUNTED + b"\t" + json.dumps(counts).encode() + b"\n"


class Shuffled:
    """The records of all parts in their random order; `reasons` counts the rejections, which are in a file."""

    def __init__(self, folder: BuildFolder) -> None:
        self.folder = folder.path / "buckets"
        self.folder.mkdir(exist_ok=True)
        self.buckets = [self.folder / f"{i:03}" for i in range(self._enough(folder.size()))]
        self.rejections = folder.path / REJECTIONS
        self.reasons: Counter[str] = Counter()
        self.others: Counter[str] = Counter()
        self._scatter(folder)
        self.total = sum(map(self._sort, self.buckets))
        self.reasons = Counter(dict(sorted(self.reasons.items())))

    @staticmethod
    def _enough(size: int) -> int:
        return max(1, min(MOST_BUCKETS, -(-size // BUCKET_BYTES)))

    def _scatter(self, folder: BuildFolder) -> None:
        with ExitStack() as stack:
            buckets = [stack.enter_context(path.open("wb")) for path in self.buckets]
            rejections = stack.enter_context(self.rejections.open("wb"))
            for line in folder.lines():
                kind, rest = line[:1], line[2:]
                if kind == ACCEPTED:
                    buckets[int(rest[:8], 16) * len(buckets) >> 32].write(rest + b"\n")
                elif kind == REJECTED:
                    rejections.write(rest + b"\n")
                    self.reasons[json.loads(rest)["reason"]] += 1
                else:
                    self.others.update(json.loads(rest))

    def _sort(self, path: Path) -> int:
        """Sort one bucket and drop what repeats an id; how many records are left."""
        lines = path.read_bytes().split(b"\n")[:-1]
        lines.sort()
        kept = 0
        last: list[bytes] = [b""] * 3
        with path.open("wb") as file, self.rejections.open("ab") as rejections:
            for line in lines:
                columns = line.split(b"\t", 3)
                if columns[:2] == last[:2]:
                    detail = f"same id as {json.loads(last[2])}"
                    rejections.write(rejected(json.loads(columns[2]), DUPLICATE, detail)[2:])
                    self.reasons[DUPLICATE] += 1
                else:
                    file.write(line + b"\n")
                    kept, last = kept + 1, columns
        return kept

    def __iter__(self) -> Iterator[BuiltRecord]:
        for path in self.buckets:
            with path.open("rb") as file:
                for line in file:
                    _, id_, _, numbers, payload = line.rstrip(b"\n").split(b"\t", 4)
                    yield BuiltRecord(json.loads(id_), tuple(map(int, numbers.split())), payload)


@contextmanager
def shuffled_build(
    inputs: Iterable[str | Path],
    output: Path,
    *,
    suffixes: tuple[str, ...],
    batches: Callable[[Iterable[FoundFile]], Iterable[BuildBatch]],
    work: Work,
    options: object,
    jobs: int | None,
    progress: Progress | None,
) -> Iterator[Shuffled]:
    """Turn the inputs into records, in parts that survive a kill, and shuffle them for the caller to write.

    `options` are whatever else the records depend on. The list of rejections is written last, and then the parts are
    removed.
    """
    names, count = [str(name) for name in inputs], checked_jobs(jobs)
    if not names:
        raise ConfigError(f"nothing to build from: name files, folders or archives of {', '.join(suffixes)}")
    folder = BuildFolder(output, sources.plan(sources.files(names, suffixes), options))
    folder.run(batches(sources.files(names, suffixes)), work, jobs=count, progress=progress)
    shuffled = Shuffled(folder)
    yield shuffled
    shuffled.rejections.replace(output / REJECTIONS)
    folder.close()


def sizes(total: int, wanted: tuple[str, ...]) -> tuple[int, ...]:
    """Return how many go to each part: counts and fractions (`0.2`) as given, one of them `rest`."""
    counts = [None if one == "rest" else _size(one, total) for one in wanted]
    rest = total - sum(count or 0 for count in counts)
    if rest < 0:
        raise DataError(f"{total:,} documents are too few for parts of {', '.join(wanted)}; choose smaller ones")
    return tuple(rest if count is None else count for count in counts)


def _size(wanted: str, total: int) -> int:
    try:
        value = Fraction(wanted)
    except (ValueError, ZeroDivisionError):
        raise ConfigError(f"a part must be a count such as 16000 or a fraction such as 0.2; got {wanted!r}") from None
    if value < 0 or (value.denominator > 1 and value > 1):
        raise ConfigError(f"a part must be a count such as 16000 or a fraction such as 0.2; got {wanted!r}")
    return round(value * total) if value.denominator > 1 else int(value)
