"""The regression guard: whether methods have become slower than they were, on any machine and under any load.

    python benchmarks/guard.py            compare with baseline.json; the exit code is 1 if something is slower
    python benchmarks/guard.py --write    make the baseline anew, when a change of speed is meant

Two things are held against the baseline, for the text that ships with the package:

- `calls`: how many functions one extraction calls, of Python and of C. The same on every machine and under every load;
  says nothing of what happens inside a kernel.
- `ratio`: processor time, as a multiple of that of a fixed piece of Python that runs beside it, the best of many
  rounds. What looks slower is measured again before it is said: noise passes, a slower method does not.
"""

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import phrasemill as pm
from phrasemill.kernels import is_compiled, tokens
from phrasemill.pipeline import build
from phrasemill.text.analyse import analyse

BASELINE = Path(__file__).with_name("baseline.json")
METHODS = (
    *("firstphrases", "kpminer", "learned", "multipartiterank", "positionrank", "rake", "singlerank"),
    *("textrank", "tfidf", "topicalpagerank", "topicrank", "yake"),
)
# A slip that matters is larger; ten runs on two cores under a load of seven stayed below 1.2.
CALLS_MARGIN, RATIO_MARGIN = 1.15, 1.6
# What looks so much slower is measured again: noise passes.
SUSPECT, TRIES = 1.2, 4
ROUNDS, BATCH = 25, 8

Work = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Finding:
    """One figure beside the baseline's."""

    name: str
    what: str
    was: float
    now: float

    @property
    def factor(self) -> float:
        return self.now / self.was

    @property
    def slower(self) -> bool:
        return self.factor > (CALLS_MARGIN if self.what == "calls" else RATIO_MARGIN)

    def __str__(self) -> str:
        said = "  SLOWER" if self.slower else ""
        return f"{self.name:18} {self.what:6} {self.was:10,.2f} {self.now:10,.2f}  {self.factor:5.2f} ×{said}"


def works() -> dict[str, Work]:
    """What is measured, by name; everything that is loaded once is loaded here."""
    text = (Path(pm.__file__).parent / "data" / "example.txt").read_text(encoding="utf-8")
    found: dict[str, Work] = {"analysis": lambda: analyse(text)}
    for name in METHODS:
        found[name] = _extraction(name, text)
    found["evaluation"] = _evaluation(text)
    for work in found.values():
        work()
    return found


def _extraction(name: str, text: str) -> Work:
    method, document = build(name), pm.Document("guard", text)
    return lambda: method.extract(document)


def _evaluation(text: str) -> Work:
    phrases = [keyphrase.text for keyphrase in pm.extract(text, method="textrank", top=20)]
    gold = {str(i): phrases[i : i + 8] for i in range(8)}
    lists = {str(i): phrases for i in range(8)}
    return lambda: pm.evaluate(lists, gold, metrics=["F1@5", "F1@10"])


def reference() -> int:
    """A fixed piece of work that has nothing of ours in it: words, counts, sorting, arithmetic."""
    counts: dict[str, int] = {}
    for word in re.findall(r"[a-z]+", REFERENCE_TEXT):
        counts[word] = counts.get(word, 0) + 1
    order = sorted(counts, key=lambda word: (-counts[word], word))
    total = 0.0
    for i, word in enumerate(order):
        for j in range(12):
            total += counts[word] / (i + j + 1)
    return int(total) + len(order)


REFERENCE_TEXT = " ".join(
    f"w{chr(97 + i % 26)}{chr(97 + i * 7 % 26)} common {chr(97 + i * 11 % 26)}x" for i in range(700)
)


def calls(work: Work) -> int:
    """Functions called, of Python and of C, in one go after one that filled the caches."""
    work()
    count = 0

    def hear(frame: object, event: str, argument: object) -> None:
        nonlocal count
        if event in ("call", "c_call"):
            count += 1

    sys.setprofile(hear)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def ratio(work: Work, rounds: int = ROUNDS) -> float:
    """Processor time as a multiple of the reference's; both take turns, and the fastest of each counts."""
    best, beside = float("inf"), float("inf")
    for _ in range(rounds):
        start = process_time()
        reference()
        middle = process_time()
        for _ in range(BATCH):
            work()
        end = process_time()
        best, beside = min(best, (end - middle) / BATCH), min(beside, middle - start)
    return best / beside


def compare(found: Mapping[str, Work], baseline: Mapping[str, Mapping[str, float]]) -> Iterator[Finding]:
    """Each figure of the baseline beside today's; what looks slower is measured again before it is said."""
    for name, figures in baseline.items():
        yield Finding(name, "calls", figures["calls"], calls(found[name]))
        finding = Finding(name, "ratio", figures["ratio"], ratio(found[name]))
        for _ in range(TRIES - 1):
            if finding.factor > SUSPECT:
                again = Finding(name, "ratio", figures["ratio"], ratio(found[name]))
                finding = min(finding, again, key=lambda one: one.now)
        yield finding


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="make the baseline anew")
    options = parser.parse_args(arguments)
    if not is_compiled(tokens):
        print("kernels are interpreted here, and the baseline is of compiled ones: nothing to compare")
        return 0
    found = works()
    if options.write:
        made = {
            name: {"calls": calls(work), "ratio": round(ratio(work, 4 * ROUNDS), 4)} for name, work in found.items()
        }
        BASELINE.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
        print(f"{len(made)} figures written to {BASELINE.name}")
        return 0
    findings = list(compare(found, json.loads(BASELINE.read_text(encoding="utf-8"))))
    print("what               figure        was        now  factor", *findings, sep="\n")
    slower = [finding for finding in findings if finding.slower]
    for one in slower:
        print(f"{one.name} is slower than it was: {one.factor:.2f} × the {one.what} of the baseline", file=sys.stderr)
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
