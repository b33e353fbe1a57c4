"""The regression guard: whether an extraction does more work than it did, on any machine and under any load.

    python benchmarks/guard.py            compare with baseline.json; the exit code is 1 if there are more calls
    python benchmarks/guard.py --write    write a new baseline, when a change is intended

The baseline holds how many functions one extraction from the text that ships with the package calls, of Python and of
C. The count is the same on every machine and under every load. It does not show what happens inside a kernel:
`analysis_speed.py`, `extraction_profile.py` and `methods_speed.py` measure time.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import phrasemill as pm
from phrasemill.kernels import is_compiled, tokens
from phrasemill.lab.bench.corpora import EXAMPLE
from phrasemill.lab.bench.scripts import parser
from phrasemill.pipeline import build
from phrasemill.text.analyse import analyse

BASELINE = Path(__file__).with_name("baseline.json")
METHODS = (
    *("firstphrases", "kpminer", "learned", "multipartiterank", "positionrank", "rake", "singlerank"),
    *("textrank", "tfidf", "topicalpagerank", "topicrank", "yake"),
)
MARGIN = 1.15

Work = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Finding:
    """The calls of one piece of work beside the baseline's."""

    name: str
    was: int
    now: int

    @property
    def factor(self) -> float:
        return self.now / self.was

    @property
    def more(self) -> bool:
        return self.factor > MARGIN

    def __str__(self) -> str:
        return f"{self.name:18} {self.was:10,} {self.now:10,}  {self.factor:5.2f} ×{'  MORE' if self.more else ''}"


def works() -> dict[str, Work]:
    """Return what is measured, by name; everything that is loaded once is loaded here."""
    text = EXAMPLE.read_text(encoding="utf-8")
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


def calls(work: Work) -> int:
    """Return how many functions of Python and of C a second run calls, after one that fills the caches."""
    work()
    count = 0

    def count_call(frame: object, event: str, argument: object) -> None:
        nonlocal count
        if event in ("call", "c_call"):
            count += 1

    sys.setprofile(count_call)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def compare(found: Mapping[str, Work], baseline: Mapping[str, int]) -> Iterator[Finding]:
    """Yield each figure of the baseline beside today's."""
    for name, was in baseline.items():
        yield Finding(name, was, calls(found[name]))


def main(arguments: list[str] | None = None) -> int:
    options = parser(__doc__, data=False, measures=False)
    options.add_argument("--write", action="store_true", help="write a new baseline")
    given = options.parse_args(arguments)
    if not is_compiled(tokens):
        print("kernels are interpreted here, and the baseline is of compiled ones: nothing to compare")
        return 0
    found = works()
    if given.write:
        made = {name: calls(work) for name, work in found.items()}
        BASELINE.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
        print(f"{len(made)} figures written to {BASELINE.name}")
        return 0
    findings = list(compare(found, json.loads(BASELINE.read_text(encoding="utf-8"))))
    print("calls of                  was        now  factor", *findings, sep="\n")
    more = [finding for finding in findings if finding.more]
    for one in more:
        print(f"{one.name} makes {one.factor:.2f} × the calls of the baseline", file=sys.stderr)
    return 1 if more else 0


if __name__ == "__main__":
    sys.exit(main())
