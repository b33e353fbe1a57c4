"""One tiny table per paper: published figures beside ours, on data of our own in the same shape."""

import gzip
import io
import json
import os
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

import made_datasets
import made_jats
from phrasemill.cli import run
from phrasemill_lab.papers import Reproduced, Setting, kept_lists, pubmedake, reproduce
from phrasemill_lab.papers.mkduc01 import COLUMNS, FIRST, NO_COLLECTION, ON, SINGLE, PublishedOutputs

SETS = ("kp20k_small_test", "deepkg_inspec_test", "deepkg_semeval_test", "stackexchange_takg_test")
# Both present keyphrases are found and nothing else is said: P 2/5 and 2/10, R 1.
AT_5_AND_10 = (100 * 4 / 7, 100 / 3)
LISTS = dict.fromkeys(made_datasets.TEXTS, ("salt water", "dune grass"))


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    for name in ("data", "scratch"):
        (tmp_path / name).mkdir()
    return Setting(made_datasets.coast(tmp_path / "data"), tmp_path / "scratch")


def ours(made: Reproduced, system: str) -> tuple[float | None, ...]:
    """The figures of a row that has some."""
    (row,) = [row for row in made.rows if row.system == system]
    assert row.ours is not None
    return row.ours


def without(made: Reproduced) -> set[str]:
    return {row.system for row in made.rows if row.ours is None}


def test_sets_and_single_documents(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    made = reproduce("mkduc01-table3", setting)
    assert ours(made, "CollabRank")[:8] == (None,) * 8 and None not in ours(made, "CollabRank")[8:]
    assert without(made) == {"BERT-KPE"} and ours(made, "consensus") and NO_COLLECTION in made.notes
    assert any("wordings:first" in one for one in made.signatures)
    assert 1 <= (ours(reproduce("mkduc01-table6", setting), "Tf-Idf")[0] or 0) <= 5
    monkeypatch.setattr(kept_lists, "FOLDER", setting.data / "lists")
    kept_lists.keep_lists(setting.data / "lists", "BERT-KPE", "beam", "DUC-2001", LISTS)
    kept = reproduce("mkduc01-table3", replace(setting, held={}))
    assert ours(kept, "BERT-KPE")[-5] == pytest.approx(100), "both gold phrases, and no others"
    both = reproduce("mkduc01-at20", setting)
    merged = next(row for row in both.rows if row.system == "Tf-Idf, merge")
    assert merged.published == (4.5, 31.0, None, None, 7.0) and merged.ours is not None
    papers = [row | {"combined": [["wells"]]} for row in made_datasets.records()]
    for split in ("train", "test"):
        made_datasets.write(setting.data / f"semeval2010_{split}.jsonl", papers)
    single = reproduce("mkduc01-table7", replace(setting, documents=2, held={}))
    assert single.rows[0].method == "tfidf(function_words=True)", "the toolkit's collection is there"
    assert not without(single) and ours(single, "CollabRank"), "each with the help of its topic"
    assert ours(single, "BERT-KPE")[-1] == 2, "words per phrase of the kept lists"


def test_the_dataset_of_sets(setting: Setting) -> None:
    clusters = [["salt water", "sea water"], ["dune grass"], ["steel mill"]]
    topic = {"id": "d31", "title": "", "text": "", "doc_ids": list(made_datasets.TEXTS), "clusters": clusters}
    made_datasets.write(setting.data / "mkduc01.jsonl", [topic | {"keyphrases": [one[0] for one in clusters]}])
    figures = ours(reproduce("mkduc01-table1", setting), "Full")
    assert figures == (1, 3, 0, 3, 0, 2, 0, 1, 3, 2, 0, 0.75, 0), "three different stems of four words"
    assert ours(reproduce("mkduc01-table8", setting), "d31") == (3, 3, 1)
    collection = ours(reproduce("mkduc01-section3", setting), "DUC-2001")
    assert collection == (3, 9, 3, pytest.approx(15 / 9), 0), "planting is there as planted"


@pytest.fixture
def outputs(tmp_path: Path) -> Path:
    """One topic, one document, and the same answers of two systems, with the scores that they have."""
    clusters = {"keyphrases": ["river flood", "dam"], "clusters": [["river flood", "high water"], ["dam"]]}
    news = {"id": "n1", "title": "Flood", "text": "A flood.", "keyphrases": ["flood"]}
    for name, record in (("mkduc01", {"id": "d01", "title": "", "text": "", **clusters}), ("duc2001", news)):
        (tmp_path / f"{name}.jsonl.gz").write_bytes(gzip.compress(json.dumps(record).encode()))
    runs = [f"{ON}/results_baselines_{m}_{v}" for m in ("concat", "merge") for v in ("full", "trunc20")]
    for run_ in [tmp_path / "reference" / "mkduc01" / name for name in (*runs, SINGLE)]:
        run_.mkdir(parents=True)
        answer = {"n1": ["floods", "rain"]} if run_.name == SINGLE else {"d01": ["high water", "dams"]}
        (run_ / "scores.csv").touch()
        lines = [",".join(["algorithm", *COLUMNS.values()])]
        for system in ("YAKE", "TopicRank"):
            (run_ / f"{system}.json").write_text(json.dumps(answer), encoding="utf-8")
            scores = PublishedOutputs(Setting(tmp_path, tmp_path)).scores(run_ / f"{system}.json", FIRST)
            lines.append(",".join([system, *(f"{scores[name]:.4f}" for name in COLUMNS)]))
        (run_ / "scores.csv").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


def test_every_published_number_is_checked(outputs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["reproduce", "mkduc01-outputs", "--data", str(outputs)]
    assert run(command) == 0
    assert "320 of 320 published numbers of 10 systems" in capsys.readouterr().out
    path = outputs / "reference" / "mkduc01" / SINGLE / "scores.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("0.5000", "0.5001", 1), encoding="utf-8")
    assert run(command) == 1
    assert "published 0.5001, computed 0.500000" in capsys.readouterr().out
    made = reproduce("mkduc01-outputs-table2", Setting(outputs, outputs))
    by_reading = [row.ours and row.ours[-5] for row in made.rows if row.system == "YAKE"]
    assert by_reading == [50, 100], "by first wordings `high water` is wrong, by clusters it is right"
    for number in range(3, 8):
        assert reproduce(f"mkduc01-outputs-table{number}", Setting(outputs, outputs)).rows


@pytest.mark.skipif("PHRASEMILL_DATA" not in os.environ, reason="published outputs and runs are not ours to ship")
@pytest.mark.parametrize(("name", "rows"), [("mkduc01-outputs", 9), ("semeval2010-scorer", 4)])
def test_all_published_numbers_come_out(name: str, rows: int) -> None:
    made = reproduce(name, Setting(data := Path(os.environ["PHRASEMILL_DATA"]), data))
    assert not made.failed and len(made.rows) == rows


@pytest.fixture
def generation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Setting:
    """One document per set, and kept lists of CatSeqD; the package's own lists are out of sight."""
    monkeypatch.setattr(kept_lists, "FOLDER", tmp_path / "none")
    names = dict(zip(SETS, ("KP20k", "Inspec", "SemEval", "StackEx"), strict=True))
    for name, called in names.items():
        text = "salt water spoils wells . managed recharge refills wells ."
        gold = ["salt water", "well", "aquif"] if "semeval" in name else ["salt water", "wells", "aquifer"]
        record = {"id": name, "title": "salt water", "text": text, "keyphrases": gold}
        made_datasets.write(tmp_path / f"{name}.jsonl", [record])
        for search in ("beam", "greedy", "top"):
            found = {name: ("salt waters", "aquifers", "wells", "salt waters")}
            kept_lists.keep_lists(tmp_path / "lists", "CatSeqD", search, called, found)
    methods = ("CatSeq,CatSeqD,firstphrases", "learned, style of the set")
    return Setting(tmp_path, tmp_path, methods=methods, lists=tmp_path / "lists")


def test_generation_from_kept_lists(generation: Setting) -> None:
    made = reproduce("catseqd-table2", generation)
    figures = ours(made, "CatSeqD")
    assert figures[6:12] == (None,) * 6, "no Krapivin, no NUS"
    assert figures[:6] + figures[12:] == pytest.approx((*AT_5_AND_10, 100) * 3)
    assert without(made) >= {"CatSeq", "TfIdf"}, "no model, and not asked for"
    assert ours(made, "firstphrases") and ours(made, "learned, style of the set")
    assert "catseq: left out (--models is not given)" in made.notes
    assert "NUS: no deepkg_nus_test.jsonl (plain or compressed)" in made.notes
    assert any("stemmed:gold" in one for one in made.signatures), "SemEval's gold is stemmed"
    assert (generation.data / "lists" / "firstphrases.beam.KP20k.jsonl.xz").is_file(), "lists that were made are kept"
    absent = reproduce("catseqd-table6", generation)
    assert ours(absent, "CatSeqD") == (100, 100, 100, 100, *[None] * 4, 100, 100)
    assert "TextRank" not in {row.system for row in absent.rows}
    assert ours(reproduce("catseqd-table4", generation), "CatSeqD, greedy") == (100, 100, 100, 100)
    assert ours(reproduce("catseqd-section6.2", generation), "CatSeqD") == (3,)
    questions = reproduce("catseqd-table3", generation)
    assert ours(questions, "CatSeqD") == pytest.approx((*AT_5_AND_10, 100, 100, 100))
    assert ours(questions, "learned, style of the set")[3:] == (None, None), "extractors say nothing that is absent"


def test_generation_data_and_the_oracle(generation: Setting) -> None:
    """Three keyphrases: at 5 F1 is 6/8 by k, at 10 6/13; by what came it is 1."""
    generation = replace(generation, methods=(), lists=None)
    made = reproduce("catseqd-oracle", generation)
    assert made.rows[0].published == (85.8, 62.6) and ours(made, "oracle") == pytest.approx((75, 600 / 13))
    assert ours(made, "oracle, by eq. 5") == (100, 100)
    counts = reproduce("catseqd-table8", generation)
    assert ours(counts, "KP20k") == (1, 3, 1, 2, 1, 1) and without(counts) >= {"NUS", "DUC"}


def test_the_score_of_several_runs_is_their_mean(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_lists, "FOLDER", folder := setting.data / "lists")
    made_datasets.write(setting.data / "kp20k_small_test.jsonl", made_datasets.records())
    wrong = dict.fromkeys(LISTS, ("something else",))
    kept_lists.keep_lists(folder, "CatSeq + Orth. Reg.", "beam", "KP20k", LISTS, wrong)
    kept_lists.keep_lists(folder, "CatSeq + Sem. Cov.", "beam", "KP20k", LISTS)
    made = reproduce("catseqd-table5", setting)
    both, one = (ours(made, f"CatSeq + {name}")[0] for name in ("Orth. Reg.", "Sem. Cov."))
    assert both and one and both == pytest.approx(one / 2)
    assert "CatSeq + Orth. Reg.: the mean of 2 runs, from kept lists; --models runs a model" in made.notes
    assert kept_lists.kept_lists("CatSeq + Sem. Cov.", "beam", "KP20k", ["wells", "elsewhere"]) == []
    models = reproduce("catseqd-table5", replace(setting, models=setting.scratch, held={}))
    assert "CatSeq + Sem. Cov." in without(models), "a model comes before kept lists"


def test_biomedical_articles(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    articles = [row | {"present": row["keyphrases"], "absent": ["sea"]} for row in made_datasets.records()]
    made_datasets.write(setting.data / "pubmedake_sample1000.jsonl", articles)
    made = reproduce("pubmedake-table2", setting)
    assert len(made.rows) == 10 and not without(made)
    assert {row.system: row.method for row in made.rows}["TopicalRank"] == "topicrank"
    monkeypatch.setattr(kept_lists, "FOLDER", folder := setting.data / "lists")
    chosen = replace(setting, methods=("summarise(multipartiterank)",), held={})
    absent = reproduce("pubmedake-table3", chosen)
    assert without(absent) == {pubmedake.SUMMARY}, "no summariser, and no lists of one for these documents"
    assert ours(absent, "summarise(multipartiterank)")
    assert any("Of the 3 keywords that the data call abstractive 1 do occur" in note for note in absent.notes)
    kept_lists.keep_lists(folder, pubmedake.KEPT_SUMMARISER, "beam", "PubMedAKE", dict.fromkeys(LISTS, ("sea",)))
    assert ours(reproduce("pubmedake-table3", replace(chosen, held={})), pubmedake.SUMMARY)[1] == pytest.approx(100)


def test_kept_lists_are_called_as_they_are_looked_for() -> None:
    for path in kept_lists.FOLDER.glob("*.xz"):
        assert kept_lists.kept_path(kept_lists.FOLDER, *path.name.removesuffix(".jsonl.xz").split(".")) == path
    assert kept_lists.kept_path(kept_lists.FOLDER, pubmedake.KEPT_SUMMARISER, "beam", pubmedake.FILE).is_file()


def test_mesh_terms_of_articles(setting: Setting) -> None:
    groups = """<kwd-group><kwd>salt water</kwd></kwd-group><kwd-group kwd-group-type="MeSH"><kwd>Salt Water</kwd>
    <kwd>Groundwater</kwd></kwd-group>"""
    with tarfile.open(setting.data / "jats_samples.tar.xz", "w:xz") as archive:
        for name, more in (("a.nxml", groups), ("b.nxml", "<kwd-group><kwd>wells</kwd></kwd-group>")):
            data = made_jats.article(keywords=more)
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    made = reproduce("pubmedake-section1", setting)
    assert made.notes == ("1 of 2 articles have both MeSH terms and keywords of their authors.",)
    assert made.rows[0].ours == (pytest.approx(200 / 3),), "one of two terms, the only keyword"
