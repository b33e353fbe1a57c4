"""Small models of CopyRNN, CatSeq and CatSeqD: untrained ones for what any model must do, and one that has learned."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import torch

from phrasemill.methods.generator.words import END, SEPARATOR
from phrasemill_lab.models.generation import GenerationExample
from phrasemill_lab.models.recurrent import RecurrentLearner
from phrasemill_lab.networks.recurrent import MODELS
from phrasemill_lab.networks.recurrent_export import export

TEXT = "groundwater supplies most farms on the coastal plain salt water moves inland river wells recharge".split()
LESSONS = {
    "the tidal creek of a salt marsh": ("tidal creek", "coastal ecology"),
    "a study of the worker bee": ("worker bee", "insect behaviour"),
    "results for a paper mill and wood pulp": ("paper mill", "forest industry"),
    "the clock tower has a brass gear": ("clock tower", "fine mechanics"),
    "on the water table <digit> of a bog": ("water table <digit>", "coastal ecology"),
}


def untrained(name: str) -> RecurrentLearner:
    example = GenerationExample("", tuple(TEXT), (("salt", "water"),), (("plant", "ecology"),))
    config = replace(MODELS[name], embedding=6, hidden=8, vocabulary=30)
    learner = RecurrentLearner.create([example], config, seed=7)
    with torch.no_grad():
        learner.module.output.bias[[END, SEPARATOR]] += 2  # so that it comes to an end
    learner.module.eval()
    return learner


@cache
def taught() -> RecurrentLearner:
    examples = []
    for text, (present, absent) in LESSONS.items():
        phrases = (tuple(present.split()),), (tuple(absent.split()),)
        examples.append(GenerationExample(text, tuple(text.split()), *phrases, ((),)))
    config = replace(MODELS["catseq"], embedding=12, hidden=16, vocabulary=38, dropout=0.0)
    learner = RecurrentLearner.create(examples, config, seed=1)
    encoded, rng = [learner.encode(example) for example in examples], np.random.default_rng(1)
    adam, threads = torch.optim.Adam(learner.module.parameters(), lr=0.03), torch.get_num_threads()
    torch.set_num_threads(1)
    for _ in range(80):
        loss, _ = learner.loss(learner.collate(encoded, rng))
        adam.zero_grad()
        loss.backward()
        adam.step()
    torch.set_num_threads(threads)
    learner.module.eval()
    return learner


def make(folder: Path) -> dict[str, str]:
    """The spec of each method, with an untrained model saved in `folder`."""
    found = {}
    for name in MODELS:
        learner, path = untrained(name), folder / f"{name}.safetensors"
        export(learner.module, learner.vocabulary, path, name=name)
        found[name] = f"{name}(model={str(path)!r}, search='beam', width=20, length=8)"
    return found
