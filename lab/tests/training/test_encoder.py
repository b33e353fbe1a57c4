"""The encoder's training from documents to the file that the method reads; on the CPU, with toys."""

import gzip
import json
import lzma
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("lightgbm")
pytest.importorskip("onnxruntime")

import phrasemill as pm  # noqa: E402
import tiny_bert  # noqa: E402
import tiny_mpnet  # noqa: E402
from phrasemill.errors import ConfigError, InputError, UnknownName  # noqa: E402
from phrasemill.types import Document  # noqa: E402
from phrasemill_lab.models import learned as learned_recipe  # noqa: E402
from phrasemill_lab.models import learned_sources  # noqa: E402
from phrasemill_lab.training import encoder, encoder_trees, span_examples  # noqa: E402
from phrasemill_lab.training.loop import CURVES, WEIGHTS  # noqa: E402
from phrasemill_lab.training.pretrained import bert_pieces, scorer_from_bert  # noqa: E402
from phrasemill_lab.training.recipes import EncoderRecipe, load_encoder_recipe, tree_sources  # noqa: E402
from phrasemill_lab.training.sources import Source, read_records  # noqa: E402
from phrasemill_lab.training.span_examples import load_windows  # noqa: E402
from phrasemill_lab.training.span_scorer import SpanLearner, r_precision  # noqa: E402

pytestmark = pytest.mark.training

RECIPE = """
seed = 1
start = "{start}"
[data]
first = "keywords/train-0*.jsonl.xz"
held_out = ["keywords/valid.jsonl.xz"]
then = [
  {{ file = "inspec_train.jsonl.gz", style = "indexer", repeat = 2 }},
  {{ file = "semeval2010_train.jsonl.gz", style = "reader", gold = "combined" }},
]
valid = [{{ file = "keywords/valid.jsonl.xz", style = "author" }}]
[teaching]
folds = 2
general = {{ author = 0.2, indexer = 0.2 }}
lent = {{ indexer = ["news", 0.5] }}
[first]
epochs = {epochs}
batch = 8
rate = 3e-3
validate = {epochs}
[then]
epochs = 1
batch = 8
rate = 1e-4
"""
THINGS = ("deep well", "stone bridge", "wind mill", "salt mine", "river port", "clay oven", "iron gate", "glass roof")
# Keyphrases are what "we study": a network that reads can tell, counts and places cannot.
SENTENCES = "Many people know the {a} and the {b}. We study the {c}. Others have seen the {d} before."


def record(number: int) -> dict[str, object]:
    a, b, c, d = np.random.default_rng(number).permutation(THINGS)[:4].tolist()
    text = SENTENCES.format(a=a, b=b, c=c, d=d)
    return {
        "id": str(number),
        "title": f"Report {number}",
        "text": text,
        "abstract": text,
        "keyphrases": [c],
        "combined": [[c]],
    }


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every file that the recipe of `learned` and ours name, each with a few documents."""
    folder = tmp_path_factory.mktemp("data")
    sources = [*tree_sources(), Source("keywords/train-00.jsonl.xz", "author")]
    files = sorted({one.file for one in sources} | set(learned_sources.TEST))
    for number, name in enumerate(files):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        count = 48 if name.startswith("keywords") else 12
        with (lzma if path.suffix == ".xz" else gzip).open(path, "wt", encoding="utf-8") as file:
            file.writelines([json.dumps(record(1000 * number + i)) + "\n" for i in range(count)])
    return folder


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tiny_bert.make(tmp_path_factory.mktemp("bert"), positions=512))


def recipe(folder: Path, start: str, *, epochs: int = 1) -> EncoderRecipe:
    path = folder / "recipe.toml"
    path.write_text(RECIPE.format(start=start, epochs=epochs), encoding="utf-8")
    return load_encoder_recipe(path)


@pytest.fixture(autouse=True)
def one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(autouse=True)
def as_far_as_there_are_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    """The held-out parts of files begin after what a toy has; and a few trees will do."""
    few = learned_recipe.Stage(3, 4, 0.1)
    monkeypatch.setattr(encoder_trees, "STAGES", dict.fromkeys(encoder_trees.STAGES, few))
    monkeypatch.setattr(encoder_trees, "SHARED", few)
    held = {
        style: tuple([Source(one.file, one.style, part=one.part) for one in some])
        for style, some in learned_sources.HELD_OUT.items()
    }
    monkeypatch.setattr(learned_sources, "HELD_OUT", held)


def quiet(line: str) -> None:
    pass


def test_a_network_learns_what_only_reading_can_tell(data: Path, start: str, tmp_path: Path) -> None:
    plan = recipe(tmp_path, start, epochs=40)
    encoder.train(plan, data, tmp_path / "prepared", tmp_path, part="first", log=quiet)
    points = [json.loads(line) for line in (tmp_path / "first" / CURVES).read_text().splitlines()]
    assert points[-1]["valid.text"] > 75  # one in four by chance


@pytest.fixture(scope="module")
def mpnet(start: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tiny_mpnet.make(tmp_path_factory.mktemp("mpnet"), bert_pieces(start).pieces))


@pytest.mark.parametrize("kind", ["start", "mpnet"])
def test_all_parts_end_in_a_model_that_the_method_reads(
    data: Path, kind: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = recipe(tmp_path, request.getfixturevalue(kind))
    monkeypatch.setattr("phrasemill_lab.networks.span_export.LARGEST", 20_000)
    done = encoder.train(plan, data, tmp_path / "prepared", tmp_path / "out", log=quiet)
    assert done == ["first", "fold-0", "fold-1", "final", "held", "trees"]
    assert len(list((tmp_path / "out").glob("runtime*.safetensors"))) > 1  # a large model is several files
    found = pm.extract(
        SENTENCES.format(a="old barn", b="hay loft", c="stone bridge", d="cart road"),
        method=f"encoder(style='author', model={str(tmp_path / 'out')!r})",
        explain=True,
    )
    assert {"stone bridge", "hay loft"} <= {one.text for one in found}
    assert all(0 <= one.score <= 1 for one in found)
    assert "reading" in {evidence.about for evidence in found[0].evidence}


TEACHER = """
[teacher-first]
epochs = 1
batch = 8
rate = 1e-3
[teacher-then]
epochs = 1
batch = 8
rate = 1e-3
"""
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


def test_a_teacher_teaches_both_stages_and_texts_without_labels(
    data: Path, start: str, mpnet: str, tmp_path: Path
) -> None:
    with gzip.open(data / "treebank.conllu.gz", "wt", encoding="utf-8") as file:
        file.write(TREEBANK)
    text = RECIPE.format(start=start, epochs=1).replace("folds = 2", "folds = 2\ntaught = 0.7")
    unlabelled = 'unlabelled = [{ file = "treebank.conllu.gz", style = "everyday" }]\nvalid ='
    path = tmp_path / "recipe.toml"
    path.write_text(f'teacher = "{mpnet}"\n' + text.replace("valid =", unlabelled) + TEACHER, encoding="utf-8")
    plan = load_encoder_recipe(path)
    done = [part for part in encoder.parts_of(plan) if part not in ("held", "trees", "fold-1")]
    assert done == ["teacher-first", "teacher-fold-0", "teacher-fold-1", "taught", "first", "fold-0", "final"]
    for part in done:
        encoder.train(plan, data, tmp_path / "prepared", tmp_path, part=part, log=quiet)
    for source in (Source("keywords/train-00.jsonl.xz"), plan.unlabelled[0]):
        windows = load_windows(tmp_path / "prepared", source, tmp_path / "taught")
        assert windows and all(np.isfinite(one.taught).all() for one in windows)


def test_a_text_without_labels_is_learned_from_the_teacher_alone(start: str) -> None:
    pieces = bert_pieces(start)
    learner = SpanLearner(scorer_from_bert(start).eval(), pieces.marks, teacher=0.7)
    spans = np.array([1, 3, 5])
    window = span_examples.WindowExample(
        0, 1, np.arange(12, 20), spans, spans, np.ones(3, int), np.arange(3), np.zeros(3), np.ones((2, 3)), False
    )
    other = window._replace(chosen=np.array([1.0, 0.0, 1.0]))
    found = [learner.loss(learner.collate([one], np.random.default_rng(1)))[0].item() for one in (window, other)]
    assert found[0] == found[1]
    labelled = learner.collate([other._replace(labelled=True)], np.random.default_rng(1))
    assert learner.loss(labelled)[0].item() != found[0]


def test_the_documents_of_a_treebank_are_its_sentences(tmp_path: Path) -> None:
    path = tmp_path / "treebank.conllu"
    path.write_text(TREEBANK, encoding="utf-8")
    assert [(one["id"], one["text"]) for one in read_records(path)] == [
        ("one", "We study the stone bridge. Many people know it.\nOthers have seen the salt mine."),
        ("two", "The clay oven is old."),
    ]


def test_a_document_is_scored_by_a_network_that_has_not_seen_it(data: Path, start: str, tmp_path: Path) -> None:
    plan = recipe(tmp_path, start)
    for part in ("first", "fold-0", "fold-1", "final", "held"):
        encoder.train(plan, data, tmp_path / "prepared", tmp_path, part=part, log=quiet)
    from phrasemill_lab.training.encoder_trees import read_scores
    from phrasemill_lab.training.span_scorer import pooled

    held = load_windows(tmp_path / "prepared", Source("inspec_train.jsonl.gz", "indexer"))
    kept = read_scores(tmp_path / "held" / "inspec_train.text.npz")
    training = encoder.EncoderTraining(plan, tmp_path / "prepared", tmp_path, log=quiet)
    for fold in range(2):
        learner = training.learner(f"fold-{fold}")
        for place, found in pooled(learner, [one for one in held if one.document % 2 == fold]).items():
            assert np.abs(kept[place].best - found.best).max() < 0.01  # kept in half precision
    assert 0 <= r_precision(learner, held) <= 1


def test_training_is_the_same_every_time_and_goes_on_where_it_stopped(data: Path, start: str, tmp_path: Path) -> None:
    plan = recipe(tmp_path, start, epochs=2)
    for name in ("one", "two"):
        encoder.train(plan, data, tmp_path / "prepared", tmp_path / name, part="first", log=quiet)
    first, second = ((tmp_path / name / "first" / WEIGHTS).read_bytes() for name in ("one", "two"))
    assert first == second


def test_the_worth_of_a_keyphrase_falls_with_its_place_and_its_wording() -> None:
    document = Document("1", "text", references=(("stone bridge", "bridge"), "salt mine", "iron gate"))
    keys = [span_examples.key(one) for one in ("stone bridges", "bridge", "salt mine", "iron gates", "clay oven")]
    assert span_examples.worths(keys, document) == pytest.approx([1.0, 0.6, 0.8, 0.6, 0.0])


def test_wrong_recipes_and_parts_are_refused_in_one_line(data: Path, start: str, tmp_path: Path) -> None:
    plan = recipe(tmp_path, start)
    with pytest.raises(UnknownName, match="part"):
        encoder.train(plan, data, tmp_path / "prepared", tmp_path, part="last", log=quiet)
    with pytest.raises(InputError, match="no file keywords/train"):
        encoder.train(plan, tmp_path / "nowhere", tmp_path / "other", tmp_path, log=quiet)
    bad = tmp_path / "bad.toml"
    bad.write_text("[data]\nfirst = 1\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="not a recipe for the encoder"):
        load_encoder_recipe(bad)
    with pytest.raises(InputError):
        load_encoder_recipe(tmp_path / "none.toml")
