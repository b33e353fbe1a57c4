"""The pool of worker processes of the service and of runs, until both are on `phrasemill.isolated`."""

from phrasemill.workers.pool import Answer, Pool, WorkerTask, checked_jobs
from phrasemill.workers.process import OUT_OF_MEMORY, TIMED_OUT
from phrasemill.workers.worker import alarm

__all__ = ["OUT_OF_MEMORY", "TIMED_OUT", "Answer", "Pool", "WorkerTask", "alarm", "checked_jobs"]
