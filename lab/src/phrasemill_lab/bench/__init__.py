"""Measure methods over datasets: quality, speed, memory and start-up.

`runner.py` runs the benchmark; `tasks.py` has the datasets and how each is scored, `measuring.py` starts
fresh processes, `results.py` stores what was measured, `report.py` and `page.py` show it. `scripts.py` and
`corpora.py` are for the scripts in benchmarks/.
"""

from phrasemill_lab.bench.runner import MEASURES, BenchRequest, run
from phrasemill_lab.bench.tasks import TASKS, BenchTask, available, own_file, task

__all__ = ["MEASURES", "TASKS", "BenchRequest", "BenchTask", "available", "own_file", "run", "task"]
