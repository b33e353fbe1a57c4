"""Corpora in, corpora out: what is read, what is written, and what is counted."""

import csv
import gzip
import io
import json
import lzma
import pickle
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

import phrasemill as pm
from in_process import run
from made_corpora import contents, records, rows, write_jsonl
from made_jats import article
from phrasemill import engine
from phrasemill.engine.chunks import Chunk, Plan, chunks
from phrasemill.engine.inputs import Item, Unit, Unread, name_of
from phrasemill.errors import ConfigError, InputError
from phrasemill.readers import Columns

FAST = {"method": "firstphrases", "jobs": 1}


def test_parquet_has_what_extract_gives(tmp_path: Path) -> None:
    corpus = write_jsonl(tmp_path / "corpus.jsonl", records(25))
    summary = engine.run(corpus, tmp_path / "out", jobs=2, top=4, part=Plan(documents=10))
    assert (summary.documents, summary.failed, summary.parts, summary.worked) == (25, 0, 3, 25)
    found = rows(tmp_path / "out")
    assert [row["id"] for row in found] == [f"d{n}" for n in range(25)]
    assert {row["language"] for row in found} == {"en"}
    for row, record in zip(found, records(25), strict=True):
        expected = pm.extract(pm.Document("", record["text"], record["title"]), top=4)
        assert row["keyphrases"] == [
            {
                "text": k.text,
                "score": k.score,
                "present": k.present,
                "spans": [{"start": start, "end": end} for start, end in k.spans],
            }
            for k in expected
        ]
    parts = [f"part-00000{n}.parquet" for n in range(3)]
    assert sorted(contents(tmp_path / "out")) == [*parts, "parts.jsonl"]


def test_lines_are_those_of_the_extract_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from phrasemill.cli import run as command

    corpus = write_jsonl(tmp_path / "corpus.jsonl", [*records(5), {"id": "ü", "text": "Größe und Maß."}])
    assert command(["extract", str(corpus), "--format", "jsonl", "--top", "3"]) == 0
    printed = capsys.readouterr().out
    engine.run(corpus, tmp_path / "out", format="jsonl", jobs=1, top=3)
    assert (tmp_path / "out" / "part-000000.jsonl").read_text(encoding="utf-8") == printed


def _csv(data: list[dict[str, str]]) -> bytes:
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, ["id", "title", "text"])
    writer.writeheader()
    writer.writerows(data)
    return buffer.getvalue().encode()


def _zstd(data: bytes) -> bytes:
    return bytes(pytest.importorskip("zstandard").ZstdCompressor().compress(data))


def _parquet(data: list[dict[str, str]]) -> bytes:
    sink = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(data), sink, row_group_size=2)
    return sink.getvalue()


def _jsonl(data: list[dict[str, str]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in data).encode()


def test_formats_give_the_same(tmp_path: Path) -> None:
    data = records(5)
    files = {
        "c.jsonl": _jsonl(data),
        "c.jsonl.gz": gzip.compress(_jsonl(data)),
        "c.jsonl.xz": lzma.compress(_jsonl(data)),
        "c.jsonl.zst": _zstd(_jsonl(data[:2])) + _zstd(_jsonl(data[2:])),
        "c.csv": _csv(data),
        "c.parquet": _parquet(data),
        "c.parquet.gz": gzip.compress(_parquet(data)),
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    engine.run([tmp_path / name for name in files], tmp_path / "out", **FAST)
    found = rows(tmp_path / "out")
    assert [row["id"] for row in found] == [row["id"] for row in data] * len(files)
    assert [found[i : i + 5] for i in range(0, len(found), 5)] == [found[:5]] * len(files)


def test_folders_and_archives(tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "b").mkdir(parents=True)
    (source / "b" / "note.txt").write_text("Salt water.", encoding="utf-8")
    (source / "a.md").write_text("# Deep *wells*", encoding="utf-8")
    (source / ".hidden.txt").write_text("Hidden.", encoding="utf-8")
    (source / "picture.png").write_bytes(b"\x89PNG")
    with tarfile.open(source / "articles.tar.gz", "w:gz") as archive:
        for number in (1, 2):
            data = article(str(number))
            member = tarfile.TarInfo(f"PMC{number}.nxml")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    with zipfile.ZipFile(source / "z.zip", "w") as packed:
        packed.writestr("c.jsonl", _jsonl(records(2)))
    engine.run(source, tmp_path / "out", **FAST)
    found = [str(row["id"]).removeprefix(f"{source}/") for row in rows(tmp_path / "out")]
    assert found == ["a.md", "articles.tar.gz:PMC1.nxml", "articles.tar.gz:PMC2.nxml", "b/note.txt", "d0", "d1"]
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["inputs"][0]["files"] == 4


def test_what_cannot_be_read_is_a_failure_with_its_place(tmp_path: Path) -> None:
    lines = ['{"id": "a", "text": "Salt water."}', "no json", '{"id": "b"}', '{"id": "c", "text": "Wells."}']
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("\n".join(lines), encoding="utf-8")
    broken = tmp_path / "broken.jsonl.gz"
    broken.write_bytes(gzip.compress(_jsonl(records(500)))[:-200])
    cut = tmp_path / "cut.jsonl.zst"
    cut.write_bytes(_zstd(_jsonl(records(3)))[:-5])
    (tmp_path / "empty.pdf").write_bytes(b"%PDF-1.4 no")
    summary = engine.run([corpus, broken, cut, tmp_path / "empty.pdf"], tmp_path / "out", **FAST)
    found = [(row["id"], row["error"]) for row in rows(tmp_path / "out") if row["error"]]
    assert [id_.removeprefix(f"{tmp_path}/").split(":")[0] for id_, _ in found] == [
        "corpus.jsonl",
        "corpus.jsonl",
        "broken.jsonl.gz",
        "cut.jsonl.zst",
        "empty.pdf",
    ]
    assert [id_ for id_, _ in found[:2]] == [f"{corpus}:2", f"{corpus}:3"]
    assert "line 2: is not JSON" in found[0][1]
    assert "breaks off" in found[2][1]
    assert "breaks off" in found[3][1]
    assert (summary.documents, summary.failed) == (len(rows(tmp_path / "out")), 5)


def test_the_manifest_tells_what_was_done(tmp_path: Path) -> None:
    corpus = write_jsonl(tmp_path / "corpus.jsonl", records(7))
    engine.run(corpus, tmp_path / "out", method="textrank(window=5)", jobs=1, top=3, part=Plan(documents=4))
    before = (tmp_path / "out" / "manifest.json").read_bytes()
    manifest = json.loads(before)
    assert manifest["state"] == "complete"
    assert manifest["phrasemill"] == pm.__version__
    assert manifest["method"] == "textrank(window=5)"
    assert manifest["parameters"]["top"] == 3
    assert manifest["part"] == {"documents": 4, "characters": 1_000_000}
    assert manifest["inputs"][0]["bytes"] == corpus.stat().st_size
    assert manifest["counts"]["documents"] == 7
    assert manifest["counts"]["parts"] == 2
    assert manifest["sessions"][0]["documents"] == 7
    assert manifest["sessions"][0]["seconds"] > 0
    assert manifest["sessions"][0]["pyarrow"] == pa.__version__
    again = engine.run(corpus, tmp_path / "out", method="textrank(window=5)", jobs=1, top=3, part=Plan(documents=4))
    assert (again.documents, again.worked, again.keyphrases) == (7, 0, manifest["counts"]["keyphrases"])
    assert (tmp_path / "out" / "manifest.json").read_bytes() == before


def test_concepts_and_columns(tmp_path: Path) -> None:
    (tmp_path / "terms.csv").write_text("id,label,synonyms\nw1,well,borehole\n", encoding="utf-8")
    corpus = write_jsonl(tmp_path / "c.jsonl", [{"key": "k", "body": "The boreholes are deep.", "text": "No."}])
    columns = Columns(id="key", text="body")
    options = {"vocabulary": tmp_path / "terms.csv", "method": "tfidf", "jobs": 1, "columns": columns}
    engine.run(corpus, tmp_path / "out", **options)
    (row,) = rows(tmp_path / "out")
    assert row["id"] == "k"
    (phrase,) = row["keyphrases"]
    assert (phrase["concept"], phrase["label"]) == ("w1", "well")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    assert [Path(one["name"]).name for one in manifest["models"]] == ["terms.csv"]


def test_object_stores_for_input_and_output(tmp_path: Path, bucket: Any) -> None:
    write_jsonl(tmp_path / "a.jsonl", records(6))
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "b.txt").write_bytes(b"Salt water in wells.")
    (tmp_path / "skipped.png").write_bytes(b"x")
    source = f"local://{tmp_path}"  # through fsspec; what is in this process's memory the reader does not see
    summary = run(source, "memory://bucket/out")
    names = sorted(path.rpartition("/")[2] for path in bucket.ls("/bucket/out", detail=False))
    assert names == ["manifest.json", *(f"part-00000{n}.jsonl" for n in range(3)), "parts.jsonl"]
    assert (summary.documents, summary.failed) == (7, 0)
    assert run(source, "memory://bucket/out").worked == 0
    with pytest.raises(InputError, match="nosuch"):
        run("nosuch://bucket/in", tmp_path / "out")


def test_file_urls_are_paths_and_ids_that_no_file_could_hold_are_mended(tmp_path: Path) -> None:
    (tmp_path / "c.jsonl").write_text('{"id": "\\ud800", "text": "Wells."}\n', encoding="utf-8")
    run(f"file://{tmp_path / 'c.jsonl'}", f"file://{tmp_path / 'out'}")
    assert [row["id"] for row in rows(tmp_path / "out")] == ["?"]


def test_an_empty_corpus_is_complete(tmp_path: Path) -> None:
    summary = run(write_jsonl(tmp_path / "empty.jsonl", []), tmp_path / "out")
    assert (summary.documents, summary.parts) == (0, 0)


@pytest.mark.parametrize(
    ("inputs", "options", "message"),
    [
        (["c.jsonl"], {"format": "csv"}, "format must be one of parquet, jsonl"),
        (["c.jsonl"], {"timeout": -1}, "timeout must be a number of seconds"),
        (["c.jsonl"], {"timeout": float("inf")}, "timeout must be a number of seconds"),
        (["c.jsonl"], {"engine": "cluster"}, "engine must be one of local, ray"),
        (["c.jsonl"], {"engine": "local", "address": "head:6379"}, "`--address` requires `--engine ray`"),
        (["c.jsonl"], {"nonsense": 1}, "unknown option 'nonsense'"),
        (["c.jsonl"], {"top": -3}, "top"),
        (["c.jsonl"], {"method": "textrank", "top": "auto"}, "top='auto' needs"),
        (["c.jsonl"], {"engine": "local", "jobs": 0}, "jobs must be"),
        ([], {}, "no inputs"),
        (["-"], {}, "standard input"),
        (["c.jsonl", "gone.jsonl"], {}, "gone.jsonl: no such file"),
        (["memory://bucket/nothing"], {}, "no such file"),
        (["."], {}, "is inside the input"),
        (["nothing"], {}, "there is no readable file in it"),
    ],
)
def test_what_makes_no_sense_is_told_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inputs: list[str], options: dict[str, object], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write_jsonl(Path("c.jsonl"), records(3))
    Path("nothing").mkdir()
    with pytest.raises((ConfigError, InputError), match=message):
        run(inputs, "out", **options)
    assert not Path("out").exists()


# Chunks


def chunked(plan: Plan, *items: Item) -> list[Chunk]:
    return list(chunks(((item, 0) for item in items), plan, lambda number: False))


def test_chunks_are_bounded_by_documents_and_by_characters() -> None:
    lengths = [10, 10, 10, 10, 500, 10, 60, 60, 10]
    made: list[Item] = [pm.Document(str(n), "x" * length) for n, length in enumerate(lengths, start=1)]
    made.insert(3, Unread("f:99", "bad"))
    made += Unit("a.txt", b"x" * 99), Unit("b.pdf", b"x" * 160), Unit("c.txt", b"x" * 100)
    found = chunked(Plan(documents=4, characters=100), *made)
    assert [[name_of(one) for one in pickle.loads(chunk.payload)] for chunk in found] == [
        ["1", "2", "3", "f:99"],
        ["4", "5"],
        ["6", "7", "8"],
        ["9", "a.txt"],
        ["b.pdf", "c.txt"],
    ]
    assert [chunk.documents for chunk in found] == [4, 2, 3, 2, 2]


def test_the_digest_sees_what_moves_between_fields() -> None:
    made: list[list[Item]] = [
        [pm.Document("a", "bc")],
        [pm.Document("ab", "c")],
        [pm.Document("a", "c", "b")],
        [pm.Document("a", "bc", language="fr")],
        [pm.Document("a", "b"), pm.Document("", "c")],
        [Unit("a", b"bc")],
        [Unit("ab", b"c")],
        [Unit("a", b"bd")],
        [Unread("a", "bc")],
    ]
    assert len({chunked(Plan(), *items)[0].digest for items in made}) == len(made)
