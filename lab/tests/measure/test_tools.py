"""Other people's tools beside ours, as far as that goes without them; and the guard against more work."""

import gzip
import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from phrasemill.catalogue import METHODS
from phrasemill.cli import run
from phrasemill_lab.measure import guard
from phrasemill_lab.measure.tools import adapters, compare
from phrasemill_lab.measure.tools.environments import TOOLS


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_is_pinned_and_does_what_a_method_of_ours_does(name: str) -> None:
    said = TOOLS[name]
    assert callable(getattr(adapters, name)) and said.title.replace(" ", "==") in (*said.requirements, *said.alone)
    assert all(re.fullmatch(r"[\w-]+==[\d.]+", one) for one in (*said.requirements, *said.alone))
    assert set(said.variants.values()) <= set(METHODS.names()) and said.licence


def test_every_method_is_measured_but_those_that_need_hours_or_a_server() -> None:
    assert set(METHODS.names()) - set(compare.ours()) == {"catseq", "copyrnn", "llm"}


def test_what_runs_has_ratios_and_what_cannot_is_a_row_that_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The stand-in for `multi-rake` stops at texts that say so."""
    package, bin_ = tmp_path / "stand-in", tmp_path / "multi_rake" / "bin"
    package.mkdir()
    bin_.mkdir(parents=True)
    stop = "        if 'STOP' in text:\n            raise SystemError('too much for me')\n"
    code = "class Rake:\n    def __init__(self, language_code):\n        pass\n    def apply(self, text):\n"
    code += f"{stop}        return [(word, 1) for word in text.split()[:3]]\n"
    (package / "multi_rake.py").write_text(code, encoding="utf-8")
    (bin_ / "python").write_text(f'#!/bin/sh\nPYTHONPATH="{package}" exec "{sys.executable}" "$@"\n', "utf-8")
    (bin_ / "python").chmod(0o755)
    salt = {"title": "Salt", "text": "Salt water moves", "keyphrases": ["salt", "moves"]}
    files = ("inspec_train", "duc2001", "pubmedake_sample1000", "krapivin_train")
    for name in files:
        record = salt | ({"text": "STOP"} if name == "krapivin_train" else {})
        (tmp_path / f"{name}.jsonl.gz").write_bytes(gzip.compress(json.dumps(record).encode()))
    words = ["measure", "tools", "multi_rake", "yake", "--data", str(tmp_path), "--cache", str(tmp_path)]
    words += ["--methods", "rake", "--documents", "2", "--rounds", "1", "--format", "json", "-o", str(tmp_path)]
    assert run(words) == 0
    ours, tools = (json.loads(one) for one in re.split(r"(?<=\])\n(?=\[)", capsys.readouterr().out))
    assert ours[0]["method"] == "rake" and ours[0]["abstracts, per s"] > 0
    found = {row["tool"]: row for row in tools}
    assert found["yake 0.7.3"]["ours"] == "not installed: phrasemill measure tools install yake"
    assert found["multi-rake 0.0.2"]["ours"] == "rake" and found["multi-rake 0.0.2"]["abstracts"] > 0
    assert found["multi-rake 0.0.2"]["papers, per s"] == "SystemError: too much for me"
    assert found["multi-rake 0.0.2"]["DUC-2001"] == 50
    assert (tmp_path / "speed.csv").exists() and (tmp_path / "extractors.csv").exists()


def test_methods_do_no_more_work_than_the_baseline(capsys: pytest.CaptureFixture[str]) -> None:
    """In calls, and in instructions where these can be compared; `phrasemill measure guard --write` accepts more."""
    code, shown = run(["measure", "guard"]), capsys.readouterr()
    assert code == 0 and "learned" in shown.out, shown.out


def test_more_work_is_noticed() -> None:
    def work() -> int:
        return sum(i * i for i in range(300))

    once = guard.calls(work)
    assert guard.calls(work) == once, "the count is always the same"
    (more,) = guard.compare("calls", {"work": guard.calls(lambda: [work() for _ in range(4)])}, {"work": once})
    (same,) = guard.compare("calls", {"work": once, "new": 1}, {"work": once})
    assert more["verdict"] == "more" and not same["verdict"]


def test_every_method_has_a_baseline() -> None:
    """But those that run models of other people."""
    baseline = json.loads(guard.BASELINE.read_text(encoding="utf-8"))
    assert set(METHODS.names()) - set(baseline["calls"]) == {"bertkpe", "llm", "summarise"}
    assert set(baseline["calls"]) - set(baseline["instructions"]) == set(guard.NETWORKS)


def test_instructions_are_compared_only_with_those_of_the_same_compilers() -> None:
    assert guard.why_not("another; toolchain")
    if shutil.which("valgrind"):
        assert not guard.why_not(guard.toolchain())
