"""`dataset build`: every builder end to end, over articles, posts and sets that we made up."""

import hashlib
import json
import signal
import subprocess
import sys
import tarfile
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

import pytest

from made_jats import article
from made_sevenzip import archive
from phrasemill_lab.datasets.building import posts

Write = Callable[[str, str], Path]
Command = Callable[..., tuple[int, str, str]]


def everything(output: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(Path(output).iterdir())}


def lines(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def reasons(output: str) -> dict[str, str]:
    return {Path(record["source"]).name: record["reason"] for record in lines(f"{output}/rejections.jsonl")}


# PubMedAKE


def articles(folder: str, numbers: range) -> None:
    Path(folder).mkdir(exist_ok=True)
    for number in numbers:
        (Path(folder) / f"PMC{number}.nxml").write_bytes(article(str(number), title=f"Well number {number}"))


def test_pubmedake(command: Command) -> None:
    articles("in", range(10))
    code, out, err = command("build", "pubmedake", "in", "-o", "out")
    assert (code, err) == (0, "") and "articles 6 2 2 10 title words" in " ".join(out.split())
    splits = {name: json.loads(data) for name, data in everything("out").items() if name in ("train.json", "test.json")}
    assert [len(found) for found in splits.values()] == [2, 6]
    assert next(iter(splits["train.json"].values())) | {"title": ""} == {
        "title": "",
        "abstract": "Wells on the coast turn salty when pumps draw too much groundwater.",
        "keywords_in": ["Groundwater"],
        "keywords_not_in": ["sea level"],
    }
    found = json.loads(Path("out/statistics.json").read_text())
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
    assert "extractive keywords, 1: 100.00" in Path("out/keywords.svg").read_text(encoding="utf-8")


def test_the_same_bytes_whatever_the_order_and_the_packing(command: Command) -> None:
    articles("a", range(7))
    articles("b", range(7, 20))
    with tarfile.open("all.tar.gz", "w:gz") as packed:
        packed.add("b")
        packed.add("a")
    for name, sources in (("one", ["a", "b"]), ("two", ["b", "a"]), ("three", ["all.tar.gz"])):
        command("build", "pubmedake", *sources, "-o", name, "--small")
    command("build", "pubmedake", "a", "b", "-o", "four", "--small", "--seed", "2")
    assert everything("one") == everything("two") == everything("three")
    assert everything("one")["test.json"] != everything("four")["test.json"]
    # The order of digests is part of the format: published splits must not move.
    digest = hashlib.sha256(everything("one")["train.json"]).hexdigest()
    assert digest.startswith("8329d3ff1de344c4")


GROUPS = (
    "<kwd-group><kwd>salty</kwd><kwd>Salty</kwd><kwd>pump</kwd><kwd>coastal wells</kwd></kwd-group>"
    '<kwd-group kwd-group-type="abbreviations"><kwd>DNA</kwd></kwd-group>'
)


@pytest.mark.parametrize(
    ("choice", "inside", "outside"),
    [
        ([], ["salty", "Salty", "pump"], ["coastal wells"]),
        (["--skip-groups", "none"], ["salty", "Salty", "pump"], ["coastal wells", "DNA"]),
        (["--presence", "exact"], ["salty", "Salty"], ["pump", "coastal wells"]),
        (["--presence", "stem", "--inside", "title+abstract"], ["salty", "Salty", "pump", "coastal wells"], []),
        (["--repeats", "drop", "--normalise", "ascii"], ["salty", "pump"], ["coastal wells"]),
    ],
)
def test_keywords_are_a_choice(command: Command, choice: list[str], inside: list[str], outside: list[str]) -> None:
    Path("a.nxml").write_bytes(article(keywords=GROUPS))
    command("build", "pubmedake", "a.nxml", "-o", "out", *choice)
    record = json.loads(Path("out/train.json").read_text())["PMC1"]
    assert (record["keywords_in"], record["keywords_not_in"]) == (inside, outside)


def test_rejected_articles_are_named(command: Command) -> None:
    Path("in").mkdir()
    files = {
        "good.nxml": article("1"),
        "same.nxml": article("1"),
        "broken.xml": b"<",
        "other.xml": b"<html/>",
        "title.xml": article("2", title=""),
        "abstract.xml": article("3", abstract=""),
        "keywords.xml": article("4", keywords=""),
        "bomb.xml": article("5", doctype='<!DOCTYPE article [<!ENTITY a "ha">]>'),
        "long.xml": article("6", abstract=f"<p>{'x' * 1_000_001}</p>"),
        "cut.tar": b"x" * 700,
    }
    for name, data in files.items():
        (Path("in") / name).write_bytes(data)
    code, _, err = command("build", "pubmedake", "in", "-o", "out")
    assert code == 1 and "damaged-archive: 1 of the inputs, see rejections.jsonl" in err
    assert reasons("out") == {
        "same.nxml": "duplicate-id",
        "broken.xml": "broken-xml",
        "other.xml": "not-jats",
        "title.xml": "no-title",
        "abstract.xml": "no-abstract",
        "keywords.xml": "no-keywords",
        "bomb.xml": "entity-declaration",
        "long.xml": "too-large",
        "cut.tar": "damaged-archive",
    }
    code, _, err = command("build", "pubmedake", "in/broken.xml", "-o", "none")
    assert code == 1 and "nothing was accepted" in err


KILL = """
import os, signal
from phrasemill.cli import run
from phrasemill_lab.datasets.building import collecting, pubmedake
PATCH = lambda *arguments: os.kill(os.getpid(), signal.SIGKILL)
run(["dataset", "build", "pubmedake", "in", "-o", "out"])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is POSIX's")
@pytest.mark.parametrize("patch", ["pubmedake._add", "pubmedake._figure", "collecting.Collection.write_rejections"])
def test_a_killed_build_leaves_nothing_that_looks_finished(command: Command, patch: str) -> None:
    articles("in", range(10))
    program = KILL.replace("PATCH", patch)
    done = subprocess.run([sys.executable, "-c", program], check=False)
    assert done.returncode == -signal.SIGKILL
    assert [path.name for path in Path("out").iterdir()] == [".unfinished"]
    command("build", "pubmedake", "in", "-o", "out")
    command("build", "pubmedake", "in", "-o", "other")
    assert everything("out") == everything("other") and ".unfinished" not in everything("out")


# StackEx

BODY = "<p>How do I <em>sort</em> a linked list?</p>\n<pre><code>while (x &lt; 3)\n  x++;\n</code></pre>"


def row(number: int, *, tags: str = "<sorting><linked-list>", title: str = "Sort a list", body: str = BODY) -> str:
    values = {"Id": number, "PostTypeId": 1, "Score": 3, "Body": body, "Title": title, "Tags": tags}
    escaped = [f'{name}="{escape(str(value))}"'.replace("\n", "&#xA;") for name, value in values.items()]
    return f"  <row {' '.join(escaped)} />\n"


ANSWER = '  <row Id="99" PostTypeId="2" ParentId="1" Body="&lt;p&gt;Like so.&lt;/p&gt;" />\n'


def dump(*rows: str) -> str:
    return f'\ufeff<?xml version="1.0" encoding="utf-8"?>\n<posts>\n{"".join(rows)}</posts>\n'


def test_stackex(command: Command, write: Write) -> None:
    write("cs.example/Posts.xml", dump(row(7), row(8, tags="|quicksort|"), ANSWER))
    done = command("build", "stackex", "cs.example", "-o", "out", "--valid", "0", "--test", "0")
    assert done[0] == 0 and not done[2]
    assert {record["id"]: record for record in lines("out/train.jsonl")}["cs.example-7"] == {
        "id": "cs.example-7",
        "title": "Sort a list",
        "text": "How do I sort a linked list?\nwhile (x < 3)\nx++;",
        "keyphrases": ["sorting", "linked list"],
    }
    found = json.loads(Path("out/statistics.json").read_text())
    assert found["passed over"] == {"other posts": 1}
    numbers = {"#Doc": 2, "#KP": 3, "#PreDoc": 1, "#PreKP": 2, "#AbsDoc": 1, "#AbsKP": 1}
    assert found["splits"]["train"] == numbers | {"Mean": 1.5, "Var": 0.25, "%Pre": 66.667}
    options = ["--valid", "1", "--test", "0.5", "--code", "drop", "--tags", "verbatim"]
    command("build", "stackex", "cs.example", "-o", "b", *options)
    assert [len(lines(f"b/{split}.jsonl")) for split in ("train", "valid", "test")] == [0, 1, 1]
    every = {record["id"]: record for split in ("valid", "test") for record in lines(f"b/{split}.jsonl")}
    assert every["cs.example-7"]["text"] == "How do I sort a linked list?"
    assert every["cs.example-7"]["keyphrases"] == ["sorting", "linked-list"]
    code, _, err = command("build", "stackex", "cs.example", "-o", "c")
    assert (code, err.count("\n")) == (2, 1) and "2 documents are too few" in err and not everything("c")


def test_texts_are_cut_as_the_paper_says(command: Command, write: Write) -> None:
    body = f"<p>{' '.join(f'w{i}' for i in range(2000))} sorting</p>"
    write("cs/Posts.xml", dump(*(row(i, title="one two", body=body) for i in range(10))))
    command("build", "stackex", "cs", "-o", "out", "--valid", "2", "--test", "0.2")
    words = {
        split: {len(one["text"].split()) for one in lines(f"out/{split}.jsonl")} for split in ("train", "valid", "test")
    }
    assert words == {"train": {298}, "valid": {998}, "test": {998}}
    options = ["--valid", "2", "--test", "2", "--training-tokens", "0", "--evaluation-tokens", "5"]
    command("build", "stackex", "cs", "-o", "out", *options)
    assert [len(lines(f"out/{split}.jsonl")[0]["text"].split()) for split in ("train", "test")] == [2001, 3]


def test_rejected_rows_cost_only_themselves(command: Command, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posts, "LONGEST_ROW", 3000)
    rows = (
        row(1),
        row(2, tags=""),
        row(3, title=""),
        row(4, body="<p></p>"),
        row(5).replace(" />", ""),
        row(6).replace("Score", "&bomb; Score"),
        row(7).replace("Sort", "\x02"),
        row(8, body="x" * 4000),
        row(9),
    )
    bomb = '<!DOCTYPE posts [<!ENTITY bomb "ha">]><posts>'
    write("cs/Posts.xml", dump(*rows).replace("<posts>", bomb))
    options = ["--valid", "0", "--test", "0"]
    command("build", "stackex", "cs", "-o", "out", *options)
    assert {name.rpartition("#")[2]: reason for name, reason in reasons("out").items()} == {
        "2": "no-tags",
        "3": "no-title",
        "4": "no-body",
        "8": "long-row",
    } | dict.fromkeys("567", "damaged-row")
    Path("cs.7z").write_bytes(archive({"Posts.xml": Path("cs/Posts.xml").read_bytes()}))
    for chunk in (7, 40, 1000):  # rows are put together again from pieces of any size
        monkeypatch.setattr(posts, "CHUNK", chunk)
        monkeypatch.setattr("phrasemill_lab.datasets.building.sevenzip.CHUNK", chunk)
        assert max(map(len, posts.rows("cs/Posts.xml"))) < 3000 + 2 * chunk  # a row without an end takes no memory
        for source in ("cs", "cs.7z"):
            command("build", "stackex", source, "-o", "again", *options)
            assert everything("again")["train.jsonl"] == everything("out")["train.jsonl"]


def test_what_is_no_dump(command: Command, write: Write) -> None:
    write("in/Posts.xml", "<users><row Id='1' /></users>")
    Path("in/a.7z").write_bytes(archive({"Posts.xml": b"<users/>"}))
    Path("in/b.7z").write_bytes(b"7z no")
    assert command("build", "stackex", "in", "-o", "out", "--valid", "0", "--test", "0")[0] == 1
    assert reasons("out") == {"Posts.xml": "not-posts", "a.7z": "not-posts", "b.7z": "damaged-archive"}


# Document sets

SETS = [
    ("a", "Salt water reaches deep wells. Pumps work.", ["salt water", "deep wells", "rust"]),
    ("b", "Salt water spoils the old pumps of deep wells.", ["salt", "old pumps", "Salt Waters"]),
    ("c", "Salt water again.", ["salt water", "water"]),
]


@pytest.fixture
def wells(write: Write) -> Path:
    rows = [{"id": id_, "text": text, "keyphrases": gold, "topic": "d01"} for id_, text, gold in SETS]
    return write("wells.jsonl", "".join(json.dumps(one) + "\n" for one in rows))


def test_the_gold_of_a_set_by_hand(command: Command, wells: Path) -> None:
    # In documents: salt 3/3, water 3/3, deep 2/3, well 2/3, pump 2/3, old 1/3. "rust" does not occur; "salt" and
    # "water" are contained in "salt water"; "Salt Waters" is the same again.
    code, out, _ = command("build", "mkpe", wells, "-o", "out", "--top", "2")
    assert code == 0 and "Trunc-2 documents 1 1 keyphrases 3 2" in " ".join(out.split())
    (made,) = lines("out/sets.jsonl")
    assert made["keyphrases"] == ["salt water", "deep wells", "old pumps"]
    assert (made["doc_ids"], made["keyphrases_trunc2"]) == (["a", "b", "c"], ["salt water", "deep wells"])
    assert [one["topic"] for one in lines("out/documents.jsonl")] == ["d01"] * 3


def test_sets_around_a_keyphrase_are_disjoint(command: Command, write: Write) -> None:
    rows = [
        {"id": f"{topic[0]}{i}", "text": "", "keyphrases": [topic, *(["tree rings"] if i % 2 else [])]}
        for topic in ("deep learning", "salt water")
        for i in range(6)
    ]
    write("in.jsonl", "".join(json.dumps(one) + "\n" for one in rows))
    options = ["--group-by-keyphrase", "--size", "3"]
    for name in ("out", "again"):
        command("build", "mkpe", "in.jsonl", "-o", name, *options)
    assert everything("out") == everything("again")
    made = lines("out/sets.jsonl")
    assert sorted(one["id"] for one in made) == ["deep learning", "salt water", "tree rings"]
    assert len({id_ for one in made for id_ in one["doc_ids"]}) == 9
    code, _, err = command("build", "mkpe", "in.jsonl", "-o", "x", "--group-by-keyphrase", "--size", "7")
    assert (code, err.count("\n")) == (2, 1) and "is shared by 7 documents" in err
    assert "no 'topic' to group it by" in command("build", "mkpe", "in.jsonl", "-o", "x")[2]


def test_decisions_of_people(command: Command, wells: Path, write: Write) -> None:
    steps = [
        "remove\told pump",
        "cluster\twell water\tsalt water",
        "prefer\tDeep Wells",
        "prefer\tsalt water",
        "add\tdrought",
        "order\tdrought",
    ]
    write("d.tsv", "# by hand\n\n" + "".join(f"d01\t{step}\n" for step in steps))
    command("build", "mkpe", wells, "-o", "out", "--decisions", "d.tsv")
    assert lines("out/sets.jsonl")[0]["clusters"] == [["drought"], ["salt water", "well water"], ["Deep Wells"]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("d01\tremove", "line 1: a decision is set, action and phrases, with tabs between them"),
        ("d01\tdelete\tx", "line 1: unknown action 'delete'"),
        ("d01\tcluster\tx", "line 1: cluster needs two phrases or more"),
        ("\nd01\tremove\tsnow", "line 2: no phrase 'snow' in the list of d01"),
        ("d01\tadd\tsalt water", "'salt water' is in the list of d01 already"),
        ("d02\tadd\tx", "there are decisions on d02, but no such set"),
    ],
)
def test_bad_decisions_are_one_line(command: Command, wells: Path, write: Write, text: str, message: str) -> None:
    write("d.tsv", text)
    code, _, err = command("build", "mkpe", wells, "-o", "out", "--decisions", "d.tsv")
    assert (code, err.count("\n")) == (2, 1) and message in err and not Path("out").exists()


def test_mkduc01_from_nists_files_and_the_way_to_the_gold(command: Command, write: Write) -> None:
    for id_, text, _ in SETS:
        write(f"docs/d01a/{id_}", f"<DOC><DOCNO>{id_}</DOCNO><TEXT>{text}</TEXT></DOC>")
        write(f"flat/{id_}", f"<DOC><DOCNO>{id_}</DOCNO><TEXT>{text}</TEXT></DOC>")
    write("docs/readme", "<DOC>")
    write("docs/d01aa/400", "<SUM>Old pumps.</SUM>")
    keyphrases = "".join(f"{id_}@{';'.join(gold)};\n" for id_, _, gold in SETS)
    for name in ("keyphrases.txt", "flat/annotations.txt"):
        write(name, keyphrases)
    gold = {
        "id": "d01",
        "text": "",
        "doc_ids": ["a", "b", "c", "gone"],
        "clusters": [["Old Pumps"], ["salt water", "brine"]],
    }
    write("gold.jsonl", json.dumps(gold) + "\n")
    write("docs/d01a/empty", "")
    start = ["build", "mkduc01", "docs", "--keyphrases", "keyphrases.txt", "-o", "out"]
    assert command(*start, "--gold", "gold.jsonl")[::2] == (0, "")
    command(*start, "--decisions", "out/decisions.tsv")
    assert lines("out/sets.jsonl")[0]["clusters"] == gold["clusters"]
    command(*start, "--summaries", "docs")
    assert lines("out/sets.jsonl")[0]["keyphrases"][0] == "old pumps"  # its words are in the only summary
    code, _, err = command("build", "mkduc01", "flat", "--topics", "gold.jsonl", "-o", "raw")
    assert (code, err) == (0, "phrasemill: gold.jsonl names documents that are not in flat: gone\n")
    assert lines("raw/sets.jsonl")[0]["keyphrases"] == ["salt water", "deep wells", "old pumps"]
    code, _, err = command("build", "mkduc01", "flat", "-o", "x")
    assert (code, err.count("\n")) == (2, 1) and "its documents name no topics; give `--topics FILE`" in err
