"""Worker processes: `pool.py` has them, `process.py` is one of them seen from its parent, `worker.py` is what runs in
it, `ordered.py` keeps answers in order."""

from phrasemill.processes.ordered import in_order, mapped
from phrasemill.processes.pool import Answer, Pool, Task, checked_jobs, cores
from phrasemill.processes.process import OUT_OF_MEMORY, TIMED_OUT
from phrasemill.processes.worker import alarm, portable

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
