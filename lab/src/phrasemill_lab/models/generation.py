"""What learners share that write keyphrases: decoding, and the score on validation sets."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

import torch

from phrasemill.evaluation import evaluate
from phrasemill.methods.generator.search import ROWS_AT_ONCE, Decoder, Marks, Search, generate
from phrasemill.methods.writing import Phrases, Words
from phrasemill.types import Document
from phrasemill_lab.models.generation_examples import GenerationExample
from phrasemill_lab.networks.stepper import TorchStepper

METRIC = "F1@O"
ROWS_ON_GPU = 1200
NetworkT = TypeVar("NetworkT", bound=torch.nn.Module)
VocabularyT = TypeVar("VocabularyT", bound=Decoder)


class GenerationLearner(ABC, Generic[NetworkT, VocabularyT]):
    """A learner whose network writes keyphrases."""

    module: NetworkT
    vocabulary: VocabularyT
    marks: Marks

    @abstractmethod
    def stepper(self, style: str) -> TorchStepper: ...

    @abstractmethod
    def search(self, kind: str) -> Search:
        """Return the settings with which validation searches."""

    def generate(self, sources: Sequence[Words], search: Search, *, style: str = "author") -> list[Phrases]:
        """Return the unique phrases of each source, best first."""
        was_training = self.module.training
        self.module.eval()
        on_gpu = next(self.module.parameters()).is_cuda
        rows = ROWS_ON_GPU if on_gpu else ROWS_AT_ONCE
        found = generate(self.stepper(style), sources, self.vocabulary, self.marks, search, rows_at_once=rows)
        self.module.train(was_training)
        return found


def score(
    learner: GenerationLearner[Any, Any],
    examples: Sequence[GenerationExample],
    *,
    search: str = "greedy",
    metric: str = METRIC,
) -> float:
    """Return the present phrases' F1@O (or another metric), as Yuan et al. (2020) score."""
    lists = learner.generate([one.words for one in examples], learner.search(search), style=examples[0].style)
    found = {one.id: [" ".join(words) for words, _ in phrases] for one, phrases in zip(examples, lists, strict=True)}
    gold = [
        Document(
            one.id,
            " ".join(one.words),
            language="en",  # whose stemmer the preset has: nothing is to be detected
            references=tuple([" ".join(words) for words in (*one.present, *one.absent)]),
        )
        for one in examples
    ]
    wanted = f"{metric}(present='{'absent' if metric.startswith('R@') else 'present'}')"
    return evaluate(found, gold, metrics=[wanted], preset="yuan2020")[wanted]
