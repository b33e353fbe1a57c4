"""The regression guard: whether an extraction does more work than it did, on any machine and under any load.

    python lab/benchmarks/guard.py            compare with baseline.json; the exit code is 1 if there is more work
    python lab/benchmarks/guard.py --write    write a new baseline, when a change is intended

The baseline holds how many functions of Python and of C one extraction from the text that ships with the package calls,
by every method but those that run other people's models (bertkpe, llm, summarise); and, for those without a neural
network, how many instructions it takes, kernels included (`instructions.py`). Calls are the same on every machine and
under every load. Instructions are compared where Valgrind is installed and Python, NumPy and compilers are those of the
baseline; elsewhere a line says why they are not. Methods that need a model have the small ones of the tests.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import instructions
import phrasemill as pm
from phrasemill.pipeline import build
from phrasemill.text.analyse import analyse
from phrasemill_lab.bench.corpora import EXAMPLE
from phrasemill_lab.bench.scripts import parser

BASELINE = Path(__file__).with_name("baseline.json")
TESTS = Path(__file__).parents[2] / "tests"
METHODS = (
    *("firstphrases", "kpminer", "learned", "multipartiterank", "positionrank", "rake", "singlerank"),
    *("textrank", "tfidf", "topicalpagerank", "topicrank", "yake"),
)
# Their instructions are those of ONNX Runtime and of matrix products in NumPy.
NETWORKS = ("catseq", "catseqd", "copyrnn", "embedrank", "encoder", "generator", "mderank")
GERMAN = "Das Grundwasser der Küstenebene wird salzig, weil die Brunnen mehr Grundwasser fördern, als der Regen bringt."
MARGIN = 1.15

Work = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Finding:
    """The calls or instructions of one piece of work beside the baseline's."""

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
        return f"{self.name:18} {self.was:14,} {self.now:14,}  {self.factor:5.2f} ×{'  MORE' if self.more else ''}"


def works(specs: Mapping[str, str]) -> dict[str, Work]:
    """Return what is measured, by name; everything that is loaded once is loaded here."""
    text = EXAMPLE.read_text(encoding="utf-8")
    found: dict[str, Work] = {"analysis": lambda: analyse(text)}
    for name, spec in specs.items():
        found[name] = _extraction(spec, pm.Document("guard", text))
    found["learned, German"] = _extraction("learned", pm.Document("guard", GERMAN, language="de"))
    found["evaluation"] = _evaluation(text)
    for work in found.values():
        work()
    return found


def _extraction(spec: str, document: pm.Document) -> Work:
    method = build(spec)
    return lambda: method.extract(document)


def _evaluation(text: str) -> Work:
    phrases = [keyphrase.text for keyphrase in pm.extract(text, method="textrank", top=20)]
    gold = {str(i): phrases[i : i + 8] for i in range(8)}
    lists = {str(i): phrases for i in range(8)}
    return lambda: pm.evaluate(lists, gold, metrics=["F1@5", "F1@10"])


def specs_with(folder: Path) -> dict[str, str]:
    """Return the specs of all methods that can be guarded here, with small models in `folder` where one is needed."""
    found = {name: name for name in METHODS}
    with suppress(ImportError):
        import onnxruntime  # noqa: F401

        found |= {name: name for name in ("encoder", "generator")}
    sys.path.insert(0, str(TESTS))
    found |= import_module("tiny_models").make(folder)
    with suppress(ImportError):
        model = str(import_module("tiny_bert").make(folder))
        found |= {name: f"{name}(model={model!r})" for name in ("embedrank", "mderank")}
    with suppress(ImportError):
        found |= import_module("tiny_recurrent").make(folder)
    return found


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


def compare(now: Mapping[str, int], baseline: Mapping[str, int]) -> Iterator[Finding]:
    """Yield each figure of the baseline beside today's; what cannot run here is left out."""
    for name, was in baseline.items():
        if name in now:
            yield Finding(name, was, now[name])


def counted_calls(specs: Mapping[str, str]) -> dict[str, int]:
    return {name: calls(work) for name, work in works(specs).items()}


def main(arguments: list[str] | None = None) -> int:
    options = parser(__doc__, data=False, measures=False)
    options.add_argument("--write", action="store_true", help="write a new baseline")
    options.add_argument("--work", metavar="SPECS", help="what Valgrind runs: JSON of specs by name")
    given = options.parse_args(arguments)
    if given.work:
        instructions.mark(works(json.loads(given.work)))
        return 0
    toolchain = instructions.toolchain()
    with TemporaryDirectory() as folder:
        specs = specs_with(Path(folder))
        now = {"calls": counted_calls(specs)}
        baseline = {} if given.write else json.loads(BASELINE.read_text(encoding="utf-8"))
        why_not = instructions.why_not("" if given.write else baseline["toolchain"])
        if not why_not:
            plain = {name: spec for name, spec in specs.items() if name not in NETWORKS}
            names = [name for name in now["calls"] if name not in NETWORKS]
            now["instructions"] = instructions.counted(Path(__file__), plain, names)
    if given.write:
        BASELINE.write_text(json.dumps({"toolchain": toolchain, **now}, indent=1) + "\n", encoding="utf-8")
        print(f"written to {BASELINE.name}; instructions: {why_not or 'counted'}")
        return 0
    more = []
    for what, counts in now.items():
        findings = list(compare(counts, baseline[what]))
        print(f"{what:18} {'was':>14} {'now':>14}  factor", *findings, sep="\n")
        more += [f"{one.name} makes {one.factor:.2f} × the {what} of the baseline" for one in findings if one.more]
    if why_not:
        print(f"instructions are not compared: {why_not}")
    print(*more, sep="\n", end="\n" if more else "", file=sys.stderr)
    return 1 if more else 0


if __name__ == "__main__":
    sys.exit(main())
