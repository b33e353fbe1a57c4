"""The comparison with other people's extractors, as far as it goes without them."""

import ast
import gzip
import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from phrasemill.registry import METHODS

ROOT = Path(__file__).parents[2]
PEERS = ROOT / "lab" / "benchmarks" / "peers"
ADAPTERS = [path for path in sorted(PEERS.glob("adapters/*.py")) if path.stem not in ("__init__", "phrasemill")]
PYTHON = [sys.executable, "-B"]


def constants(path: Path) -> dict[str, object]:
    """What an adapter says about its peer, read as text."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    assigned = [node for node in body if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)]
    named = {node.targets[0].id: node.value for node in assigned if isinstance(node.targets[0], ast.Name)}
    found = {name: ast.literal_eval(named[name]) for name in ("REQUIREMENTS", "LICENCE", "VARIANTS")}
    return found | {"ALONE": ast.literal_eval(named["ALONE"]) if "ALONE" in named else ()}


def compare(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PYTHON, str(PEERS / "compare.py"), "--documents", "2", "--papers", "1", "--rounds", "1", *options],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.parametrize("path", ADAPTERS, ids=lambda path: path.stem)
def test_an_adapter_pins_its_peer_and_names_methods_of_ours(path: Path) -> None:
    said = constants(path)
    assert isinstance(said["REQUIREMENTS"], tuple) and isinstance(said["VARIANTS"], dict)
    assert isinstance(said["ALONE"], tuple)
    assert all(re.fullmatch(r"[\w-]+==[\d.]+", one) for one in said["REQUIREMENTS"] + said["ALONE"])
    assert set(said["VARIANTS"].values()) <= set(METHODS.names())
    assert said["LICENCE"]


def test_the_package_imports_none_of_them() -> None:
    names = "|".join(path.stem for path in ADAPTERS)
    for path in ROOT.glob("src/**/*.py"):
        found = re.search(rf"^\s*(?:import|from) ({names})\b", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        assert not found, path


def rows_of(done: subprocess.CompletedProcess[str]) -> list[list[list[str]]]:
    """The cells of the tables that were printed."""
    tables: list[list[list[str]]] = [[]]
    for line in done.stdout.splitlines():
        if line.startswith("|"):
            tables[-1].append([cell.strip() for cell in line.strip("|").split("|")])
        elif tables[-1]:
            tables.append([])
    return tables


def test_what_cannot_run_is_a_row_that_says_why(tmp_path: Path) -> None:
    (tmp_path / "kex").mkdir()
    (tmp_path / "kex" / "failed.txt").write_text("gensim, which it requires, does not build", encoding="utf-8")
    done = compare("--cache", str(tmp_path), "--methods", "learned", "textrank")
    assert done.returncode == 0, done.stderr
    ours, ratios = rows_of(done)[:2]
    said = {row[0].split()[0]: row[2] for row in ratios[2:]}
    assert said["kex"] == "not installed: gensim, which it requires, does not build"
    assert said["yake"] == "not installed: python lab/benchmarks/peers/make.py yake"
    assert [row[0] for row in ours[2:]] == ["`learned`", "`textrank`"]
    assert len({len(row) for row in ratios}) == 1


def test_the_bench_measures_every_method_but_those_that_need_hours_or_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(PEERS))
    ours = import_module("ours")
    assert set(METHODS.names()) - set(ours.methods()) == {"catseq", "copyrnn", "llm"}


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("MemoryError\n", "out of memory"),
        ("terminate called\nmemory allocation of 8 bytes failed\n", "out of memory"),
        ("pyo3_runtime.PanicException: called `unwrap` on None\n", "panicked"),
        ("Traceback\nKeyError: 'isstop'\n", "KeyError: 'isstop'"),
        ("", "ended with code 3"),
        (f"OSError: {'very ' * 40}long", f"OSError: {'very ' * 10}…"),
    ],
)
def test_a_process_that_ended_is_a_short_reason(monkeypatch: pytest.MonkeyPatch, output: str, said: str) -> None:
    monkeypatch.syspath_prepend(str(PEERS))
    assert import_module("contests").why(output, 3) == said


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("ERROR: No matching distribution found for pke==2.0.0", "not on PyPI"),
        (
            f'File "/tmp/pip-install-a1_b/gensim_{"0a" * 16}/setup.py"\n[end of output]',
            "gensim, which it requires, does not build",
        ),
        ("WARNING: slow\nERROR: no space left\n", "no space left"),
    ],
)
def test_a_failed_installation_is_a_short_reason(monkeypatch: pytest.MonkeyPatch, output: str, said: str) -> None:
    monkeypatch.syspath_prepend(str(PEERS))
    assert import_module("make").reason(output) == said


@pytest.fixture
def stand_in(tmp_path: Path) -> Path:
    """A cache with an environment whose `summa` is a stand-in for the peer; it stops at texts that say so."""
    bin_ = tmp_path / "summa" / "bin"
    bin_.mkdir(parents=True)
    (tmp_path / "stand-in" / "summa").mkdir(parents=True)
    code = (
        "def keywords(text, split):\n"
        "    if 'STOP' in text:\n"
        "        raise SystemError('too much for me')\n"
        "    return text.split()[:3]\n"
    )
    (tmp_path / "stand-in" / "summa" / "keywords.py").write_text(code, encoding="utf-8")
    script = f'#!/bin/sh\nPYTHONPATH="{tmp_path / "stand-in"}" exec "{sys.executable}" "$@"\n'
    (bin_ / "python").write_text(script, encoding="utf-8")
    (bin_ / "python").chmod(0o755)
    library = tmp_path / "summa" / "lib" / "python3" / "site-packages"
    for name, size in (("summa", 1_000_000), ("pip", 5_000_000)):
        (library / name).mkdir(parents=True)
        (library / name / "code.py").write_bytes(b"#" * size)
    return tmp_path


def written(folder: Path, name: str, *records: dict[str, object]) -> None:
    (folder / name).write_bytes(gzip.compress("\n".join(json.dumps(one) for one in records).encode()))


def test_a_peer_that_runs_stands_beside_our_method(stand_in: Path) -> None:
    """Speed, memory, size and F1 through the same worker, and the figures in a file."""
    salt: dict[str, object] = {"text": "Salt water moves", "keyphrases": ["salt", "moves"]}
    for name in ("inspec_dev.jsonl.gz", "duc2001.jsonl.gz", "pubmedake_sample1000.jsonl.gz"):
        written(stand_in, name, salt)
    written(stand_in, "krapivin_train.jsonl.gz", {"text": "Salt STOP"})
    figures = stand_in / "speed.json"
    places = ("--cache", str(stand_in), "--data", str(stand_in), "--figures", str(figures))
    done = compare(*places, "--only", "summa", "--methods", "learned", "textrank")
    assert done.returncode == 0, done.stderr
    ours, ratios, measured, sizes, quality, ahead = rows_of(done)[:6]
    assert re.fullmatch(r"\d+\.\d\d", ratios[2][ratios[0].index("abstracts")])
    assert ratios[2][ratios[0].index("papers")] == "–"
    assert measured[2][measured[0].index("papers, per s")] == "SystemError: too much for me"
    assert sizes[3] == ["summa 1.2.0", "–", "1"]
    assert quality[2][:3] == ["summa 1.2.0", "`textrank`", "80.0"]
    assert [row[0] for row in ahead[2:]][-1] == "F1@10, PubMedAKE"
    values = json.loads(figures.read_text(encoding="utf-8"))["values"]
    default = dict(zip(ours[0], ours[2], strict=True))
    assert default["method"] == "`learned`" and f"{values['default']:,}" == default["abstracts, per s"].split(".")[0]
    assert {"ours", "ratios", "measured", "sizes", "quality", "ahead", "default", "documents"} <= set(values)


def test_an_unknown_peer_is_one_clear_line(tmp_path: Path) -> None:
    done = compare("--cache", str(tmp_path), "--only", "nobody")
    assert done.returncode == 1
    assert done.stderr.startswith("no peer is called nobody; there are ")
    assert len(done.stderr.splitlines()) == 1


def run_of(methods: dict[str, int], peers: dict[str, tuple[str, int]]) -> dict[str, object]:
    """The figures of a run that measured so many abstracts per second; peers come with our method of their kind."""
    columns = ["start-up, ms", "abstracts, per s", "papers, per s", "5 MB, s", "memory, MB"]

    def table(*header: str, rows: list[list[object]]) -> dict[str, object]:
        return {"columns": header, "keys": 1, "rows": rows}

    values = {
        "ours": table(
            "method", *columns, "NEWS", rows=[[f"`{m}`", 10, n, 10, 1.0, 20, 30.0] for m, n in methods.items()]
        ),
        "ratios": table("peer", "licence", "ours", rows=[[p, "MIT", f"`{m}`"] for p, (m, _) in peers.items()]),
        "measured": table("peer", *columns, rows=[[p, 10, n, 10, "not tried", 20] for p, (_, n) in peers.items()]),
        "quality": table("peer", "ours", "NEWS, theirs", "NEWS, ours", rows=[[p, "", 5.0, 30.0] for p in peers]),
        "sizes": table("package", rows=[]),
        "documents": 2,
        "papers": 1,
        "neural": 1,
    }
    return {"command": "compare.py --data DIR --rounds 1", "date": "2026-01-01", "values": values}


def test_a_partial_run_is_completed_with_the_rows_of_an_earlier_one(tmp_path: Path) -> None:
    earlier = run_of({"learned": 50, "rake": 100, "yake": 80}, {"a 1": ("rake", 50), "b 1": ("yake", 160)})
    now = run_of({"learned": 60, "rake": 200}, {"a 1": ("rake", 100)})
    for name, run in (("earlier", earlier), ("now", now)):
        (tmp_path / f"{name}.json").write_text(json.dumps(run), encoding="utf-8")
    files = [str(tmp_path / name) for name in ("earlier.json", "now.json")]
    command = [*PYTHON, str(PEERS / "merge.py"), *files, "-o", str(tmp_path / "merged.json"), "--cache", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    merged = json.loads((tmp_path / "merged.json").read_text(encoding="utf-8"))
    values = merged["values"]
    assert [row[:3] for row in values["ours"]["rows"]] == [
        ["`learned`", 10, 60],
        ["`rake`", 10, 200],
        ["`yake`", 10, 80],
    ]
    assert [[row[0], row[4]] for row in values["ratios"]["rows"]] == [["a 1", 2.0], ["b 1", 0.5]]
    assert values["default"] == 60
    assert merged["note"].endswith(": `yake`, b 1.")
