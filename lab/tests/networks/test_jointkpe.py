"""JointKPE's graph against its network, and checkpoints of its authors."""

from pathlib import Path

import numpy as np
import pytest
import torch

import tiny_joint
from phrasemill.candidates import ngrams
from phrasemill.errors import ModelError
from phrasemill.methods.bertkpe.reader import JointModel, best, load, scores
from phrasemill.text.analyse import analyse
from phrasemill_lab.models.jointkpe import batch_of
from phrasemill_lab.networks import jointkpe_export as export
from phrasemill_lab.networks import jointkpe_files as files
from phrasemill_lab.networks.jointkpe import JointKPE, offsets

SHORT = "Salt water moves inland when pumps draw too much. Wells of the plain turn brackish."
KINDS = {"bert": tiny_joint.bert, "roberta": tiny_joint.roberta}


@pytest.fixture(scope="module", params=list(KINDS))
def encoder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return KINDS[request.param](tmp_path_factory.mktemp(request.param))


@pytest.fixture(scope="module")
def network(encoder: Path) -> JointKPE:
    return tiny_joint.untrained(encoder)


@pytest.fixture(scope="module")
def model(encoder: Path, network: JointKPE, tmp_path_factory: pytest.TempPathFactory) -> JointModel:
    folder = tmp_path_factory.mktemp("model")
    files.save(folder, network, files.tokenizer(encoder), int8=False)
    export.write_graph(folder)
    return load(folder / "best.safetensors", "bertkpe")


def test_windows_hold_every_run_and_lose_no_word(model: JointModel) -> None:
    made, rng = model.reader, np.random.default_rng(7)
    assert made.window == 64, "RoBERTa has two positions more than it can use"
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


def test_the_highest_score_of_any_window_counts_and_is_the_networks(model: JointModel, network: JointKPE) -> None:
    analysis = analyse(SHORT * 12, tag=False)
    parts = list(model.reader.windows(model.reader.pieces(analysis)))
    assert len(parts) > 8
    found = scores(*model, analysis)
    expected = np.full_like(found, -np.inf)
    with torch.inference_mode():
        for part in parts:
            ranked = network.rank(batch_of([part], 5, 0))[0].tolist()
            begins = offsets(part.end - part.begin, 5)
            for size in range(1, 6):
                for i, score in enumerate(ranked[begins[size - 1] : begins[size]]):
                    expected[size - 1, part.begin + i] = max(expected[size - 1, part.begin + i], score)
    assert np.isfinite(found[4, : len(analysis) - 4]).all() and not np.isfinite(found[4, len(analysis) - 4 :]).any()
    np.testing.assert_allclose(found, expected, atol=1e-5)
    cut = scores(*model, analysis, truncate=True)
    assert np.isfinite(cut[0, : parts[0].end]).all() and (cut[0, parts[0].end :] == -np.inf).all()


def test_a_candidate_has_its_best_occurrence_and_a_long_one_the_mean_of_its_runs() -> None:
    analysis = analyse("Salt water and salt waters.", tag=False)
    runs = np.arange(5 * len(analysis), dtype=np.float32).reshape(5, -1)
    found = ngrams(analysis, longest=6)
    values = dict(zip([one.form for one in found], best(runs, found), strict=True))
    assert values["salt"] == runs[0, 3] and values["salt water"] == runs[1, 3]
    narrow = dict(zip([one.form for one in found], best(runs[:2], found), strict=True))
    assert narrow["salt water and salt"] == runs[1, :3].mean()


@pytest.mark.parametrize("form", ["theirs", "weights alone", "safetensors", "two processes", "without a pooler"])
def test_a_checkpoint_of_the_authors_becomes_the_same_model(
    form: str, encoder: Path, network: JointKPE, model: JointModel, tmp_path: Path
) -> None:
    from safetensors.torch import save_file

    published = tiny_joint.published(network, network.encoder.config.model_type)
    weights = dict(published["state_dict"])  # type: ignore[call-overload]
    path = tmp_path / ("weights.safetensors" if form == "safetensors" else "weights.bin")
    if form == "two processes":
        weights = {f"module.{name}": value for name, value in weights.items()}
    if form == "without a pooler":
        weights = {name: value for name, value in weights.items() if "pooler" not in name}
    if form == "safetensors":
        save_file({name: value.contiguous() for name, value in weights.items()}, path)
    else:
        torch.save(published if form == "theirs" else weights, path)
    export.convert(path, encoder, tmp_path / "model")
    analysis = analyse(SHORT, tag=False)
    again = load(tmp_path / "model" / "best.safetensors", "bertkpe")
    np.testing.assert_array_equal(scores(*again, analysis), scores(*model, analysis))


def test_weights_of_eight_bits_are_close(network: JointKPE) -> None:
    weights = network.state_dict()
    for name, value in files.rounded(weights).items():
        if name + files.SCALE in files.rounded(weights):
            scale = files.rounded(weights)[name + files.SCALE].reshape(-1, *[1] * (value.dim() - 1))
            assert (value * scale - weights[name]).abs().max() <= weights[name].abs().max() / 254 + 1e-6


def test_another_kind_of_encoder_is_refused() -> None:
    with pytest.raises(ModelError, match="the encoder must be BERT or RoBERTa, got 't5'"):
        export.first_position({"model_type": "t5"})


class Harmful:
    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (Path("harmed"),)


def test_what_can_be_wrong_with_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    encoder = tiny_joint.bert(tmp_path / "encoder")
    good = tiny_joint.published(tiny_joint.untrained(encoder), "bert")
    weights = dict(good["state_dict"])  # type: ignore[call-overload]

    def refused(content: object, complaint: str, folder: Path = encoder) -> None:
        torch.save(content, "file")
        with pytest.raises(ModelError, match=complaint) as error:
            files.load(Path("file"), folder)
        assert "\n" not in str(error.value)

    refused(
        {**good, "args": Harmful()}, r"file: cannot be read as weights \(no file of torch, or one that holds code\)"
    )
    assert not Path("harmed").exists()
    refused([1, 2], r"no checkpoint of JointKPE \(it has no state_dict\)")
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
    Path("file").write_bytes(b"nothing of use")
    with pytest.raises(ModelError, match="cannot be read as weights"):
        files.load(Path("file"), encoder)
    with pytest.raises(ModelError, match="none: no such file"):
        files.load(Path("none"), encoder)
