"""How fast checkouts of this project are beside each other: documents per second of some methods, and start-up.

    python benchmarks/builds_in_turns.py before=../old/src after=src --data DIR [--methods learned,yake] [--rounds 3]

Each build is a folder to import from, with its kernels compiled (`python setup.py build_ext --inplace`). The builds
take turns, each in fresh processes, and the best pass of each counts, so that other work on the machine matters little.
"""

import json
import os
import subprocess
import sys
from collections import defaultdict

from phrasemill.lab.bench.corpora import texts
from phrasemill.lab.bench.scripts import MarkdownRows, parser

# Runs in every build, so it calls nothing but what all of them have.
WORK = """
import json, sys, time
start = time.perf_counter()
import phrasemill
phrasemill.extract("Graph theory of large graphs.")
found = {"start-up": 1 / (time.perf_counter() - start)}
methods, passes, texts = json.load(sys.stdin)
for method in methods:
    best = float("inf")
    for _ in range(passes):
        start = time.perf_counter()
        for _ in phrasemill.extract_batch(texts, method=method):
            pass
        best = min(best, time.perf_counter() - start)
    found[method] = len(texts) / best
print(json.dumps(found))
"""


def measured(folder: str, asked: str) -> dict[str, float]:
    """Return what one fresh process of a build does per second."""
    command, environment = [sys.executable, "-c", WORK], os.environ | {"PYTHONPATH": folder}
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=True, env=environment)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> None:
    options = parser(__doc__, data=False, pattern="inspec_train.jsonl.gz", documents=60)
    options.add_argument("builds", nargs="+", metavar="NAME=FOLDER", help="the others are compared with the first")
    options.add_argument("--methods", default="learned,yake,textrank", help="(default: %(default)s)")
    options.add_argument("--passes", type=int, default=100, help="per process (default: %(default)s)")
    options.add_argument("--rounds", type=int, default=3, help="of all builds (default: %(default)s)")
    given = options.parse_args()
    builds = dict(one.split("=", 1) for one in given.builds)
    documents = texts(given.data, given.pattern, given.documents)
    asked = json.dumps([given.methods.split(","), given.passes, documents])
    best: dict[str, dict[str, float]] = defaultdict(dict)
    for number in range(given.rounds):
        for name in list(builds)[:: -1 if number % 2 else 1]:
            for what, speed in measured(builds[name], asked).items():
                best[what][name] = max(speed, best[what].get(name, 0.0))
    first = next(iter(builds))
    rows = MarkdownRows("per second, best", *builds, *(f"{name} / {first}" for name in list(builds)[1:]))
    for what, speeds in best.items():
        ratios = [f"{speeds[name] / speeds[first]:.3f}" for name in list(builds)[1:]]
        rows.add(what, *(f"{speeds[name]:,.1f}" for name in builds), *ratios)


if __name__ == "__main__":
    main()
