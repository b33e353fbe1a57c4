"""`manifest.json`: the options and inputs of a run, and its results.

It is written before the first part, when an input has to be cut (`reading.py`), and at the end. A run in the same
folder resumes only with the same options and inputs. It is the only file with times in it.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from phrasemill.engine import part_records
from phrasemill.engine.part_records import FileContent
from phrasemill.engine.store import WORK, Store
from phrasemill.engine.walk import Cut
from phrasemill.errors import ConfigError, InputError, PhrasemillError
from phrasemill.specs import Spec, parse

NAME = "manifest.json"
RUNNING, COMPLETE = "running", "complete"
STYLE = "style"  # a parameter that never names a file, though there may be one of that name


@dataclass(slots=True)
class RunCounts:
    """Documents are records of the input: those with a row, and those that failed. Duplicates are documents whose id an
    earlier one has.
    """

    documents: int = 0
    failed: int = 0
    keyphrases: int = 0
    parts: int = 0
    duplicates: int = 0

    def add(self, documents: int, failed: int, keyphrases: int) -> None:
        self.documents += documents
        self.failed += failed
        self.keyphrases += keyphrases
        self.parts += 1


@dataclass(slots=True)
class Manifest:
    """The request (options and inputs; equal requests have equal results), how far it came, and its sessions except
    those that were killed.

    `cuts` are inputs that could not be read to their end. `files` are those of a complete run besides the parts, and
    `duplicate_ids` are the first few of its ids that several documents have.
    """

    request: Mapping[str, Any]
    state: str = RUNNING
    cuts: list[Cut] = field(default_factory=list)
    counts: RunCounts = field(default_factory=RunCounts)
    files: dict[str, FileContent] = field(default_factory=dict)
    sessions: list[dict[str, Any]] = field(default_factory=list)
    duplicate_ids: list[str] = field(default_factory=list)

    def write(self, store: Store) -> None:
        record: dict[str, Any] = {"state": self.state} | dict(self.request)
        if self.cuts:
            record["cuts"] = [cut._asdict() for cut in self.cuts]
        if self.state == COMPLETE:
            record["counts"] = asdict(self.counts)
            if self.duplicate_ids:
                record["duplicate_ids"] = self.duplicate_ids
            record["files"] = {name: content._asdict() for name, content in self.files.items()}
        text = json.dumps(record | {"sessions": self.sessions}, indent=2, ensure_ascii=False)
        store.confirm()
        with store.writing(NAME) as file:
            file.write(text.encode("utf-8", "replace") + b"\n")


OWN = ("state", "cuts", "counts", "duplicate_ids", "files", "sessions")  # fields that are not part of the request


def found(store: Store) -> Manifest | None:
    """Return the manifest in `store`; None if there is none."""
    try:
        with store.open(NAME) as file:
            data = file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"{store.name}/{NAME}: {error.strerror or error}") from error
    try:
        record = json.loads(data)
        return Manifest(
            {key: value for key, value in record.items() if key not in OWN},
            str(record["state"]),
            [Cut(**cut) for cut in record.get("cuts", ())],
            RunCounts(**record.get("counts", {})),
            {name: FileContent(**content) for name, content in record.get("files", {}).items()},
            list(record["sessions"]),
            list(record.get("duplicate_ids", ())),
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(f"{store.name}/{NAME}: not the manifest of a run; name another folder") from None


def opened(store: Store, request: Mapping[str, Any]) -> Manifest:
    """Return the manifest of the run in `store`, or a new one; raise an error if a different run has made parts."""
    begun = found(store)
    others = set(store.names()) - {WORK, NAME}
    if begun is None and others:
        raise InputError(f"{store.name}: has files in it that are not of a run; name an empty or a new folder")
    if begun is None:
        return Manifest(request)
    if begun.request != request:
        if begun.state == RUNNING and not others and not part_records.numbers(store):  # it ended before its first part
            return Manifest(request)
        _compare(begun.request, request, store.name)
    return begun


def _compare(before: Mapping[str, Any], now: Mapping[str, Any], name: str) -> None:
    """Raise an error that names the first difference between a run and the one that would resume it."""
    old, new = dict(_flat(before)), dict(_flat(now))
    if before.get("inputs") != now["inputs"]:
        raise InputError(f"{name}: {_input_change(before.get('inputs'), now['inputs'])}{ADVICE}")
    for key in new:
        if old.get(key, MISSING) != new[key]:
            was = "nothing" if key not in old else repr(old[key])
            raise ConfigError(f"{name}: was begun with {key} {was}, not {new[key]!r}{ADVICE}")
    for key in old:
        if key not in new and key.partition(".")[0] in ("parameters", "models"):
            raise ConfigError(f"{name}: was begun with {key} {old[key]!r}{ADVICE}")


MISSING = object()
ADVICE = "; repeat the same command to resume, or name another folder"


def _flat(record: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in record.items():
        if key == "inputs":
            continue
        if isinstance(value, Mapping) and key != "boost":
            yield from _flat(value, f"{key}.")
        else:
            yield f"{before}{key}".removeprefix("parameters."), value


def _input_change(before: Any, now: Sequence[Mapping[str, Any]]) -> str:
    old = {one["name"]: one for one in before or []}
    for one in now:
        was = old.get(one["name"])
        if was is None:
            return f"was begun without {one['name']}"
        if was != one:
            what = [f"{was[key]:,} {key}, now {one[key]:,}" for key in ("files", "bytes") if was[key] != one[key]]
            return f"{one['name']} has changed since it was begun ({', '.join(what) or 'other content'})"
    names = [one["name"] for one in now]
    gone = [name for name in old if name not in names]
    return f"was begun with {gone[0]}, too" if gone else "was begun with the inputs in another order"


def model_files(method: str, *others: object) -> list[str]:
    """Return the files that a spec names (a model, a table) and `others`: results depend on them as on inputs."""
    named = [str(one) for one in others if isinstance(one, str | Path)]
    with suppress(PhrasemillError):  # a method that is not a spec
        named = [*_texts(parse(method)), *named]
    return [name for name in named if name and Path(name).exists()]


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Spec):
        yield from _texts((*value.values, *(option for key, option in value.options if key != STYLE)))
    elif isinstance(value, tuple):
        for one in value:
            yield from _texts(one)
