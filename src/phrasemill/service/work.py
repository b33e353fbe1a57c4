"""Requests as steps for workers, and their results as events.

The work of every request is an iterator of events: a `Done` for each document when it is done, and an `End`. Clients
that do not accept events get the same in one answer.
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from phrasemill.readers import Columns
from phrasemill.service import steps
from phrasemill.service.assets import Asset
from phrasemill.service.bodies import Packed, ParsedRequest, check_count, encoded, extended, parsed_request
from phrasemill.service.exchanges import Exchange
from phrasemill.service.forms import form_of
from phrasemill.service.ids import UniqueIds
from phrasemill.service.limits import Limits
from phrasemill.service.pool import ServicePool
from phrasemill.service.problems import FATAL, Refusal
from phrasemill.service.steps import Step

MOST_SPECS = 1000  # checked specs that are kept
SMALL = 1 << 15  # bytes of a body that is parsed here, not by a worker: that takes a few milliseconds at most


class Done(NamedTuple):
    """A document that is done: its record as JSON, and the problem if it failed."""

    number: int
    total: int
    record: bytes
    problem: Refusal | None = None


class End(NamedTuple):
    """The end of a request's work: its record as JSON, and how many documents there were, and failed."""

    record: bytes
    method: str
    documents: int
    failed: int = 0


Event = Done | End


@dataclass(frozen=True, slots=True)
class Work:
    """The work of one application."""

    pool: ServicePool
    limits: Limits
    _specs: "dict[tuple[str, bool], str]" = field(default_factory=dict)
    _listings: dict[str, Asset] = field(default_factory=dict)

    async def extract(self, exchange: Exchange) -> AsyncIterator[Event]:
        asked = await self._parsed(exchange)
        method = await self.method(asked.method, exchange)
        extract = partial(steps.extract, method=method, options=asked.options)
        work = [partial(extract, document=document) for document in asked.documents]
        total, failed = len(work), 0
        async for i, value in self.pool.spread(work, request=exchange.id):
            failed += isinstance(value, Refusal)
            yield _done(i, total, {"id": asked.documents[i].id}, value, exchange)
        yield _end(method, total, failed)

    async def files(self, exchange: Exchange) -> AsyncIterator[Event]:
        """Yield the documents in files, with their texts, and their keyphrases unless they are only read."""
        content_type = exchange.header("content-type")
        split = partial(form_of, body=exchange.body, content_type=content_type, files=self.limits.files)
        form = await self.pool.ask(split, request=exchange.id)
        del split
        exchange.replace_body(sum(len(upload.data) for upload in form.uploads))
        method = await self.method(form.asked.method, exchange)
        names, found = await self._read(form.uploads, form.asked.columns, exchange)
        form = form._replace(uploads=())  # what was read is held instead
        taken = UniqueIds()
        ids = [
            taken.unique(name if isinstance(one, Refusal) else one.id) for name, one in zip(names, found, strict=True)
        ]
        total, failed = len(found), 0
        work: list[Step] = []
        kept: list[int] = []
        for i, one in enumerate(found):
            if isinstance(one, Refusal):
                failed += 1
                yield _done(i, total, {"id": ids[i], "file": names[i]}, one, exchange)
            else:
                kept.append(i)
                step: Step = partial(steps.show, document=Packed(ids[i], one.data), file=names[i])
                if form.asked.extract:
                    step = partial(steps.extract, **step.keywords, method=method, options=form.asked.options)
                work.append(step)
        async for number, value in self.pool.spread(work, request=exchange.id):
            i = kept[number]
            if isinstance(value, Refusal):
                failed += 1
                yield await self._shown(i, total, work[number].keywords, value, exchange)
            else:
                yield _done(i, total, {}, value, exchange)
        yield _end(method, total, failed)

    async def sets(self, exchange: Exchange) -> AsyncIterator[Event]:
        asked = await self._parsed(exchange, sets=True)
        method = await self.method(asked.method, exchange, sets=True)
        options = dict(asked.options)
        language = options.pop("language")
        counting = {name: options.pop(name) for name in ("exclude", "longest", "shortest", "stopwords")}
        add = partial(steps.add_to_set, method=method, language=language, counting=counting)
        work: list[Step] = [
            partial(add, document=document, first=i == 0, compared=compared)
            for compared, documents in ((True, asked.against), (False, asked.documents))
            for i, document in enumerate(documents)
        ]
        total = len(work)
        ids = [document.id for document in (*asked.against, *asked.documents)]
        head = {"id": asked.name, "method": method, "documents": len(asked.documents)}
        work.append(partial(steps.finish_set, head=head, options=options, compared=bool(asked.against)))
        number = 0
        async for value in self.pool.each(work, request=exchange.id):
            if number < total:
                yield _done(number, total, {}, encoded({"id": ids[number]}), exchange)
            else:
                exchange.hold(len(value))
                yield End(value, method, total)
            number += 1

    async def evaluate(self, exchange: Exchange) -> bytes:
        found: bytes = await self.pool.ask(partial(steps.evaluate, body=exchange.body), request=exchange.id)
        exchange.replace_body(len(found))
        return found

    async def listing(self, what: str) -> Asset:
        """Return a list of methods, metrics or languages, computed once."""
        if what not in self._listings:
            self._listings[what] = Asset.of(await self.pool.ask(partial(steps.listing, what=what)), f"{what}.json")
        return self._listings[what]

    async def _parsed(self, exchange: Exchange, *, sets: bool = False) -> ParsedRequest:
        """Parse the body, and hold its documents in its place."""
        step = partial(parsed_request, body=exchange.body, documents=self.limits.documents, sets=sets)
        small = sum(map(len, exchange.body)) <= SMALL
        asked: ParsedRequest = step(None) if small else await self.pool.ask(step, request=exchange.id)
        exchange.replace_body(sum(len(one.data) for one in (*asked.documents, *asked.against)))
        return asked

    async def _read(
        self, uploads: Sequence[Any], columns: Columns, exchange: Exchange
    ) -> "tuple[list[str], list[Packed | Refusal]]":
        """Read the files; return the file name of each document or problem, and these."""
        most, room = self.limits.documents, self.limits.upload
        read = partial(steps.read_upload, columns=columns, most=most, room=room)
        work = [partial(read, data=upload.data, name=upload.name) for upload in uploads]
        by_file: list[list[Packed | Refusal]] = [[] for _ in uploads]
        async for number, value in self.pool.spread(work, request=exchange.id):
            if isinstance(value, Refusal) and value.kind in FATAL:
                raise value
            by_file[number] = [value] if isinstance(value, Refusal) else value
            size = sum(len(one.data) for one in by_file[number] if isinstance(one, Packed))
            exchange.hold(size - len(uploads[number].data))
        names = [upload.name for upload, found in zip(uploads, by_file, strict=True) for _ in found]
        check_count(len(names), most)
        return names, [one for found in by_file for one in found]

    async def _shown(self, i: int, total: int, given: dict[str, Any], refusal: Refusal, exchange: Exchange) -> Done:
        """Return a document that failed, with its text."""
        document, file = given["document"], given["file"]
        try:
            record = await self.pool.ask(partial(steps.show, document=document, file=file), request=exchange.id)
        except Refusal:
            return _done(i, total, {"id": document.id, "file": file}, refusal, exchange)
        return _done(i, total, {}, record, exchange, refusal)

    async def method(self, spec: str, exchange: Exchange, *, sets: bool = False) -> str:
        """Return the spec as the method itself writes it; one that was valid before is not checked again."""
        known = self._specs.get((spec, sets))
        if known is None:
            known = str(await self.pool.ask(partial(steps.check_method, method=spec, sets=sets), request=exchange.id))
            if len(self._specs) >= MOST_SPECS:
                self._specs.clear()
            self._specs[spec, sets] = known
        return known


async def collected(events: AsyncIterator[Event]) -> tuple[list[Done], End]:
    """Collect the events of a request: its documents in order, and its end."""
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
    exchange: Exchange,
    problem: Refusal | None = None,
) -> Done:
    """Make the event of a document; `value` is its record, or the reason why there is only its `head`."""
    if isinstance(value, Refusal):
        problem, value = value, encoded({**head, "keyphrases": []})
    if problem is not None:
        value = extended(value, "problem", encoded(problem.record(exchange.id)))
    exchange.hold(len(value))
    return Done(number, total, value, problem)


def _end(method: str, documents: int, failed: int) -> End:
    return End(encoded({"method": method, "documents": documents, "failed": failed}), method, documents, failed)
