"""The comparison with other people's extractors, as far as it goes without them."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from phrasemill.registry import METHODS

ROOT = Path(__file__).parents[1]
PEERS = ROOT / "benchmarks" / "peers"
ADAPTERS = [path for path in sorted(PEERS.glob("adapters/*.py")) if path.stem not in ("__init__", "phrasemill")]
PYTHON = [sys.executable, "-B"]


def constants(path: Path) -> dict[str, object]:
    """What an adapter says about its peer, read as text."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    assigned = [node for node in body if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)]
    named = {node.targets[0].id: node.value for node in assigned if isinstance(node.targets[0], ast.Name)}
    return {name: ast.literal_eval(named[name]) for name in ("REQUIREMENTS", "LICENCE", "VARIANTS")}


def compare(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PYTHON, str(PEERS / "compare.py"), "--documents", "2", "--rounds", "1", *options],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.parametrize("path", ADAPTERS, ids=lambda path: path.stem)
def test_an_adapter_pins_its_peer_and_names_methods_of_ours(path: Path) -> None:
    said = constants(path)
    assert isinstance(said["REQUIREMENTS"], tuple) and isinstance(said["VARIANTS"], dict)
    assert all(re.fullmatch(r"[\w-]+==[\d.]+", one) for one in said["REQUIREMENTS"])
    assert set(said["VARIANTS"].values()) <= set(METHODS.names())
    assert said["LICENCE"]


def test_the_package_imports_none_of_them() -> None:
    names = "|".join(path.stem for path in ADAPTERS)
    for path in ROOT.glob("src/**/*.py"):
        found = re.search(rf"^\s*(?:import|from) ({names})\b", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        assert not found, path


def test_what_cannot_run_is_a_row_that_says_why(tmp_path: Path) -> None:
    (tmp_path / "kex").mkdir()
    (tmp_path / "kex" / "failed.txt").write_text("gensim does not build", encoding="utf-8")
    done = compare("--cache", str(tmp_path))
    assert done.returncode == 0, done.stderr
    rows = [line for line in done.stdout.splitlines() if line.startswith("|")]
    assert any("could not be installed: gensim does not build" in row for row in rows)
    assert any("not installed: python benchmarks/peers/make.py yake" in row for row in rows)
    assert "`learned`, our default" in rows[-1]
    assert len({row.count("|") for row in rows}) == 1


def test_a_peer_that_runs_stands_beside_our_method(tmp_path: Path) -> None:
    """Rounds and F1 through the same worker: an environment whose `summa` is a stand-in for the peer."""
    bin_ = tmp_path / "summa" / "bin"
    bin_.mkdir(parents=True)
    (tmp_path / "stand-in" / "summa").mkdir(parents=True)
    code = "def keywords(text, split):\n    return text.split()[:3]\n"
    (tmp_path / "stand-in" / "summa" / "keywords.py").write_text(code, encoding="utf-8")
    script = f'#!/bin/sh\nPYTHONPATH="{tmp_path / "stand-in"}" exec "{sys.executable}" "$@"\n'
    (bin_ / "python").write_text(script, encoding="utf-8")
    (bin_ / "python").chmod(0o755)
    (tmp_path / "gold.jsonl").write_text('{"text": "Salt water moves", "keyphrases": ["salt", "moves"]}\n')
    done = compare("--cache", str(tmp_path), "--only", "summa", "--data", str(tmp_path), "--pattern", "gold.jsonl")
    assert done.returncode == 0, done.stderr
    row = next(line for line in done.stdout.splitlines() if line.startswith("| summa"))
    assert re.search(r"\| `textrank` \| [\d,.]+ \| [\d.]+ × \| 80\.0 \|", row)


def test_an_unknown_peer_is_one_clear_line(tmp_path: Path) -> None:
    done = compare("--cache", str(tmp_path), "--only", "nobody")
    assert done.returncode == 1
    assert done.stderr.startswith("no peer is called nobody; there are ")
    assert len(done.stderr.splitlines()) == 1
