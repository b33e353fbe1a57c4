"""`manifest.json`: the options and inputs of a run, and its results.

It is written before the first part and at the end. A run in the same folder resumes only with the same options and
inputs. It is the only file with times in it.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from phrasemill.engine import parts
from phrasemill.engine.parts import FileContent, RunCounts
from phrasemill.engine.store import WORK, Store
from phrasemill.errors import ConfigError, InputError, PhrasemillError
from phrasemill.specs import Spec, parse

NAME = "manifest.json"
RUNNING, COMPLETE = "running", "complete"
ADVICE = "; repeat the same command to resume, or name another folder"
LAYOUT = 2  # of the folder; 1 had files of failures, and its parts had other bounds
STYLE = "style"  # a parameter that never names a file, though there may be one of that name


@dataclass(slots=True)
class Manifest:
    """The request (options and inputs; equal requests have equal results), how far it came, and its sessions except
    those that were killed.

    `files` are those of a complete run besides the parts, and `duplicate_ids` are the first few of its ids that several
    documents have.
    """

    request: Mapping[str, Any]
    state: str = RUNNING
    counts: RunCounts = field(default_factory=RunCounts)
    files: dict[str, FileContent] = field(default_factory=dict)
    sessions: list[dict[str, Any]] = field(default_factory=list)
    duplicate_ids: list[str] = field(default_factory=list)
    layout: int = LAYOUT

    def write(self, store: Store) -> None:
        record: dict[str, Any] = {"state": self.state, "layout": self.layout} | dict(self.request)
        if self.state == COMPLETE:
            record["counts"] = asdict(self.counts)
            if self.duplicate_ids:
                record["duplicate_ids"] = self.duplicate_ids
            record["files"] = {name: content._asdict() for name, content in self.files.items()}
        text = json.dumps(record | {"sessions": self.sessions}, indent=2, ensure_ascii=False)
        store.write(NAME, text.encode("utf-8", "replace") + b"\n")


OWN = ("state", "layout", "counts", "duplicate_ids", "files", "sessions")  # fields that are not part of the request


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
            RunCounts(**record.get("counts", {})),
            {name: FileContent(**content) for name, content in record.get("files", {}).items()},
            list(record["sessions"]),
            list(record.get("duplicate_ids", ())),
            int(record.get("layout", 1)),
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(f"{store.name}/{NAME}: not the manifest of a run; name another folder") from None


def opened(store: Store, request: Mapping[str, Any]) -> Manifest:
    """Return the manifest of the run in `store`, or a new one; raise an error if a different run has made parts."""
    begun = found(store)
    others = store.sizes().keys() - {WORK, NAME}
    if begun is None and others:
        raise InputError(f"{store.name}: has files in it that are not of a run; name an empty or a new folder")
    if begun is None:
        return Manifest(request)
    if begun.request != request or begun.layout != LAYOUT:
        if begun.state == RUNNING and not others and not parts.numbers(store):  # it ended before its first part
            return Manifest(request)
        if begun.layout != LAYOUT:
            raise InputError(f"{store.name}: another version of Phrasemill began this run; name another folder")
        _refuse_change(begun.request, request, store.name)
    return begun


def _refuse_change(before: Mapping[str, Any], now: Mapping[str, Any], name: str) -> None:
    """Raise an error that names the first difference between a run and the one that would resume it."""
    old, new = (dict(record.get("parameters", ())) | dict(record) for record in (before, now))
    for key in (key for key in old | new if key != "parameters" and old.get(key) != new.get(key)):
        was, given = old.get(key), new.get(key)
        if key not in ("inputs", "models"):
            raise ConfigError(f"{name}: was begun with {key} {was!r}, not {given!r}{ADVICE}")
        fingerprints = {one["name"]: one for one in was or ()}
        for one in given or ():
            if fingerprints.get(one["name"], one) != one:
                raise InputError(f"{name}: {one['name']} has changed since it was begun{ADVICE}")
        raise InputError(f"{name}: was begun with other {key}{ADVICE}")


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
