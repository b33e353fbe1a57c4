"""What workers do with tags: suggest, learn from feedback, and the same for clients of Annif.

Several workers share one file of tags, which is the truth: none of them keeps a change to itself. A worker that learns
takes the file's lock, reads the file, changes it and replaces it, before the answer is sent. A worker that suggests
looks at the file first, and reads it again if it has been replaced. So whatever was learned before a request began is
in its answer, whichever workers do the two, and the command may change the same file while the server runs.
"""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from phrasemill.errors import InputError, ModelError
from phrasemill.service.answers import encoded
from phrasemill.tags.collection import Tags
from phrasemill.tags.storage import locked
from phrasemill.types import Document

if TYPE_CHECKING:
    from phrasemill.service.steps import WorkerState


class TagFile:
    """A file of tags as a worker sees it."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._stamp: tuple[int, int, int] | None = None
        self._tags = Tags()

    def current(self) -> Tags:
        """Return the tags as they are now."""
        stamp = self._stamped()
        if stamp != self._stamp:
            self._tags, self._stamp = Tags.open(self._path), stamp
        return self._tags

    def change(self, do: Callable[[Tags], object]) -> Tags:
        """Change the tags, alone, and return them."""
        try:
            with locked(self._path):
                tags = self.current()
                self._stamp = None  # unless all goes well, what is here is not what is in the file
                do(tags)
                tags.save(self._path)
                self._stamp = self._stamped()
                return tags
        except InputError as error:  # names a file of the server
            raise ModelError(str(error)) from None

    def _stamped(self) -> tuple[int, int, int]:
        try:
            found = os.stat(self._path)  # noqa: PTH116 - for every request
        except OSError as error:
            raise ModelError(f"{self._path}: {error.strerror}") from None
        return found.st_mtime_ns, found.st_ino, found.st_size


def _file(state: "WorkerState") -> TagFile:
    assert state.tags is not None  # the routes exist only where it is there
    return state.tags


def suggest(state: "WorkerState", *, documents: Sequence[Document], options: dict[str, Any]) -> bytes:
    """Return suggestions for documents, as the command prints them."""
    # The numbers of documents without an id are not ids of documents that were learned.
    ids = [one.id or str(number) for number, one in enumerate(documents, start=1)]
    found = _file(state).current().suggest_all(list(documents), **options)
    return encoded({"documents": [one.record() | {"id": id} for id, one in zip(ids, found, strict=True)]})


def feedback(state: "WorkerState", *, document: Document, said: dict[str, list[str]]) -> bytes:
    """Learn from feedback, and return how many documents and tags there are."""
    tags = _file(state).change(lambda tags: tags.feedback(document, **said))
    return encoded({"documents": len(tags.library), "tags": len(tags.counts)})


def listed(state: "WorkerState") -> bytes:
    """List the tags, the most used first."""
    tags = _file(state).current()
    counts = [{"tag": tag, "documents": n} for tag, n in tags.counts.items()]
    return encoded({"documents": len(tags.library), "tags": counts})


def subjects(state: "WorkerState", *, texts: Sequence[str], limit: int, threshold: float) -> list[list[dict[str, Any]]]:
    """Return suggestions for texts as Annif does."""
    tags = _file(state).current()
    found = [tags.suggest(Document("", text), limit=limit, threshold=threshold, new=0).tags for text in texts]
    return [
        [
            # A tag has no address of its own.
            {
                "label": one.tag,
                "notation": None,
                "score": round(one.probability, 4),
                "uri": f"urn:phrasemill:tag:{quote(one.tag, safe='')}",
            }
            for one in listed
        ]
        for listed in found
    ]


def learn(state: "WorkerState", *, pairs: Sequence[tuple[str, list[str]]]) -> None:
    """Learn texts with their tags."""
    _file(state).change(lambda tags: tags.add(list(pairs)))
