"""Requests as steps for workers, and their results as events.

Every job is an iterator of events: a `Done` for each document when it is done, and an `End`. Clients that do not want
events get the same in one answer.
"""

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from phrasemill.service.bodies import Asked, Packed, check_count
from phrasemill.service.crew import Crew
from phrasemill.service.encoding import encoded, extended
from phrasemill.service.limits import Limits
from phrasemill.service.problems import Refusal
from phrasemill.service.room import Caller
from phrasemill.service.steps import (
    AddToSet,
    Check,
    Evaluate,
    Extract,
    FinishSet,
    List,
    Parse,
    Read,
    Show,
    Step,
    TakeApart,
)

MOST_SPECS = 1000  # that are remembered
SMALL = 1 << 15  # bytes of a body that is parsed here, not by a worker: that takes a few milliseconds at most


class Done(NamedTuple):
    """A document that is done: its record as JSON, and the problem if it failed."""

    number: int
    total: int
    record: bytes
    problem: Refusal | None = None


class End(NamedTuple):
    """The end of a job: its record as JSON, and how many documents there were, and failed."""

    record: bytes
    method: str
    documents: int
    failed: int = 0


Event = Done | End


@dataclass(frozen=True, slots=True)
class Jobs:
    """The work of one application."""

    crew: Crew
    limits: Limits
    _specs: "dict[tuple[str, bool], str]" = field(default_factory=dict)
    _listings: dict[str, bytes] = field(default_factory=dict)

    async def extract(self, caller: Caller) -> AsyncIterator[Event]:
        asked = await self._parsed(caller)
        method = await self._method(asked.method, caller)
        steps = [Extract(document, method, asked.options) for document in asked.documents]
        total, failed = len(steps), 0
        async for i, value in self.crew.spread(steps, request=caller.request):
            failed += isinstance(value, Refusal)
            yield _done(i, total, {"id": asked.documents[i].id}, value, caller)
        yield _end(method, total, failed)

    async def files(self, caller: Caller) -> AsyncIterator[Event]:
        """The documents in files, with their texts, and their keyphrases unless they are only read."""
        step = TakeApart(caller.body, caller.content_type, self.limits.files)
        form = await self.crew.ask(step, request=caller.request)
        del step
        caller.replace_body(sum(len(upload.data) for upload in form.uploads))
        method = await self._method(form.method, caller)
        names, found = await self._read(form.uploads, caller)
        form = form._replace(uploads=())  # what was read is held instead
        ids = _unique(name if isinstance(one, Refusal) else one.id for name, one in zip(names, found, strict=True))
        total, failed = len(found), 0
        steps: list[Step] = []
        kept: list[int] = []
        for i, one in enumerate(found):
            if isinstance(one, Refusal):
                failed += 1
                yield _done(i, total, {"id": ids[i], "file": names[i]}, one, caller)
            else:
                document = Packed(ids[i], one.data)
                kept.append(i)
                if form.extract:
                    steps.append(Extract(document, method, form.options, names[i]))
                else:
                    steps.append(Show(document, names[i]))
        async for number, value in self.crew.spread(steps, request=caller.request):
            i = kept[number]
            if isinstance(value, Refusal):
                failed += 1
                yield await self._shown(i, total, steps[number], value, caller)
            else:
                yield _done(i, total, {}, value, caller)
        yield _end(method, total, failed)

    async def sets(self, caller: Caller) -> AsyncIterator[Event]:
        asked = await self._parsed(caller, sets=True)
        method = await self._method(asked.method, caller, sets=True)
        options = dict(asked.options)
        language = options.pop("language")
        steps: list[Step] = [
            AddToSet(document, method, language, first=i == 0, compared=compared)
            for compared, documents in ((True, asked.against), (False, asked.documents))
            for i, document in enumerate(documents)
        ]
        total = len(steps)
        ids = [document.id for document in (*asked.against, *asked.documents)]
        head = {"id": asked.name, "method": method, "documents": len(asked.documents)}
        steps.append(FinishSet(head, options, compared=bool(asked.against)))
        number = 0
        async for value in self.crew.each(steps, request=caller.request):
            if number < total:
                yield _done(number, total, {}, encoded({"id": ids[number]}), caller)
            else:
                caller.hold(len(value))
                yield End(value, method, total)
            number += 1

    async def evaluate(self, caller: Caller) -> bytes:
        found: bytes = await self.crew.ask(Evaluate(caller.body), request=caller.request)
        caller.replace_body(len(found))
        return found

    async def listing(self, what: str) -> bytes:
        """What there is, worked out once."""
        if what not in self._listings:
            self._listings[what] = await self.crew.ask(List(what))
        return self._listings[what]

    async def _parsed(self, caller: Caller, *, sets: bool = False) -> Asked:
        """Parse the body, and hold its documents in its place."""
        step = Parse(caller.body, self.limits.documents, sets)
        small = sum(map(len, step.body)) <= SMALL
        asked: Asked = step.do() if small else await self.crew.ask(step, request=caller.request)
        caller.replace_body(sum(len(one.data) for one in (*asked.documents, *asked.against)))
        return asked

    async def _read(self, uploads: Sequence[Any], caller: Caller) -> "tuple[list[str], list[Packed | Refusal]]":
        """Read the files; return the file name of each document or problem, and these."""
        most, room = self.limits.documents, self.limits.upload
        steps = [Read(upload.data, upload.name, most, room) for upload in uploads]
        by_file: list[list[Packed | Refusal]] = [[] for _ in uploads]
        async for number, value in self.crew.spread(steps, request=caller.request):
            by_file[number] = [value] if isinstance(value, Refusal) else value
            size = sum(len(one.data) for one in by_file[number] if isinstance(one, Packed))
            caller.hold(size - len(uploads[number].data))
        names = [upload.name for upload, found in zip(uploads, by_file, strict=True) for _ in found]
        check_count(len(names), most)
        return names, [one for found in by_file for one in found]

    async def _shown(self, i: int, total: int, step: Any, refusal: Refusal, caller: Caller) -> Done:
        """Return a document that failed, with its text."""
        try:
            record = await self.crew.ask(Show(step.document, step.file), request=caller.request)
        except Refusal:
            return _done(i, total, {"id": step.document.id, "file": step.file}, refusal, caller)
        return _done(i, total, {}, record, caller, refusal)

    async def _method(self, spec: str, caller: Caller, *, sets: bool = False) -> str:
        """Return the spec as the method itself writes it; what was good once is good again."""
        known = self._specs.get((spec, sets))
        if known is None:
            known = str(await self.crew.ask(Check(spec, sets), request=caller.request))
            if len(self._specs) >= MOST_SPECS:
                self._specs.clear()
            self._specs[spec, sets] = known
        return known


async def collected(events: AsyncIterator[Event]) -> tuple[list[Done], End]:
    """Collect the events of a job: its documents in order, and its end."""
    documents: list[Done] = []
    async for event in events:
        if isinstance(event, End):
            end = event
        else:
            documents.append(event)
    return sorted(documents, key=lambda one: one.number), end


def _done(
    number: int,
    total: int,
    head: dict[str, object],
    value: bytes | Refusal,
    caller: Caller,
    problem: Refusal | None = None,
) -> Done:
    """Make the event of a document; `value` is its record, or the reason why there is only its `head`."""
    if isinstance(value, Refusal):
        problem, value = value, encoded({**head, "keyphrases": []})
    if problem is not None:
        value = extended(value, "problem", encoded(problem.record(caller.request)))
    caller.hold(len(value))
    return Done(number, total, value, problem)


def _end(method: str, documents: int, failed: int) -> End:
    return End(encoded({"method": method, "documents": documents, "failed": failed}), method, documents, failed)


def _unique(ids: Iterable[str]) -> list[str]:
    """Make ids unique: the second `a` becomes `a (2)`."""
    taken: set[str] = set()
    numbers: dict[str, int] = {}
    found = []
    for id_ in ids:
        one = id_
        while one in taken:
            numbers[id_] = numbers.get(id_, 1) + 1
            one = f"{id_} ({numbers[id_]})"
        taken.add(one)
        found.append(one)
    return found
