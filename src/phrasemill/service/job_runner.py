"""Runs jobs: reads their files and extracts keyphrases, in the worker processes that requests use, too.

A document whose worker dies is tried once more, and then recorded as failed; the others go on.
"""

import asyncio
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from functools import partial
from typing import Any

from phrasemill.readers.archives import is_archive
from phrasemill.service import job_steps
from phrasemill.service.jobs import CANCELLED, DONE, FAILED, LOST, JobDocument, JobPlan, JobStore
from phrasemill.service.limits import Limits
from phrasemill.service.log import Log
from phrasemill.service.metrics import ServiceMetrics
from phrasemill.service.pool import ServicePool
from phrasemill.service.problems import FATAL, Refusal
from phrasemill.service.steps import Step

SWEEP = 30.0  # seconds between two looks for jobs that expired


class JobRunner:
    """The jobs that run on one pool."""

    def __init__(
        self, pool: ServicePool, store: JobStore, limits: Limits, *, metrics: ServiceMetrics, log: Log
    ) -> None:
        self._pool, self._store, self._limits, self._metrics, self._log = pool, store, limits, metrics, log
        self._places = asyncio.Semaphore(limits.jobs_running)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._awaited: set[str] = set()  # by a request

    def start(self, id: str) -> None:
        """Work on the waiting documents of a job, in the background."""
        if id not in self._tasks:
            self._tasks[id] = asyncio.ensure_future(self._run(id))

    async def resume(self) -> None:
        """Work on what another server left."""
        for id in await self._store.run(self._store.unfinished):
            self.start(id)

    async def finish(self, id: str) -> None:
        """Work on a job that a request waits for, which has a place of its own, until it has ended."""
        self._awaited.add(id)
        try:
            self.start(id)
            await asyncio.wait((self._tasks[id],))
        finally:
            self._awaited.discard(id)

    async def cancel(self, id: str) -> None:
        """End a job; documents that are not done are cancelled."""
        if await self._drop(id):
            await self._end(id, CANCELLED)

    async def retry(self, id: str, numbers: Sequence[int] | None) -> None:
        """Work once more on documents of a job."""
        await self._store.change(partial(self._store.retry, numbers=numbers), id)
        self.start(id)

    async def delete(self, id: str) -> None:
        """Delete a job, even while it runs."""
        await self._drop(id)
        await self._store.change(self._store.delete, id)

    async def stop(self) -> None:
        """Stop all jobs. Those in a folder that stays are finished by the next server, all others are cancelled; at the
        first call, those that a request waits for go on."""
        for id in self._tasks.keys() - (set() if self._store.closed else self._awaited):
            if self._store.is_kept:
                await self._drop(id)
            else:
                await self.cancel(id)
        self._store.end_following()

    async def sweep(self) -> None:
        """Delete expired jobs, again and again."""
        while True:
            await asyncio.sleep(min(SWEEP, self._limits.job_seconds))
            await self._store.run(self._store.expire)

    async def _drop(self, id: str) -> bool:
        """Stop working on a job; return whether it was worked on."""
        task = self._tasks.pop(id, None)
        if task is not None:
            task.cancel()
            await asyncio.wait((task,))
        return task is not None

    async def _run(self, id: str) -> None:
        try:
            async with nullcontext() if id in self._awaited else self._places:
                await self._work(id)
            self._tasks.pop(id, None)
            await self._end(id, DONE)
        except Refusal as refusal:
            self._tasks.pop(id, None)
            await self._end(id, FAILED, refusal.with_traceback(None))
        except Exception as error:
            self._tasks.pop(id, None)
            self._log.failure(error)
            await self._end(id, FAILED, Refusal("internal-error"))

    async def _end(self, id: str, status: str, problem: Refusal | None = None) -> None:
        with suppress(Refusal):  # it was deleted
            await self._store.change(self._store.end, id, status, problem)
            self._metrics.jobs.labels(status).inc()

    async def _work(self, id: str) -> None:
        """Work on documents until none is waiting, a few at a time: a long job must not keep others waiting."""
        await self._store.change(self._store.begin, id)
        job = await self._store.run(self._store.plan, id)
        running: dict[asyncio.Task[None], int] = {}
        try:
            while True:
                free = 2 * self._pool.workers - len(running)
                for document in await self._store.run(self._store.waiting, id, tuple(running.values()), free):
                    running[asyncio.ensure_future(self._advance(job, document))] = document.number
                if not running:
                    return
                done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    del running[task]
                    task.result()
        finally:
            for task in running:
                task.cancel()

    async def _advance(self, job: JobPlan, document: JobDocument) -> None:
        """Read a document, or extract its keyphrases if it was read."""
        store = self._store
        try:
            if document.text is None:
                found = await self._read(job, document)
                await store.change(store.set_read, job.id, document, found)
                self._metrics.documents.labels("failed").inc(sum(isinstance(one, Refusal) for one in found))
            else:
                await store.change(store.set_done, job.id, document.number, await self._extract(job, document))
                self._metrics.documents.labels("done").inc()
        except Refusal as refusal:
            if refusal.kind in FATAL:
                raise
            if refusal.kind in LOST and not document.attempts:
                await store.change(store.count_attempt, job.id, document.number)
                return
            await store.change(store.give_up, job.id, document, refusal.with_traceback(None))
            self._metrics.documents.labels("failed").inc()

    async def _read(self, job: JobPlan, document: JobDocument) -> list[Any]:
        folder = str(self._store.folder / job.id)
        if is_archive(document.file.name):
            room = min(self._limits.job_upload, self._limits.job_disk - self._store.taken)
            step: Step = partial(job_steps.unpack, file=document.file, folder=folder, most=job.most, room=room)
        else:
            shared: Any = {"columns": job.columns, "most": job.most, "room": self._limits.upload}
            step = partial(job_steps.read, file=document.file, folder=folder, **shared)
        found: list[Any] = await self._pool.ask(step, request=job.request)
        return found

    async def _extract(self, job: JobPlan, document: JobDocument) -> job_steps.Extracted:
        assert document.text is not None
        step = partial(
            job_steps.extract,
            text=document.text,
            id=document.id,
            file=document.file.name,
            pages=document.pages,
            method=job.method,
            options=job.options,
        )
        found: job_steps.Extracted = await self._pool.ask(step, request=job.request)
        if len(found.record) > self._limits.answer:
            raise Refusal("answer-too-large", f"more than {self._limits.answer:,} bytes; ask for fewer keyphrases")
        return found
