"""A recipe for a generator carried out: vocabulary, network, training, and a folder that holds all of the result.

Besides the files of every run (`loop.py`):

OUT/vocabulary.txt       one token per line
OUT/runtime.safetensors  what the method reads: the best weights in int8, for ONNX Runtime
"""

import json
from dataclasses import fields, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

import torch

from phrasemill.errors import ConfigError, InputError, UnknownName
from phrasemill.methods.generator.pieces import PieceVocabulary
from phrasemill.methods.generator.words import WordVocabulary
from phrasemill.methods.writing import RUNTIME
from phrasemill_lab.models import checkpoints
from phrasemill_lab.models.generation import score
from phrasemill_lab.models.generation_examples import GenerationExample, read_prepared
from phrasemill_lab.models.loop import MODEL, WEIGHTS, Log, check_device, require_untrained, train_in_folder
from phrasemill_lab.models.recipes import TrainingRecipe
from phrasemill_lab.models.recurrent import RecurrentLearner
from phrasemill_lab.models.transformer import Augmentation, TransformerLearner, learn_pieces
from phrasemill_lab.networks import recurrent_export, transformer_export
from phrasemill_lab.networks.recurrent import MODELS as RECURRENT
from phrasemill_lab.networks.recurrent import RecurrentConfig
from phrasemill_lab.networks.transformer import TransformerSizes

MODELS = ("generator", *RECURRENT)
VOCABULARY_FROM = 100_000  # examples; more change few pieces
VOCABULARY = "vocabulary.txt"


def check(recipe: TrainingRecipe, device: str) -> None:
    """Raise an error for what is wrong with the settings, before hours of preparation."""
    if recipe.model not in MODELS:
        raise UnknownName("model", recipe.model, MODELS)
    known = (TransformerSizes, Augmentation) if recipe.model == "generator" else (RecurrentConfig,)
    names = [one.name for kind in known for one in fields(kind)]
    if unknown := sorted(set(recipe.network) - set(names)):
        raise ConfigError(f"{recipe.model} has no setting {unknown[0]!r}; choose from {', '.join(names)}")
    check_device(device)


def train(
    recipe: TrainingRecipe, prepared: Path, folder: Path, *, device: str = "cpu", resume: bool = False, log: Log = print
) -> dict[str, Any]:
    """Train the recipe's model on prepared examples; return what `model.json` holds."""
    require_untrained(folder, resume=resume)
    sources = list(read_prepared(recipe, prepared, "train"))
    valid = list(read_prepared(recipe, prepared, "valid"))
    folder.mkdir(parents=True, exist_ok=True)
    learner = _untrained(recipe, list(chain.from_iterable(examples for _, examples in sources)), folder)
    summary = train_in_folder(
        learner,
        recipe,
        sources,
        valid,
        folder,
        learner.config,
        score=partial(score, search=recipe.schedule.search),
        device=device,
        resume=resume,
        log=log,
    )
    export(folder)
    return summary


def export(folder: Path) -> Path:
    """Write what the method reads at run time, from the best weights."""
    learner, summary, path = load(folder), _summary(folder), folder / RUNTIME
    if isinstance(learner, TransformerLearner):
        source = summary["recipe"]["network"].get("source_pieces", learner.augmentation.source_pieces)
        transformer_export.export(learner.module, learner.vocabulary, path, source=source)
    else:
        recurrent_export.export(learner.module, learner.vocabulary, path, name=summary["model"])
    return path


def load(folder: Path) -> TransformerLearner | RecurrentLearner:
    """Load the model in a folder that `train` made, with its best weights, on the CPU."""
    summary = _summary(folder)
    learner: TransformerLearner | RecurrentLearner
    if summary["model"] == "generator":
        pieces = PieceVocabulary.load(folder / VOCABULARY)
        learner = TransformerLearner.create({**summary["network"], "pretrained": "none"}, pieces)
    else:
        learner = RecurrentLearner.restore(summary["network"], WordVocabulary.load(folder / VOCABULARY))
    checkpoints.load_weights(folder / WEIGHTS, learner.module)
    learner.module.eval()
    return learner


def _summary(folder: Path) -> dict[str, Any]:
    try:
        summary: dict[str, Any] = json.loads((folder / MODEL).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{folder}: no trained model ({error})") from None
    return summary


def _untrained(
    recipe: TrainingRecipe, examples: list[GenerationExample], folder: Path
) -> TransformerLearner | RecurrentLearner:
    """Make the network and its vocabulary, which is written to the folder."""
    torch.manual_seed(recipe.seed)
    network = dict(recipe.network)
    learner: TransformerLearner | RecurrentLearner
    if recipe.model == "generator":
        size = network.pop("vocabulary", TransformerSizes().vocabulary)
        step = max(1, len(examples) // VOCABULARY_FROM)
        learner = TransformerLearner.create(network, learn_pieces(islice(examples, 0, None, step), size))
    else:
        learner = RecurrentLearner.create(examples, replace(RECURRENT[recipe.model], **network), seed=recipe.seed)
    learner.vocabulary.save(folder / VOCABULARY)
    return learner
