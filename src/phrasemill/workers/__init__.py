"""The pool of worker processes that engine, service and statistics share.

`pool.py` holds the workers, `process.py` is one of them as its parent sees it, `worker.py` is what runs in it, and
`ordered.py` returns answers in order, from processes or from threads.
"""

from phrasemill.workers.ordered import Pools, calls, in_order, listed, mapped, mapped_by, mapped_in_threads, without_gil
from phrasemill.workers.pool import Answer, Pool, WorkerTask, checked_jobs, cores
from phrasemill.workers.process import OUT_OF_MEMORY, TIMED_OUT
from phrasemill.workers.worker import alarm, portable

__all__ = [
    "OUT_OF_MEMORY",
    "TIMED_OUT",
    "Answer",
    "Pool",
    "Pools",
    "WorkerTask",
    "alarm",
    "calls",
    "checked_jobs",
    "cores",
    "in_order",
    "listed",
    "mapped",
    "mapped_by",
    "mapped_in_threads",
    "portable",
    "without_gil",
]
