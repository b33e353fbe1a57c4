"""How fast texts are whose words the process has not met, beside the same texts read again.

    python benchmarks/new_words.py --data DIR [--methods learned,yake] [--rounds 5] [NAME=FOLDER …]

Besides methods there is `analysis`, what comes before any of them. Each round is a fresh process that reads one text to
load models, then all texts twice. Processor time counts, of the fastest round. With folders to import from, their
builds take turns; by default the one that runs this is measured.
"""

import json
import os
import subprocess
import sys

from phrasemill.lab.bench.corpora import texts
from phrasemill.lab.bench.scripts import MarkdownRows, parser, write_figures

# Runs in every build, so it calls nothing but what all of them have.
WORK = """
import json, sys, time
import phrasemill
from phrasemill.text.analyse import analyse
method, texts = json.load(sys.stdin)
def read(texts):
    if method == "analysis":
        for text in texts:
            analyse(text, language="en")
    else:
        for _ in phrasemill.extract_batch(texts, method=method):
            pass
read(["Graph theory of large graphs."])
for _ in range(2):
    start = time.process_time()
    read(texts)
    print(time.process_time() - start)
"""


def seconds(folder: str, asked: str) -> tuple[float, float]:
    """Return the processor time of a first and of a second reading, in a fresh process of a build."""
    environment = os.environ | {"PYTHONPATH": folder} if folder else None
    command = [sys.executable, "-c", WORK]
    done = subprocess.run(command, input=asked, stdout=subprocess.PIPE, text=True, check=True, env=environment)
    first, second = map(float, done.stdout.split())
    return first, second


def main() -> None:
    options = parser(__doc__, data=False, pattern="inspec_train.jsonl.gz", documents=300)
    options.add_argument("builds", nargs="*", metavar="NAME=FOLDER", default=["this="])
    options.add_argument("--methods", default="analysis,learned,tfidf,textrank", help="(default: %(default)s)")
    options.add_argument("--rounds", type=int, default=5, help="(default: %(default)s)")
    given = options.parse_args()
    builds = dict(one.split("=", 1) for one in given.builds)
    documents = texts(given.data, given.pattern, given.documents)
    print(f"{len(documents)} documents of {given.pattern}, per second\n")
    rows = MarkdownRows("method", "build", "words are new", "read again", "times as long", name="methods", keys=2)
    for method in given.methods.split(","):
        asked = json.dumps([method, documents])
        taken = [[seconds(folder, asked) for folder in builds.values()] for _ in range(given.rounds)]
        for name, each in zip(builds, zip(*taken, strict=True), strict=True):
            first, second = (min(column) for column in zip(*each, strict=True))
            rates = (f"{len(documents) / one:,.0f}" for one in (first, second))
            rows.add(f"`{method}`" if method != "analysis" else method, name, *rates, f"{first / second:.2f}")
    write_figures(given.figures, note=f"{len(documents)} documents of {given.pattern}; processor time, fastest round")


if __name__ == "__main__":
    main()
