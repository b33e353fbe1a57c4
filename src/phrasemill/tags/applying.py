"""Tags written back to where they came from: what would change, and the change itself.

A plan reads every file and says how it would look; nothing is written before `write` is called. Tags that were merged,
split or removed follow the decisions of the review. Tags that feedback gave to a document are added, and suggestions
above a threshold. `#tags` within a text are never touched.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import unified_diff
from pathlib import Path

from phrasemill.errors import ConfigError, InputError
from phrasemill.files.opening import reason
from phrasemill.files.streams import read_file
from phrasemill.tables import csv_of
from phrasemill.tags.bibliographies import BibliographyEntry, bibtex_changed, ris_changed
from phrasemill.tags.collection import Tags
from phrasemill.tags.front_matter import UnsupportedError
from phrasemill.tags.front_matter_editing import changed
from phrasemill.tags.reading import BIBTEX, NOTE, RIS, Tagged, TagReader, cleaned, kind_of, note
from phrasemill.tags.storage import replacement
from phrasemill.tags.undo import Journal
from phrasemill.tags.wordings import same_word
from phrasemill.types import Document

FRONT_MATTER, SIDECAR, CSV = "front-matter", "sidecar", "csv"
TARGETS = (FRONT_MATTER, "bibtex", "ris", SIDECAR, CSV)
BY_KIND = {NOTE: FRONT_MATTER, BIBTEX: "bibtex", RIS: "ris"}
SIDECAR_ENDING = ".tags.json"
LIKELY, MOST = 0.5, 5  # the probability from which a suggestion is written, and how many for one document


@dataclass(frozen=True, slots=True)
class Change:
    """A file before and after; `before` is None for one that is new."""

    path: Path
    before: bytes | None
    after: bytes

    def diff(self) -> str:
        """Return the change as a unified diff."""
        old, new = ("" if data is None else data.decode("utf-8-sig", "replace") for data in (self.before, self.after))
        name = self.path.as_posix()
        lines = unified_diff(
            old.splitlines(),
            new.splitlines(),
            "/dev/null" if self.before is None else name,
            name,
            lineterm="",
            n=2,
        )
        return "".join(f"{line}\n" for line in lines)


@dataclass(slots=True)
class Plan:
    """How files would change. `target` is where the tags go, by default each file's own place for them; with
    `suggestions` off, only merges and the like are carried out."""

    tags: Tags
    reader: TagReader
    target: str | None = None
    output: Path | None = None
    threshold: float = LIKELY
    most: int = MOST
    suggestions: bool = True
    files: int = 0
    inline: int = 0  # tags within texts that are called otherwise now
    added: int = 0
    renamed: int = 0
    _rows: list[tuple[str, str]] = field(default_factory=list)

    def changes(self, names: Iterable[str | Path]) -> Iterator[Change]:
        """Yield the files that change; what cannot be read or changed goes to the reader's `report`."""
        if (self.target == CSV) != (self.output is not None):
            raise ConfigError("--to csv and --output FILE.csv go together")
        for path in self.reader.files(names):
            if path.endswith(SIDECAR_ENDING):
                continue
            try:
                yield from self._changes(path)
            except InputError as error:
                self.reader.failed(error)
        if self.output is not None:
            before = read_file(self.output, largest=self.reader.largest) if self.output.exists() else None
            after = csv_of([("document", "tags"), *self._rows]).encode()
            if after != before:
                yield Change(self.output, before, after)

    def _changes(self, path: str) -> Iterator[Change]:
        own = BY_KIND.get(kind_of(path), "")
        target = self.target or own
        if target in (FRONT_MATTER, "bibtex", "ris"):
            if target != own:
                return
            self.files += 1
            before = _bytes_of(path, self.reader.largest)
            after = self._rewritten(path, before, target)
            if after != before:
                yield Change(Path(path), before, after)
        elif target:
            self.files += 1
            for one in self.reader.file(path):
                yield from self._listed(one, target)

    def _rewritten(self, path: str, data: bytes, target: str) -> bytes:
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            raise InputError(f"{path}: not UTF-8, so it is left alone") from None
        if target == FRONT_MATTER:
            return self._note(path, data, text).encode()

        def decide(entry: BibliographyEntry) -> Sequence[str]:
            return self._decided(entry.document, cleaned(entry.keywords.tags))

        rewrite: Callable[..., str] = bibtex_changed if target == "bibtex" else ris_changed
        return rewrite(text, name=path, decide=decide).encode()

    def _note(self, path: str, data: bytes, text: str) -> str:
        try:
            one = note(data, path, keys=self.reader.keys)
            after = self._decided(one.document, one.tags)
            renames = {tag: self.tags.decisions.applied([tag]) for tag in one.tags}
            self.inline += sum(renames[tag] != (tag,) for tag in one.inline)
            called_now = set(self.tags.decisions.applied(one.tags))
            add = [tag for tag in after if tag not in called_now]
            return changed(text, rename=renames, add=add, keys=self.reader.keys)
        except UnsupportedError as error:
            raise InputError(f"{path}, {error}") from None

    def _listed(self, one: Tagged, target: str) -> Iterator[Change]:
        """Yield the sidecar of a document, or keep its row for the table."""
        after = self._decided(one.document, one.tags)
        if target == CSV:
            self._rows.append((one.document.id, "; ".join(after)))
            return
        path = Path(one.path + SIDECAR_ENDING)
        before = read_file(path, largest=self.reader.largest) if path.exists() else None
        data = (json.dumps({"tags": after}, ensure_ascii=False, indent=2) + "\n").encode()
        if after and data != before:
            yield Change(path, before, data)

    def _decided(self, document: Document, has: Sequence[str]) -> list[str]:
        """Return the tags that a document should have, and count what is new about them."""
        kept = self.tags.decisions.applied(has)
        self.renamed += sum(tag not in kept for tag in has)
        extra: list[str] = []
        if self.suggestions:
            found = self.tags.suggest(document, limit=self.most + len(has), threshold=self.threshold, new=0)
            given = self.tags.decisions.applied(self.tags.decisions.given.get(document.id, ()))
            for tag in (*given, *(one.tag for one in found.tags)):
                if len(extra) < self.most and not any(same_word(tag, other) for other in (*kept, *extra)):
                    extra.append(tag)
        self.added += len(extra)
        return [*kept, *extra]


def _bytes_of(path: str, largest: int) -> bytes:
    """Return the bytes of a file as they are; one that is compressed is not rewritten."""
    try:
        data = Path(path).read_bytes() if Path(path).stat().st_size <= largest else None
    except OSError as error:
        raise InputError(f"{path}: {reason(error)}") from None
    if data is None:
        raise InputError(f"{path}: larger than {largest >> 20:,} MiB, so it is left alone")
    return data


def write(changes: Sequence[Change], journal: Journal, report: Callable[[Exception], None]) -> int:
    """Write files one by one, each as a whole, and note in the journal how to restore them; return how many.

    A file that has changed since it was read, or that cannot be written, goes to `report` and stays as it is.
    """
    done = 0
    with journal:
        for change in changes:
            try:
                now = change.path.read_bytes() if change.path.exists() else None
                if now != change.before:
                    raise InputError(f"{change.path}: changed while the tags were prepared, so it is left alone")
                journal.note(change.path, change.before, change.after)
                with replacement(change.path) as new:
                    new.write_bytes(change.after)
                done += 1
            except OSError as error:
                report(InputError(f"{change.path}: cannot be written ({reason(error)})"))
            except InputError as error:
                report(error)
    return done
