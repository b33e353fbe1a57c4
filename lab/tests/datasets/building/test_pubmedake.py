"""The PubMedAKE builder, end to end on articles that we made up."""

import gzip
import io
import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

from made_jats import KEYWORDS, article
from phrasemill.cli import run
from phrasemill.errors import ConfigError, InputError, UnknownName
from phrasemill_lab.datasets.building import pubmedake, sources
from phrasemill_lab.datasets.building.pubmedake import PubMedAKEOptions, build

SPLITS = ("train", "validate", "test")


def written(folder: Path, count: int) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        (folder / f"PMC{number}.nxml").write_bytes(article(str(number), title=f"Well number {number}"))
    return folder


def built(output: Path, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((output / name).read_text(encoding="utf-8"))
    return found


def everything(output: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(output.iterdir())}


def reasons(output: Path) -> dict[str, str]:
    lines = (output / "rejections.jsonl").read_text(encoding="utf-8").splitlines()
    return {Path(record["source"]).name: record["reason"] for record in map(json.loads, lines)}


def one(tmp_path: Path, data: bytes, **options: Any) -> dict[str, Any]:
    (tmp_path / "in").mkdir(exist_ok=True)
    (tmp_path / "in" / "a.nxml").write_bytes(data)
    build([tmp_path / "in" / "a.nxml"], tmp_path / "out", options=PubMedAKEOptions(**options))
    found = {}
    for split in SPLITS:
        found |= built(tmp_path / "out", f"{split}.json")
    (record,) = found.values()
    return record


def test_the_shape_of_the_paper(tmp_path: Path) -> None:
    report = build([written(tmp_path / "in", 10)], tmp_path / "out")
    splits = {split: built(tmp_path / "out", f"{split}.json") for split in SPLITS}
    assert {split: len(found) for split, found in splits.items()} == {"train": 6, "validate": 2, "test": 2}
    ids = [id_ for found in splits.values() for id_ in found]
    assert sorted(ids) == [f"PMC{number}" for number in range(10)]
    record = next(iter(splits["train"].values()))
    assert list(record) == ["title", "abstract", "keywords_in", "keywords_not_in"]
    assert record["keywords_in"] == ["Groundwater"]
    assert record["keywords_not_in"] == ["sea level"]
    assert (report.accepted, report.rejected) == (10, 0)


def test_table_1_and_figure_2(tmp_path: Path) -> None:
    build([written(tmp_path / "in", 10)], tmp_path / "out")
    found = built(tmp_path / "out", "statistics.json")
    assert found["splits"]["all"] == {
        "articles": 10,
        "title words": 3,
        "abstract words": 12,
        "keywords": 2,
        "extractive": 1,
        "abstractive": 1,
        "% abstractive": 50,
        "least keywords": 2,
        "most keywords": 2,
    }
    assert found["articles by keywords"] == {"extractive": {"1": 10}, "abstractive": {"1": 10}}
    figure = (tmp_path / "out" / "keywords.svg").read_text(encoding="utf-8")
    assert figure.startswith("<svg") and "extractive keywords, 1: 100.00" in figure


def test_the_same_bytes_whatever_the_order_the_jobs_and_the_packing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sources, "BATCH_FILES", 3)
    written(tmp_path / "a", 7)
    for number in range(7, 20):
        (tmp_path / "b").mkdir(exist_ok=True)
        (tmp_path / "b" / f"PMC{number}.nxml").write_bytes(article(str(number)))
    build(["a", "b"], Path("one"), small=True)
    build(["b", "a"], Path("two"), small=True, jobs=2)
    assert everything(Path("one")) == everything(Path("two"))
    with tarfile.open("all.tar.gz", "w:gz") as archive:
        archive.add("b")
        archive.add("a")
    build(["all.tar.gz"], Path("three"), small=True)
    assert everything(Path("one")) == everything(Path("three"))


def test_the_seed_decides_the_split(tmp_path: Path) -> None:
    written(tmp_path / "in", 30)
    tests = []
    for seed in (1, 2):
        build([tmp_path / "in"], tmp_path / f"{seed}", options=PubMedAKEOptions(seed=seed))
        tests.append(set(built(tmp_path / f"{seed}", "test.json")))
    assert tests[0] != tests[1]


def test_small_has_5_to_25_extractive_keywords(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    words = "Wells on the coast turn salty when pumps draw".split()
    for number, count in enumerate([1, 4, 5, 9]):
        group = "".join(f"<kwd>{word}</kwd>" for word in words[:count])
        (tmp_path / "in" / f"{number}.xml").write_bytes(
            article(str(number), keywords=f"<kwd-group>{group}</kwd-group>")
        )
    build([tmp_path / "in"], tmp_path / "out", small=True)
    for split in SPLITS:
        whole, small = built(tmp_path / "out", f"{split}.json"), built(tmp_path / "out", f"small_{split}.json")
        assert small == {id_: record for id_, record in whole.items() if len(record["keywords_in"]) >= 5}
    assert built(tmp_path / "out", "statistics.json")["splits"]["all"]["articles"] == 4


GROUPS = (
    KEYWORDS
    + '<kwd-group kwd-group-type="research-organism"><kwd>Human</kwd></kwd-group>'
    + '<kwd-group kwd-group-type="abbreviations"><kwd>GW</kwd></kwd-group>'
)


@pytest.mark.parametrize(
    ("skipped", "expected"),
    [
        (("abbreviations",), ["sea level", "Human"]),
        ((), ["sea level", "Human", "GW"]),
        (("abbreviations", "research-organism"), ["sea level"]),
    ],
)
def test_keyword_groups_are_a_choice(tmp_path: Path, skipped: tuple[str, ...], expected: list[str]) -> None:
    record = one(tmp_path, article(keywords=GROUPS), skip_groups=skipped)
    assert record["keywords_not_in"] == expected


@pytest.mark.parametrize(
    ("presence", "inside", "expected"),
    [
        ("substring", "abstract", ["well", "salt"]),
        ("exact", "abstract", []),
        ("stem", "abstract", ["well"]),
        ("exact", "title+abstract", ["salt"]),
    ],
)
def test_what_is_extractive_is_a_choice(tmp_path: Path, presence: str, inside: str, expected: list[str]) -> None:
    keywords = "<kwd-group><kwd>well</kwd><kwd>salt</kwd></kwd-group>"
    assert one(tmp_path, article(keywords=keywords), presence=presence, inside=inside)["keywords_in"] == expected


def test_normal_forms(tmp_path: Path) -> None:
    data = article(
        title="Das Café – “Ü”", keywords="<kwd-group><kwd>COAST</kwd><kwd>β</kwd><kwd>Café</kwd></kwd-group>"
    )
    record = one(tmp_path, data, normalise="ascii")
    assert record["title"] == 'das cafe - "u"'
    assert (record["keywords_in"], record["keywords_not_in"]) == (["coast"], ["cafe"])
    assert one(tmp_path, data, normalise="lower")["title"] == "das café – “ü”"
    assert one(tmp_path, data)["title"] == "Das Café – “Ü”"


def test_repeats_are_a_choice(tmp_path: Path) -> None:
    data = article(keywords="<kwd-group><kwd>Tides</kwd><kwd>moon</kwd><kwd>tides</kwd></kwd-group>")
    assert one(tmp_path, data)["keywords_not_in"] == ["Tides", "moon", "tides"]
    assert one(tmp_path, data, repeats="drop")["keywords_not_in"] == ["Tides", "moon"]


def test_ids(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    meta = '<article-id pub-id-type="{}">{}</article-id>'
    for name, data in {
        "a.xml": article("PMC11"),
        "PMC12.xml": article(""),
        "c.xml": article("", meta=meta.format("pmid", "13") + meta.format("doi", "10.1/13")),
        "d.xml": article("", meta=meta.format("doi", "10.1/14")),
        "e.xml": article(""),
        "f.xml": article("", meta=meta.format("pmcid", "15")),
    }.items():
        (tmp_path / "in" / name).write_bytes(data)
    build([tmp_path / "in"], tmp_path / "out")
    found = {id_ for split in SPLITS for id_ in built(tmp_path / "out", f"{split}.json")}
    assert found == {"PMC11", "PMC12", "PMID13", "10.1/14", "e", "PMC15"}


def test_rejections_are_named_and_counted(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    bomb = '<!DOCTYPE article [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'
    for name, data in {
        "good.xml": article("1"),
        "again.xml": article("1", title="The same once more"),
        "untitled.xml": article("2", title=""),
        "bare.xml": article("3", abstract=""),
        "wordless.xml": article("4", keywords=""),
        "short.xml": article("5", keywords='<kwd-group kwd-group-type="abbr"><kwd>GW</kwd></kwd-group>'),
        "broken.xml": article("6")[:-9],
        "bomb.xml": article("7", abstract="<p>&b;</p>", doctype=bomb),
        "page.xml": b"<html/>",
        "empty.xml": b"",
    }.items():
        (tmp_path / "in" / name).write_bytes(data)
    (tmp_path / "in" / "broken.tar.gz").write_bytes(gzip.compress(b"no tar" * 200))
    report = build([tmp_path / "in"], tmp_path / "out")
    assert reasons(tmp_path / "out") == {
        "good.xml": "duplicate-id",  # the one whose name is smaller stays
        "untitled.xml": "no-title",
        "bare.xml": "no-abstract",
        "wordless.xml": "no-keywords",
        "short.xml": "no-keywords",
        "broken.xml": "broken-xml",
        "bomb.xml": "entity-declaration",
        "page.xml": "not-jats",
        "empty.xml": "broken-xml",
        "broken.tar.gz": "damaged-archive",
    }
    assert (report.accepted, report.rejected) == (1, 10)
    assert report.reasons["no-keywords"] == 2


def test_large_files_are_rejected_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("phrasemill.readers.archives.LARGEST", 500)
    (tmp_path / "large.xml").write_bytes(article())
    build([tmp_path / "large.xml"], tmp_path / "out")
    assert reasons(tmp_path / "out") == {"large.xml": "too-large"}


def test_members_that_lead_out_of_the_archive_write_nothing(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    with tarfile.open(tmp_path / "in" / "a.tar", "w") as archive:
        for number, name in enumerate(["../../../evil.nxml", "/evil.nxml"]):
            info, data = tarfile.TarInfo(name), article(str(number))
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    build([tmp_path / "in"], tmp_path / "out")
    assert not list(tmp_path.rglob("evil*"))
    assert built(tmp_path / "out", "statistics.json")["splits"]["all"]["articles"] == 2


KILLED = """
import os, signal, sys
from pathlib import Path
from phrasemill_lab.datasets.building import pubmedake, sources
sources.BATCH_FILES = 3

def progress(done, total):
    if done > total / 2:
        os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    pubmedake.build(["in"], Path("out"), small=True, jobs=int(sys.argv[1]), progress=progress)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="SIGKILL is of POSIX")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_killed_and_started_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: str) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sources, "BATCH_FILES", 3)
    written(tmp_path / "in", 40)
    (tmp_path / "in" / "broken.xml").write_bytes(b"<")
    (tmp_path / "script.py").write_text(KILLED, encoding="utf-8")
    # Waits for the end of the pipe, which a worker that lived on would hold open.
    killed = subprocess.run([sys.executable, "script.py", jobs], capture_output=True, check=False, timeout=120)
    assert killed.returncode == -9, killed.stderr
    parts = list((tmp_path / "out" / ".building" / "parts").glob("?????????"))
    assert parts and not (tmp_path / "out" / "train.json").exists()
    before = {path.name: path.stat().st_mtime_ns for path in parts}
    made: list[int] = []
    monkeypatch.setattr(pubmedake.ArticleExtraction, "__call__", _counting(made))
    build(["in"], Path("out"), small=True)
    assert len(made) == 14 - len(before)
    build(["in"], Path("fresh"), small=True)
    assert everything(Path("out")) == everything(Path("fresh"))


def _counting(made: list[int]) -> Any:
    original = pubmedake.ArticleExtraction.__call__

    def call(self: Any, batch: Any) -> Any:
        made.append(len(batch.pieces))
        return original(self, batch)

    return call


def test_other_inputs_begin_anew(tmp_path: Path) -> None:
    folder = tmp_path / "out" / ".building"
    (folder / "parts").mkdir(parents=True)
    (folder / "plan").write_text("another plan", encoding="utf-8")
    (folder / "parts" / "000000000").write_bytes(b"A\tstale\n")
    build([written(tmp_path / "in", 3)], tmp_path / "out")
    assert built(tmp_path / "out", "statistics.json")["splits"]["all"]["articles"] == 3
    assert not folder.exists()


def test_what_cannot_be_built() -> None:
    with pytest.raises(InputError, match="no such file or folder"):
        build(["nowhere"], Path("out"))
    with pytest.raises(ConfigError, match="nothing to build from"):
        build([], Path("out"))
    with pytest.raises(ConfigError, match="jobs must be a whole number, 1 or more"):
        build(["nowhere"], Path("out"), jobs=0)
    for wrong in ({"presence": "x"}, {"normalise": "x"}, {"inside": "x"}, {"repeats": "x"}):
        with pytest.raises(UnknownName):
            PubMedAKEOptions(**wrong)


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "in", 5)
    assert run(["dataset", "build", "pubmedake", "in", "-o", "out", "--small", "--jobs", "1"]) == 0
    shown = capsys.readouterr()
    assert "validate" in shown.out and "abstract words" in shown.out and not shown.err
    assert sorted(path.name for path in Path("out").iterdir()) == [
        "keywords.svg",
        "rejections.jsonl",
        "small_test.json",
        "small_train.json",
        "small_validate.json",
        "statistics.json",
        "test.json",
        "train.json",
        "validate.json",
    ]
    Path("none.xml").write_bytes(b"<")
    assert run(["dataset", "build", "pubmedake", "none.xml", "-o", "none", "--jobs", "1", "-f", "json"]) == 1
    shown = capsys.readouterr()
    assert json.loads(shown.out)["rejected"] == {"broken-xml": 1}
    assert "nothing was accepted" in shown.err
    Path("cut.tar").write_bytes(b"x" * 700)
    assert run(["dataset", "build", "pubmedake", "in", "cut.tar", "-o", "out", "--jobs", "1"]) == 1
    assert "damaged-archive: 1 of the inputs" in capsys.readouterr().err
    for wrong in (["--jobs", "0"], ["--seed", "x"], ["--presence", "x"], ["--format", "csv"]):
        assert run(["dataset", "build", "pubmedake", "in", "-o", "out", *wrong]) == 2
        assert capsys.readouterr().err.count("\n") == 1
