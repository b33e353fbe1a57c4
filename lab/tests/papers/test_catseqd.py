"""The tables of generation from lists in files, and what is said where a model or a set is missing."""

import json
from pathlib import Path

import pytest

import made_datasets
from phrasemill.errors import ConfigError, InputError
from phrasemill_lab.papers import Reproduced, Setting, reproduce

# Both present keyphrases are found and nothing else is said: P 2/5 and 2/10, R 1.
AT_5_AND_10 = (100 * 4 / 7, 100 / 3)
NAMES = ("kp20k_small_test", "deepkg_inspec_test", "deepkg_semeval_test", "stackexchange_takg_test")


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    for name in NAMES:
        text = "salt water spoils wells . managed recharge refills wells ."
        gold = ["salt water", "well", "aquif"] if "semeval" in name else ["salt water", "wells", "aquifer"]
        record = {"id": name, "title": "salt water", "text": text, "keyphrases": gold}
        made_datasets.write(tmp_path / f"{name}.jsonl", [record])
    lists = [{"id": name, "keyphrases": ["salt waters", "aquifers", "wells", "salt waters"]} for name in NAMES]
    (tmp_path / "lists.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lists))
    given = tuple(f"CatSeqD{search}={tmp_path / 'lists.jsonl'}" for search in ("", ":greedy", ":top"))
    return Setting(tmp_path, tmp_path, methods=("CatSeq,firstphrases", "learned, style of the set"), predictions=given)


def ours(made: Reproduced, system: str) -> tuple[float | None, ...] | None:
    return next(row.ours for row in made.rows if row.system == system)


def test_lists_from_files_stand_beside_the_published_figures(setting: Setting) -> None:
    made = reproduce("catseqd-table2", setting)
    catseqd = next(row for row in made.rows if row.system == "CatSeqD")
    assert catseqd.ours is not None and catseqd.ours[6:12] == (None,) * 6, "no Krapivin, no NUS"
    assert catseqd.ours[:6] + catseqd.ours[12:] == pytest.approx((*AT_5_AND_10, 100) * 3)
    assert catseqd.published is not None and catseqd.published[0] == 34.8
    assert ours(made, "CatSeq") is None and ours(made, "TfIdf") is None, "no model, and not asked for"
    assert ours(made, "firstphrases") and ours(made, "learned, style of the set")
    assert "catseq: left out (--models is not given)" in made.notes
    assert "NUS: no deepkg_nus_test.jsonl (plain or compressed)" in made.notes
    assert any("stemmed:gold" in one for one in made.signatures), "SemEval's gold is stemmed"


def test_self_terminating_absent_and_unique(setting: Setting) -> None:
    greedy = reproduce("catseqd-table4", setting)
    assert ours(greedy, "CatSeqD, greedy") == (100, 100, 100, 100) and ours(greedy, "CatSeq, best of a beam") is None
    absent = reproduce("catseqd-table6", setting)
    assert ours(absent, "CatSeqD") == (100, 100, 100, 100, *[None] * 4, 100, 100)
    assert "firstphrases" in {row.system for row in absent.rows} and "TextRank" not in {
        row.system for row in absent.rows
    }
    assert ours(reproduce("catseqd-section6.2", setting), "CatSeqD") == (3,)
    ablation = reproduce("catseqd-table5", setting)
    assert [row.system for row in ablation.rows][1] == "CatSeq + Orth. Reg."
    questions = reproduce("catseqd-table3", setting)
    assert ours(questions, "CatSeqD") == pytest.approx((*AT_5_AND_10, 100, 100, 100))
    silent = ours(questions, "learned, style of the set")
    assert silent is not None and silent[3:] == (None, None), "extractors say nothing that is absent"


def test_the_oracle_is_scored_with_both_denominators(setting: Setting) -> None:
    """Three keyphrases: at 5 F1 is 6/8 by k, at 10 6/13; by what came it is 1."""
    made = reproduce("catseqd-oracle", Setting(setting.data, setting.scratch))
    assert made.rows[0].published == (85.8, 62.6) and ours(made, "oracle") == pytest.approx((75, 600 / 13))
    assert ours(made, "oracle, by eq. 5") == (100, 100)


def test_counts(setting: Setting) -> None:
    made = reproduce("catseqd-table8", Setting(setting.data, setting.scratch))
    assert ours(made, "KP20k") == (1, 3, 1, 2, 1, 1) and ours(made, "NUS") is None and ours(made, "DUC") is None
    assert made.rows[0].difference is not None and made.rows[0].difference[0] == -19_986


@pytest.mark.parametrize("wrong", ["CatSeq", "a:up=b"])
def test_wrong_predictions(setting: Setting, wrong: str) -> None:
    with pytest.raises(ConfigError, match="takes NAME=FILE"):
        reproduce("catseqd-table2", Setting(setting.data, setting.scratch, predictions=(wrong,)))
    with pytest.raises(InputError, match="nowhere"):
        reproduce("catseqd-table2", Setting(setting.data, setting.scratch, predictions=("a=nowhere",)))


def test_lists_are_saved(setting: Setting, tmp_path: Path) -> None:
    folder = tmp_path / "saved"
    reproduce("catseqd-table2", Setting(setting.data, setting.scratch, methods=("firstphrases",), save=folder))
    saved = json.loads((folder / "firstphrases.beam.KP20k.jsonl").read_text())
    assert saved["id"] == "kp20k_small_test" and saved["keyphrases"][0]["text"]
