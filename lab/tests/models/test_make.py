"""`phrasemill make`: the table of models, toy models of every kind, checks, bad input."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from made_records import write
from phrasemill import models
from phrasemill.cli import run
from phrasemill.statistics import DocumentFrequencies
from phrasemill.statistics.topic_model import TopicModel
from phrasemill.tags.blend import Blend
from phrasemill.text.languages import detect
from phrasemill.text.tag import load_tagger
from phrasemill.text.word_frequencies import load as load_words
from phrasemill_lab.models import make
from phrasemill_lab.models.detector_texts import LANGUAGES
from phrasemill_lab.models.sources import WORDFREQ

ROWS = make.read()
ROOT = make.TABLE.parents[1]
# The maker of a toy model of every kind, and what else its row says.
KINDS = {
    "frequencies": (
        "tables:frequencies",
        'settings.least = 2\ndata = ["keywords/train-*.jsonl.xz"]\nsource = "a library"',
    ),
    "topics": ("tables:topics", 'settings = { every = 2, topics = 2, words = 50 }\ndata = ["keywords/*", "500n*"]'),
    "words_fi": ("tables:words", "settings.most = 100"),
    "tagger": ("tagger:make", "settings = { epochs = 4, prune = 1 }"),
    "tagger_vi": ("tagger_languages:make", "settings = { epochs = 4, orders = 2 }"),
    "detector": ("detector:make", "settings.examples = 10"),
    "tag_blend": ("tag_blend:make", "settings.small = 2"),
    "packed": ("tag_blend:make", 'packages = ["phrasemill-of-tomorrow==9.9"]\nextra = "words"'),
}


def toy(name: str, **also: str) -> str:
    """Return a table of one model; `words_fi` is the key `fi` of a family."""
    maker, more = KINDS[name]
    key = name.partition("_")[2] if name[-3:] in ("_fi", "_vi") else ""
    fields = {
        "file": name.replace(f"_{key}", "_{}") if key else name,
        "maker": f"phrasemill_lab.models.{maker}",
        **also,
    }
    lines = [f'{field} = "{value}"' for field, value in fields.items()]
    return "\n".join(
        [f"[{name}]", *lines, 'seed = 1\ndevice = "cpu"\nminutes = 1', more, f"each.{key} = {{}}" * bool(key), ""]
    )


Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """`phrasemill make` with the toy rows, in a folder of its own."""
    (tmp_path / "toy.toml").write_text("".join(map(toy, KINDS)), encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    def call(*words: object) -> tuple[int, str, str]:
        code = run(["make", *map(str, words), "--table", str(tmp_path / "toy.toml")])
        return code, *capsys.readouterr()

    return call


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with every kind of data, and a stand-in for the package wordfreq."""
    folder = tmp_path / "data"
    folder.mkdir()
    subjects = [f"{kind} {thing}" for kind in ("stone", "copper", "garden") for thing in ("bridge", "boat", "mine")]
    fruit = "apple pear plum cherry fig grape lemon melon olive peach quince walnut almond barley cotton".split()
    records = [
        {
            "id": str(i),
            "title": f"The {subjects[i % 9]} and the {fruit[i % 15]}",
            "text": f"A {subjects[i % 9]} is near the old {subjects[(i + 1) % 9]}.",
            "keyphrases": [subjects[i % 9]],
            "contr": [subjects[i % 9], subjects[(i + 1) % 9]],
        }
        for i in range(120)
    ]
    for name in ("train-00", "train-01", "valid"):
        write(folder / "keywords" / f"{name}.jsonl.xz", records)
    for name in ("500n_kpcrowd_train", "stackexchange_takg_valid", "inspec_train"):
        write(folder / f"{name}.jsonl.gz", records)
    for name in ("papyrus_en_train", "papyrus_fr_train"):
        write(folder / "multilingual" / f"{name}.jsonl.gz", records)
    words = [["The", "DT"], ["boat", "NN"], ["crosses", "VBZ"], ["rivers", "NNS"], [".", "."]]
    write(folder / "tagged" / "toy_train.jsonl.gz", [{"doc": "1", "tokens": words}] * 5)
    nodes = [[str(i + 1), word, tag, word, 0] for i, (word, tag) in enumerate([("nước", "NOUN"), ("xanh", "ADJ")])]
    write(folder / "ud_multi" / "vi_toy_train.jsonl.xz", [{"text": "nước xanh", "tokens": nodes}] * 5)
    wordfreq = ModuleType("wordfreq")
    codes = {code.rstrip("*") for listed in LANGUAGES.values() for code in listed.split()}
    shares = {code: {f"{code}a": 0.6, f"{code}b": 0.4} for code in {WORDFREQ.get(code, code) for code in codes}}
    vars(wordfreq).update(
        available_languages=lambda kind="best": shares,
        get_frequency_dict=lambda code, kind="best": shares[code],
        top_n_list=lambda code, n: list(shares[code])[:n],
    )
    monkeypatch.setitem(sys.modules, "wordfreq", wordfreq)
    return folder


@pytest.mark.parametrize("name", ROWS)
def test_the_shipped_file_is_that_of_its_row(name: str) -> None:
    row = ROWS[name]
    wanted = row.get("shipped_sha256", row.get("sha256"))
    assert make.digest(ROOT / row["file"]) == wanted
    assert "differs" in row or row.get("sha256") == wanted  # that its recipe gives another file is said


def test_every_model_has_a_row_and_every_row_a_recipe() -> None:
    for folder in (ROOT / "src" / "phrasemill" / "data", *ROOT.glob("weights/*/src/*")):
        for path in folder.iterdir():
            if path.suffix == ".safetensors" or (path.is_dir() and path.name != "__pycache__"):
                assert path.name.split(".")[0] in ROWS
    assert all(Path(row["recipe"]).is_file() for row in ROWS.values() if "recipe" in row)


LOADED: dict[str, Callable[[Path], object]] = {
    "frequencies": lambda path: DocumentFrequencies.load(path).counts,
    "topics": TopicModel.load,
    "words_fi": load_words,
    "tagger": lambda path: load_tagger(path).tags,
    "tagger_vi": lambda path: load_tagger(path).tags,
    "detector": lambda path: models.load(path, kind=detect.KIND).buffers,
    "tag_blend": lambda path: Blend.of(json.loads(path.read_text())),
}


@pytest.mark.parametrize("name", LOADED)
def test_a_toy_model_of_every_kind_comes_out_twice(command: Command, data: Path, name: str) -> None:
    assert command(name, "--data", data)[0] == 0
    path = Path(name)
    first = path.read_bytes()
    assert LOADED[name](path)
    assert command(name, "--data", data, "-o", path)[0] == 0
    assert path.read_bytes() == first
    code, _, error = command(name, "--data", data)  # which would write over it
    assert code == 2 and "exists; name the file to write with -o" in error


def test_check_compares_what_comes_out_and_what_is_shipped(
    command: Command, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = data.parent / "words_fi"
    assert command("words_fi", "--data", data)[0] == 0
    monkeypatch.setattr(make, "TABLE", data / "models.toml")  # the shipped files are in the folder above
    table = Path("toy.toml")
    table.write_text(toy("words_fi", sha256=make.digest(shipped)))
    assert command("--check", "--data", data)[:2] == (0, "words_fi: same\n")
    shipped.write_bytes(b"of an older recipe")
    assert command("--check", "--data", data)[0] == 1  # the shipped file is not that of the table
    table.write_text(toy("words_fi", sha256=make.digest(shipped)))
    assert command("words_fi", "--check", "--data", data)[0] == 1  # the recipe gives another
    table.write_text(toy("frequencies", sha256=make.digest(shipped)).replace('frequencies"', 'words_fi"'))
    code, out, error = command("--check", "--data", data / "keywords")
    assert code == 2 and "no file keywords/train-*" in out and "no model could be checked" in error


def test_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["make"]) == 0
    shown = capsys.readouterr().out
    assert all(f"phrasemill make {name} --data DIR" in shown for name in ROWS)


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["tager", "--data", "data"], "unknown model 'tager' (did you mean 'tagger'?)"),
        (["tagger"], "requires --data DIR"),
        (["tagger", "--data", "nowhere"], "nowhere: no such folder"),
        (["tagger", "topics", "--data", "data"], "one model at a time"),
        (
            ["frequencies", "--data", "data/keywords"],
            "no file keywords/train-*.jsonl.xz, which frequencies is made from",
        ),
        (["frequencies", "--data", "data/keywords"], "made from (a library)"),
        (["packed", "--data", "data"], "needs phrasemill-of-tomorrow==9.9: pip install 'phrasemill-lab[words]'"),
    ],
)
def test_bad_input_is_an_error_of_one_line(command: Command, data: Path, words: list[str], error: str) -> None:
    code, out, said = command(*words)
    assert (code, out, said.count("\n")) == (2, "", 1)
    assert error in said
    assert not Path(words[0]).exists()


def test_data_without_documents_is_an_error(command: Command, data: Path) -> None:
    for path in (data / "keywords").iterdir():
        write(path, [])
    code, _, said = command("frequencies", "--data", data)
    assert code == 2 and "no phrase occurs in 2 documents" in said


def test_outside_of_a_checkout_it_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["make", "--table", str(tmp_path / "models.toml")]) == 2
    assert "needs a checkout of Phrasemill" in capsys.readouterr().err


def test_a_model_in_several_files_has_one_digest(tmp_path: Path) -> None:
    for name in ("large.safetensors", "large.1.safetensors", "larger.safetensors"):
        (tmp_path / name).write_text(name)
    both = make.digest(tmp_path / "large.safetensors")
    (tmp_path / "larger.safetensors").unlink()
    assert make.digest(tmp_path) == make.digest(tmp_path / "large.safetensors") == both
