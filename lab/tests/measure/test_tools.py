"""Other people's tools beside ours, as far as that goes without them; and the guard against more work."""

import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from phrasemill.cli import run
from phrasemill.registry import METHODS
from phrasemill_lab.measure import guard
from phrasemill_lab.measure.tools import compare, environments

ADAPTERS = environments.wanted([])


@pytest.mark.parametrize("name", ADAPTERS)
def test_an_adapter_pins_its_tool_and_names_methods_of_ours(name: str) -> None:
    said = ADAPTERS[name]
    assert all(re.fullmatch(r"[\w-]+==[\d.]+", one) for one in (*said.requirements, *said.alone))
    assert set(said.variants.values()) <= set(METHODS.names()) and said.licence


def test_every_method_is_measured_but_those_that_need_hours_or_a_server() -> None:
    assert set(METHODS.names()) - set(compare.ours()) == {"catseq", "copyrnn", "llm"}


def test_what_runs_has_ratios_and_what_cannot_is_a_row_that_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The stand-in for `summa` stops at texts that say so."""
    (tmp_path / "kex").mkdir()
    (tmp_path / "kex" / "failed.txt").write_text("gensim, which it requires, does not build", encoding="utf-8")
    package, bin_ = tmp_path / "stand-in" / "summa", tmp_path / "summa" / "bin"
    package.mkdir(parents=True)
    bin_.mkdir(parents=True)
    stop = "    if 'STOP' in text:\n        raise SystemError('too much for me')\n"
    code = f"def keywords(text, split):\n{stop}    return text.split()[:3]\n"
    (package / "keywords.py").write_text(code, encoding="utf-8")
    (bin_ / "python").write_text(f'#!/bin/sh\nPYTHONPATH="{package.parent}" exec "{sys.executable}" "$@"\n', "utf-8")
    (bin_ / "python").chmod(0o755)
    salt = {"title": "Salt", "text": "Salt water moves", "keyphrases": ["salt", "moves"]}
    files = ("inspec_train", "duc2001", "pubmedake_sample1000", "krapivin_train")
    for name in files:
        record = salt | ({"text": "STOP"} if name == "krapivin_train" else {})
        (tmp_path / f"{name}.jsonl.gz").write_text(json.dumps(record) + "\n", encoding="utf-8")
    words = ["measure", "tools", "summa", "kex", "yake", "--data", str(tmp_path), "--cache", str(tmp_path)]
    words += ["--methods", "textrank", "--documents", "2", "--rounds", "1", "--format", "json", "-o", str(tmp_path)]
    assert run(words) == 0
    ours, tools = (json.loads(one) for one in re.split(r"(?<=\])\n(?=\[)", capsys.readouterr().out))
    assert ours[0]["method"] == "textrank" and ours[0]["abstracts, per s"] > 0
    found = {row["tool"]: row for row in tools}
    assert found["kex 2.0.6"]["ours"] == "not installed: gensim, which it requires, does not build"
    assert found["yake 0.7.3"]["ours"] == "not installed: phrasemill measure tools install yake"
    assert found["summa 1.2.0"]["ours"] == "textrank" and found["summa 1.2.0"]["abstracts"] > 0
    assert found["summa 1.2.0"]["papers, per s"] == "SystemError: too much for me"
    assert found["summa 1.2.0"]["DUC-2001"] == 50
    assert (tmp_path / "speed.csv").exists() and (tmp_path / "extractors.csv").exists()


def test_a_failed_installation_is_a_short_reason() -> None:
    assert environments.reason("WARNING: slow\nERROR: no space left\n") == "no space left"


def test_methods_do_no_more_work_than_the_baseline(capsys: pytest.CaptureFixture[str]) -> None:
    """In calls, and in instructions where these can be compared; `phrasemill measure guard --write` accepts more."""
    assert run(["measure", "guard"]) == 0, capsys.readouterr().err
    assert "learned" in capsys.readouterr().out


def test_more_work_is_noticed() -> None:
    def work() -> int:
        return sum(i * i for i in range(300))

    once = guard.calls(work)
    assert guard.calls(work) == once, "the count is always the same"
    (line,) = guard.compare("calls", {"work": guard.calls(lambda: [work() for _ in range(4)])}, {"work": once})
    assert line.startswith("work makes ") and not guard.compare("calls", {"work": once, "new": 1}, {"work": once})


def test_every_method_has_a_baseline() -> None:
    """But those that run models of other people."""
    baseline = json.loads(guard.BASELINE.read_text(encoding="utf-8"))
    assert set(METHODS.names()) - set(baseline["calls"]) == {"bertkpe", "llm", "summarise"}
    assert set(baseline["calls"]) - set(baseline["instructions"]) == set(guard.NETWORKS)


def test_instructions_are_compared_only_with_those_of_the_same_compilers() -> None:
    assert guard.why_not("another; toolchain")
    if shutil.which("valgrind"):
        assert not guard.why_not(guard.toolchain())
