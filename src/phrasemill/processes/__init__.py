"""Worker processes: `pool.py` has them, `worker.py` is what runs in them, `ordered.py` keeps answers in order."""

from phrasemill.processes.ordered import in_order, mapped
from phrasemill.processes.pool import TIMED_OUT, Answer, Pool, Task, checked_jobs, cores
from phrasemill.processes.worker import alarm, portable

__all__ = ["TIMED_OUT", "Answer", "Pool", "Task", "alarm", "checked_jobs", "cores", "in_order", "mapped", "portable"]
