"""A folder with a file of each kind, and the command run in it."""

import gzip
from pathlib import Path

import pytest

import made_files
from cli_process import Command
from phrasemill.cli import run

TEXT = (
    "Graph theory is the study of graphs. A random graph has random edges, and graph theory explains them.\n"
    "Random graphs are used in network science; “network science” is young.\n"
)


@pytest.fixture
def article() -> str:
    """The content of `article.txt`."""
    return TEXT


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "article.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "notes.md").write_text(
        "# Graph *theory*\n\n[Random graphs](http://x.org) and `edges`.\n", encoding="utf-8"
    )
    (tmp_path / "page.html").write_text(
        "<title>Trees</title><nav>menu</nav><p>Graph theory of trees.", encoding="utf-8"
    )
    (tmp_path / "paper.pdf").write_bytes(made_files.pdf([["Graph theory of trees."]]))
    records = b'{"id": "a", "text": "Graph theory of trees."}\n{"id": "b", "text": "Network science."}\n'
    (tmp_path / "corpus.jsonl.gz").write_bytes(gzip.compress(records))
    (tmp_path / "articles.csv").write_text(
        "key,headline,abstract,body\n7,Trees,Graph theory.,Trees and forests.\n", encoding="utf-8"
    )
    (tmp_path / "thesaurus.ttl").write_text(
        '@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n<g> a skos:Concept ; skos:prefLabel "graph"@en .\n'
    )
    for name in ("articles", "new", "old", "collection/north", "collection/south"):
        (tmp_path / name).mkdir(parents=True)
        for number in range(3):
            (tmp_path / name / f"{number}.txt").write_text(f"Graph theory of {name}. Random graphs.", encoding="utf-8")
    years = [
        f'{{"id": "{i}", "year": {2000 + i % 2}, "text": "Graph theory of trees and {i} forests."}}' for i in range(4)
    ]
    (tmp_path / "papers.jsonl").write_text("\n".join(years), encoding="utf-8")
    return tmp_path


@pytest.fixture
def at(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run the command in this process, in the folder; returns exit code, output and errors."""
    monkeypatch.chdir(folder)

    def command(*arguments: str) -> tuple[int, str, str]:
        code = run(list(arguments))
        output = capsys.readouterr()
        return code, output.out, output.err

    return command
