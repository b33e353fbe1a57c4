"""What workers do with tags: suggest, learn from feedback, and the same in the shapes of Annif.

Several workers share one file of tags, which is the truth: none of them keeps a change to itself. A worker that learns
takes the file's lock, reads the file, changes it and replaces it, before the answer is sent. A worker that suggests
looks at the file first, and reads it again if it has been replaced. So whatever was learned before a request began is
in its answer, whichever workers do the two, and the command may change the same file while the server runs.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from phrasemill import __version__
from phrasemill.errors import InputError, ModelError
from phrasemill.service.bodies import (
    DOCUMENT_VALUES,
    VALUES,
    Body,
    check_count,
    checked,
    encoded,
    malformed,
    misshapen,
    parsed,
)
from phrasemill.service.problems import Refusal
from phrasemill.tags.collection import Tags
from phrasemill.tags.storage import locked
from phrasemill.types import Document

if TYPE_CHECKING:
    from phrasemill.service.schemas import DocumentIn
    from phrasemill.service.steps import WorkerState

ANNIF_LIMIT, MOST_TAGS = 10, 1000


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


def suggest(state: "WorkerState", *, body: Body, documents: int) -> bytes:
    """Return suggestions for documents, as the command prints them."""
    from phrasemill.service.tag_schemas import TagSuggestRequest

    asked = checked(TagSuggestRequest, _json(body, documents))
    check_count(len(asked.documents), documents)
    given = list(map(_document, asked.documents))
    found = (
        _file(state)
        .current()
        .suggest_all(given, limit=asked.limit, threshold=asked.threshold, new=asked.new, support=asked.support)
    )
    # The numbers of documents without an id are not ids of documents that were learned.
    ids = [str(number) if one.id is None else one.id for number, one in enumerate(asked.documents, start=1)]
    return encoded({"documents": [one.record() | {"id": id_} for id_, one in zip(ids, found, strict=True)]})


def feedback(state: "WorkerState", *, body: Body) -> bytes:
    """Learn from feedback, and return how many tags there are."""
    from phrasemill.service.tag_schemas import TagFeedbackRequest

    asked = checked(TagFeedbackRequest, _json(body, 1))
    document = _document(asked.document)
    tags = _file(state).change(
        lambda tags: tags.feedback(document, accept=asked.accept, refuse=asked.refuse, add=asked.add)
    )
    return encoded({"documents": len(tags.library), "tags": len(tags.counts)})


def listed(state: "WorkerState") -> bytes:
    """List the tags, the most used first."""
    tags = _file(state).current()
    return encoded(
        {"documents": len(tags.library), "tags": [{"tag": tag, "documents": n} for tag, n in tags.counts.items()]}
    )


def annif_info() -> dict[str, str]:
    return {"title": "Phrasemill, as Annif answers", "version": __version__}


def annif_project(name: str) -> dict[str, object]:
    """Describe the tags as a project of Annif."""
    return {
        "project_id": name,
        "name": name,
        "language": "en",
        "backend": {"backend_id": "phrasemill"},
        "vocab": {"vocab_id": name, "languages": ["en"]},
        "vocab_language": "en",
        "is_trained": True,
        "modification_time": None,
    }


def annif_suggest(state: "WorkerState", *, body: Body) -> bytes:
    """Return suggestions for the text of a form."""
    try:
        fields = parse_qs(b"".join(body).decode("utf-8"), keep_blank_values=True, max_num_fields=20, errors="strict")
    except (ValueError, UnicodeDecodeError):
        raise malformed(0, "not a form in UTF-8") from None
    if "text" not in fields:
        raise misshapen([{"loc": ("text",), "msg": "Field required"}])
    limit, threshold = annif_limits({name: values[-1] for name, values in fields.items()})
    return encoded(
        {"results": _annif_results(_file(state).current(), Document("", fields["text"][-1]), limit, threshold)}
    )


def annif_suggest_batch(state: "WorkerState", *, body: Body, documents: int, limit: int, threshold: float) -> bytes:
    """Return suggestions for the documents of a batch."""
    from phrasemill.service.tag_schemas import AnnifBatchRequest

    asked = checked(AnnifBatchRequest, _json(body, documents))
    check_count(len(asked.documents), documents)
    tags = _file(state).current()
    return encoded(
        [
            {
                "document_id": one.document_id,
                "results": _annif_results(tags, Document("", one.text), limit, threshold),
            }
            for one in asked.documents
        ]
    )


def annif_learn(state: "WorkerState", *, body: Body, documents: int) -> bytes:
    """Learn documents with their subjects."""
    from phrasemill.service.tag_schemas import AnnifLearnRequest

    asked = checked(AnnifLearnRequest, _json(body, documents)).root
    check_count(len(asked), documents)
    pairs = [(one.text, [subject.label or subject.uri for subject in one.subjects]) for one in asked]
    _file(state).change(lambda tags: tags.add(pairs))
    return b""


def annif_limits(given: Mapping[str, str]) -> tuple[int, float]:
    """Return `limit` and `threshold` out of a form or a query."""
    try:
        limit, threshold = int(given.get("limit") or ANNIF_LIMIT), float(given.get("threshold") or 0)
    except ValueError:
        raise Refusal("invalid-parameter", "limit must be a whole number, and threshold a number") from None
    if not 1 <= limit <= MOST_TAGS or not 0 <= threshold <= 1:
        raise Refusal("invalid-parameter", f"limit must be from 1 to {MOST_TAGS}, and threshold from 0 to 1")
    return limit, threshold


def _annif_results(tags: Tags, document: Document, limit: int, threshold: float) -> list[dict[str, object]]:
    found = tags.suggest(document, limit=limit, threshold=threshold, new=0)
    return [
        {"label": one.tag, "notation": None, "score": round(one.probability, 4), "uri": tag_uri(one.tag)}
        for one in found.tags
    ]


def tag_uri(tag: str) -> str:
    """Return an address for a tag, which has none of its own."""
    from urllib.parse import quote

    return f"urn:phrasemill:tag:{quote(tag, safe='')}"


def _json(body: Body, documents: int) -> Any:
    return parsed(body, VALUES + DOCUMENT_VALUES * documents)


def _document(one: "DocumentIn") -> Document:
    return Document(one.id or "", one.text, one.title, one.language or "")
