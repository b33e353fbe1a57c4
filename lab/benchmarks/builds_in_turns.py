"""How fast checkouts of this project are beside each other: documents per second of some methods, and start-up.

    python lab/benchmarks/builds_in_turns.py before=../old/src after=src --data DIR [--methods NAMES] [--rounds 30]

Each build is a folder to import from, with its kernels compiled (`python setup.py build_ext --inplace`). A process of
each build stays open, and they take turns, a part of the texts each. Processor time counts, of each part the fastest
round, so that other work on the machine matters little. Start-up is the fastest of fresh processes.
"""

import json
import os
import subprocess
import sys
from collections import defaultdict
from math import inf
from typing import Any

from phrasemill_lab.bench.corpora import texts
from phrasemill_lab.bench.scripts import MarkdownRows, parser, write_figures

# These run in every build, so they call nothing but what all of them have.
WORK = """
import json, sys, time
import phrasemill
parts = json.loads(sys.stdin.readline())
for line in sys.stdin:
    method, part = json.loads(line)
    start = time.process_time()
    for _ in phrasemill.extract_batch(parts[part], method=method):
        pass
    print(time.process_time() - start, flush=True)
"""
START = """
import time
import phrasemill
phrasemill.extract("Graph theory of large graphs.", method={!r})
print(time.process_time())
"""
PARTS = 10
START_UP = ("learned", "textrank")


class Worker:
    """An open process of one build."""

    def __init__(self, folder: str, parts: list[list[str]]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", WORK],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": folder},
        )
        self._send(parts)

    def _send(self, message: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def seconds(self, method: str, part: int) -> float:
        """Return the processor time of a method over one part of the texts."""
        self._send([method, part])
        assert self.process.stdout is not None
        return float(self.process.stdout.readline())


def started(folder: str, method: str) -> float:
    """Return the processor time of a fresh process up to the first keyphrase."""
    command, environment = [sys.executable, "-c", START.format(method)], os.environ | {"PYTHONPATH": folder}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # what is installed has its byte code
    return float(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment).stdout)


def main() -> None:
    options = parser(__doc__, data=False, pattern="inspec_train.jsonl.gz", documents=400)
    options.add_argument("builds", nargs="+", metavar="NAME=FOLDER", help="the others are compared with the first")
    options.add_argument("--methods", default="learned,yake,textrank", help="(default: %(default)s)")
    options.add_argument("--rounds", type=int, default=20, help="of all builds (default: %(default)s)")
    given = options.parse_args()
    builds = dict(one.split("=", 1) for one in given.builds)
    documents = texts(given.data, given.pattern, given.documents)
    workers = {name: Worker(folder, [documents[i::PARTS] for i in range(PARTS)]) for name, folder in builds.items()}
    rows = MarkdownRows(
        "per second", *builds, *(f"{name} / {next(iter(builds))}" for name in list(builds)[1:]), name="builds"
    )

    def add(what: str, speeds: list[float]) -> None:
        rows.add(what, *(f"{one:,.1f}" for one in speeds), *(f"{one / speeds[0]:.3f}" for one in speeds[1:]))

    for method in START_UP:
        times = [[started(folder, method) for folder in builds.values()] for _ in range(given.rounds)]
        add(f"start-up, {method}", [1 / min(taken) for taken in zip(*times, strict=True)])
    for method in given.methods.split(","):
        best: dict[tuple[str, int], float] = defaultdict(lambda: inf)
        for _ in range(given.rounds + 1):  # the first meets the words
            for part in range(PARTS):
                for name, worker in workers.items():
                    best[name, part] = min(best[name, part], worker.seconds(method, part))
        add(method, [len(documents) / sum(best[name, part] for part in range(PARTS)) for name in builds])
    write_figures(given.figures)


if __name__ == "__main__":
    main()
