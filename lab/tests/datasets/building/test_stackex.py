"""The StackEx builder, end to end on a dump that we made up."""

import json
from html import escape
from pathlib import Path
from typing import Any

import pytest

from made_sevenzip import archive
from phrasemill.cli import run
from phrasemill.errors import ConfigError, DataError, InputError, UnknownName
from phrasemill_lab.datasets.building import posts, stackex
from phrasemill_lab.datasets.building.posts import plain, question
from phrasemill_lab.datasets.building.stackex import StackExOptions, build

BODY = "<p>How do I <em>sort</em> a linked list?</p>\n<pre><code>while (x &lt; 3)\n  x++;\n</code></pre>"


def row(
    number: int, *, tags: str | None = "<sorting><linked-list>", title: str = "Sort a list", body: str = BODY
) -> str:
    values = {"Id": number, "PostTypeId": 1, "Score": 3, "Body": body, "Title": title, "Tags": tags}
    escaped = {name: escape(str(value)).replace("\n", "&#xA;") for name, value in values.items() if value is not None}
    attributes = [f'{name}="{value}"' for name, value in escaped.items()]
    return f"  <row {' '.join(attributes)} />\n"


def answer(number: int) -> str:
    return f'  <row Id="{number}" PostTypeId="2" ParentId="1" Body="&lt;p&gt;Like so.&lt;/p&gt;" />\n'


def dump(*rows: str) -> bytes:
    return f'\ufeff<?xml version="1.0" encoding="utf-8"?>\n<posts>\n{"".join(rows)}</posts>\n'.encode()


def written(folder: Path, *rows: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "Posts.xml").write_bytes(dump(*rows))
    return folder


def split(output: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (output / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def everything(output: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(output.iterdir())}


def one(tmp_path: Path, source: str, **options: Any) -> dict[str, Any]:
    """The only question of a dump, in the training split."""
    written(tmp_path / "cs.example", source)
    build([tmp_path / "cs.example"], tmp_path / "out", options=StackExOptions(**options), valid="0", test="0")
    (record,) = split(tmp_path / "out", "train")
    return record


def test_a_question_becomes_a_document(tmp_path: Path) -> None:
    assert one(tmp_path, row(7)) == {
        "id": "cs.example-7",
        "title": "Sort a list",
        "text": "How do I sort a linked list?\nwhile (x < 3)\nx++;",
        "keyphrases": ["sorting", "linked list"],
    }


@pytest.mark.parametrize("tags", ["<sorting><linked-list>", "|sorting|linked-list|"])
def test_both_ways_to_write_tags(tmp_path: Path, tags: str) -> None:
    assert one(tmp_path, row(1, tags=tags), tags="verbatim")["keyphrases"] == ["sorting", "linked-list"]


@pytest.mark.parametrize(
    ("body", "kept", "dropped"),
    [
        (BODY, "How do I sort a linked list?\nwhile (x < 3)\nx++;", "How do I sort a linked list?"),
        ("<p>Use <code>qsort</code>\nor not.</p>", "Use qsort or not.", "Use qsort or not."),
        ("<ul><li>one</li><li>two</li></ul>", "one\ntwo", "one\ntwo"),
        ('<p>see <a href="x" title="a > b">this</a></p>', "see this", "see this"),
        ("<p>1 &lt; 2 &amp;amp; &#x3b1;</p>", "1 < 2 &amp; α", "1 < 2 &amp; α"),
        ("<!-- language: js --><p>text</p><!-- open", "text", "text"),
        ("no markup at all", "no markup at all", "no markup at all"),
        ("<pre>never closed", "never closed", ""),
        ("a < b and b > c", "a < b and b > c", "a < b and b > c"),
    ],
)
def test_html_becomes_text_and_code_is_a_choice(body: str, kept: str, dropped: str) -> None:
    assert plain(body) == kept
    assert plain(body, code=False) == dropped


@pytest.mark.parametrize(
    "body", ["<!--" * 50_000, "<pre>" * 50_000, "<a '" * 50_000, "&#" + "9" * 50_000, "<" * 50_000]
)
def test_hostile_html_takes_no_time(body: str) -> None:
    plain(body)


def test_texts_are_cut_as_the_paper_says(tmp_path: Path) -> None:
    body = "<p>" + " ".join(f"w{i}" for i in range(2000)) + " sorting</p>"
    written(tmp_path / "cs", *(row(i, title="one two", body=body) for i in range(10)))
    build([tmp_path / "cs"], tmp_path / "out", valid="2", test="0.2")
    words = {name: {len(d["text"].split()) for d in split(tmp_path / "out", name)} for name in stackex.SPLITS}
    assert words == {"train": {298}, "valid": {998}, "test": {998}}
    for limits, expected in (((0, 5), 2001), ((5, 0), 3), ((1, 1), 0), ((0, 0), 2001)):
        options = StackExOptions(training_tokens=limits[0], evaluation_tokens=limits[1])
        build([tmp_path / "cs"], tmp_path / "out", options=options, valid="2", test="0.2")
        assert {len(d["text"].split()) for d in split(tmp_path / "out", "train")} == {expected}


def test_a_text_that_just_fits_keeps_its_end(tmp_path: Path) -> None:
    assert one(tmp_path, row(1, title="one", body="<p>two three?!</p>"), training_tokens=3)["text"] == "two three?!"
    assert one(tmp_path, row(1, title="one", body="<p>two three?!</p>"), training_tokens=2)["text"] == "two"


def test_tables_1_and_8(tmp_path: Path) -> None:
    rows = (row(1), row(2, tags="<quicksort>"), row(3, tags="<list>"))
    report = build([written(tmp_path / "cs", *rows, answer(4), answer(5))], tmp_path / "out", valid="0", test="0")
    assert dict(report.rows["train"]) == {
        "#Doc": 3,
        "#KP": 4,
        "#PreDoc": 2,
        "#PreKP": 3,
        "#AbsDoc": 1,
        "#AbsKP": 1,
        "Mean": pytest.approx(4 / 3),
        "Var": pytest.approx(2 / 9),
        "%Pre": 75,
    }
    assert report.others == {"passed over": {"other posts": 2}}
    assert json.loads((tmp_path / "out" / "statistics.json").read_text())["splits"]["train"]["#KP"] == 4


def test_rejections_are_named_and_the_rest_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posts, "LONGEST_ROW", 3000)
    rows = (
        row(1),
        row(2, tags=None),
        row(3, tags="<>"),
        row(4, title=""),
        row(5, body="<p></p>"),
        row(6).replace(" />", ""),
        row(7).replace("Score", "&bomb; Score"),
        row(8).replace('"3"', '"&bomb;"'),
        row(9).replace("PostTypeId", "Kind"),
        row(10, body="x" * 4000),
        row(11).replace("Sort", "\x02"),
        row(12),
    )
    written(tmp_path / "cs", *rows)
    report = build([tmp_path / "cs"], tmp_path / "out", valid="0", test="0")
    lines = (tmp_path / "out" / "rejections.jsonl").read_text(encoding="utf-8").splitlines()
    found = {int(record["source"].rpartition("#")[2]): record["reason"] for record in map(json.loads, lines)}
    damaged = dict.fromkeys((6, 7, 8, 9, 11), "damaged-row")
    assert found == damaged | {2: "no-tags", 3: "no-tags", 4: "no-title", 5: "no-body", 10: "long-row"}
    assert report.reasons["damaged-row"] == 5
    assert sorted(record["id"] for record in split(tmp_path / "out", "train")) == ["cs-1", "cs-12"]


def test_entity_bombs_before_the_rows_are_never_read(tmp_path: Path) -> None:
    bomb = b'<!DOCTYPE posts [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><posts>'
    written(tmp_path / "cs")
    (tmp_path / "cs" / "Posts.xml").write_bytes(dump(row(1), row(2, title="&b;")).replace(b"<posts>", bomb))
    report = build([tmp_path / "cs"], tmp_path / "out", valid="0", test="0")
    assert report.accepted == 2  # `&b;` was escaped, and is text
    assert {record["title"] for record in split(tmp_path / "out", "train")} == {"Sort a list", "&b;"}


def test_bytes_that_are_not_utf8_cost_one_row(tmp_path: Path) -> None:
    written(tmp_path / "cs")
    (tmp_path / "cs" / "Posts.xml").write_bytes(
        dump(row(1), row(2), row(3)).replace(b'Id="2" ', b'Id="2" X="\xff\xfe" ')
    )
    report = build([tmp_path / "cs"], tmp_path / "out", valid="0", test="0")
    assert (report.accepted, report.reasons) == (2, {"damaged-row": 1})


@pytest.mark.parametrize("size", [40, 97, 1000, 1 << 20])
def test_the_pieces_of_a_file_hold_each_row_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(posts, "BATCH_BYTES", size)
    folder = written(tmp_path / "cs", *(row(i, title=f"title {i}") for i in range(1, 30)))
    report = build([folder], tmp_path / "out", valid="0", test="0")
    assert (report.accepted, report.rejected) == (29, 0)
    (tmp_path / "cs.7z").write_bytes(archive({"Posts.xml": (folder / "Posts.xml").read_bytes()}))
    monkeypatch.setattr("phrasemill.readers.sevenzip.CHUNK", 64)
    build([tmp_path / "cs.7z"], tmp_path / "packed", valid="0", test="0")
    for name in ("train.jsonl", "statistics.json"):
        assert (tmp_path / "packed" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()


def test_an_endless_row_in_an_archive_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posts, "BATCH_BYTES", 500)
    monkeypatch.setattr(posts, "LONGEST_ROW", 2000)
    monkeypatch.setattr("phrasemill.readers.sevenzip.CHUNK", 100)
    (tmp_path / "cs.7z").write_bytes(archive({"Posts.xml": dump(row(1), row(2, body="x" * 50_000), row(3))}))
    seen = [len(piece.data or b"") for found in posts.batches(files(tmp_path / "cs.7z")) for piece in found.pieces]
    assert max(seen) < 3000
    report = build([tmp_path / "cs.7z"], tmp_path / "out", valid="0", test="0")
    assert (report.accepted, report.reasons) == (2, {"long-row": 1})


def files(path: Path) -> Any:
    from phrasemill_lab.datasets.building import sources

    return sources.files([str(path)], stackex.SUFFIXES)


def test_the_same_bytes_whatever_the_order_and_the_jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(posts, "BATCH_BYTES", 1000)
    for site in ("cs", "ai"):
        written(Path(site), *(row(i, title=f"{site} {i}") for i in range(20)))
    build(["cs", "ai"], Path("one"), valid="0.1", test="0.1", layout="both")
    build(["ai", "cs"], Path("two"), valid="0.1", test="0.1", layout="both", jobs=2)
    assert everything(Path("one")) == everything(Path("two"))
    assert {len(split(Path("one"), name)) for name in ("valid", "test")} == {4}
    build(["ai", "cs"], Path("two"), valid="0.1", test="0.1", options=StackExOptions(seed=2))
    assert everything(Path("one"))["test.jsonl"] != everything(Path("two"))["test.jsonl"]


def test_pairs_of_files(tmp_path: Path) -> None:
    body = "<p>Sort 12 linked lists, quickly.</p>"
    folder = written(tmp_path / "cs", row(1, title="Linked-List", body=body, tags="<c#><linked-list>"))
    build([folder], tmp_path / "out", valid="0", test="0", layout="both")
    source = (tmp_path / "out" / "train_src.txt").read_text(encoding="utf-8")
    assert source == "linked list <eos> sort <digit> linked lists , quickly .\n"
    assert (tmp_path / "out" / "train_trg.txt").read_text(encoding="utf-8").startswith("linked list;<peos>;")


def test_the_same_site_twice_is_noticed(tmp_path: Path) -> None:
    for place in ("a", "b"):
        written(tmp_path / place / "cs.example", row(1))
    report = build([tmp_path / "a", tmp_path / "b"], tmp_path / "out", valid="0", test="0")
    assert (report.accepted, report.reasons) == (1, {"duplicate-id": 1})


@pytest.mark.parametrize(
    ("name", "site"),
    [
        ("dumps/cs.stackexchange.com/Posts.xml", "cs.stackexchange.com"),
        ("dumps/cs.stackexchange.com.7z", "cs.stackexchange.com"),
        ("stackoverflow.com-Posts.7z", "stackoverflow.com"),
    ],
)
def test_sites_by_file_name(name: str, site: str) -> None:
    assert posts.site(name) == site


def test_what_is_no_dump(tmp_path: Path) -> None:
    (tmp_path / "Posts.xml").write_bytes(b"<users><row Id='1' /></users>")
    (tmp_path / "a.7z").write_bytes(archive({"Posts.xml": b"<users/>"}))
    (tmp_path / "b.7z").write_bytes(b"7z no")
    report = build([tmp_path], tmp_path / "out", valid="0", test="0")
    assert (report.accepted, report.reasons) == (0, {"damaged-archive": 1, "not-posts": 2})
    assert split(tmp_path / "out", "train") == []


def test_rows_that_are_questions() -> None:
    assert question(answer(1).strip().encode()) is None
    found = question(row(5).strip().encode() + b"\n</posts>")
    assert found is not None and (found.id, found.problem) == ("5", None)


def test_what_cannot_be_built(tmp_path: Path) -> None:
    folder = written(tmp_path / "cs", row(1))
    with pytest.raises(DataError, match="1 documents are too few"):
        build([folder], tmp_path / "out")
    with pytest.raises(InputError, match="no such file"):
        build(["nowhere"], tmp_path / "out")
    for wrong in ("x", "-1", "1.5", "1/0"):
        with pytest.raises(ConfigError, match="a part must be a count"):
            build([folder], tmp_path / "out", valid=wrong)
    for options in ({"code": "x"}, {"tags": "x"}):
        with pytest.raises(UnknownName):
            StackExOptions(**options)
    with pytest.raises(ConfigError):
        StackExOptions(training_tokens=-1)
    with pytest.raises(UnknownName):
        build([folder], tmp_path / "out", layout="x")


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    written(Path("cs"), *(row(i) for i in range(10)), row(99, tags=None))
    command = ["dataset", "build", "stackex", "cs", "-o", "out", "--jobs", "1", "--valid", "2", "--test", "0.2"]
    assert run([*command, "--code", "drop", "--layout", "both", "--format", "markdown"]) == 0
    shown = capsys.readouterr()
    assert "| valid | 2 |" in shown.out and "| no-tags | 1 |" in shown.out and not shown.err
    assert {"train_src.txt", "train_trg.txt", "test_src.txt", "rejections.jsonl"} <= set(everything(Path("out")))
    assert run([*command[:-4]]) == 2
    assert "too few" in capsys.readouterr().err
    assert run([*command, "--training-tokens", "x"]) == 2
    assert "--training-tokens must be a whole number" in capsys.readouterr().err
