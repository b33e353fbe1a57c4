"""`bertkpe` as a method: long texts, truncation, phrases that one knows, and what a user may get wrong."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

import phrasemill as pm
import tiny_joint
from phrasemill.cli import run
from phrasemill.errors import ConfigError, ModelError
from phrasemill.methods import bertkpe

pytestmark = pytest.mark.training

FILLER = "The old fence fell down again, and nobody came to mend it before the winter. "
ARTICLE = FILLER * 60 + "A quokka burrow lies below the dunes. " + FILLER
SHORT = "Salt water moves inland."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("joint")
    tiny_joint.make(made)
    return made / "model"


def spec(folder: Path, options: str = "") -> str:
    return f"bertkpe(model={str(folder)!r}{options})"


def test_the_shipped_model_ranks_what_a_text_is_about_first() -> None:
    found = pm.extract("Salt water moves inland when pumps draw too much. Wells turn brackish.", method="bertkpe")
    assert found[0].text == "Salt water" and found[0].score == pytest.approx(3.2, abs=0.5)
    with pytest.raises(ConfigError, match="for English only, and this text is in French"):
        pm.extract("La théorie des jeux.", method="bertkpe", language="fr")


def test_a_phrase_far_beyond_the_window_is_found(folder: Path) -> None:
    found = {one.text: one for one in pm.extract(ARTICLE, method=spec(folder), top=None)}
    assert {"quokka burrow", "old fence", "burrow lies below the dunes"} < set(found)
    assert [ARTICLE[a:b] for a, b in found["quokka burrow"].spans] == ["quokka burrow"]
    cut = {one.text for one in pm.extract(ARTICLE, method=spec(folder, ", truncate=True"), top=None)}
    assert "old fence" in cut and "quokka burrow" not in cut
    known = pm.extract(ARTICLE, method=spec(folder, ", truncate=True"), candidates=["quokka burrow", "old fence"])
    assert [one.text for one in known] == ["old fence", "quokka burrow"], "what was not read comes last"


def test_a_window_as_large_as_the_text_or_larger_changes_nothing(folder: Path) -> None:
    whole = pm.extract(SHORT, method=spec(folder), top=None)
    assert whole == pm.extract(SHORT, method=spec(folder, ", window=40"), top=None)
    assert whole == pm.extract(SHORT, method=spec(folder, ", truncate=True"), top=None)
    assert [one.text for one in whole if len(one.text.split()) == 4] == ["Salt water moves inland"]
    with pytest.raises(ModelError, match="a window of 9 pieces has no room for ten words"):
        pm.extract("Graph theory.", method=spec(folder, ", window=9"))


def test_phrases_longer_than_five_words_have_the_mean_of_their_ngrams(folder: Path) -> None:
    longer, *parts = [
        pm.extract(FILLER, method=spec(folder), candidates=[wanted])[0]
        for wanted in ("down again, and nobody came", "down again, and nobody", "again, and nobody came")
    ]
    assert longer.text == "down again, and nobody came"
    assert longer.score == pytest.approx(sum([one.score for one in parts]) / 2, abs=1e-5)


def test_a_model_of_ones_own_reads_any_language_and_is_read_anew_when_it_changes(tmp_path: Path) -> None:
    found = []
    for seed in (5, 6):
        tiny_joint.make(tmp_path, seed=seed, int8=seed == 6)
        os.utime(tmp_path / "model" / "best.safetensors", (seed, seed))
        found.append(pm.extract("La théorie des graphes.", method=spec(tmp_path / "model"), language="fr"))
    assert found[0] != found[1] and {one.text for one in found[1]} == {"théorie", "graphes", "théorie des graphes"}


@pytest.mark.parametrize("text", ["\u200b", "a" * 5000, "wells \ud83d and", "机器学习", "Z̸̧̛a̷͜l̴g̶o̵"])
def test_odd_words_are_read(text: str, folder: Path) -> None:
    found = pm.extract(text + " pumps", method=spec(folder), language="en")
    assert "pumps" in found.texts and all(abs(one.score) < 100 for one in found)


@pytest.mark.parametrize(
    ("method", "complaint"),
    [
        ("bertkpe(window=0)", "window must be at least 1, got 0"),
        ("bertkpe(model=3)", "model must be a text in quotes, got 3"),
        ("bertkpe(model='no')", "no: no such file"),
        ("bertkpe(model='.')", ".: no best.safetensors in this folder"),
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


@pytest.mark.parametrize(
    ("file", "content", "complaint"),
    [
        ("graph.safetensors", None, "graph.safetensors: no such file"),
        ("graph.safetensors", b"nothing", "not a bertkpe graph file"),
        ("best.safetensors", b"nothing", "best.safetensors: not a safetensors file"),
        ("encoder/tokenizer.json", b"{", "tokenizer.json: cannot be read"),
    ],
)
def test_a_damaged_model_is_named(
    file: str, content: bytes | None, complaint: str, folder: Path, tmp_path: Path
) -> None:
    shutil.copytree(folder, tmp_path / "model")
    (tmp_path / "model" / file).unlink()
    if content is not None:
        (tmp_path / "model" / file).write_bytes(content)
    with pytest.raises(ModelError, match=complaint):
        pm.extract(SHORT, method=spec(tmp_path / "model"))


def test_without_its_weights_the_command_that_installs_them_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bertkpe, "SHIPPED", tmp_path / "bertkpe_en")
    with pytest.raises(ModelError, match="bertkpe needs its weights: pip install phrasemill-bertkpe"):
        pm.extract("Graph theory.", method="bertkpe")


def test_without_the_extra_the_command_is_named_and_torch_is_never_needed(tmp_path: Path) -> None:
    for missing, complaint in (("tokenizers", "bertkpe needs tokenizers and onnxruntime: pip install"), ("torch", "")):
        (tmp_path / missing).mkdir()
        (tmp_path / missing / f"{missing}.py").write_text("raise ImportError")
        code = f"import sys; sys.path.insert(0, {str(tmp_path / missing)!r}); import phrasemill as pm\n"
        code += "pm.extract('Graph theory.', method='bertkpe', language='en')"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert complaint in done.stderr and bool(done.returncode) == bool(complaint), done.stderr
