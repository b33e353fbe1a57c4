"""Published tables beside ours: figures, differences, what is missing."""

import io
import json
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

import made_datasets
import made_jats
from phrasemill.errors import ConfigError, DataError, UnknownName
from phrasemill_lab.papers import ENTRIES, ComparisonRow, Published, Reproduced, Setting, entry, published, reproduce
from phrasemill_lab.papers.comparison import FOLDER
from phrasemill_lab.papers.mkduc01 import NO_COLLECTION, SYSTEMS


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    data, scratch = tmp_path / "data", tmp_path / "scratch"
    data.mkdir()
    scratch.mkdir()
    return Setting(made_datasets.coast(data), scratch)


def test_every_table_has_its_figures_and_their_source() -> None:
    assert {one.published or one.name for one in ENTRIES} == {path.stem for path in FOLDER.glob("*.json")}
    for one in ENTRIES:
        table = one.table
        assert table.paper and table.source and table.title and one.needs
        if one.name not in ("mkduc01-outputs", "semeval2010-ranks", "semeval2010-scorer"):
            assert table.source.startswith(("Table", "Section"))
            assert {len(row) for row in table.rows.values()} == {len(table.columns)}
            assert any(figure is not None for row in table.rows.values() for figure in row)


@pytest.mark.parametrize(
    ("name", "row", "column", "figure"),
    [
        ("mkduc01-table1", "Trunc-20", "with substitutes", 104),
        ("mkduc01-table2", "MultipartiteRank", "merge P@20", 21.0),
        ("mkduc01-table3", "Bayatmakou et al.", "merge unigram-F1@20", 16.31),
        ("mkduc01-table5", "Tf-Idf", "concat F1@1", 0.11),
        ("mkduc01-table6", "YAKE", "merge % synonymous", 17),
        ("mkduc01-table7", "PositionRank", "unigram-F1@10", 38.38),
        ("semeval2010-table3", "NB, combined", "F1@15", 14.7),
        ("semeval2010-table4", "HUMB", "F1@15", 27.5),
        ("semeval2010-table5", "WINGNUS", "R@15", 24.7),
        ("semeval2010-table6", "Maui", "F1@5", 23.0),
        ("semeval2010-table7", "SZTERGAK", "J F1@15", 25.17),
        ("semeval2010-table8", "UNICE", "C F1@15", 14.0),
        ("semeval2010-section4", "readers against authors", "F1", 33.6),
        ("catseqd-table1", "NUS", "keyphrases, variance", 64.6),
        ("catseqd-table2", "CatSeqD", "SemEval F1@O", 35.7),
        ("catseqd-table3", "CatSeqD", "absent R@50", 65.7),
        ("catseqd-table4", "CatSeq, best of a beam", "StackEx F1@M", 52.7),
        ("catseqd-table5", "CatSeq + Sem. Cov.", "NUS F1@O", 40.2),
        ("catseqd-table6", "CopyRNN (Meng et al.)", "Krapivin R@50", 19.5),
        ("catseqd-table7", "Table 3", "coverage", 0.1),
        ("pubmedake-table1", "PubMedAKE", "words", 216.9),
        ("pubmedake-section1", "MeSH terms", "F1@M", 4.8),
        ("pubmedake-table2", "KPMiner", "partial F1@15", 17.62),
        ("pubmedake-table3", "summary, then MultipartiteRank", "stems R@15", 5.71),
        ("ngram-metrics-table1", "Found", "Combined", 2864),
        ("ngram-metrics-section4.3", "candidate longer, middle", "score", 1.89),
        ("ngram-metrics-table3", "majority, up to 3 words", "nist", 0.3820),
        ("ngram-metrics-table5", "with conjunction", "human", 0.5777),
    ],
)
def test_figures_are_as_printed(name: str, row: str, column: str, figure: float) -> None:
    table = published(name)
    assert table.rows[row][table.columns.index(column)] == figure


def test_rows_show_published_ours_and_the_difference() -> None:
    table = Published("t", "Title", "Paper", "Table 1", ("P", "R"), {"A": (10.0, None), "B": (1.0, 2.0)})
    rows = (
        ComparisonRow("A", "method(a=1)", table.rows["A"], (12.34, 5.0), ("P|match:stem", "R|match:stem")),
        ComparisonRow("B", "", table.rows["B"]),
        ComparisonRow("C", "c", None, (1.0, None)),
    )
    made = Reproduced(table, rows, ("a note",))
    (shown,) = made.tables()
    assert shown.rows == (
        ("A", "published", "10.0", "–"),
        ("", "method(a=1)", "12.3", "5.0"),
        ("", "difference", "+2.3", "–"),
        ("B", "published", "1.0", "2.0"),
        ("", "no figures", "–", "–"),
        ("C", "c", "1.0", "–"),
    )
    assert shown.notes == ("a note", "P R|match:stem") and "Paper; Table 1" in shown.title
    record = json.loads(json.dumps(made.record()))
    assert record["rows"][0]["difference"] == [pytest.approx(2.34), None] and record["notes"] == ["a note"]


def test_no_difference_has_no_sign() -> None:
    table = Published("t", "", "", "Table 1", ("P",), {"A": (10.01,)})
    made = Reproduced(table, (ComparisonRow("A", "", (10.01,), (10.009,)),))
    assert made.tables()[0].rows[2] == ("", "difference", "0.00")


def test_sets(setting: Setting) -> None:
    made = reproduce("mkduc01-table3", setting)
    by_system = {row.system: row for row in made.rows}
    assert set(SYSTEMS) <= set(by_system) and by_system["BERT-KPE"].ours is None
    collab = by_system["CollabRank"]
    assert collab.ours is not None and collab.difference is not None
    assert collab.ours[:8] == (None,) * 8 and all(one is not None for one in collab.ours[8:])
    assert by_system["consensus"].published is None and by_system["consensus"].ours is not None
    assert any("wordings:first" in one for one in made.signatures)
    words = reproduce("mkduc01-table6", setting)
    assert words.rows[0].ours is not None and 1 <= (words.rows[0].ours[0] or 0) <= 5
    both = reproduce("mkduc01-at20", setting)
    merged = next(row for row in both.rows if row.system == "Tf-Idf, merge")
    assert merged.published == (4.5, 31.0, None, None, 7.0) and merged.ours is not None


def test_single_documents(setting: Setting) -> None:
    made = reproduce("mkduc01-table7", replace(setting, documents=2))
    assert [row.system for row in made.rows][:2] == ["Tf-Idf", "KPMiner"]
    assert next(row for row in made.rows if row.system == "CollabRank").ours, "each with the help of its topic"
    assert all(row.ours for row in made.rows if row.system in SYSTEMS and row.system != "BERT-KPE")
    assert "Ours are of the first 2 documents only." in made.notes


def test_the_toolkits_tf_idf_where_its_collection_is_there(setting: Setting) -> None:
    assert NO_COLLECTION in reproduce("mkduc01-table7", replace(setting, documents=1)).notes
    papers = [
        row | {"combined": [["wells"]], "reader": [["wells"]], "author": [["wells"]]} for row in made_datasets.records()
    ]
    for split in ("train", "test"):
        made_datasets.write(setting.data / f"semeval2010_{split}.jsonl", papers)
    made = reproduce("mkduc01-table7", replace(setting, documents=1, held={}))
    assert made.rows[0].method == "tfidf(function_words=True)" and NO_COLLECTION not in made.notes


def test_the_dataset_itself(setting: Setting) -> None:
    clusters = [["salt water", "sea water"], ["dune grass"], ["steel mill"]]
    topic = {"id": "d31", "title": "", "text": "", "doc_ids": list(made_datasets.TEXTS), "clusters": clusters}
    made_datasets.write(setting.data / "mkduc01.jsonl", [topic | {"keyphrases": [one[0] for one in clusters]}])
    full, _ = reproduce("mkduc01-table1", setting).rows
    assert full.ours == (1, 3, 0, 3, 0, 2, 0, 1, 3, 2, 0, 0.75, 0), "three different stems of four words"
    assert reproduce("mkduc01-table8", setting).rows[0].ours == (3, 3, 1)
    collection = reproduce("mkduc01-section3", setting).rows[0].ours
    assert collection == (3, 9, 3, pytest.approx(15 / 9), 0), "planting is there as planted"


def test_tables_that_nothing_makes_say_why(setting: Setting) -> None:
    made = reproduce("catseqd-table7", setting)
    assert all(row.ours is None for row in made.rows) and "choices, not results" in made.notes[0]


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


def test_biomedical_articles(setting: Setting) -> None:
    articles = [row | {"present": row["keyphrases"], "absent": ["sea"]} for row in made_datasets.records()]
    made_datasets.write(setting.data / "pubmedake_sample1000.jsonl", articles)
    made = reproduce("pubmedake-table2", setting)
    assert len(made.rows) == 10 and all(row.ours for row in made.rows)
    assert {row.system: row.method for row in made.rows}["TopicalRank"] == "topicrank"
    assert made.notes[0].endswith("ours are of the sample of 1,000 articles that the authors publish.")
    absent = reproduce("pubmedake-table3", replace(setting, methods=("summarise(multipartiterank)",), held={}))
    assert absent.rows[0].published is not None and absent.rows[0].ours is None, "no summariser, and no lists of one"
    assert absent.rows[1].system == "summarise(multipartiterank)" and absent.rows[1].ours is not None
    assert "Of the 3 keywords that the data call abstractive 1 do occur" in absent.notes[1]


def test_baselines_of_semeval(setting: Setting) -> None:
    texts = [row | {"title": ""} for row in made_datasets.records()]
    keys = {"combined": [["salt water"], ["wells"]], "reader": [["salt water"]], "author": [["wells"]]}
    stems = {f"{name}.stem": [["salt water"]] for name in keys}
    for split in ("train", "test"):
        rows = [row | keys | stems for row in texts]
        made_datasets.write(setting.data / f"semeval2010_official_{split}.jsonl", rows)
    made = reproduce("semeval2010-table3", setting)
    assert [row.system for row in made.rows[:2]] == ["TF×IDF, reader", "TF×IDF, combined"]
    assert all(row.ours for row in made.rows) and made.rows[-1].published is None
    ranks = reproduce("semeval2010-table4", setting)
    ours = {row.system for row in ranks.rows if row.ours}
    assert ours == {"KP-Miner", "Maui", "KEA", "learned, style reader"} and len(ranks.rows) == 21


def test_metrics_beside_people(setting: Setting) -> None:
    grades = (("sel", 2), ("eau", 0), ("eau salée froide", 1), ("eau de mer", 1), ("pont", 0))
    judged = [{"phrase": phrase, "score": score} for phrase, score in grades]
    record = {"id": "1", "keyphrases": ["sel", "eau salée"], "judgements": judged}
    made_datasets.write(setting.data / "termith_eval_judged.jsonl", [record])
    made = reproduce("ngram-metrics-table3", setting)
    assert made.rows[0].ours is not None and made.rows[0].ours[0] is None, "one judge, no human bound"
    assert made.rows[0].ours[1] == pytest.approx(1), (
        "of parts, `eau` has half the words and `eau salée froide` two thirds"
    )
    assert any("Ours: 2 judgements of parts" in note for note in made.notes)
    wider = {row.system: row.ours for row in made.rows if row.published is None}
    assert set(wider) == {"not only parts: near-misses", "not only parts: all"}
    assert len(reproduce("ngram-metrics-table4", setting).rows) == 8
    with pytest.raises(ConfigError, match="leave out --documents"):
        reproduce("ngram-metrics-table5", replace(setting, documents=3, held={}))


def test_collected_grades_come_before_termiths(setting: Setting) -> None:
    """Two annotators who agree, so that there is a human bound; in English, so that there are word classes."""
    pairs = (("grid", "grid computing", 1), ("grid computing system", "grid computing", 3), ("salt", "salt water", 2))
    rows: list[dict[str, object]] = [
        {"keyphrase": keyphrase, "candidate": candidate, "scores": {"anna": grade, "ben": grade}}
        for candidate, keyphrase, grade in pairs
    ]
    made_datasets.write(setting.data / "near_misses_graded.jsonl", rows)
    made = reproduce("ngram-metrics-table4", setting)
    by_group = {row.system: row.ours for row in made.rows}
    assert by_group["simple"] is not None and by_group["simple"][0] == pytest.approx(1)
    scores = {row.system: row.ours for row in reproduce("ngram-metrics-section4.3", setting).rows}
    assert scores["candidate shorter, first"] == (1.5,), "grid, salt"
    assert scores["candidate longer, first"] == (3,) and scores["candidate longer, head"] is None
    two, three = reproduce("ngram-metrics-section5", setting).rows
    assert two.ours == (100, 100) and three.ours is None, "who always agree, and are two"


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    setting = Setting(tmp_path, tmp_path)
    for name in ("mkduc01-table2", "semeval2010-table3", "pubmedake-table2", "ngram-metrics-table3"):
        with pytest.raises(DataError, match=f"{name} needs {entry(name).needs[:10]}"):
            reproduce(name, setting)
    with pytest.raises(UnknownName, match="did you mean 'mkduc01-table2'"):
        reproduce("mkduc01-tabel2", setting)
    with pytest.raises(ConfigError, match="mkduc01-table2 does not take --methods"):
        reproduce("mkduc01-table2", replace(setting, methods=("textrank",)))
