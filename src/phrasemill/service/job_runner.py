"""Runs jobs: reads their files and extracts keyphrases, in the worker processes that requests use, too.

A document whose worker dies is tried once more, and then recorded as failed; the others go on.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

from phrasemill.readers.archives import is_archive
from phrasemill.service import job_steps
from phrasemill.service.job import CANCELLED, DONE, FAILED, LOST, QUEUED, Job, JobDocument
from phrasemill.service.job_store import JobStore
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

    def start(self, job: Job) -> None:
        """Work on the pending documents of a job, in the background."""
        if job.status == QUEUED and job.task is None:
            job.task = asyncio.ensure_future(self._run(job))

    def cancel(self, job: Job) -> None:
        """End a job; documents that are not done are cancelled."""
        if not job.ended and job.task is not None:
            job.task.cancel()
            self._end(job, CANCELLED)

    def retry(self, job: Job, numbers: Sequence[int] | None) -> None:
        """Work once more on documents that failed or were cancelled: those of these `numbers`, or all that failed for
        a reason that may be gone."""
        job.check_files()
        if numbers is None:
            chosen = [document for document in job.documents if document.can_retry]
        else:
            chosen = [job.documents[number - 1] for number in numbers if 0 < number <= len(job.documents)]
            chosen = [document for document in chosen if document.can_retry or document.status == CANCELLED]
        if not chosen:
            raise Refusal("conflict", "no document of these failed for a reason that may be gone")
        if job.ended:
            job.set_status(QUEUED)
        for document in chosen:
            job.set_waiting(document)
        self.start(job)

    async def sweep(self) -> None:
        """Delete expired jobs, again and again."""
        while True:
            await asyncio.sleep(min(SWEEP, self._limits.job_seconds))
            self._store.expire()

    async def _run(self, job: Job) -> None:
        try:
            async with self._places:
                job.begin()
                await self._work(job)
            self._end(job, DONE)
        except asyncio.CancelledError:
            return  # whoever cancelled it has set its status
        except Refusal as refusal:
            self._end(job, FAILED, refusal.with_traceback(None))
        except Exception as error:
            self._log.failure(error)
            self._end(job, FAILED, Refusal("internal-error"))

    def _end(self, job: Job, status: str, problem: Refusal | None = None) -> None:
        job.task = None
        if status == FAILED:
            self._store.free(job)
        self._store.keep(job)
        job.set_status(status, problem)
        self._metrics.jobs.labels(status).inc()

    async def _work(self, job: Job) -> None:
        """Work on documents until none is pending, a few at a time: a long job must not keep others waiting."""
        running: set[asyncio.Task[None]] = set()
        try:
            while job.pending or running:
                while job.pending and len(running) < 2 * self._pool.workers:
                    running.add(asyncio.ensure_future(self._advance(job, job.pop())))
                done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
        finally:
            for task in running:
                task.cancel()

    async def _advance(self, job: Job, document: JobDocument) -> None:
        """Read a document, or extract its keyphrases if it was read."""
        try:
            if document.stored is None:
                await self._read(job, document)
            else:
                await self._extract(job, document)
        except Refusal as refusal:
            if refusal.kind in FATAL:
                raise
            if refusal.kind in LOST and not document.attempts:
                document.attempts += 1
                job.push(document)
                return
            self._fail(job, document, refusal.with_traceback(None))

    def _fail(self, job: Job, document: JobDocument, problem: Refusal) -> None:
        job.set_failed(document, problem)
        if document.stored is None and not document.can_retry:
            job.release(document.file)
        self._metrics.documents.labels("failed").inc()

    async def _read(self, job: Job, document: JobDocument) -> None:
        """Read a file; what it holds takes the place of the document, and more documents are added."""
        most = job.most - len(job.documents) + 1
        if is_archive(document.file.name):
            room = min(self._limits.job_upload, job.spool.left)
            step: Step = partial(job_steps.unpack, file=document.file, folder=str(job.folder), most=most, room=room)
        else:
            step = partial(job_steps.read, file=document.file, columns=job.columns, most=most, room=self._limits.upload)
        found: list[Any] = await self._pool.ask(step, request=job.request)
        file, order = document.file, document.order
        for place, one in enumerate(found):
            target = document if place == 0 else job.add(file, (*order, place))
            if isinstance(one, Refusal):
                self._fail(job, target, one)
            elif isinstance(one, job_steps.StoredFile):
                job.hold(one.size)
                job.refile(target, one)
                job.push(target)
            else:
                job.set_read(target, one)
                job.push(target)
        if not any(isinstance(one, job_steps.StoredDocument) and one.pages for one in found):  # they are drawn from it
            job.release(file)

    async def _extract(self, job: Job, document: JobDocument) -> None:
        assert document.stored is not None
        target = str(job.folder / f"record-{document.number}")
        step = partial(
            job_steps.extract,
            document=document.stored,
            id=document.id,
            file=document.file.name,
            target=target,
            method=job.method,
            options=job.options,
            largest=self._limits.answer,
        )
        found = await self._pool.ask(step, request=job.request)
        job.set_done(document, found, target)
        self._metrics.documents.labels("done").inc()
