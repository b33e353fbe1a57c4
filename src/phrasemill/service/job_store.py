"""All jobs of a server: how many there are, how long they are kept, and how they are deleted."""

import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from secrets import token_urlsafe
from typing import Any

from phrasemill.readers import Columns
from phrasemill.service.admission import Bounded
from phrasemill.service.job import CANCELLED, Job
from phrasemill.service.job_steps import StoredFile
from phrasemill.service.limits import Limits
from phrasemill.service.problems import SOON, Refusal
from phrasemill.service.spool import Spool

ID_BYTES = 24  # of randomness


class JobStore:
    """All jobs of a server, within its limits."""

    def __init__(self, limits: Limits, spool: Spool, memory: Bounded, *, now: Callable[[], float] = time.time) -> None:
        self._limits, self._spool, self._memory, self._now = limits, spool, memory, now
        self._jobs: dict[str, Job] = {}
        self.closed = False

    def __iter__(self) -> Iterator[Job]:
        return iter(tuple(self._jobs.values()))

    def __len__(self) -> int:
        return len(self._jobs)

    def folder(self) -> Path:
        """Make the folder of a new job."""
        path = self._spool.folder / token_urlsafe(ID_BYTES)
        path.mkdir(mode=0o700)
        return path

    def discard(self, folder: Path) -> None:
        """Delete the folder of a job that was not made."""
        shutil.rmtree(folder, ignore_errors=True)

    def check(self, owner: str) -> None:
        """Refuse one more job of `owner` if there are too many; jobs of the same owner that ended make room."""
        self.expire()
        if self.closed:
            raise Refusal("not-ready", "the server is stopping", SOON)
        own = [job for job in self if job.owner == owner]
        most = self._limits.jobs_per_client
        if most and len(own) >= most:
            ended = [job for job in own if job.ended]
            if not ended:
                raise Refusal("too-many-requests", f"at most {most} jobs at once", SOON)
            self.delete(ended[0])
        if len(self._jobs) >= self._limits.jobs:
            raise Refusal("busy", f"there are {self._limits.jobs} jobs already; delete one, or wait", SOON)

    def create(
        self,
        owner: str,
        folder: Path,
        files: Iterable[StoredFile],
        *,
        method: str,
        options: Mapping[str, Any] | None,
        columns: Columns,
        request: str,
    ) -> Job:
        """Add a job for `files`, which are in `folder`, whose name is its id."""
        self.check(owner)
        most = self._limits.job_documents
        job = Job(folder.name, owner, folder, method, options, columns, self._spool, self._memory, most, request)
        self._jobs[job.id] = job
        try:
            for number, file in enumerate(files):
                job.hold(file.size)
                job.push(job.add(file, (number,)))
        except Refusal:
            self.delete(job)
            raise
        return job

    def get(self, id: str) -> Job:
        """Return a job; raise a `Refusal` if there is none of that id, or none any more."""
        self.expire()
        job = self._jobs.get(id)
        if job is None:
            raise Refusal("not-found", "there is no such job; it may have expired")
        return job

    def keep(self, job: Job) -> None:
        """Keep a job for the usual time from now."""
        job.expires = self._now() + self._limits.job_seconds

    def expire(self) -> None:
        """Delete the jobs whose time is over."""
        for job in self:
            if job.expires is not None and job.expires <= self._now():
                self.delete(job)

    def delete(self, job: Job) -> None:
        """Forget a job, and delete its files."""
        if self._jobs.pop(job.id, None) is None:
            return
        if job.task is not None:
            job.task.cancel()
        if not job.ended:
            job.set_status(CANCELLED)
        self.free(job)
        self._memory.change(-job.rows)
        job.rows = 0

    def free(self, job: Job) -> None:
        """Delete the files of a job, with their folder, so that no worker can write another one."""
        shutil.rmtree(job.folder, ignore_errors=True)
        self._spool.free(job.held)
        job.held = 0

    def close(self) -> None:
        """End all jobs; none is accepted any more."""
        self.closed = True
        for job in self:
            if job.task is not None:
                job.task.cancel()
            if not job.ended:
                self.keep(job)
                job.set_status(CANCELLED)
