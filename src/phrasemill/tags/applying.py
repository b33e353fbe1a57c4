"""Tags written back to where they came from: what would change, and the change itself.

A plan reads every file and says how it would look; nothing is written before `write` is called. Tags that were merged,
split or removed follow the decisions of the review. Tags that feedback gave to a document are added, and suggestions
above a threshold. Front matter goes into Markdown only, and `#tags` within a text are never touched.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from phrasemill.errors import ConfigError, InputError
from phrasemill.files.streams import read_file
from phrasemill.files.tables import csv_of
from phrasemill.readers.sniffing import extension_of
from phrasemill.tags.collection import Tags
from phrasemill.tags.front_matter import UnsupportedError
from phrasemill.tags.reading import SKOS, Tagged, TagReader, kind_of, note
from phrasemill.tags.wordings import same_word
from phrasemill.tags.writing import Change, bytes_of, edited, is_markdown, writable
from phrasemill.types import Document

FRONT_MATTER, SIDECAR, CSV = "front-matter", "sidecar", "csv"
SIDECAR_ENDING = ".tags.json"
LIKELY, MOST = 0.5, 5  # the probability from which a suggestion is written, and how many for one document
OTHER_WORDINGS = (
    "case",
    "hyphen",
    "plural",
    "spelling",
    "form",
)  # proposals whose tag is another one, written otherwise


@dataclass(slots=True)
class Plan:
    """How the files at or below `root` would change. `target` is where the tags go, by default the front matter of
    Markdown; with `suggestions` off, only merges and the like are carried out."""

    tags: Tags
    reader: TagReader
    root: Path
    target: str | None = None
    output: Path | None = None
    threshold: float = LIKELY
    most: int = MOST
    suggestions: bool = True
    files: int = 0
    inline: int = 0  # tags within texts that are called otherwise now
    added: int = 0
    renamed: int = 0
    without_place: Counter[str] = field(default_factory=Counter)  # files that are left, by extension
    _rows: list[tuple[str, str]] = field(default_factory=list)
    _seen: set[Path] = field(default_factory=set)
    _other_wordings: frozenset[str] = frozenset()

    def changes(self, name: str | Path) -> Iterator[Change]:
        """Yield the changes of a file, or of those in a folder; what cannot be read or changed goes to the reader's
        `report`."""
        if (self.target == CSV) != (self.output is not None):
            raise ConfigError("--to csv and --output FILE.csv go together")
        if self.suggestions:
            self._other_wordings = frozenset(one.old for one in self.tags.review(kinds=OTHER_WORDINGS))
        for path in self.reader.files([name]):
            if path.endswith(SIDECAR_ENDING):
                continue
            try:
                yield from self._changes(path)
            except InputError as error:
                self.reader.failed(error)
        if self.output is not None:
            before = read_file(self.output, largest=self.reader.largest) if self.output.exists() else None
            yield from self._change(self.output, before, csv_of([("document", "tags"), *self._rows]).encode())

    def _changes(self, path: str) -> Iterator[Change]:
        if self.target in (SIDECAR, CSV):
            self.files += 1
            documents = list(self.reader.file(path))
            if self.target == SIDECAR and len(documents) > 1:
                raise InputError(f"{path}: has {len(documents):,} documents, too many for a sidecar; use --to csv")
            for one in documents:
                yield from self._listed(one)
        elif not is_markdown(path):
            if kind_of(path) != SKOS:
                self.without_place[f".{extension_of(path)}"] += 1
        elif (file := Path(path).resolve()) not in self._seen:  # a link may lead to another note
            self._seen.add(file)
            self.files += 1
            before = bytes_of(path, largest=self.reader.largest)
            yield from self._change(Path(path), before, self._note(path, before))

    def _change(self, path: Path, before: bytes | None, after: bytes) -> Iterator[Change]:
        if after != before:
            writable(path, self.root.resolve())
            yield Change(path, before, after)

    def _note(self, path: str, data: bytes) -> bytes:
        try:
            one = note(data, path, keys=self.reader.keys)
        except UnsupportedError as error:
            raise InputError(f"{path}, {error}") from None
        rename = {tag: self.tags.decisions.applied([tag]) for tag in one.tags}
        self.inline += sum(rename[tag] != (tag,) for tag in one.inline)
        called_now = set(self.tags.decisions.applied(one.tags))
        add = [tag for tag in self._decided(one.document, one.tags) if tag not in called_now]
        return edited(path, data, rename=rename, add=add, keys=self.reader.keys)

    def _listed(self, one: Tagged) -> Iterator[Change]:
        """Yield the sidecar of a document, or keep its row for the table."""
        if self.target == CSV:
            self._rows.append((one.document.id, "; ".join(self._decided(one.document, one.tags))))
            return
        path = Path(one.path + SIDECAR_ENDING)
        before = bytes_of(path, largest=self.reader.largest) if path.exists() else None
        record = _record(path, before)
        had = record.get("tags", [])
        record["tags"] = self._decided(one.document, [*had, *one.tags])
        if record["tags"] and record["tags"] != had:
            yield from self._change(path, before, (json.dumps(record, ensure_ascii=False, indent=2) + "\n").encode())

    def _decided(self, document: Document, has: Sequence[str]) -> list[str]:
        """Return the tags that a document should have, and count what is new about them."""
        kept = self.tags.decisions.applied(has)
        self.renamed += sum(tag not in kept for tag in has)
        extra: list[str] = []
        if self.suggestions:
            found = self.tags.suggest(document, limit=self.most + len(has), threshold=self.threshold, new=0)
            given = self.tags.decisions.applied(self.tags.decisions.given.get(document.id, ()))
            likely = (one.tag for one in found.tags if one.tag not in self._other_wordings)
            for tag in (*given, *likely):
                if len(extra) < self.most and not any(same_word(tag, other) for other in (*kept, *extra)):
                    extra.append(tag)
        self.added += len(extra)
        return [*kept, *extra]


def _record(path: Path, data: bytes | None) -> dict[str, Any]:
    """Return what a sidecar holds; raise an `InputError` if its tags have no place in it."""
    if data is None:
        return {}
    try:
        pairs: Any = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_pairs)
    except ValueError:
        pairs = None
    tags = pairs.get("tags", []) if isinstance(pairs, dict) else None
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise InputError(f'{path}: is not JSON like {{"tags": ["a", "b"]}}, so it is left alone')
    return pairs


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is there twice, and one would be lost")
    return found
