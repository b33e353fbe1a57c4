"""A recipe carried out: vocabulary, network, training, and a folder that holds all of the result.

OUT/model.json        what it is: kind, sizes, recipe, scores
OUT/vocabulary.txt    one token a line
OUT/best.safetensors  the weights with the best F1@O on the first validation set
OUT/curves.jsonl      losses and scores as they came, and curves.svg, their picture
OUT/checkpoint.safetensors   to go on after an interruption
OUT/runtime.safetensors      what the method reads: the best weights in int8, for ONNX Runtime
"""

import json
import time
from dataclasses import asdict, fields, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

import torch

from phrasemill.errors import ConfigError, InputError, UnknownName
from phrasemill.lab.networks import recurrent_export, transformer_export
from phrasemill.lab.networks.recurrent import MODELS as RECURRENT
from phrasemill.lab.networks.recurrent import RecurrentConfig
from phrasemill.lab.networks.transformer import Sizes
from phrasemill.lab.training import checkpoints, curves
from phrasemill.lab.training.generation import CURVES, WEIGHTS, Run, Say
from phrasemill.lab.training.generation_examples import Example
from phrasemill.lab.training.recipes import Corpus, Recipe, read_prepared
from phrasemill.lab.training.recurrent import RecurrentLearner
from phrasemill.lab.training.transformer import Teaching, TransformerLearner, learn_pieces
from phrasemill.methods.generator.pieces import Pieces
from phrasemill.methods.generator.words import Words
from phrasemill.methods.writing import RUNTIME

MODELS = ("generator", *RECURRENT)
VOCABULARY_FROM = 100_000  # examples; more change few pieces
MODEL, VOCABULARY = "model.json", "vocabulary.txt"


def check(recipe: Recipe, device: str) -> None:
    """Find out what is wrong before hours of preparation."""
    if recipe.model not in MODELS:
        raise UnknownName("model", recipe.model, MODELS)
    known = (Sizes, Teaching) if recipe.model == "generator" else (RecurrentConfig,)
    names = [one.name for kind in known for one in fields(kind)]
    if unknown := sorted(set(recipe.network) - set(names)):
        raise ConfigError(f"{recipe.model} has no setting {unknown[0]!r}; there are {', '.join(names)}")
    check_device(device)


def check_device(device: str) -> None:
    try:
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise ConfigError(f"device {device!r} is not there: {str(error).splitlines()[0]}") from None


def train(
    recipe: Recipe, prepared: Path, folder: Path, *, device: str = "cpu", resume: bool = False, say: Say = print
) -> dict[str, Any]:
    """Train the recipe's model on prepared examples; what `model.json` says of it."""
    if (folder / MODEL).exists() and not resume:
        raise InputError(f"{folder}: a model was trained here already; choose another folder, or resume")
    began = time.time()
    corpora = list(read_prepared(recipe, prepared, "train"))
    valid = {
        _title(corpus, i): examples for i, (corpus, examples) in enumerate(read_prepared(recipe, prepared, "valid"))
    }
    folder.mkdir(parents=True, exist_ok=True)
    learner = _fresh(recipe, corpora, folder)
    count = sum(p.numel() for p in learner.module.parameters())
    say(f"{recipe.model}: {count / 1e6:.1f} M parameters, {sum(len(e) for _, e in corpora):,} documents")
    run = Run(learner, recipe, [(corpus.repeat, e) for corpus, e in corpora], valid, folder, device=device, say=say)
    if resume:
        run.resume()
    progress = run.fit()
    summary = {
        "model": recipe.model,
        "network": learner.config,
        "recipe": asdict(recipe),
        "parameters": count,
        "updates": progress.update,
        "best F1@O": round(progress.best, 2),
        "seconds": round(time.time() - began),
        "device": torch.cuda.get_device_name() if device.startswith("cuda") else device,
    }
    (folder / MODEL).write_text(json.dumps(summary, indent=1, default=str), encoding="utf-8")
    picture = curves.picture(curves.read_curves(folder / CURVES), f"Training of {recipe.model}")
    (folder / "curves.svg").write_text(picture, encoding="utf-8")
    export(folder)
    return summary


def export(folder: Path, *, int8: bool = True) -> Path:
    """Write what the method reads at run time, from the best weights."""
    learner, summary, path = load(folder), _summary(folder), folder / RUNTIME
    if isinstance(learner, TransformerLearner):
        source = summary["recipe"]["network"].get("source_pieces", learner.teaching.source_pieces)
        transformer_export.export(learner.module, learner.pieces, path, int8=int8, source=source)
    else:
        recurrent_export.export(learner.module, learner.vocabulary, path, name=summary["model"], int8=int8)
    return path


def load(folder: Path) -> TransformerLearner | RecurrentLearner:
    """The model in a folder that `train` made, with its best weights, on the CPU."""
    summary = _summary(folder)
    learner: TransformerLearner | RecurrentLearner
    if summary["model"] == "generator":
        learner = TransformerLearner.create(
            {**summary["network"], "pretrained": "none"}, Pieces.load(folder / VOCABULARY)
        )
    else:
        learner = RecurrentLearner.restore(summary["network"], Words.load(folder / VOCABULARY))
    checkpoints.load_weights(folder / WEIGHTS, learner.module)
    learner.module.eval()
    return learner


def _summary(folder: Path) -> dict[str, Any]:
    try:
        summary: dict[str, Any] = json.loads((folder / MODEL).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{folder}: no trained model ({error})") from None
    return summary


def _fresh(recipe: Recipe, corpora: list[tuple[Corpus, list[Example]]], folder: Path) -> Any:
    torch.manual_seed(recipe.seed)
    every = list(chain.from_iterable(examples for _, examples in corpora))
    network = dict(recipe.network)
    if recipe.model == "generator":
        size = network.pop("vocabulary", Sizes().vocabulary)
        step = max(1, len(every) // VOCABULARY_FROM)
        pieces = learn_pieces(islice(every, 0, None, step), size)
        pieces.save(folder / VOCABULARY)
        return TransformerLearner.create(network, pieces)
    config = replace(RECURRENT[recipe.model], **network)
    learner = RecurrentLearner.create(every, config, seed=recipe.seed)
    learner.vocabulary.save(folder / VOCABULARY)
    return learner


def _title(corpus: Corpus, number: int) -> str:
    return f"{Path(corpus.files).name.split('.')[0]}:{number}"
