"""Small generators: an untrained one for what any model must do, and lessons that a small one can learn."""

import torch

from phrasemill.methods.generator.pieces import EOS, SEP, SPECIALS, PieceVocabulary
from phrasemill.types import Document
from phrasemill_lab.models.generation import GenerationExample, example_of
from phrasemill_lab.models.generator import TransformerLearner, learn_pieces

SIZES = {
    "width": 32,
    "heads": 2,
    "inner": 64,
    "encoder_layers": 1,
    "decoder_layers": 2,
    "positions": 64,
    "target_positions": 32,
    "source_pieces": 64,
    "pretrained": "none",
}
WORDS = "salt water moves inland and the wells of coastal plain turn river ecology plant farm s ##s".split()
SUBJECTS = ("tidal creek", "worker bee", "paper mill", "clock tower", "water table", "mountain pass")
FIELDS = ("coastal ecology", "insect behaviour", "forest industry", "fine mechanics", "hydrology", "road building")


def untrained() -> TransformerLearner:
    torch.manual_seed(5)
    learner = TransformerLearner.create(SIZES, PieceVocabulary([*SPECIALS, *WORDS]))
    with torch.no_grad():
        for parameter in learner.module.parameters():
            torch.nn.init.normal_(parameter, std=0.2)
        learner.module.bias[[EOS, SEP]] += 2  # so that it comes to an end
    learner.module.eval()
    return learner


def lessons() -> list[GenerationExample]:
    """Documents with one keyphrase that they say and one that they do not."""
    openings = ("we study the {} of the north", "on the {} in winter", "results for a {} near the sea", "the old {}")
    found = []
    for number, (subject, field) in enumerate(zip(SUBJECTS, FIELDS, strict=True)):
        for place, opening in enumerate(openings):
            document = Document(f"{number}-{place}", opening.format(subject), references=(subject, field))
            example = example_of(document)
            assert example is not None
            found.append(example)
    return found


def pieces() -> PieceVocabulary:
    return learn_pieces(lessons(), 200)
