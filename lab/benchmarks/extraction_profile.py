"""Where the time of `learned` and `tfidf` goes, step by step, beside what no extraction in Python can do without.

    python lab/benchmarks/extraction_profile.py --data DIR

Processor time of one core, the best of many rounds for each part of the texts; all steps take turns. A step alone finds
its tables and code still in the fastest memory, where the whole finds them displaced by the steps between: the
difference has a row of its own.
"""

import time
from collections.abc import Callable
from functools import partial
from itertools import pairwise

from phrasemill.methods.learned import Learned
from phrasemill.methods.learned.model import shipped_model
from phrasemill.methods.styles import GENERAL
from phrasemill.methods.tfidf import TfIdf
from phrasemill.pipeline import Ranker
from phrasemill.selection import select
from phrasemill.text.analyse import analyse
from phrasemill_lab.bench.corpora import texts
from phrasemill_lab.bench.scripts import MarkdownRows, parser, write_figures

ROUNDS, PARTS = 20, 10
FLOOR, WHOLE = "floor: ", "whole: "

Step = Callable[[int], object]


def floor(documents: list[str]) -> dict[str, Step]:
    """Return the least work: decode the bytes, split at white space, look each piece up in a dictionary."""
    raw = [document.encode() for document in documents]
    known = {piece: len(piece) for document in documents for piece in document.split()}
    return {
        f"{FLOOR}decode the bytes": lambda i: raw[i].decode(),
        f"{FLOOR}split at spaces": lambda i: documents[i].split(),
        f"{FLOOR}split, and look each piece up": lambda i: list(map(known.get, documents[i].split())),
    }


def steps(method: Ranker, documents: list[str]) -> dict[str, Step]:
    """Return what `Ranker.extract` does, each step on what the step before made."""
    read = partial(analyse, tag=method.reads_tags)
    analyses = [read(document) for document in documents]
    candidates = [method.propose(analysis) for analysis in analyses]
    scores = [method.score(some) for some in candidates]
    selection = method.selection(10, None, (), None)
    found: dict[str, Step] = {
        "analysis": lambda i: read(documents[i]),
        "candidates": lambda i: method.propose(analyses[i]),
    }
    if isinstance(method, Learned):
        model = shipped_model()
        rows = [model.rows(some) for some in candidates]
        found["features"] = lambda i: model.rows(candidates[i])
        found["trees"] = lambda i: model.trees.probabilities(rows[i], model.mixture(analyses[i], GENERAL))
    else:
        found["scores"] = lambda i: method.score(candidates[i])
    found["selection"] = lambda i: select(candidates[i], scores[i], selection)
    return found | {f"{WHOLE}text in, phrases out": lambda i: method.extract(documents[i])}


def measure(todo: dict[str, Step], count: int) -> dict[str, float]:
    """Return the microseconds per document of each step."""
    bounds = list(pairwise([count * part // PARTS for part in range(PARTS + 1)]))
    best = {(name, begin): float("inf") for name in todo for begin, _ in bounds}
    for _ in range(ROUNDS):
        for begin, end in bounds:
            for name, step in todo.items():
                start = time.process_time()
                for i in range(begin, end):
                    step(i)
                best[name, begin] = min(best[name, begin], time.process_time() - start)
    return {name: sum(best[name, begin] for begin, _ in bounds) / count * 1e6 for name in todo}


def main() -> None:
    options = parser(__doc__, data=False, pattern="inspec_train.jsonl.gz", documents=1000).parse_args()
    documents = texts(options.data, options.pattern, options.documents)
    for method in (Learned(), TfIdf()):
        todo = floor(documents) | steps(method, documents)
        taken = measure(todo, len(documents))
        whole = next(value for name, value in taken.items() if name.startswith(WHOLE))
        parts = sum(value for name, value in taken.items() if not name.startswith((FLOOR, WHOLE)))
        taken["between the steps"] = whole - parts
        print(f"\n{method}, {len(documents)} documents\n")
        rows = MarkdownRows("step", "µs/document", "share", name=str(method))
        for name, value in taken.items():
            rows.add(name, f"{value:.1f}", f"{value / whole:.0%}")
    write_figures(options.figures)


if __name__ == "__main__":
    main()
