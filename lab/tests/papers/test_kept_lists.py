"""Ranked lists of models that do not ship: written compressed, read in place of the model."""

from dataclasses import replace
from pathlib import Path

import pytest

import made_datasets
from phrasemill_lab.papers import Setting, kept_lists, pubmedake, reproduce

LISTS = dict.fromkeys(made_datasets.TEXTS, ("salt water", "dune grass"))


@pytest.fixture
def setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Setting:
    """Datasets, and kept lists of CatSeq for KP20k and of BERT-KPE for DUC-2001."""
    made_datasets.coast(tmp_path)
    made_datasets.write(tmp_path / "kp20k_small_test.jsonl", made_datasets.records())
    folder = tmp_path / "lists"
    for system, dataset in (("CatSeq", "KP20k"), ("BERT-KPE", "DUC-2001")):
        path = kept_lists.keep_lists(folder, system, "beam", dataset, LISTS)
        assert path.name == f"{system}.beam.{dataset}.jsonl.xz"
    monkeypatch.setattr(kept_lists, "FOLDER", folder)
    return Setting(tmp_path, tmp_path)


def test_generation_tables_read_kept_lists(setting: Setting) -> None:
    made = reproduce("catseqd-table2", replace(setting, methods=("CatSeq",)))
    catseq = next(row for row in made.rows if row.system == "CatSeq")
    assert catseq.ours is not None and catseq.ours[0] and catseq.ours[3] is None, "of KP20k, not of Inspec"
    assert "CatSeq: from kept lists (lists/ in the package); --models runs a model" in made.notes


def test_the_score_of_several_runs_is_their_mean(setting: Setting) -> None:
    wrong = dict.fromkeys(LISTS, ("something else",))
    kept_lists.keep_lists(kept_lists.FOLDER, "CatSeq + Orth. Reg.", "beam", "KP20k", LISTS, wrong)
    kept_lists.keep_lists(kept_lists.FOLDER, "CatSeq + Sem. Cov.", "beam", "KP20k", LISTS)
    made = reproduce("catseqd-table5", replace(setting, methods=("CatSeq + Orth. Reg.", "CatSeq + Sem. Cov.")))
    both, one = (
        next(row for row in made.rows if row.system == f"CatSeq + {name}.") for name in ("Orth. Reg", "Sem. Cov")
    )
    assert both.ours is not None and one.ours is not None and one.ours[0]
    assert both.ours[0] == pytest.approx(one.ours[0] / 2)
    assert "CatSeq + Orth. Reg.: the mean of 2 runs, from kept lists; --models runs a model" in made.notes


def test_lists_that_lack_documents_are_not_used(setting: Setting) -> None:
    assert kept_lists.kept_lists("CatSeq", "beam", "KP20k", ["wells"]) is not None
    assert kept_lists.kept_lists("CatSeq", "beam", "KP20k", ["wells", "elsewhere"]) is None


def test_a_model_comes_before_kept_lists(setting: Setting) -> None:
    made = reproduce("catseqd-table2", replace(setting, methods=("CatSeq",), models=setting.data / "nowhere"))
    assert next(row for row in made.rows if row.system == "CatSeq").ours is None


def test_tables_of_sets_merge_kept_lists(setting: Setting) -> None:
    row = next(row for row in reproduce("mkduc01-table3", setting).rows if row.system == "BERT-KPE")
    assert row.method == "merge over the kept lists of BERT-KPE"
    assert row.ours is not None and row.ours[-5] == pytest.approx(100), "both gold phrases, and no others"


def test_single_documents_read_kept_lists(setting: Setting) -> None:
    row = next(row for row in reproduce("mkduc01-table7", setting).rows if row.system == "BERT-KPE")
    assert row.ours is not None and row.ours[-1] == 2, "words per phrase"


def test_summaries_read_kept_lists(setting: Setting) -> None:
    articles = [row | {"present": row["keyphrases"], "absent": ["salt water"]} for row in made_datasets.records()]
    made_datasets.write(setting.data / "pubmedake_sample1000.jsonl", articles)
    kept_lists.keep_lists(kept_lists.FOLDER, pubmedake.KEPT_SUMMARISER, "beam", "PubMedAKE", LISTS)
    row = reproduce("pubmedake-table3", replace(setting, methods=("tfidf",))).rows[0]
    assert row.method == pubmedake.KEPT_SUMMARISER
    assert row.ours is not None and row.ours[1] == pytest.approx(100), "recall at 5"
