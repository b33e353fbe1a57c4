"""Tags written back to where they came from: what would change; `writing.py` makes the change.

A plan reads every file and says how it would look. Tags that were merged, split or removed follow the decisions of the
review. Tags that feedback gave to a document are added, and suggestions above a threshold. Front matter goes into
Markdown only, and `#tags` within a text are never touched.
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
from phrasemill.tags.sources import VOCABULARY, Tagged, TagReader, kind_of, note
from phrasemill.tags.wordings import same_word
from phrasemill.tags.writing import Change, bytes_of, edited, is_markdown, writable

SIDECAR, CSV = "sidecar", "csv"
SIDECAR_ENDING = ".tags.json"
# Proposals whose tag is another one, written otherwise.
OTHER_WORDINGS = ("case", "hyphen", "plural", "spelling", "form")


@dataclass(slots=True)
class Plan:
    """How the files at or below `root` would change.

    `target` is where the tags go: the front matter of Markdown, or `sidecar` or `csv`, whose table is `output`. At most
    `most` suggestions of at least `threshold` are added; with none, only merges and the like are carried out.
    """

    tags: Tags
    reader: TagReader
    root: Path
    target: str | None
    output: Path | None
    threshold: float
    most: int
    files: int = 0
    inline: int = 0  # tags within texts that are called otherwise now
    added: int = 0
    renamed: int = 0
    without_place: Counter[str] = field(default_factory=Counter)  # files that are left, by extension
    _seen: set[Path] = field(default_factory=set)
    _other_wordings: frozenset[str] = frozenset()

    def changes(self, name: str | Path) -> Iterator[Change]:
        """Yield the changes of a file, or of those in a folder; what cannot be read or changed goes to the reader's
        `report`."""
        if (self.target == CSV) != (self.output is not None):
            raise ConfigError("--to csv and --output FILE.csv go together")
        if self.most:
            self._other_wordings = frozenset(one.old for one in self.tags.review(kinds=OTHER_WORDINGS))
        rows = [("document", "tags")]
        for path in self.reader.paths([name]):
            if path.endswith(SIDECAR_ENDING):
                continue
            try:
                if self.target == CSV:
                    rows += [(one.document.id, "; ".join(self._decided(one))) for one in self.reader.file(path)]
                elif self.target == SIDECAR:
                    yield from self._sidecar(path)
                elif not is_markdown(path):
                    self.without_place[f".{extension_of(path)}"] += kind_of(path) != VOCABULARY
                    continue
                elif (file := Path(path).resolve()) not in self._seen:  # a link may lead to another note
                    self._seen.add(file)
                    yield from self._note(path)
                else:
                    continue
            except InputError as error:
                self.reader.failed(error)
            self.files += 1
        if self.output is not None:
            before = read_file(self.output, largest=self.reader.largest) if self.output.exists() else None
            yield from self._change(self.output, before, csv_of(rows).encode())

    def _change(self, path: Path, before: bytes | None, after: bytes) -> Iterator[Change]:
        if after != before:
            writable(path, self.root.resolve())
            yield Change(path, before, after)

    def _note(self, path: str) -> Iterator[Change]:
        before = bytes_of(path, largest=self.reader.largest)
        try:
            one = note(before, path, keys=self.reader.keys)
        except UnsupportedError as error:
            raise InputError(f"{path}, {error}") from None
        rename = {tag: self.tags.library.applied([tag]) for tag in one.tags}
        self.inline += sum(rename[tag] != (tag,) for tag in one.inline)
        called_now = set(self.tags.library.applied(one.tags))
        add = [tag for tag in self._decided(one) if tag not in called_now]
        yield from self._change(Path(path), before, edited(path, before, rename=rename, add=add, keys=self.reader.keys))

    def _sidecar(self, path: str) -> Iterator[Change]:
        documents = list(self.reader.file(path))
        if len(documents) > 1:
            raise InputError(f"{path}: has {len(documents):,} documents, too many for a sidecar; use --to csv")
        if not documents:
            return
        sidecar = Path(path + SIDECAR_ENDING)
        before = bytes_of(sidecar, largest=self.reader.largest) if sidecar.exists() else None
        record = _record(sidecar, before)
        had = record.get("tags", [])
        record["tags"] = self._decided(documents[0], [*had, *documents[0].tags])
        if record["tags"] != had:
            text = json.dumps(record, ensure_ascii=False, indent=2) + "\n"
            yield from self._change(sidecar, before, text.encode())

    def _decided(self, one: Tagged, has: Sequence[str] | None = None) -> list[str]:
        """Return the tags that a document should have, and count what is new about them."""
        has = one.tags if has is None else has
        library = self.tags.library
        kept = library.applied(has)
        self.renamed += sum(tag not in kept for tag in has)
        extra: list[str] = []
        if self.most:
            found = self.tags.suggest(one.document, limit=self.most + len(has), threshold=self.threshold, new=0)
            given = library.applied(library.given.get(one.document.id, ()))
            likely = (each.tag for each in found.tags if each.tag not in self._other_wordings)
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
        record: Any = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_each_once)
    except ValueError:
        record = None
    tags = record.get("tags", []) if isinstance(record, dict) else None
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise InputError(f'{path}: is not JSON like {{"tags": ["a", "b"]}}, so it is left alone')
    return record


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is there twice, and one would be lost")
    return found
