"""The records of a build, sorted by SQLite, and files that appear when the build is complete.

Every record has a digest of its id, keyed with the seed. The order of the digests is random, but the same for the same
ids and seed, whatever the order of the inputs. Where records share an id, the one whose source sorts first stays.
"""

import hashlib
import json
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Annotated, NamedTuple

from phrasemill.cli.options import Option
from phrasemill.errors import ConfigError, DataError, InputError
from phrasemill.files.folders import files_below
from phrasemill.files.opening import reason, refuse_special
from phrasemill_lab.datasets.writing import lines

TOO_LARGE, UNREADABLE, DAMAGED, DUPLICATE = "too-large", "unreadable", "damaged-archive", "duplicate-id"
WHAT, SPLITTING = "What is taken", "Splits"  # headings of options
KEEP = ("keep", "drop")
REJECTIONS, STATISTICS = "rejections.jsonl", "statistics.json"
# What is being built; hidden, so that nobody takes it for a dataset.
UNFINISHED = ".unfinished"
TABLES = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
CREATE TABLE records (digest TEXT, id TEXT, source TEXT, numbers TEXT, payload BLOB);
CREATE TABLE rejections (line TEXT);
BEGIN;
"""
COPIES = """
SELECT number, source, first FROM (
  SELECT rowid AS number, digest, id, source, first_value(source) OVER same AS first, row_number() OVER same AS copy
  FROM records WINDOW same AS (PARTITION BY digest, id ORDER BY source, numbers, payload)
) WHERE copy > 1 ORDER BY digest, id, copy
"""


Seed = Annotated[int, Option("--seed N", "The random seed of the split.", SPLITTING)]


class BuiltRecord(NamedTuple):
    """One accepted document: numbers for the statistics, and what is written, as JSON."""

    id: str
    numbers: tuple[int, ...]
    payload: bytes


@dataclass(frozen=True, slots=True)
class BuildReport:
    """One row per split; rejections by reason; and whatever else the builder counted."""

    rows: Mapping[str, Mapping[str, float]]
    reasons: Mapping[str, int]
    accepted: int
    others: Mapping[str, object] = field(default_factory=dict)

    def json(self) -> str:
        rounded = {name: {key: round(value, 3) for key, value in row.items()} for name, row in self.rows.items()}
        found = {"splits": rounded, "rejected": dict(self.reasons), **self.others}
        return json.dumps(found, ensure_ascii=False, indent=2) + "\n"


@contextmanager
def staged(output: Path) -> Iterator[Path]:
    """Yield a hidden folder in `output`; when all went well, what was written there moves into `output`."""
    unfinished = output / UNFINISHED
    try:
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
    except OSError as error:
        raise InputError(f"{output}: cannot build there: {error.strerror or error}") from None
    try:
        yield unfinished
        for path in sorted(unfinished.iterdir()):
            path.replace(output / path.name)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


class Collection:
    """The records that a builder accepts, and what it rejects. Iterate for the records in their random order."""

    def __init__(self, database: sqlite3.Connection, seed: int) -> None:
        self._database, self._key = database, str(seed).encode()[:64]
        self.reasons: Counter[str] = Counter()

    def accept(self, id: str, source: str, numbers: tuple[int, ...], payload: str) -> None:
        digest = hashlib.blake2b(id.encode("utf-8", "replace"), key=self._key, digest_size=16).hexdigest()
        row = (
            digest,
            json.dumps(id),
            json.dumps(source),
            " ".join(map(str, numbers)),
            payload.encode(errors="replace"),
        )
        self._database.execute("INSERT INTO records VALUES (?, ?, ?, ?, ?)", row)

    def reject(self, source: str, reason: str, detail: str = "") -> None:
        record = {"source": source, "reason": reason, **({"detail": detail[:200]} if detail else {})}
        line = json.dumps(record, ensure_ascii=False).encode(errors="replace").decode()
        self._database.execute("INSERT INTO rejections VALUES (?)", (line,))
        self.reasons[reason] += 1

    def reject_copies(self) -> int:
        """Reject records that repeat the id of another; return how many are left."""
        for number, source, first in self._database.execute(COPIES).fetchall():
            self.reject(json.loads(source), DUPLICATE, f"same id as {json.loads(first)}")
            self._database.execute("DELETE FROM records WHERE rowid = ?", (number,))
        self.reasons = Counter(dict(sorted(self.reasons.items())))
        return int(self._database.execute("SELECT count(*) FROM records").fetchone()[0])

    def __iter__(self) -> Iterator[BuiltRecord]:
        for id_, numbers, payload in self._database.execute(
            "SELECT id, numbers, payload FROM records ORDER BY digest, id"
        ):
            yield BuiltRecord(json.loads(id_), tuple(map(int, numbers.split())), payload)

    def write_rejections(self, path: Path) -> None:
        lines((line for (line,) in self._database.execute("SELECT line FROM rejections ORDER BY rowid")), path)


@contextmanager
def collected(output: Path, seed: int) -> Iterator[tuple[Collection, Path]]:
    """Yield an empty collection, and the folder in which to write what becomes of it."""
    with staged(output) as folder:
        database = folder / "records.sqlite"
        with closing(sqlite3.connect(database, isolation_level=None)) as connection:
            connection.executescript(TABLES)
            collection = Collection(connection, seed)
            yield collection, folder
            collection.write_rejections(folder / REJECTIONS)
        database.unlink()


def files(inputs: Iterable[str | Path], suffixes: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return the files among `inputs` and those below the folders among them whose names end with `suffixes`.

    They are sorted by name; with each stands why it cannot be read, or nothing.
    """
    found: list[tuple[str, str]] = []
    for name in sorted({str(name) for name in inputs}):
        if Path(name).is_dir():
            below = files_below(name, wanted=lambda inner: inner.lower().endswith(suffixes))
            found += [(one.path, one.problem) for one in below]
            continue
        try:
            refuse_special(name, Path(name).stat())
        except (OSError, ValueError) as error:
            missing = isinstance(error, FileNotFoundError)
            raise InputError(f"{name}: {'no such file or folder' if missing else reason(error)}") from error
        found.append((name, ""))
    if not found:
        raise InputError(f"nothing to build from: there is no file in {', '.join(suffixes)} among the inputs")
    return found


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
        value = Fraction(-1)
    if value < 0 or (value.denominator > 1 and value > 1):
        raise ConfigError(f"a part must be a count such as 16000 or a fraction such as 0.2; got {wanted!r}")
    return round(value * total) if value.denominator > 1 else int(value)
