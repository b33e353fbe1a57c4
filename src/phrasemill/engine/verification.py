"""Check the files of a complete run: `phrasemill verify`, and every start of a run."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from errno import EIO
from pathlib import Path
from typing import NamedTuple

from phrasemill.engine import manifest, part_records
from phrasemill.engine.manifest import COMPLETE, RunCounts
from phrasemill.engine.part_records import PART, PARTS, FileContent
from phrasemill.engine.store import IN_USE, Store, open_store
from phrasemill.errors import InputError

MISSING, DAMAGED, FOREIGN = "missing", "damaged", "not part of this run"


class Flaw(NamedTuple):
    """A file that has changed, and how."""

    name: str
    what: str


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of checking a complete run: its counts and its flaws."""

    output: str
    counts: RunCounts
    flaws: tuple[Flaw, ...]

    @property
    def intact(self) -> bool:
        """Whether nothing is missing or damaged."""
        return not self.flaws


def verify(output: str | Path) -> Verification:
    """Read every file of a complete run, and compare it with the manifest.

    Raise an `InputError` if there is no run, or if it is not complete (still running, or interrupted).
    """
    store = open_store(str(output))
    if store.in_use():
        raise InputError(f"{store.name}: {IN_USE}")
    record = manifest.found(store)
    if record is None:
        raise InputError(f"{store.name}: contains no run: there is no {manifest.NAME}")
    if record.state != COMPLETE:
        raise InputError(f"{store.name}: is not complete; run the same command again to resume")
    return Verification(store.name, record.counts, tuple(flaws(store, record.files)))


def flaws(store: Store, files: Mapping[str, FileContent]) -> Iterator[Flaw]:
    """Yield what is wrong with the files of a complete run; `files` are those that the manifest names."""
    sizes = store.sizes()
    expected = set()
    for name in sorted({PARTS, *files}):
        if what := flaw(store, name, files.get(name), sizes):
            yield Flaw(name, what)
            if name == PARTS:  # the parts are unknown
                return
    for record in part_records.listed(store):
        expected.add(record.name)
        if what := flaw(store, record.name, record.content, sizes):
            yield Flaw(record.name, what)
    yield from (Flaw(name, FOREIGN) for name in sorted(sizes) if name.startswith(PART) and name not in expected)


def flaw(store: Store, name: str, content: FileContent | None, sizes: Mapping[str, int]) -> str:
    """Return what is wrong with a file, by its length and then by its digest, or ""."""
    if name not in sizes:
        return MISSING
    if content is None or sizes[name] != content.bytes:
        return DAMAGED
    try:
        with store.open(name) as file:
            return "" if part_records.content_of(file) == content else DAMAGED
    except FileNotFoundError:
        return MISSING
    except OSError as error:
        if error.errno == EIO:  # the disk has lost it
            return DAMAGED
        raise InputError(f"{store.name}/{name}: {error.strerror or error}") from error
