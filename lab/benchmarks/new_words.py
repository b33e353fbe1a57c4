"""How fast texts are whose words the process has not met, beside the same texts read again.

    python lab/benchmarks/new_words.py --data DIR [--methods learned,yake] [--rounds 5] [NAME=FOLDER …]

Besides methods there is `analysis`, what comes before any of them. Each round is a fresh process that reads one text to
load models, then `--documents` texts, in which nearly every word is new, then as many others, in which only some words
are new, as in a stream; then all of them again. Processor time counts, of the fastest round. With folders to import
from, their builds take turns; by default the one that runs this is measured.
"""

import json
import os
import subprocess
import sys

from phrasemill_lab.bench.corpora import texts
from phrasemill_lab.bench.scripts import MarkdownRows, parser, write_figures

# Runs in every build, so it calls nothing but what all of them have.
WORK = """
import json, sys, time
import phrasemill
from phrasemill.text.analyse import analyse
method, *halves = json.load(sys.stdin)
def read(texts):
    if method == "analysis":
        for text in texts:
            analyse(text, language="en")
    else:
        for _ in phrasemill.extract_batch(texts, method=method):
            pass
read(["Graph theory of large graphs."])
for texts in 2 * halves:
    start = time.process_time()
    read(texts)
    print(time.process_time() - start)
"""
COLUMNS = ("first texts", "later texts", "read again", "first, times as long", "later, times as long")


def seconds(folder: str, asked: str) -> list[float]:
    """Return the processor time of the first texts, of the later ones, and of both again, in a fresh process."""
    environment = os.environ | {"PYTHONPATH": folder} if folder else None
    command = [sys.executable, "-c", WORK]
    done = subprocess.run(command, input=asked, stdout=subprocess.PIPE, text=True, check=True, env=environment)
    return list(map(float, done.stdout.split()))


def main() -> None:
    options = parser(__doc__, data=False, pattern="inspec_train.jsonl.gz", documents=300)
    options.add_argument("builds", nargs="*", metavar="NAME=FOLDER", default=["this="])
    options.add_argument("--methods", default="analysis,learned,tfidf,textrank", help="(default: %(default)s)")
    options.add_argument("--rounds", type=int, default=5, help="(default: %(default)s)")
    given = options.parse_args()
    builds = dict(one.split("=", 1) for one in given.builds)
    found = texts(given.data, given.pattern, 2 * given.documents)
    half = len(found) // 2
    print(f"{half} documents of {given.pattern}, then {half} others, per second\n")
    rows = MarkdownRows("method", "build", *COLUMNS, name="methods", keys=2)
    for method in given.methods.split(","):
        asked = json.dumps([method, found[:half], found[half : 2 * half]])
        taken = [[seconds(folder, asked) for folder in builds.values()] for _ in range(given.rounds)]
        for name, each in zip(builds, zip(*taken, strict=True), strict=True):
            first, later, first_again, later_again = (min(column) for column in zip(*each, strict=True))
            rates = (f"{half / one:,.0f}" for one in (first, later, later_again))
            ratios = (f"{first / first_again:.2f}", f"{later / later_again:.2f}")
            rows.add(f"`{method}`" if method != "analysis" else method, name, *rates, *ratios)
    write_figures(
        given.figures, note=f"{half} documents of {given.pattern}, then {half} others; processor time, fastest round"
    )


if __name__ == "__main__":
    main()
