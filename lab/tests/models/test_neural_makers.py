"""Each neural model through its maker: a toy recipe, made-up documents, a file that the method reads; on the CPU."""

import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("lightgbm")
pytest.importorskip("onnxruntime")

import phrasemill as pm  # noqa: E402
import tiny_bert  # noqa: E402
import tiny_generator  # noqa: E402
import tiny_joint  # noqa: E402
import tiny_mpnet  # noqa: E402
from made_records import write  # noqa: E402
from phrasemill.errors import ConfigError, InputError, PhrasemillError  # noqa: E402
from phrasemill_lab.models import (  # noqa: E402
    encoder,
    encoder_trees,
    generator,
    jointkpe,
    learned_sources,
    recurrent,
)
from phrasemill_lab.models import learned as learned_recipe  # noqa: E402
from phrasemill_lab.models.pretrained import Pretrained  # noqa: E402
from phrasemill_lab.models.recipes import load, settings  # noqa: E402
from phrasemill_lab.models.sources import Source  # noqa: E402
from phrasemill_lab.networks.recurrent import RecurrentConfig  # noqa: E402

pytestmark = pytest.mark.training

ROW = {"seed": 1, "device": "cpu"}
RECIPES = Path(__file__).parents[2] / "recipes"
MAKERS: dict[str, Callable[[Path, Path, Any], None]] = {
    "generator": generator.make,
    "catseq": recurrent.make,
    "catseqd": recurrent.make,
    "copyrnn": recurrent.make,
    "bertkpe": jointkpe.make,
    "encoder": encoder.make,
}
NETWORKS: dict[str, dict[str, Any]] = {
    "generator": {**tiny_generator.SIZES, "vocabulary": 200, "dropped_from": 0.0, "dropout": 0.0},
    "catseq": {"vocabulary": 60, "embedding": 16, "hidden": 24, "dropout": 0.0},
    "catseqd": {"vocabulary": 60, "embedding": 16, "hidden": 24, "dropout": 0.0, "orthogonal": 0.03},
    "copyrnn": {"vocabulary": 60, "embedding": 16, "hidden": 24, "dropout": 0.0},
    "bertkpe": {"width": 24, "dropout": 0.0},
}
SCHEDULES = {
    "generator": {"epochs": 60, "batch": 12, "rate": 5e-3, "warmup": 10, "validate": 60},
    "bertkpe": {"epochs": 30, "batch": 12, "rate": 5e-3, "validate": 15},
    "copyrnn": {"epochs": 60, "batch": 24, "rate": 2e-2, "validate": 30, "search": "beam"},
    "catseq": {"epochs": 100, "batch": 24, "rate": 2e-2, "validate": 50, "decay": "cosine"},
}


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join([f"{json.dumps(name)} = {toml(one)}" for name, one in value.items()]) + "}"
    return "[" + ", ".join(map(toml, value)) + "]" if isinstance(value, list | tuple) else json.dumps(value)


def recipe(folder: Path, table: dict[str, Any]) -> dict[str, Any]:
    """The row of a model with this recipe."""
    path = folder / "recipe.toml"
    path.write_text("".join([f"{name} = {toml(value)}\n" for name, value in table.items()]), encoding="utf-8")
    return {"recipe": str(path), **ROW}


def lessons(folder: Path) -> None:
    """Documents with a keyphrase that they say and one that they do not; one has a title that is held out."""
    records = [
        {
            "id": one.id,
            "title": "",
            "text": " ".join(one.words),
            "keyphrases": [" ".join(*one.present), *map(" ".join, one.absent)],
        }
        for one in tiny_generator.lessons()
    ]
    held = {
        "id": "x",
        "title": "A held-out title",
        "text": "zebra crossing",
        "keyphrases": ["zebra crossing"],
    }
    write(folder / "toy.jsonl", [*records, held])
    write(folder / "test.jsonl", [held])


def toy(name: str, folder: Path, **network: Any) -> dict[str, Any]:
    source = [{"file": "toy*.jsonl"}]
    data = {"train": source, "valid": [{"file": "toy*.jsonl", "last": 24}], "held_out": ["test.jsonl"]}
    training = SCHEDULES.get(name, SCHEDULES["catseq"])
    return recipe(folder, {"model": name, "data": data, "network": NETWORKS[name] | network, "training": training})


@pytest.mark.parametrize("name", ["generator", "catseq", "catseqd", "copyrnn", "bertkpe"])
def test_a_maker_ends_with_a_model_that_has_learned(name: str, tmp_path: Path) -> None:
    lessons(tmp_path)
    options = {"encoder": str(tiny_joint.bert(tmp_path / "bert", positions=128))} if name == "bertkpe" else {}
    output = tmp_path / "made.safetensors"
    MAKERS[name](tmp_path, output, toy(name, tmp_path, **options))
    journal = [
        json.loads(line) for line in (tmp_path / "made.safetensors.training/best.jsonl").read_text().splitlines()
    ]
    assert [line["epoch"] for line in journal] == [*range(1, len(journal) + 1)]
    assert journal[-1]["loss"] < journal[0]["loss"]
    assert max(value for line in journal for key, value in line.items() if key.endswith(" on toy*")) > 90
    method = f"{name}(model={str(output)!r})"
    right = ["worker bee", "insect behaviour"] if name != "bertkpe" else ["worker bee"]
    found = [one.text for one in pm.extract("On the worker bee in winter", method=method, top=len(right))]
    assert sorted(found) == sorted(right)


def test_a_seed_gives_one_model_and_held_out_titles_teach_nothing(tmp_path: Path) -> None:
    lessons(tmp_path)
    row = toy("catseqd", tmp_path)
    plain = Path(row["recipe"]).read_text(encoding="utf-8").replace('"epochs" = 100', '"epochs" = 2')
    Path(row["recipe"]).write_text(plain, encoding="utf-8")
    for output, seed in (("one", 1), ("again", 1), ("other", 2)):
        recurrent.make(tmp_path, tmp_path / output, row | {"seed": seed})
    one, again, other = ((tmp_path / name).read_bytes() for name in ("one", "again", "other"))
    assert one == again != other
    assert b"creek" in one and b"zebra" not in one


# The encoder. Keyphrases are what "we study": a network that reads can tell, counts and places cannot.
THINGS = ("deep well", "stone bridge", "wind mill", "salt mine", "river port", "clay oven", "iron gate", "glass roof")
SENTENCES = "Many people know the {} and the {}. We study the {}. Others have seen the {} before."
TREEBANK = """# newdoc id = one
# newpar id = one-p1
# text = We study the stone bridge.
1\tWe\twe\tPRON
# text = Many people know it.
# newpar id = one-p2
# text = Others have seen the salt mine.
# newdoc id = two
# text = The clay oven is old.
"""
STAGE = {"epochs": 1, "batch": 8, "rate": 1e-3}


@pytest.fixture
def collections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every file that the recipe of `learned` and ours name, with a few documents each; and few trees."""
    few = learned_recipe.Stage(3, 4, 0.1)
    monkeypatch.setattr(encoder_trees, "STAGES", dict.fromkeys(encoder_trees.STAGES, few))
    monkeypatch.setattr(encoder_trees, "SHARED", few)
    # The held-out parts of files begin after what a toy has.
    whole = {
        style: tuple([replace(one, first=0, last=None) for one in some])
        for style, some in learned_sources.HELD_OUT.items()
    }
    monkeypatch.setattr(learned_sources, "HELD_OUT", whole)
    sources = [*encoder_trees.tree_sources(), Source("keywords/train-00.jsonl.xz")]
    for number, name in enumerate(sorted({one.file for one in sources} | set(learned_sources.TEST))):
        order = list(permutations(THINGS, 4))
        np.random.default_rng(number).shuffle(order)
        records = []
        for place, things in enumerate(order[: 48 if name.startswith("keywords") else 12]):
            text, gold = SENTENCES.format(*things), [things[2]]
            one = {"id": str(place), "title": f"Report {number}-{place}", "text": text, "abstract": text}
            records.append(one | {"keyphrases": gold, "combined": [gold]})
        write(tmp_path / name, records)
    with gzip.open(tmp_path / "treebank.conllu.gz", "wt", encoding="utf-8") as file:
        file.write(TREEBANK)
    return tmp_path


@pytest.mark.parametrize("start", ["bert", "mpnet"])
def test_the_encoder_is_made_with_and_without_a_teacher(
    start: str, collections: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bert = tiny_bert.make(tmp_path / "bert", positions=512)
    mpnet = tiny_mpnet.make(tmp_path / "mpnet", Pretrained.load(str(bert)).pieces)
    taught = {"start": str(bert), "teacher": str(mpnet), "taught": 0.7, "layers": 1, "inner": 8}
    network = {"folds": 2, "general": {"author": 0.2, "indexer": 0.2}, "lent": {"indexer": ["news", 0.5]}}
    data = {
        "first": [{"file": "keywords/train-0*.jsonl.xz"}],
        "then": [
            {"file": "inspec_train.jsonl.gz", "style": "indexer", "repeat": 2},
            {"file": "semeval2010_train.jsonl.gz", "style": "reader", "gold": "combined"},
        ],
        "unlabelled": [{"file": "treebank.conllu.gz", "style": "everyday"}] if start == "bert" else [],
        "valid": [{"file": "keywords/valid.jsonl.xz"}],
        "held_out": ["keywords/valid.jsonl.xz"],
    }
    stages = {"first": STAGE | {"epochs": 30 if start == "bert" else 1, "validate": 15}, "then": STAGE}
    stages |= {f"teacher-{name}": STAGE for name in ("first", "then")}
    network |= taught if start == "bert" else {"start": str(mpnet)}
    row = recipe(tmp_path, {"model": "encoder", "data": data, "network": network, **stages})
    monkeypatch.setattr("phrasemill_lab.networks.span_export.LARGEST", 20_000)
    output = tmp_path / "encoder" / "runtime.safetensors"
    output.parent.mkdir()
    encoder.make(collections, output, row)
    assert len(list(output.parent.glob("runtime*.safetensors"))) > 1, "a large model is several files"
    trained = {path.stem for path in Path(f"{output}.training").glob("*.safetensors")}
    teachers = {"teacher-first", "teacher-0", "teacher-1"} if start == "bert" else set()
    assert trained == {"first", "fold-0", "fold-1", "final"} | teachers
    text = SENTENCES.format("old barn", "hay loft", "stone bridge", "cart road")
    found = pm.extract(text, method=f"encoder(style='author', model={str(output.parent)!r})", explain=True)
    assert {"stone bridge", "hay loft"} <= {one.text for one in found}
    assert all(0 <= one.score <= 1 for one in found)
    assert "reading" in {evidence.about for evidence in found[0].evidence}
    if start == "bert":  # one in four by chance
        journal = Path(f"{output}.training/first.jsonl").read_text().splitlines()
        assert json.loads(journal[-1])["valid"] > 60


# Recipes.


@pytest.mark.parametrize("path", sorted(RECIPES.glob("*.toml")), ids=lambda path: path.stem)
def test_the_recipes_are_complete_and_train_on_no_test_split(path: Path) -> None:
    plan = load({"recipe": path, **ROW}, *MAKERS)
    files = {one.file for sources in plan.sources.values() for one in sources}
    assert files and plan.held_out and not any("test" in file for file in files)
    assert set(plan.schedules) >= ({"first", "then"} if plan.model == "encoder" else {"training"})
    kinds: dict[str, Any] = {"encoder": encoder.EncoderSettings, "bertkpe": jointkpe.JointSettings}
    if plan.model == "generator":
        generator.settings_of(plan.network)
    else:
        settings(kinds.get(plan.model, RecurrentConfig), plan.network)


def test_a_row_decides_seed_and_device_and_a_recipe_adds_to_its_base() -> None:
    base, own = (load({"recipe": RECIPES / f"{name}.toml", **ROW, "seed": 7}, name) for name in ("catseq", "catseqd"))
    added = {"orthogonal": 1.0, "coverage": 0.03}
    assert own == replace(base, model="catseqd", network={**base.network, **added}) and own.seed == 7
    with pytest.raises(ConfigError, match="device 'moon' is not available"):
        load({"recipe": RECIPES / "catseq.toml", **ROW, "device": "moon"}, "catseq")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("model = 3 =", "not a recipe"),
        ('model = "catseq"', r"not a recipe \('data'\)"),
        ('model = "catseq"\n[data]\ntrain = [{files = "x"}]', "unknown setting 'files'; choose from file, style"),
        ('model = "catseq"\n[data]\n[training]\nminutes = 10', "unknown setting 'minutes'; choose from epochs"),
        ('model = "encoder"\n[data]', "a recipe for 'encoder', not for copyrnn or catseq or catseqd"),
        ('model = "catseq"\n[data]\n[network]\nwidht = 3', "unknown setting 'widht'; choose from paradigm"),
        ('model = "catseq"\n[data]\n[network]\nparadigm = "x"', "paradigm must be one of one2one, one2seq"),
    ],
)
def test_wrong_recipes_are_refused_in_a_line(text: str, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=complaint) as error:
        recurrent.make(tmp_path, tmp_path / "made", {"recipe": path, **ROW})
    assert "\n" not in str(error.value)


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        recurrent.make(tmp_path, tmp_path / "made", {"recipe": tmp_path / "none.toml", **ROW})
    row = toy("catseqd", tmp_path)
    with pytest.raises(InputError, match=r"no file test\.jsonl"):
        recurrent.make(tmp_path, tmp_path / "made", row)
    with pytest.raises(PhrasemillError, match="no: no such folder"):
        jointkpe.make(tmp_path, tmp_path / "made", toy("bertkpe", tmp_path, encoder="no"))
