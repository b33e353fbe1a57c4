"""JointKPE reads: windows, scores of runs, and files of others."""

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import tiny_joint  # noqa: E402
from phrasemill.candidates import ngrams  # noqa: E402
from phrasemill.errors import ConfigError, ModelError  # noqa: E402
from phrasemill.methods.bertkpe import files  # noqa: E402
from phrasemill.methods.bertkpe.network import JointKPE, offsets  # noqa: E402
from phrasemill.methods.bertkpe.reader import PieceReader, best, scores  # noqa: E402
from phrasemill.text.analyse import analyse  # noqa: E402
from phrasemill_lab.models import loop  # noqa: E402

pytestmark = pytest.mark.training

SHORT = "Salt water moves inland when pumps draw too much. Wells of the plain turn brackish."
KINDS = {"bert": tiny_joint.bert, "roberta": tiny_joint.roberta}


@pytest.fixture(scope="module", params=list(KINDS))
def encoder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return KINDS[request.param](tmp_path_factory.mktemp(request.param))


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def kind(encoder: Path) -> str:
    return files.empty_encoder(encoder).config.model_type


def reader(encoder: Path, network: JointKPE, **options: int) -> PieceReader:
    return PieceReader(files.tokenizer(encoder), network.encoder, longest=network.longest, **options)


def test_the_window_is_what_the_encoder_can_read(encoder: Path) -> None:
    network = tiny_joint.untrained(encoder)
    made = reader(encoder, network)
    assert made.window == 64, "RoBERTa has two positions more than it can use"
    full = torch.full((1, 64), 5)
    assert network.encoder(input_ids=full).last_hidden_state.shape == (1, 64, 24)
    assert reader(encoder, network, window=40).room == 38


def test_windows_hold_every_run_and_lose_no_word(encoder: Path) -> None:
    made = reader(encoder, tiny_joint.untrained(encoder))
    rng = np.random.default_rng(7)
    for words in (1, 4, 9, 10, 11, 60, 300):
        pieces = [[5] * int(rng.integers(1, made.most + 1)) for _ in range(words)]
        parts = list(made.windows(pieces))
        assert all(len(part.pieces) <= made.window for part in parts)
        assert parts[0].begin == 0 and parts[-1].end == words
        for begin in range(max(1, words - 4)):
            end = min(begin + 5, words)
            assert any(part.begin <= begin and end <= part.end for part in parts), (words, begin)
        for part in parts:
            sizes = [len(one) for one in pieces[part.begin : part.end]]
            assert part.first.tolist() == [1 + sum(sizes[:i]) for i in range(len(sizes))]
    assert list(made.windows([])) == []


def test_a_short_text_is_one_window_with_the_scores_of_a_plain_pass(encoder: Path) -> None:
    network, text = tiny_joint.untrained(encoder), "Salt water moves inland."
    made, analysis = reader(encoder, network), analyse(text, tag=False)
    found = scores(network, made, analysis)
    assert found.shape == (5, len(analysis))
    words = made.pieces(analysis)
    (part,) = made.windows(words)
    states = network.encoder(input_ids=torch.tensor(part.pieces[None].astype(int))).last_hidden_state[0]
    at = np.cumsum([1, *map(len, words)])
    for size in range(1, 6):
        for start in range(len(words) - size + 1):
            run = states[at[start : start + size]]
            convolution = network.convolutions[size - 1]
            vector = torch.relu(torch.einsum("cdk,kd->c", convolution.weight, run) + convolution.bias)
            assert found[size - 1, start] == pytest.approx(network.ranking(vector).item(), abs=1e-5)
        assert (found[size - 1, len(words) - size + 1 :] == -math.inf).all(), "no run begins so late"


def test_of_several_windows_the_highest_score_counts(encoder: Path) -> None:
    network = tiny_joint.untrained(encoder)
    made, analysis = reader(encoder, network), analyse(SHORT * 12, tag=False)
    parts = list(made.windows(made.pieces(analysis)))
    assert len(parts) > 8, "more than a batch"
    found = scores(network, made, analysis)
    expected = np.full_like(found, -np.inf)
    with torch.inference_mode():
        for part in parts:
            ranked = network.rank(made.batch([part]))[0].tolist()
            begins = offsets(part.end - part.begin, 5)
            for size in range(1, 6):
                for i, score in enumerate(ranked[begins[size - 1] : begins[size]]):
                    expected[size - 1, part.begin + i] = max(expected[size - 1, part.begin + i], score)
    assert np.isfinite(found[4, : len(analysis) - 4]).all()
    np.testing.assert_allclose(found, expected, atol=1e-5)
    cut = scores(network, made, analysis, truncate=True)
    assert np.isfinite(cut[0, : parts[0].end]).all() and (cut[0, parts[0].end :] == -np.inf).all()


def test_a_candidate_has_its_best_occurrence_and_a_long_one_the_mean_of_its_runs() -> None:
    analysis = analyse("Salt water and salt waters.", tag=False)
    runs = np.arange(5 * len(analysis), dtype=np.float32).reshape(5, -1)
    found = ngrams(analysis, longest=6)
    values = dict(zip([one.form for one in found], best(runs, found), strict=True))
    assert values["salt"] == runs[0, 3] and values["salt water"] == runs[1, 3]
    narrow = dict(zip([one.form for one in found], best(runs[:2], found), strict=True))
    assert narrow["salt water and salt"] == runs[1, :3].mean()


@pytest.mark.parametrize("text", ["\u200b", "a" * 5000, "wells \ud83d and", "机器学习", "Z̸̧̛a̷͜l̴g̶o̵"])
def test_odd_words_are_read(text: str, encoder: Path) -> None:
    """Nothing of a word may be left, or far too much."""
    network = tiny_joint.untrained(encoder)
    made, analysis = reader(encoder, network), analyse(text, tag=False)
    assert all(1 <= len(word) <= made.most for word in made.pieces(analysis))
    assert np.isfinite(scores(network, made, analysis)[0]).all()


# Files.


def test_a_checkpoint_of_the_authors_is_read(encoder: Path, tmp_path: Path) -> None:
    network = tiny_joint.untrained(encoder, width=9)
    path = tmp_path / "epoch_6.checkpoint"
    torch.save(tiny_joint.published(network, kind(encoder)), path)
    again, words = files.load(str(path), str(encoder))
    analysis = analyse(SHORT, tag=False)
    found = scores(again, PieceReader(words, again.encoder, longest=5), analysis)
    np.testing.assert_allclose(found, scores(network, reader(encoder, network), analysis), atol=1e-6)
    assert not again.training and not any(one.requires_grad for one in again.parameters())


@pytest.mark.parametrize("form", ["weights alone", "safetensors", "two processes", "without a pooler", "ours"])
def test_other_forms_of_it(form: str, tmp_path: Path) -> None:
    from safetensors.torch import save_file

    encoder = tiny_joint.roberta(tmp_path / "encoder")
    network = tiny_joint.untrained(encoder)
    weights = tiny_joint.published(network, "roberta")["state_dict"]
    path = tmp_path / ("weights.safetensors" if form in ("safetensors", "ours") else "weights.bin")
    if form == "two processes":
        weights = {f"module.{name}": value for name, value in weights.items()}
    if form == "without a pooler":
        weights = {name: value for name, value in weights.items() if "pooler" not in name}
    if form == "ours":
        loop.save_weights(path, network)
    elif form == "safetensors":
        save_file({name: value.contiguous() for name, value in weights.items()}, path)
    else:
        torch.save(weights, path)
    again, _ = files.load(str(path), str(encoder))
    for name, value in network.state_dict().items():
        if "pooler" not in name:
            assert torch.equal(again.state_dict()[name], value), name


class Harmful:
    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (Path("harmed"),)


def test_what_can_be_wrong_with_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    encoder = tiny_joint.bert(tmp_path / "encoder")
    network = tiny_joint.untrained(encoder)
    good = tiny_joint.published(network, "bert")
    weights = dict(good["state_dict"])  # type: ignore[call-overload]

    def refused(content: object, complaint: str, folder: Path = encoder) -> None:
        torch.save(content, "file")
        with pytest.raises(ModelError, match=complaint) as error:
            files.load("file", str(folder))
        assert "\n" not in str(error.value)

    refused(
        {**good, "args": Harmful()}, r"file: cannot be read as weights \(no file of torch, or one that holds code\)"
    )
    assert not Path("harmed").exists()
    refused([1, 2], r"no checkpoint of JointKPE \(it has no state_dict\)")
    refused({"epoch": 3}, r"no checkpoint of JointKPE \(it has no state_dict\)")
    headless = {name: value for name, value in weights.items() if not name.startswith("classifier")}
    refused({"state_dict": headless}, r"no weights of JointKPE \(ranking.weight is missing\)")
    lacking = {name: value for name, value in weights.items() if "cnn_list.3.bias" not in name}
    refused({"state_dict": lacking}, r"does not fit the encoder in .*\(convolutions.3.bias is missing\)")
    refused({"state_dict": {**weights, "bert.extra": torch.zeros(1)}}, r"does not fit .*\(it has no encoder.extra\)")
    longer = tiny_joint.bert(tmp_path / "longer", positions=80)
    refused(good, r"size mismatch for .*position_embeddings.weight: .*\[64, 24\].*\[80, 24\]", longer)
    refused(good, "nowhere: no such folder; an encoder is one that Transformers saved", Path("nowhere"))
    Path("empty").mkdir()
    refused(good, "empty: no encoder that Transformers can read", Path("empty"))
    for name in ("file", "file.safetensors"):
        Path(name).write_bytes(b"nothing of use")
        with pytest.raises(ModelError, match="cannot be read as weights"):
            files.load(name, str(encoder))
    with pytest.raises(ModelError, match="none: no such file or folder"):
        files.load("none", None)
    with pytest.raises(ConfigError, match="file: a checkpoint needs the encoder it was trained from"):
        files.load("file", None)


def test_what_can_be_wrong_with_a_folder(tmp_path: Path) -> None:
    tiny_joint.make(tmp_path)
    model = tmp_path / "model"
    with pytest.raises(ConfigError, match="has its own encoder: leave encoder out"):
        files.load(str(model), "other")
    for content, complaint in (
        ('{"model": "catseq"}', "a model of catseq, not of bertkpe"),
        ("[]", "a model of None, not of bertkpe"),
        ("{", "model.json is missing or damaged"),
    ):
        (model / "model.json").write_text(content)
        with pytest.raises(ModelError, match=complaint):
            files.load(str(model), None)
    (model / "model.json").write_text('{"model": "bertkpe"}')
    (model / "best.safetensors").unlink()
    with pytest.raises(ModelError, match=r"best\.safetensors is missing; was training interrupted"):
        files.load(str(model), None)
