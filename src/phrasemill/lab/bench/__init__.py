"""Every method over every dataset one has: how good, how fast, how much memory, how long to start.

`runner.py` tells the story; `tasks.py` has the datasets and how each is scored, `measuring.py` and `startup.py` are
what happens in fresh processes, `cells.py` keeps what was measured, `report.py` and `page.py` show it.
"""

from phrasemill.lab.bench.runner import MEASURES, Request, run
from phrasemill.lab.bench.tasks import TASKS, Task, available, own_file, task

__all__ = ["MEASURES", "TASKS", "Request", "Task", "available", "own_file", "run", "task"]
