"""JointKPE on disk: the encoder as Transformers keeps it, a model of our training, and the authors' checkpoints.

A folder of `phrasemill make bertkpe_en` holds all of a model: `model.json`, `best.safetensors` with weights rounded to
eight bits, `graph.safetensors`, and in `encoder/` the encoder's settings and tokeniser. A checkpoint of the authors
(github.com/thunlp/BERT-KPE) is one file, a dictionary with `args`, `epoch` and `state_dict`; their names are translated
below, sizes are read off the weights, and the encoder's settings and tokeniser come from its Transformers folder. Files
of torch are read as data, never as code: besides tensors only `argparse.Namespace`, in which the authors keep their
arguments, is allowed.
"""

import re
from argparse import Namespace
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from phrasemill.errors import ModelError
from phrasemill.methods.bertkpe.reader import WEIGHTS
from phrasemill_lab.networks.jointkpe import JointKPE

NAME = "bertkpe"
MODEL, ENCODER = "model.json", "encoder"
# Theirs, and ours.
NAMES = (
    (re.compile(r"^module\."), ""),
    (re.compile(r"^cnn2gram\.cnn_list\."), "convolutions."),
    (re.compile(r"^chunk_classifier\."), "chunking."),
    (re.compile(r"^classifier\."), "ranking."),
)
SCALE = ".scale"
HEADS = ("convolutions.", "ranking.", "chunking.")
# Weights that the encoder does not need here; versions of Transformers differ in whether they save them.
UNUSED = re.compile(r"^encoder\.(pooler\.|.*(position_ids|token_type_ids)$)")


def load(path: Path, folder: Path) -> tuple[JointKPE, Any]:
    """Return the network of a checkpoint, ready to rank, and its tokeniser, with the encoder's Transformers folder."""
    if not path.exists():
        raise ModelError(f"{path}: no such file")
    network = _assembled(renamed(_read(path)), empty_encoder(folder), path, folder)
    return network.eval().requires_grad_(False), tokenizer(folder)


def pretrained(folder: Path) -> Any:
    """Return the encoder in a Transformers folder, with its weights."""
    from transformers import AutoModel

    with _one_line(folder), _quiet():
        return AutoModel.from_pretrained(folder, local_files_only=True)


def empty_encoder(folder: Path) -> Any:
    """Return the encoder of a Transformers folder without its weights."""
    from transformers import AutoConfig, AutoModel

    with _one_line(folder), _quiet():
        made: Any = AutoModel
        return made.from_config(AutoConfig.from_pretrained(folder, local_files_only=True))


def tokenizer(folder: Path) -> Any:
    from transformers import AutoTokenizer

    with _one_line(folder), _quiet():
        return AutoTokenizer.from_pretrained(folder, local_files_only=True)


def save(folder: Path, network: JointKPE, words: Any, *, int8: bool = True) -> None:
    """Write all but `model.json` and the graph into the folder of a model."""
    network.encoder.config.save_pretrained(folder / ENCODER)
    words.save_pretrained(folder / ENCODER)
    weights = {name: value for name, value in network.cpu().state_dict().items() if not UNUSED.match(name)}
    save_file(rounded(weights) if int8 else weights, folder / WEIGHTS)


def renamed(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the weights under our names, whether they had the authors' or ours."""
    found = {}
    for name, value in weights.items():
        for theirs, ours in NAMES:
            name = theirs.sub(ours, name)
        if not name.startswith((*HEADS, "encoder.")):
            name = "encoder." + name.partition(".")[2]  # theirs is named after its kind: bert, roberta …
        found[name] = value
    return found


def rounded(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the weights in a quarter of the room: matrices in eight bits, with a scale per row."""
    found = {}
    for name, value in weights.items():
        if value.dim() < 2:
            found[name] = value.float()
            continue
        scale = value.float().flatten(1).abs().amax(1).clamp_min(1e-12) / 127
        shaped = scale.reshape(-1, *[1] * (value.dim() - 1))
        found[name], found[name + SCALE] = (value.float() / shaped).round().to(torch.int8), scale
    return found


def _read(path: Path) -> dict[str, Tensor]:
    try:
        if path.suffix == ".safetensors":
            content: Any = load_file(path)
        else:
            with torch.serialization.safe_globals([Namespace]):
                content = torch.load(path, map_location="cpu", weights_only=True)
    except UnpicklingError:  # torch's own message tells how to run the code in it
        raise ModelError(f"{path}: cannot be read as weights (no file of torch, or one that holds code)") from None
    except Exception as error:  # whatever the two libraries raise at damaged files
        raise ModelError(f"{path}: cannot be read as weights ({_first_line(error)})") from None
    weights = content.get("state_dict", content) if isinstance(content, dict) else None
    if not isinstance(weights, dict) or not all(isinstance(value, Tensor) for value in weights.values()):
        raise ModelError(f"{path}: no checkpoint of JointKPE (it has no state_dict)")
    return weights


def _assembled(weights: dict[str, Tensor], encoder: Any, path: Path, folder: Path) -> JointKPE:
    lengths = sum(bool(re.fullmatch(r"convolutions\.\d+\.weight", name)) for name in weights)
    needed = ["convolutions.0.weight", "ranking.weight", "chunking.weight"]
    if lacking := [name for name in needed if name not in weights]:
        raise ModelError(f"{path}: no weights of JointKPE ({lacking[0]} is missing)")
    width, classes = len(weights["convolutions.0.weight"]), len(weights["chunking.weight"])
    network = JointKPE(encoder, width=width, longest=lengths, classes=classes)
    used = {name: value for name, value in weights.items() if not UNUSED.match(name)}
    try:
        missing, unexpected = network.load_state_dict(used, strict=False)
    except RuntimeError as error:  # sizes differ; the first line only says that there are errors
        raise ModelError(
            f"{path}: does not fit the encoder in {folder} ({str(error).splitlines()[1].strip()})"
        ) from None
    problems = [f"{name} is missing" for name in missing if not UNUSED.match(name)]
    problems += [f"it has no {name}" for name in unexpected]
    if problems:
        raise ModelError(f"{path}: does not fit the encoder in {folder} ({problems[0]})")
    return network


@contextmanager
def _one_line(folder: Path) -> Iterator[None]:
    if not folder.is_dir():
        raise ModelError(f"{folder}: no such folder; an encoder is one that Transformers saved")
    try:
        yield
    except Exception as error:  # whatever the library and its own dependencies raise
        raise ModelError(f"{folder}: no encoder that Transformers can read ({_first_line(error)})") from None


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence the library's progress bars and warnings."""
    from transformers.utils import logging as library_logging

    logging: Any = library_logging
    bars, level = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
