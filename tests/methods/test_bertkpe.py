"""`bertkpe` as a method: long texts, truncation, phrases that one knows, and what a user may get wrong."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from safetensors.torch import load_file, save_file  # noqa: E402

import phrasemill as pm  # noqa: E402
import tiny_joint  # noqa: E402
from phrasemill.catalogue import METHODS  # noqa: E402
from phrasemill.cli import run  # noqa: E402
from phrasemill.errors import ConfigError, ModelError  # noqa: E402
from phrasemill.methods.bertkpe import files  # noqa: E402

pytestmark = pytest.mark.training

FILLER = "The old fence fell down again, and nobody came to mend it before the winter. "
ARTICLE = FILLER * 60 + "A quokka burrow lies below the dunes. " + FILLER


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("joint")
    tiny_joint.make(made)
    return made


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def spec(folder: Path, options: str = "") -> str:
    return f"bertkpe(model={str(folder / 'model')!r}{options})"


def test_a_phrase_far_beyond_the_window_is_found(folder: Path) -> None:
    tokenizer = files.tokenizer(folder / "model" / "encoder")
    assert len(tokenizer(ARTICLE[: ARTICLE.index("quokka")], add_special_tokens=False)["input_ids"]) > 2 * 512
    found = {one.text: one for one in pm.extract(ARTICLE, method=spec(folder), top=None)}
    assert {"quokka burrow", "old fence", "burrow lies below the dunes"} < set(found)
    assert [ARTICLE[a:b] for a, b in found["quokka burrow"].spans] == ["quokka burrow"]
    cut = {one.text for one in pm.extract(ARTICLE, method=spec(folder, ", truncate=True"), top=None)}
    assert "old fence" in cut and "quokka burrow" not in cut
    known = pm.extract(ARTICLE, method=spec(folder, ", truncate=True"), candidates=["quokka burrow", "old fence"])
    assert [one.text for one in known] == ["old fence", "quokka burrow"], "what was not read comes last"


def test_a_window_as_large_as_the_text_or_larger_changes_nothing(folder: Path) -> None:
    text = "Salt water moves inland."
    whole = pm.extract(text, method=spec(folder), top=None)
    assert whole == pm.extract(text, method=spec(folder, ", window=40"), top=None)
    assert whole == pm.extract(text, method=spec(folder, ", truncate=True"), top=None)
    assert [one.text for one in whole if len(one.text.split()) == 4] == ["Salt water moves inland"]


def test_a_checkpoint_of_the_authors(folder: Path, tmp_path: Path) -> None:
    encoder = folder / "bert"
    path = tmp_path / "best.checkpoint"
    torch.save(tiny_joint.published(tiny_joint.untrained(encoder), "bert"), path)
    theirs = f"bertkpe(model={str(path)!r}, encoder={str(encoder)!r})"
    text = "Groundwater supplies most farms. When pumps draw too much, salt water moves inland."
    ours = {one.text: one.score for one in pm.extract(text, method=spec(folder), top=None)}
    assert {one.text: one.score for one in pm.extract(text, method=theirs, top=None)} == pytest.approx(ours, abs=1e-6)
    assert repr(METHODS.build(theirs)) == theirs


def test_another_model_at_the_same_place_is_read_anew(folder: Path, tmp_path: Path) -> None:
    path, text = tmp_path / "best.checkpoint", "Salt water moves inland."
    found = []
    for seed in (5, 6):
        torch.save(tiny_joint.published(tiny_joint.untrained(folder / "bert", seed=seed), "bert"), path)
        found.append(pm.extract(text, method=f"bertkpe(model={str(path)!r}, encoder={str(folder / 'bert')!r})"))
    assert found[0] != found[1]


def test_phrases_longer_than_five_words_and_other_languages(folder: Path) -> None:
    wanted = "fence fell down again, and nobody came"
    (found,) = pm.extract(FILLER, method=spec(folder), candidates=[wanted])
    assert found.text == wanted
    french = pm.extract("La théorie spectrale des graphes et la théorie des jeux.", method=spec(folder), language="fr")
    assert "théorie spectrale" in [one.text for one in french]


@pytest.mark.parametrize(
    ("method", "complaint"),
    [
        ("bertkpe(window=0)", "window must be at least 1, got 0"),
        ("bertkpe(model=3)", "model must be a text in quotes, got 3"),
        ("bertkpe(model='no')", "no: no such file or folder"),
        ("bertkpe(model='a.txt')", "a.txt: a checkpoint needs the encoder it was trained from"),
        ("bertkpe(model='a.txt', encoder='no')", "no"),
        ("bertkpe(model='.')", ".: no trained model (model.json is missing or damaged)"),
    ],
)
def test_wrong_input_gets_one_line(
    method: str, complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("Graph theory.")
    assert run(["extract", "a.txt", "-m", method]) != 0
    err = capsys.readouterr().err
    assert complaint in err and err.count("\n") == 1


def test_without_its_weights_the_command_that_installs_them_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("phrasemill.methods.bertkpe.SHIPPED", tmp_path / "bertkpe_en")
    with pytest.raises(ModelError, match="bertkpe needs its weights: pip install phrasemill-bertkpe"):
        pm.extract("Graph theory.", method="bertkpe")


def test_weights_of_eight_bits_rank_as_those_they_were_rounded_from(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = tmp_path / "bertkpe_en"
    shutil.copytree(folder / "model", small)
    weights = load_file(small / files.WEIGHTS)
    save_file(files.rounded(weights), small / files.WEIGHTS)
    assert (small / files.WEIGHTS).stat().st_size < (folder / "model" / files.WEIGHTS).stat().st_size / 2
    for name, value in files.restored(files.rounded(weights)).items():
        assert (value - weights[name]).abs().max() <= weights[name].abs().max() / 254 + 1e-6
    monkeypatch.setattr("phrasemill.methods.bertkpe.SHIPPED", small)
    text = "Salt water moves inland."
    exact = {one.text: one.score for one in pm.extract(text, method=spec(folder), top=None)}
    found = {one.text: one.score for one in pm.extract(text, method="bertkpe", top=None)}
    assert found == pytest.approx(exact, abs=0.05)
    with pytest.raises(ConfigError, match="for English only, and this text is in French"):
        pm.extract("La théorie des jeux.", method="bertkpe", language="fr")


def test_a_window_without_room(folder: Path) -> None:
    with pytest.raises(ModelError, match="a window of 9 pieces has no room for ten words"):
        pm.extract("Graph theory.", method=spec(folder, ", window=9"))
    with pytest.raises(ConfigError, match="top='auto' needs scores that are probabilities"):
        pm.extract("Graph theory.", method=spec(folder), top="auto")


def test_without_transformers_the_command_is_named(tmp_path: Path) -> None:
    (tmp_path / "transformers.py").write_text("raise ImportError")
    (tmp_path / "model").mkdir()
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import phrasemill as pm\n"
        f"pm.extract('Graph theory.', method='bertkpe(model=\"{tmp_path}/model\")')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "bertkpe needs transformers and torch: pip install 'phrasemill[bertkpe]'" in done.stderr
