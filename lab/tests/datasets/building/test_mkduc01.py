"""MK-DUC-01 from NIST's layout, and how near it comes to a published gold. The articles are ours."""

import json
from pathlib import Path

import pytest

from phrasemill.cli import run
from phrasemill.errors import DataError, InputError
from phrasemill_lab.datasets.building import mkduc01 as builder
from phrasemill_lab.datasets.building.grouping import DocumentSet
from phrasemill_lab.datasets.building.mkduc01 import closeness, read_keyphrases, read_nist, read_summaries

AP = """<DOC>
<DOCNO> AP900101-0001 </DOCNO>
<FILEID>AP-NR-01-01-90 0000EST</FILEID>
<HEAD>Salt Water Reaches Wells</HEAD>
<TEXT>
   Salt water reaches deep wells &amp; pumps.
</TEXT>
</DOC>
"""
LA = """<DOC>
<DOCNO>LA010190-0002</DOCNO>
<HEADLINE><P>OLD PUMPS; SALT WATER</P></HEADLINE>
<TEXT><P>Old pumps rust.</P>
<P>Salt water did it.</P></TEXT>
</DOC>
<DOC><DOCNO>FBIS-3</DOCNO><H3><TI>Rain</TI></H3><TEXT>Rain fills deep wells.</TEXT></DOC>
"""
KEYPHRASES = "AP900101-0001@salt water;deep wells;\nLA010190-0002@old pumps;salt;\n\nFBIS-3\train;deep wells\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs" / "d01a").mkdir(parents=True)
    (tmp_path / "docs" / "d02b").mkdir()
    (tmp_path / "docs" / "d01a" / "AP900101-0001").write_text(AP, encoding="ascii")
    (tmp_path / "docs" / "d01a" / "LA010190-0002").write_text(LA, encoding="ascii")
    (tmp_path / "docs" / "d02b" / "AP900101-0001").write_text(AP, encoding="ascii")
    (tmp_path / "docs" / "readme").write_text("<DOC>", encoding="ascii")
    (tmp_path / "keyphrases.txt").write_text(KEYPHRASES, encoding="utf-8")
    return tmp_path


def test_nists_layout(folder: Path) -> None:
    documents = read_nist(folder / "docs", read_keyphrases(folder / "keyphrases.txt"))
    assert [(d.id, d.title, d.text, d.metadata["topic"]) for d in documents] == [
        ("AP900101-0001", "Salt Water Reaches Wells", "Salt water reaches deep wells & pumps.", "d01"),
        ("LA010190-0002", "OLD PUMPS; SALT WATER", "Old pumps rust.\nSalt water did it.", "d01"),
        ("FBIS-3", "Rain", "Rain fills deep wells.", "d01"),
        ("AP900101-0001", "Salt Water Reaches Wells", "Salt water reaches deep wells & pumps.", "d02"),
    ]
    assert documents[1].references == ("old pumps", "salt")
    assert len(read_nist(folder / "docs" / "d02b", read_keyphrases(folder / "keyphrases.txt"))) == 1


def test_keyphrases_in_other_forms(folder: Path) -> None:
    path = folder / "k.jsonl"
    path.write_text('{"id": "x", "keyphrases": ["salt", ["water", "sea"]]}\n', encoding="utf-8")
    assert read_keyphrases(path) == {"x": ("salt", ("water", "sea"))}
    (folder / "k.txt").write_text("x@a\nnonsense\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"k\.txt, line 2: write id@keyphrase;keyphrase"):
        read_keyphrases(folder / "k.txt")


def test_folders_that_are_no_use(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="no such folder"):
        read_nist(folder / "missing", {})
    (folder / "empty").mkdir()
    with pytest.raises(InputError, match="no <DOC> in any topic folder"):
        read_nist(folder / "empty", {})
    with pytest.raises(DataError, match="4 of 4 documents have no keyphrases, such as AP900101-0001"):
        read_nist(folder / "docs", {})
    (folder / "docs" / "d02b" / "bad").write_text("<DOC><TEXT>x</TEXT></DOC>", encoding="ascii")
    with pytest.raises(InputError, match="a <DOC> without <DOCNO>"):
        read_nist(folder / "docs", {})
    monkeypatch.setattr(builder, "LARGEST", 10)
    with pytest.raises(InputError, match="larger than 10 bytes"):
        read_nist(folder / "docs", {})


def test_summaries(folder: Path) -> None:
    for name in ("d01aa/400", "d01ab/400e", "d01aa/50", "d02ba/400"):
        path = folder / "summaries" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("<SUM>Old pumps.</SUM>", encoding="ascii")
    assert read_summaries(folder / "summaries") == {"d01": ["Old pumps."] * 2, "d02": ["Old pumps."]}
    with pytest.raises(InputError, match="no files called 400"):
        read_summaries(folder / "docs")


def test_closeness_by_hand() -> None:
    made = [DocumentSet("t", (), ("salt waters", "rain", "old pumps", "wells"))]
    gold = {"t": ("old pump", ("sea water", "salt water"), "drought", "wells")}
    found = closeness(made, gold)
    assert (found.topics, found.recall, found.precision) == (1, 0.75, 0.75)
    assert (found.recall_top, found.recall_top_in_all) == (0.75, 0.75)
    assert found.correlation == pytest.approx(1 / 3)  # places 3, 1, 4: two pairs in order, one not
    with pytest.raises(DataError, match="the gold has no set t"):
        closeness(made, {})
    with pytest.raises(DataError, match="no sets to compare"):
        closeness([], gold)


def test_the_command_and_the_way_to_the_gold(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = folder / "gold.jsonl"
    lines = [
        {"id": "d01", "clusters": [["Old Pumps"], ["salt water", "brine"]]},
        {"id": "d02", "clusters": [["deep wells"]]},
    ]
    gold.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    start = ["dataset", "build", "mkduc01", str(folder / "docs"), "--keyphrases", str(folder / "keyphrases.txt")]
    end = ["--compare", str(gold), "-o", str(folder / "out")]
    decisions = str(folder / "decisions.tsv")
    assert run([*start, *end, "--derive", decisions]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "gold keyphrases found in the list 100.0 %" in out
    assert "Kendall" in out
    assert run([*start, *end, "--decisions", decisions]) == 0
    made = [json.loads(line) for line in (folder / "out" / "sets.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [{"id": one["id"], "clusters": one["clusters"]} for one in made] == lines
    capsys.readouterr()
    assert run([*start[:4], "-o", "x"]) == 2
    assert run([*start, "-o", "x", "--derive", decisions]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "phrasemill: a folder of NIST's documents requires `--keyphrases FILE`, because the documents contain none",
        "phrasemill: `--derive` requires `--compare FILE`, the gold that the decisions lead to",
    ]
