"""What requests ask of the workers, as steps, and what comes of them, as events.

Every job is an iterator of events: `document` for each document as it is done, and at the end `done`. Who wants no
events gets the same in one answer.
"""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from phrasemill.service import work
from phrasemill.service.answers import Event
from phrasemill.service.crew import Crew
from phrasemill.service.limits import Limits
from phrasemill.service.problems import Refusal
from phrasemill.service.schemas import DocumentIn, ExtractRequest, SetRequest
from phrasemill.types import Document

MOST_SPECS = 1000  # that are remembered
CHOSEN = ("threshold", "explain", "exclude", "redundancy", "candidates", "boost", "language")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that was sent."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Jobs:
    """The work of one application."""

    crew: Crew
    limits: Limits
    _specs: "dict[tuple[str, bool], str]" = field(default_factory=dict)
    _listings: dict[str, Any] = field(default_factory=dict)

    async def extract(self, asked: ExtractRequest) -> AsyncIterator[Event]:
        documents = self.documents(asked.documents)
        async for event in self._extracted(documents, asked.method, extract_options(asked)):
            yield event

    async def files(
        self, uploads: Sequence[Upload], method: str, options: Mapping[str, Any], *, extract: bool
    ) -> AsyncIterator[Event]:
        """The documents in files, with their texts, and their keyphrases unless they are only read."""
        method = await self._method(method)
        documents: list[Document] = []
        heads: list[dict[str, Any]] = []
        steps = [work.Read(upload.data, upload.name, self.limits.documents) for upload in uploads]
        found: list[Any] = [None] * len(uploads)
        async for number, value in self.crew.spread(steps):
            found[number] = value
        for upload, value in zip(uploads, found, strict=True):
            if isinstance(value, Refusal):
                documents.append(Document(upload.name, ""))
                heads.append({"file": upload.name, "problem": value.record()})
            else:
                documents += value
                heads += [_head(upload, document) for document in value]
        self._check_count(documents)
        ids = _unique(document.id for document in documents)
        documents = [replace(document, id=id_) for document, id_ in zip(documents, ids, strict=True)]
        kept = [i for i, head in enumerate(heads) if "problem" not in head]
        total, failed = len(documents), len(documents) - len(kept)
        for i, head in enumerate(heads):
            if "problem" in head:
                yield "document", _told(i, total, {"id": ids[i], **head, "keyphrases": []})
        steps_ = [work.Extract(documents[i], method, options) for i in kept] if extract else []
        async for number, value in self.crew.spread(steps_):
            i = kept[number]
            failed += isinstance(value, Refusal)
            yield "document", _told(i, total, {"id": ids[i], **heads[i], **_found(value)})
        for i in kept if not extract else []:
            yield "document", _told(i, total, {"id": ids[i], **heads[i], "keyphrases": []})
        yield "done", {"method": method, "documents": total, "failed": failed}

    async def sets(self, asked: SetRequest) -> AsyncIterator[Event]:
        own, other = self.documents(asked.documents), self.documents(asked.against or [])
        self._check_count([*own, *other])
        method = await self._method(asked.method, sets=True)
        steps: list[work.Step] = [
            work.AddToSet(document, method, asked.language, first=i == 0, compared=compared)
            for compared, documents in ((True, other), (False, own))
            for i, document in enumerate(documents)
        ]
        top = None if asked.top == "all" else asked.top
        options = {"top": top, "threshold": asked.threshold, "exclude": asked.exclude}
        ids = [document.id for document in (*other, *own)]
        number = 0
        async for value in self.crew.each([*steps, work.FinishSet(options, bool(other))]):
            if number < len(steps):
                yield "document", _told(number, len(steps), {"id": ids[number]})
            else:
                yield "done", {"id": asked.id, "method": method, "documents": len(own), "keyphrases": value}
            number += 1

    def documents(self, given: Sequence[DocumentIn]) -> list[Document]:
        self._check_count(given)
        ids = _numbered([one.id for one in given])
        return [Document(id_, one.text, one.title, one.language or "en") for id_, one in zip(ids, given, strict=True)]

    async def _extracted(
        self, documents: Sequence[Document], method: str, options: Mapping[str, Any]
    ) -> AsyncIterator[Event]:
        method = await self._method(method)
        failed = 0
        steps = [work.Extract(document, method, options) for document in documents]
        async for i, value in self.crew.spread(steps):
            failed += isinstance(value, Refusal)
            yield "document", _told(i, len(documents), {"id": documents[i].id, **_found(value)})
        yield "done", {"method": method, "documents": len(documents), "failed": failed}

    async def listing(self, what: str) -> Any:
        """What there is, worked out once."""
        if what not in self._listings:
            self._listings[what] = await self.crew.ask(work.List(what))
        return self._listings[what]

    async def _method(self, spec: str, *, sets: bool = False) -> str:
        """The spec as the method itself writes it; what was good once is good again."""
        known = self._specs.get((spec, sets))
        if known is None:
            known = str(await self.crew.ask(work.Check(spec, sets)))
            if len(self._specs) >= MOST_SPECS:
                self._specs.clear()
            self._specs[spec, sets] = known
        return known

    def _check_count(self, documents: Sequence[object]) -> None:
        if len(documents) > self.limits.documents:
            raise Refusal("too-many-documents", f"at most {self.limits.documents:,} in one request")


async def collected(events: AsyncIterator[Event]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The documents of a job in their order, and what it says at the end."""
    documents: dict[int, Any] = {}
    done: Any = {}
    async for name, data in events:
        if name == "document":
            assert isinstance(data, dict)
            documents[data["index"]] = data["document"]
        else:
            done = data
    return [documents[i] for i in sorted(documents)], done


def extract_options(asked: ExtractRequest) -> dict[str, Any]:
    """What the library's `extract` is called with."""
    return {"top": None if asked.top == "all" else asked.top} | {name: getattr(asked, name) for name in CHOSEN}


def _told(index: int, total: int, document: Mapping[str, Any]) -> dict[str, Any]:
    return {"index": index, "total": total, "document": document}


def _found(value: Any) -> dict[str, Any]:
    if isinstance(value, Refusal):
        return {"keyphrases": [], "problem": value.record()}
    return {"keyphrases": value}


def _head(upload: Upload, document: Document) -> dict[str, Any]:
    return {
        "file": upload.name,
        "title": document.title,
        "text": document.text,
        "language": document.language,
    }


def _numbered(ids: Sequence[str | None]) -> list[str]:
    """Ids as they are, and numbers from 1 for those that have none."""
    return [str(number) if id_ is None else id_ for number, id_ in enumerate(ids, start=1)]


def _unique(ids: Iterable[str]) -> list[str]:
    """Ids that tell documents apart, as the command makes them."""
    taken: set[str] = set()
    found = []
    for id_ in ids:
        one, number = id_, 2
        while one in taken:
            one, number = f"{id_} ({number})", number + 1
        taken.add(one)
        found.append(one)
    return found
