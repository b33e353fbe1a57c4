"""Methods over datasets: what is measured, kept, left out and said."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import made_datasets
import phrasemill as pm
from phrasemill.errors import ConfigError, DataError, PhrasemillError
from phrasemill.registry import split_specs
from phrasemill_lab.bench import BenchRequest, available, own_file, run, runner, task
from phrasemill_lab.bench.results import BenchResult, file_name, read, read_folder, save
from phrasemill_lab.bench.runner import Outcome, chosen_methods, styled
from phrasemill_lab.datasets import load_dataset


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    return made_datasets.coast(folder)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[BenchRequest, Outcome]:
    """Two methods and a set method over all that is there, with every measure."""
    data = made_datasets.coast(tmp_path_factory.mktemp("data"))
    names = ("textrank, firstphrases", "bayatmakou")
    request = BenchRequest(data, tmp_path_factory.mktemp("out"), methods=names, datasets=("inspec", "mkduc01"))
    return request, run(request)


def test_every_measure_is_taken(done: tuple[BenchRequest, Outcome]) -> None:
    request, outcome = done
    assert [(one.dataset, one.spec) for one in outcome.results] == [
        ("inspec", "textrank"),
        ("inspec", "firstphrases"),
        ("mkduc01", "bayatmakou"),
    ]
    for one in outcome.results:
        assert not one.failed and one.quality and one.seconds and one.startup
        assert one.documents == 3 and one.tokens > 60 and one.documents_a_second
        assert one.peak and one.before and one.peak >= one.before > 1_000_000
        assert one.startup > 0.01 and one.rounds == 3
        assert [score.metric for score in one.quality] == list(task(one.dataset).metrics)
        assert all(0 <= score.low <= score.value <= score.high <= 1 for score in one.quality)
    tagged, *_ = outcome.results
    assert "tagger.safetensors" in tagged.model_files and tagged.model and tagged.model > 1_000_000
    assert sorted(path.name for path in request.output.iterdir()) == [
        "inspec.firstphrases.json",
        "inspec.textrank.json",
        "mkduc01.bayatmakou.json",
    ]


def test_scores_are_those_of_evaluate(done: tuple[BenchRequest, Outcome]) -> None:
    request, outcome = done
    documents = list(load_dataset("inspec", request.data, split="test", check="off"))
    lists = pm.extract_batch(documents, method="textrank", top=50)
    found = {document.id: listed for document, listed in zip(documents, lists, strict=True)}
    scores = pm.evaluate(found, documents, metrics=["F1@5"], resamples=1000)
    assert outcome.results[0].quality is not None
    best = outcome.results[0].quality[0]
    assert (best.value, best.signature) == (scores["F1@5"], scores.score("F1@5").signature)


def test_what_is_finished_is_kept(done: tuple[BenchRequest, Outcome], monkeypatch: pytest.MonkeyPatch) -> None:
    request, outcome = done
    monkeypatch.setattr(runner, "Pool", None)
    monkeypatch.setattr(runner, "reason_not_to_run", None)
    assert run(request).results == outcome.results
    assert run(replace(request, measures=("quality",))).results == outcome.results, "there is more than was asked for"
    with pytest.raises(TypeError):
        run(replace(request, fresh=True))
    with pytest.raises(TypeError):
        run(replace(request, documents=2))  # other documents
    with pytest.raises(TypeError):
        run(replace(request, methods=("textrank(window=3)",)))  # other parameters


def test_what_is_missing_is_added(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    request = BenchRequest(data, tmp_path, methods=("textrank",), datasets=("inspec",), measures=("quality",))
    first = run(request).results[0]
    monkeypatch.setattr(runner, "Pool", None)
    more = run(replace(request, measures=("quality", "startup"))).results[0]
    assert more.quality == first.quality and more.startup is not None and first.startup is None
    monkeypatch.setattr(runner, "first_keyphrase", lambda spec, sets: 1.5)
    again = run(replace(request, measures=("startup",), fresh=True)).results[0]
    assert again.startup == 1.5 and again.quality == first.quality, "what is not asked for stays"


def test_other_versions_and_damaged_files_are_measured_again(
    done: tuple[BenchRequest, Outcome], tmp_path: Path
) -> None:
    request, outcome = done
    old = replace(outcome.results[0], version="0.0.1")
    save(old, tmp_path)
    again = run(replace(request, output=tmp_path, methods=("textrank",), datasets=("inspec",), measures=("quality",)))
    assert again.results[0].version == pm.__version__
    (tmp_path / "inspec.textrank.json").write_text("{")
    (tmp_path / "other.json").write_text("[1]")
    assert list(read_folder(tmp_path)) == []
    with pytest.raises(DataError, match=r"inspec\.textrank\.json: not a result of this version of phrasemill bench"):
        read(tmp_path / "inspec.textrank.json")
    again = run(replace(request, output=tmp_path, methods=("textrank",), datasets=("inspec",), measures=("quality",)))
    assert again.results[0].quality == outcome.results[0].quality and again.results[0].startup is None


def test_a_method_that_cannot_run_is_left_out_and_named(data: Path, tmp_path: Path) -> None:
    request = BenchRequest(
        data, tmp_path, methods=("kea,textrank",), datasets=("inspec", "duc2001"), measures=("quality",)
    )
    outcome = run(request)
    assert [one.spec for one in outcome.results] == ["textrank", "textrank"]
    assert outcome.left_out["kea"].startswith("kea needs a model: train one with phrasemill train kea")


def test_a_cell_that_fails_does_not_stop_the_rest(data: Path, tmp_path: Path) -> None:
    request = BenchRequest(data, tmp_path, methods=("textrank",), datasets=("inspec",), measures=("quality",))
    failed = run(replace(request, limit=0.0001)).results[0]
    assert failed.failed.startswith("took longer than 0.0001 seconds") and failed.quality is None
    assert read(tmp_path / "inspec.textrank.json").failed == failed.failed
    assert not run(request).results[0].failed, "what failed is tried again"


def test_errors_of_a_cell_are_said(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "reason_not_to_run", lambda spec, sets: "")
    request = BenchRequest(data, tmp_path, methods=("kea", "textrank"), datasets=("inspec",), measures=("quality",))
    failed, fine = run(request).results
    assert failed.failed.startswith("kea needs a model") and fine.quality


def test_a_sample_is_named_as_one(data: Path, tmp_path: Path) -> None:
    request = BenchRequest(data, tmp_path, methods=("firstphrases",), datasets=("inspec",), measures=("quality",))
    sample = run(replace(request, documents=2)).results[0]
    assert sample.sampled and sample.documents == 2 and sample.label == "inspec@2"
    assert not run(replace(request, documents=3)).results[0].sampled, "all there are"


def test_datasets_that_are_there(data: Path) -> None:
    found, missing = available(data)
    assert [one.name for one in found] == [
        "everyday",
        "everyday-news",
        "inspec",
        "semeval2010",
        "semeval2010-official",
        "duc2001",
        "mkduc01",
    ]
    assert "no files of nus" in missing["nus"]
    assert task("DUC2001").title == "DUC-2001"


@pytest.mark.parametrize("name", ["semeval2010", "semeval2010-official"])
def test_stemmed_gold_is_scored_as_stems(data: Path, name: str) -> None:
    loaded = task(name).load(data)
    assert loaded.gold.stemmed and loaded.gold.phrases["wells"] == ("salt water", ("coastal well", "well"))


def test_sets_are_read_without_headlines(data: Path) -> None:
    loaded = task("mkduc01").load(data)
    assert len(loaded.groups) == 1 and len(loaded.documents) == 3
    assert all(document.title == "" for document in loaded.documents)


def test_a_digest_changes_with_the_texts(data: Path) -> None:
    before = task("inspec").load(data).digest
    assert task("inspec").load(data).digest == before
    path = data / "inspec_test.jsonl"
    path.write_text(path.read_text().replace("sand", "sands"))
    assert task("inspec").load(data).digest != before


def test_a_file_of_ones_own(data: Path, tmp_path: Path) -> None:
    mine = made_datasets.write(tmp_path / "mine.jsonl", made_datasets.records())
    request = BenchRequest(data, tmp_path, methods=("firstphrases",), datasets=(str(mine),), measures=("quality",))
    one = run(request).results[0]
    assert (one.dataset, one.title, one.documents) == ("mine", "mine.jsonl", 3) and one.quality
    assert str(tmp_path) not in json.dumps([one.title, one.dataset])
    assert own_file(mine).metrics == ("F1@5", "F1@10")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"methods": ("nothing",)}, "unknown method 'nothing'"),
        ({"datasets": ("nothing",)}, "unknown dataset 'nothing'"),
        ({"datasets": ("nus",)}, "no files of nus"),
        ({"methods": ("consensus",), "datasets": ("inspec",)}, "no dataset for these methods"),
        ({"data": Path("nowhere")}, "nowhere: there is no known dataset in it"),
    ],
)
def test_wrong_requests(data: Path, tmp_path: Path, wrong: dict[str, object], message: str) -> None:
    with pytest.raises(PhrasemillError, match=message):
        run(replace(BenchRequest(data, tmp_path), **wrong))  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [{"measures": ("beauty",)}, {"documents": 0}, {"limit": 0.0}])
def test_wrong_options(tmp_path: Path, wrong: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        BenchRequest(tmp_path, tmp_path, **wrong)  # type: ignore[arg-type]


def test_lists_of_specs() -> None:
    assert split_specs("a, b(c=1, d='x,y'), [e, f],,") == ["a", "b(c=1, d='x,y')", "[e, f]"]
    assert chosen_methods(["yake,textrank(window=3)", "consensus", "yake"]) == (
        ["yake", "textrank(window=3)"],
        ["consensus"],
    )
    singles, sets = chosen_methods([])
    assert "learned" in singles and "merge" in sets


def test_methods_are_measured_as_a_user_gets_them(data: Path, tmp_path: Path) -> None:
    request = BenchRequest(data, tmp_path, methods=("learned,textrank",), datasets=("inspec",), measures=("quality",))
    assert [one.spec for one in run(request).results] == ["learned", "textrank"]
    styled = run(replace(request, with_style=True)).results
    assert [one.spec for one in styled] == ["learned", "learned(style='indexer')", "textrank"], "a row of its own"


def test_documents_are_read_without_their_language(data: Path) -> None:
    loaded = task("inspec").load(data)
    assert {one.language for group in loaded.without_language for one in group.documents} == {""}
    assert set(loaded.gold.languages.values()) == {"en"}, "matching follows the language of the record"


def test_everyday_texts_by_kind_and_grade(data: Path, tmp_path: Path) -> None:
    loaded = task("everyday").load(data)
    assert "annotated by a language model" in loaded.task.title
    assert loaded.essential.phrases["wells"] == ("salt water", "coastal wells")
    assert loaded.gold.phrases["wells"] == ("salt water", "coastal wells", "groundwater")
    assert [group.id for group in task("everyday-news").load(data).groups] == ["wells"]
    assert [group.id for group in task("everyday-blog").load(data).groups] == ["dunes", "tides"]
    request = BenchRequest(data, tmp_path, methods=("firstphrases",), datasets=("everyday",), measures=("quality",))
    quality = run(request).results[0].quality
    assert quality and [one.metric for one in quality] == ["F1@5", "F1@10", "essential R@10"]
    with pytest.raises(DataError, match="no documents of everyday-poem"):
        task("everyday-poem").load(data)


def test_a_given_style_follows_from_the_dataset() -> None:
    assert styled("learned", ("nobody", "author"), sets=False) == "learned(style='author')"
    assert styled("learned(style='news')", ("author",), sets=False) == "learned(style='news')"
    assert styled("textrank", ("author",), sets=False) == "textrank"
    assert styled("consensus", ("news",), sets=True) == "consensus(style='news')"
    assert styled("consensus", ("indexer",), sets=True) == "consensus"


def test_names_of_files() -> None:
    names = [file_name("inspec", spec) for spec in ("yake", "learned(style='news')", "learned(style=news)", "a(b=1)")]
    assert len(set(names)) == 4 and names[0] == "inspec.yake.json" and names[1].startswith("inspec.learned-style-news-")


def test_peak_memory_grows() -> None:
    """In a process of its own: here other tests may have had more already."""
    code = """
from phrasemill_lab.bench.measuring import peak_bytes
before = peak_bytes()
held = bytes([1]) * 60_000_000
print(peak_bytes() - before, len(held))"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert int(done.stdout.split()[0]) > 20_000_000


def test_results_survive_their_file(done: tuple[BenchRequest, Outcome], tmp_path: Path) -> None:
    for one in done[1].results:
        assert read(save(one, tmp_path)) == one
    failed: BenchResult = replace(done[1].results[0], failed="no", quality=None)
    assert read(save(failed, tmp_path)) == failed
