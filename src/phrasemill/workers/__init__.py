"""Worker processes: `pool.py` has them, `process.py` is one of them seen from its parent, `worker.py` is what runs in
it, `ordered.py` keeps answers in order."""

from phrasemill.workers.ordered import in_order, mapped
from phrasemill.workers.pool import Answer, Pool, Task, checked_jobs, cores
from phrasemill.workers.process import OUT_OF_MEMORY, TIMED_OUT
from phrasemill.workers.worker import alarm, portable

__all__ = [
    "OUT_OF_MEMORY",
    "TIMED_OUT",
    "Answer",
    "Pool",
    "Task",
    "alarm",
    "checked_jobs",
    "cores",
    "in_order",
    "mapped",
    "portable",
]
