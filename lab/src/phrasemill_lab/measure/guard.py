"""The regression guard: whether an extraction does more work than it did, on any machine and under any load.

The baseline (lab/baseline.json) holds how many functions of Python and of C one extraction from the text that ships
with the package calls, by every method but those that run other people's models (bertkpe, llm, summarise); and, for
those without a neural network, how many instructions it takes, kernels included. Calls are the same on every machine
and under every load. Instructions are compared where Valgrind is installed and Python, NumPy and compilers are those of
the baseline; elsewhere a line says why they are not. Methods that need a model have the small ones of the tests.
"""

import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import numpy

import phrasemill as pm
from phrasemill.errors import ConfigError, PhrasemillError
from phrasemill.kernels import tokens
from phrasemill.ranker import build
from phrasemill.text.analyse import analyse
from phrasemill_lab.measure import CHECKOUT, Report, Row, table
from phrasemill_lab.measure.fresh import EXAMPLE, environment, last_line

BASELINE = CHECKOUT / "baseline.json"
TESTS = CHECKOUT.parent / "tests"
METHODS = (
    *("firstphrases", "kpminer", "learned", "multipartiterank", "positionrank", "rake", "singlerank"),
    *("textrank", "tfidf", "topicalpagerank", "topicrank", "yake"),
)
# Their instructions are those of ONNX Runtime and of matrix products in NumPy.
NETWORKS = ("catseq", "catseqd", "copyrnn", "embedrank", "encoder", "generator", "mderank")
GERMAN = "Das Grundwasser der Küstenebene wird salzig, weil die Brunnen mehr Grundwasser fördern, als der Regen bringt."
MARGIN = 1.15
# Callgrind writes its count, and begins anew, whenever the process calls this, which nothing else here does.
MARK = "getpgid"
MARKED = "import json, sys; from phrasemill_lab.measure.guard import mark; mark(json.loads(sys.argv[1]))"
COMPILER, CYTHON = re.compile(rb"(?:GCC: |clang version )[^\0]+"), re.compile(rb"cython_\d+_\d+_\d+")
SUMMARY = re.compile(r"^(?:totals|summary): (\d+)", re.MULTILINE)

Work: TypeAlias = Callable[[], object]
Counts: TypeAlias = dict[str, int]


def check(*, write: bool) -> Report:
    """Return what every piece of work takes beside the baseline, which is written anew first with `write`."""
    if not TESTS.is_dir():
        raise ConfigError("measure guard reads the models of the tests: it runs in a checkout")
    baseline: dict[str, Any] = {} if write else json.loads(BASELINE.read_text(encoding="utf-8"))
    with TemporaryDirectory() as folder:
        specs = _specs_with(Path(folder))
        now = {"calls": {name: calls(work) for name, work in works(specs).items()}}
        if not (reason := why_not(baseline.get("toolchain", ""))):
            plain = {name: spec for name, spec in specs.items() if name not in NETWORKS}
            now["instructions"] = _instructions(plain, [name for name in now["calls"] if name not in NETWORKS])
    if write:
        baseline = {"toolchain": toolchain(), **now}
        BASELINE.write_text(json.dumps(baseline, indent=1) + "\n", encoding="utf-8")
    rows = [row for what, counts in now.items() for row in compare(what, counts, baseline[what])]
    remarks = [f"instructions are not compared: {reason}"] if reason else []
    shown = [table("Work of one extraction beside the baseline", rows)]
    return Report("guard", rows, shown, any(row["verdict"] for row in rows), remarks)


def compare(what: str, now: Mapping[str, int], baseline: Mapping[str, int]) -> list[Row]:
    """Return a row for each piece of work of the baseline; what cannot run here is left out."""
    rows: list[Row] = []
    for name, was in baseline.items():
        if name in now:
            factor = now[name] / was
            row: Row = {"work": name, "what": what, "was": was, "now": now[name], "factor": factor}
            rows.append(row | {"verdict": "more" if factor > MARGIN else ""})
    return rows


def works(specs: Mapping[str, str]) -> dict[str, Work]:
    """Return what is measured, by name; everything that is loaded once is loaded here."""
    text = EXAMPLE.read_text(encoding="utf-8")
    found: dict[str, Work] = {"analysis": lambda: analyse(text)}
    for name, spec in specs.items():
        found[name] = _extraction(spec, pm.Document("guard", text))
    found["learned, German"] = _extraction("learned", pm.Document("guard", GERMAN, language="de"))
    phrases = [keyphrase.text for keyphrase in pm.extract(text, method="textrank", top=20)]
    gold = {str(i): phrases[i : i + 8] for i in range(8)}
    lists = dict.fromkeys(gold, phrases)
    found["evaluation"] = lambda: pm.evaluate(lists, gold, metrics=["F1@5", "F1@10"])
    for work in found.values():
        work()
    return found


def _extraction(spec: str, document: pm.Document) -> Work:
    method = build(spec)
    return lambda: method.extract(document)


def _specs_with(folder: Path) -> dict[str, str]:
    """Return the specs of all methods that can be guarded here, with small models in `folder` where one is needed."""
    found = {name: name for name in METHODS}
    with suppress(ImportError):
        import onnxruntime  # noqa: F401

        found |= {name: name for name in ("encoder", "generator")}
    sys.path[:0] = [str(CHECKOUT / "tests"), str(TESTS)]
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


def toolchain() -> str:
    """Return what decides how many instructions the same source takes: processor, Python, NumPy and compilers."""
    kernel = Path(str(tokens.__file__)).read_bytes()
    built = [found[0].decode() if (found := one.search(kernel)) else "" for one in (COMPILER, CYTHON)]
    python = f"Python {platform.python_version()}, {platform.python_compiler()}"
    return "; ".join([platform.machine(), python, f"NumPy {numpy.__version__}", *built])


def why_not(wanted: str = "") -> str:
    """Return why instructions cannot be counted here, or compared with those of a toolchain; nothing if they can."""
    if not hasattr(os, MARK) or shutil.which("valgrind") is None:
        return "Valgrind is not installed"
    return "another Python, NumPy or compiler made the baseline" if wanted and wanted != toolchain() else ""


def mark(specs: Mapping[str, str]) -> None:
    """Do each piece of work twice, with a mark before and after the second: the first fills the caches."""
    for work in works(specs).values():
        work()
        os.getpgid(0)
        work()
        os.getpgid(0)


def _instructions(specs: Mapping[str, str], names: Sequence[str]) -> Counts:
    """Return the instructions of what one process under Valgrind's Callgrind marks: the same under any load.

    Memory addresses, which decide about collisions, are fixed as far as the hash seed of Python goes; what is left
    moves the counts by less than a hundredth.
    """
    with TemporaryDirectory() as folder:
        counts = Path(folder) / "counts"
        valgrind = ["valgrind", "--tool=callgrind", f"--dump-before={MARK}", f"--callgrind-out-file={counts}"]
        command = [*valgrind, sys.executable, "-c", MARKED, json.dumps(specs)]
        variables = environment() | {"PYTHONHASHSEED": "0"}
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=variables)
        if done.returncode:
            raise PhrasemillError(last_line(done.stderr, done.returncode))
        # Dump 1 ends before the second run of the first piece of work, dump 2 after it, and so on.
        dumps = [Path(f"{counts}.{2 * number}").read_text("utf-8") for number in range(1, len(names) + 1)]
        totals = [SUMMARY.search(dump) for dump in dumps]
        if None in totals:
            raise PhrasemillError("Callgrind wrote no total")
        return {name: int(found[1]) for name, found in zip(names, totals, strict=True) if found}
